// SPDX-License-Identifier: Zlib
// What a scene file says, checked and with defaults filled in; docs/scene.md is the reference. Reading it builds
// nothing: these are plain values. SI units; angles in degrees, as in the file; paths as resolved against the file.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pliant/math/Types.h"
#include "pliant/runtime/Settings.h"
#include "pliant/scene/LiveNumber.h"

namespace pliant::scene {

using Colour = std::array<double, 3>;  ///< linear RGB in [0, 1]

/// How a mesh becomes a model. Reading a scene knows no reduction: who does derives from this (ReduceReader).
struct ReduceRecipe {
    virtual ~ReduceRecipe() = default;
};

/// A reduced model, or the mesh that it is made of on demand.
struct ModelEntry {
    std::string name;
    std::string where;  ///< file:line:column, for messages
    std::string file;   ///< .pliant, or a mesh (docs/formats.md) that is reduced with `reduce`
    bool isReduced = false;
    std::shared_ptr<const ReduceRecipe> reduce;  ///< of a mesh
    std::string keep;  ///< where the reduced model is kept; empty = the models folder of the output
    std::optional<DampingSettings> damping;  ///< absent: defaultDamping() of the model
    NewmarkSettings newmark;
    Integrator integrator = Integrator::Newmark;
    Coupling coupling = Coupling::Full;
    bool selfContact = false;
    std::optional<Colour> colour;  ///< drawn in place of the model's own colours
};

/// Where the copies of a body stand: one, a grid or a stack, each moved a little by seeded chance.
struct Placement {
    Vector3 position = Vector3::Zero();    ///< of the body; the grid's centre; the stack's lowest body, m
    Vector3 rotation = Vector3::Zero();    ///< about x, then y, then z of the world, degrees
    std::array<int, 3> count = {1, 1, 1};  ///< copies along x, y, z; of a stack: {n, 1, 1}
    Vector3 spacing = Vector3::Zero();     ///< m
    bool isStack = false;                  ///< count[0] copies along the scene's up direction, the lowest at `position`
    double jitterPosition = 0.0;           ///< largest move along each axis, m
    double jitterRotation = 0.0;           ///< largest turn about a random axis, degrees
    std::uint64_t seed = 1;
};

/// How a kinematic group moves: its position (m) and rotation (degrees) as functions of time.
struct Path {
    std::array<LiveNumber, 3> position, rotation;

    Placement at(double t, Placement placement) const;  ///< @param placement of the group; the rest of it stays
};

struct SurfaceProperties {
    double friction = 0.5;
    double restitution = 0.0;
    double rollingFriction = 0.0;   ///< m: lever of the normal force against rolling
    double spinningFriction = 0.0;  ///< m: the same against spinning about the normal
};

struct StartVelocity {
    Vector3 linear = Vector3::Zero();   ///< m/s
    Vector3 angular = Vector3::Zero();  ///< rad/s, world axes
};

enum class Motion {
    Free,
    Anchored,  ///< the frame stands still, the deformation moves
    Kinematic  ///< the scene moves the frame, by a path and with the start velocity for ever; the deformation moves
};

struct BodyGroup {
    std::string name;  ///< for joints; may be empty
    std::string model;
    std::string where;
    Placement placement;
    Motion motion = Motion::Free;
    std::optional<Path> path;  ///< kinematic ones
    StartVelocity velocity;
    SurfaceProperties surface;
    bool mayFallAsleep = true;
};

enum class RigidShape { Box, Sphere, Capsule, Cylinder, Mesh };

/// Bullet's own bodies.
struct RigidGroup {
    std::string name;  ///< for joints; may be empty
    RigidShape shape = RigidShape::Box;
    std::string where;
    Vector3 size = Vector3::Ones();  ///< box: full edge lengths, m
    double radius = 0.5;             ///< sphere, capsule, cylinder, m
    double height = 1.0;             ///< along local z, m; of a capsule: between the centres of its caps
    std::string file;                ///< mesh: .obj, static only
    double scale = 1.0;              ///< mesh
    double mass = 0.0;               ///< kg; 0 = static
    bool isKinematic = false;        ///< the scene moves it
    std::optional<Path> path;        ///< kinematic ones
    Placement placement;
    StartVelocity velocity;
    SurfaceProperties surface;
    Colour colour = {0.6, 0.6, 0.62};
};

enum class JointKind { Point, Hinge, Slider, Fixed, Spring };

struct JointEnd {
    std::string name;
    std::string where;
    int copy = -1;  ///< of a grid or stack, in the order of place(); -1: every one
};

struct JointMotor {
    double velocity = 0.0;  ///< rad/s or m/s
    double strength = 0.0;  ///< N m or N
};

/// A joint, or one for every copy of its first body.
struct JointGroup {
    JointKind kind = JointKind::Point;
    std::string where;
    std::vector<JointEnd> ends;        ///< one: to the world; or two
    Vector3 at = Vector3::Zero();      ///< m; world at the start, or the frame of the first body
    bool isLocal = false;              ///< `at` and `axis` are the first body's (the mesh's frame of a deformable one)
    Vector3 axis = Vector3::UnitZ();   ///< of a hinge or a slider, unit length
    Vector3 offset = Vector3::Zero();  ///< spring: from the point to the other end, world axes, m
    std::optional<std::array<double, 2>> limits;  ///< degrees or m
    std::optional<JointMotor> motor;
    double stiffness = 0.0;                 ///< spring, N/m
    double damping = 0.0;                   ///< spring, N s/m
    std::optional<double> breakingImpulse;  ///< N s in one step
    bool collide = false;                   ///< the joined bodies collide with each other
};

/// A plane through height * up, with the scene's up direction as its normal.
struct Ground {
    double height = 0.0;
    SurfaceProperties surface{0.8, 0.0};
    Colour colour = {0.42, 0.44, 0.47};
};

struct TimeSettings {
    double duration = 5.0;     ///< simulated, s
    int framesPerSecond = 30;  ///< frames drawn per simulated second
    int substeps = 4;          ///< steps per frame: h = 1 / (framesPerSecond * substeps)

    int frames() const;  ///< duration * framesPerSecond, rounded, at least 1
    double step() const { return 1.0 / (static_cast<double>(framesPerSecond) * substeps); }
};

struct SolverSettings {
    int iterations = 10;            ///< sweeps of the constraint solver per step
    bool doublePrecision = false;   ///< of the reduced stiffness; Bullet's own is that of its library
    double tangentTolerance = 0.0;  ///< see pliant::BatchSettings
    double margin = 0.0;            ///< added around everything that collides of a deformable body, m
};

struct Camera {
    Vector3 from = Vector3::Zero();
    Vector3 to = Vector3::Zero();
    double fieldOfView = 35.0;  ///< vertical, degrees
};

/// Level of detail of all bodies, seen from the scene's camera.
struct DetailSettings {
    double pixels = 150.0;     ///< bodies this large across have all coordinates
    int least = 6;             ///< coordinates that every body keeps
    double quietEnergy = 0.0;  ///< J/kg: bodies that deform less than this keep the least; 0 = off
};

struct Light {
    std::optional<Vector3> direction;  ///< the way the light travels; absent: from above, over the viewer's shoulder
    double brightness = 1.0;           ///< of the sun
    bool shadow = true;
};

struct OutputSettings {
    std::string name;  ///< of the files written; by default the scene file's
    int width = 1280;
    int height = 720;
    double pictureTime = -1.0;  ///< simulated time of the still picture, s; negative = the last frame
};

struct SceneDescription {
    std::string file;
    Vector3 gravity = Vector3(0.0, 0.0, -9.81);  ///< m/s^2
    TimeSettings time;
    SolverSettings solver;
    std::vector<ModelEntry> models;
    std::vector<BodyGroup> bodies;
    std::vector<RigidGroup> rigid;
    std::vector<JointGroup> joints;
    std::optional<Ground> ground;
    std::optional<Camera> camera;  ///< absent: chosen so that all bodies are seen
    std::optional<DetailSettings> detail;
    Light light;
    OutputSettings output;

    /// Unit vector against gravity; z where there is none.
    Vector3 up() const;
    int bodyCount() const;
};

}  // namespace pliant::scene
