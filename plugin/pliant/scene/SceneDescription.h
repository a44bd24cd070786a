// SPDX-License-Identifier: Zlib
/// @file
/// What a scene file says, checked and with defaults filled in; docs/scene.md is the reference. Reading it builds
/// nothing: these are plain values. SI units; angles in degrees, as in the file; paths as resolved against the file.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"
#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/runtime/Settings.h"
#include "pliant/scene/FieldDescription.h"
#include "pliant/scene/LiveNumber.h"
#include "pliant/scene/PictureDescription.h"
#include "pliant/scene/TimelineDescription.h"
#include "pliant/scene/ToolDescription.h"
#include "pliant/scene/TouchDescription.h"

namespace pliant::scene {

/// How a mesh or a rigged character becomes a model. Reading a scene knows no reduction: who does derives from this
/// (ReduceReader).
struct ReduceRecipe {
    virtual ~ReduceRecipe() = default;  ///< Of whatever the reader has made.
};

/// What a surface looks like.
struct Material {
    std::string name;              ///< The name that others know it by.
    std::optional<Colour> colour;  ///< Absent: the surface's own; with a texture it multiplies it.
    std::string texture;           ///< An image; empty: the surface's own.
    std::string normalMap;   ///< An image of normals in the frame of the texture (OpenGL: green is up); empty: none.
    bool twoSided = false;   ///< Back faces are drawn even of what is closed.
    double roughness = 0.6;  ///< Roughness: 0 is a mirror, 1 is chalk.
    double metal = 0.0;      ///< Share of the light that is reflected in the colour of the surface.
    double opacity = 1.0;    ///< Opacity; 0: it is not seen.
};

/// Who meets whom: bodies of a layer touch those of the layers that it names, and of those that name it.
struct Layer {
    std::string name;                ///< The name that bodies know it by.
    std::string where;               ///< Where it stands in the file: file:line:column.
    std::vector<std::string> meets;  ///< Other layers, itself, or "rest": all that is in none.
};

/// A reduced model, or the mesh that it is made of on demand.
struct ModelEntry {
    std::string name;        ///< The name that bodies know it by; of one that stands in no entry its absolute path.
    std::string label;       ///< What it is called in files and lists: the name, or that of its file; no two are alike.
    std::string where;       ///< Where it stands in the file, for messages: file:line:column.
    std::string file;        ///< A reduced model (.pliant), or a mesh (docs/formats.md) that is reduced with `reduce`.
    bool isReduced = false;  ///< Whether `file` is a reduced model.
    std::shared_ptr<const ReduceRecipe> reduce;  ///< How a mesh is reduced.
    std::shared_ptr<const ReduceRecipe> rig;     ///< How a rigged character gets its flesh; then `reduce` is null.
    std::string keep;  ///< Where the reduced model is kept; empty = the models folder of the output.
    std::optional<DampingSettings> damping;       ///< Absent: defaultDamping() of model and step.
    NewmarkSettings newmark;                      ///< Settings of the implicit step.
    Integrator integrator = Integrator::Newmark;  ///< How q moves.
    Coupling coupling = Coupling::Full;           ///< How rotation and deformation feel each other.
    bool selfContact = false;                     ///< Whether a body touches itself.
    std::optional<Colour> colour;                 ///< A colour that is drawn in place of the model's own.
    /// Pairs of a material of the mesh and one of SceneDescription::materials that is drawn in its place.
    std::vector<std::pair<std::string, std::string>> materials;
};

/// Where the copies of a body stand: one, a grid or a stack, each moved a little by seeded chance.
struct Placement {
    Vector3 position = Vector3::Zero();  ///< Place of the body, of the grid's centre or of the stack's lowest body, m.
    Vector3 rotation = Vector3::Zero();  ///< Turns about x, then y, then z of the world, degrees.
    std::array<int, 3> count = {1, 1, 1};  ///< Copies along x, y, z; of a stack: {n, 1, 1}.
    Vector3 spacing = Vector3::Zero();     ///< Spacing of the copies, m.
    bool isStack = false;  ///< Whether count[0] copies stand along the scene's up direction, the lowest at `position`.
    double jitterPosition = 0.0;  ///< Largest move along each axis, m.
    double jitterRotation = 0.0;  ///< Largest turn about a random axis, degrees.
    std::uint64_t seed = 1;       ///< Seed of the moves and turns.
    std::optional<RigidTransform>
        frame;  ///< Frame of the instance of a prefab that all of this is told in; absent: the world.
};

/// How a kinematic group moves: its position (m) and rotation (degrees) as functions of time.
struct PLIANT_API Path {
    std::array<LiveNumber, 3> position;  ///< Position, m.
    std::array<LiveNumber, 3> rotation;  ///< Rotation, degrees.

    /// The placement at time t, s.
    /// @param t simulated time, s
    /// @param placement of the group; the rest of it stays
    Placement at(double t, Placement placement) const;
};

/// Bullet's properties of a surface.
struct SurfaceProperties {
    double friction = 0.5;          ///< Coefficient; a pair has the product of both.
    double restitution = 0.0;       ///< Share of the approaching speed.
    double rollingFriction = 0.0;   ///< Lever of the normal force against rolling, m.
    double spinningFriction = 0.0;  ///< Lever of the normal force against spinning about the normal, m.
    double contactStiffness = 0.0;  ///< Penalty, N/m, of a strand's contact or a solid's largest face; 0: rigid.
    double contactDamping = 0.0;    ///< Damping of the penalty, N s/m.
};

/// How a body moves at the start.
struct StartVelocity {
    Vector3 linear = Vector3::Zero();   ///< Linear velocity, m/s.
    Vector3 angular = Vector3::Zero();  ///< Angular velocity, rad/s, world axes.
};

/// Who moves a body.
enum class Motion {
    Free,      ///< Forces alone move it.
    Anchored,  ///< The frame stands still, the deformation moves.
    Kinematic  ///< The scene moves the frame, by a path and with the start velocity for ever; the deformation moves.
};

/// How the bones of characters move.
struct ClipSettings {
    std::string clip;        ///< Name of the clip; empty: the model's first.
    double speed = 1.0;      ///< Seconds of the clip in a second.
    double phase = 0.0;      ///< Where it begins, as a share of its length.
    bool isRandom = false;   ///< Each copy begins somewhere, by chance of Placement::seed.
    bool isRagdoll = false;  ///< Nobody moves the bones, from the start.
    std::string where;       ///< Where it stands in the file: file:line:column; empty: nothing is said.

    /// Where a copy begins, as a share of the clip's length.
    /// @param seed Placement::seed  @param copy its number, from 0
    PLIANT_API double phaseOf(std::uint64_t seed, int copy) const;
};

/// A group of reduced bodies.
struct BodyGroup {
    bool isPool = false;           ///< Whether its bodies come into the scene by events.
    std::string name;              ///< The name that joints know it by; may be empty.
    std::string model;             ///< A name of SceneDescription::models.
    std::string where;             ///< Where it stands in the file: file:line:column.
    Placement placement;           ///< Places of the copies.
    Motion motion = Motion::Free;  ///< What moves it.
    std::optional<Path> path;      ///< Kinematic ones.
    StartVelocity velocity;        ///< Velocity at the start; of kinematic ones for ever.
    SurfaceProperties surface;     ///< Surface of every copy.
    ClipSettings clip;             ///< The clip that characters play.
    bool mayFallAsleep = true;     ///< Whether it falls asleep once it is at rest.
    std::string layer;             ///< A name of SceneDescription::layers; empty: in none.
    std::vector<Colour> colours;  ///< Colours of the copies in turn: each multiplies what the surface has; none: white.
    /// As ModelEntry::materials, of these bodies alone; none: those of the model.
    std::vector<std::pair<std::string, std::string>> materials;
};

/// The shapes of Bullet's own bodies.
enum class RigidShape {
    Box,          ///< A box, of `size`.
    Sphere,       ///< A sphere, of `radius`.
    Capsule,      ///< A capsule, of `radius` and `height`.
    Cylinder,     ///< A cylinder, of `radius` and `height`.
    Mesh,         ///< A mesh, of `file` and `scale`; it does not move freely.
    Cone,         ///< A cone, of `radius` and `height`.
    Hull,         ///< The convex hull of `file` and `scale`, or one a piece.
    MultiSphere,  ///< The convex hull of `parts`, which are spheres.
    Compound,     ///< A compound of `parts`.
    HeightField,  ///< A height field of `heights`; it does not move freely.
    Plane         ///< A plane without end, across the z of its frame; it does not move freely.
};

/// A part of a compound, or a sphere of a multi-sphere.
struct RigidPart {
    RigidShape shape = RigidShape::Sphere;  ///< A box, a sphere, a capsule, a cylinder or a cone.
    Vector3 size = Vector3::Ones();         ///< Box: full edge lengths, m.
    double radius = 0.5;                    ///< Sphere, capsule, cylinder, cone, m.
    double height = 1.0;                    ///< Height along local z, m; of a capsule: between the centres of its caps.
    RigidTransform place;  ///< Body from part; of what has a mass with its centre of mass at the origin.
};

/// Heights over a square grid about the origin, along x and y.
struct HeightTable {
    int columns = 0;             ///< Number of columns, along x, at least 2.
    int rows = 0;                ///< Number of rows, along y, at least 2.
    double spacing = 1.0;        ///< Spacing of the grid, m.
    std::vector<float> heights;  ///< Rows times columns, along z, m; the first row has the least y.
};

/// Bullet's own bodies.
struct RigidGroup {
    bool isPool = false;                 ///< Whether its bodies come into the scene by events.
    std::string name;                    ///< The name that joints know it by; may be empty.
    RigidShape shape = RigidShape::Box;  ///< What it is.
    std::string where;                   ///< Where it stands in the file: file:line:column.
    Vector3 size = Vector3::Ones();      ///< Box: full edge lengths, m.
    double radius = 0.5;                 ///< Sphere, capsule, cylinder, cone, m.
    double height = 1.0;                 ///< Height along local z, m; of a capsule: between the centres of its caps.
    std::string file;                    ///< File of a mesh or a hull.
    double scale = 1.0;                  ///< Scale of a mesh or a hull.
    bool inPieces = false;               ///< Hull: one for each connected piece of the surface.
    std::vector<RigidPart> parts;        ///< Multi-sphere, compound.
    std::shared_ptr<const HeightTable> heights;  ///< Heights of a height field.
    /// Mesh and hull: what `file` holds, scaled, m; of what has a mass with the centre of mass at the origin. It is
    /// what is drawn.
    std::shared_ptr<const SurfaceMesh> mesh;
    /// Hull, compound: of the solid, about axes of the file through its centre of mass, with its products, m^2.
    Matrix3 inertiaOfKilogram = Matrix3::Zero();
    double mass = 0.0;                 ///< Mass, kg; 0: static.
    bool isKinematic = false;          ///< The scene moves it.
    bool mayFallAsleep = true;         ///< Whether it falls asleep once it is at rest.
    bool isContinuous = false;         ///< Whether its flight is tested against what it might pass through.
    std::optional<Path> path;          ///< Kinematic ones.
    Placement placement;               ///< Places of the copies.
    StartVelocity velocity;            ///< Velocity at the start; of kinematic ones for ever.
    SurfaceProperties surface;         ///< Surface of every copy.
    Colour colour = {0.6, 0.6, 0.62};  ///< The colour that it is drawn in.
    std::string material;              ///< A name of SceneDescription::materials in place of the colour; may be empty.
    std::string layer;                 ///< A name of SceneDescription::layers; empty: in none.
};

/// The kinds of joints.
enum class JointKind {
    Point,   ///< A ball in a socket.
    Hinge,   ///< Turns about an axis.
    Slider,  ///< Slides along an axis.
    Fixed,   ///< Holds place and direction.
    Spring,  ///< Pulls two points together.
    Points   ///< Holds many points of a reduced body.
};

/// A point of a joint that holds many.
struct HeldPoint {
    Vector3 point = Vector3::Zero();                ///< A point of the first body's mesh at rest, m.
    std::optional<std::array<LiveNumber, 3>> to;    ///< Where it is held, m; absent: where it is at the start.
    std::optional<std::array<LiveNumber, 3>> move;  ///< The way from there to where it is held, m.
};

/// What a joint holds: a group of bodies, or one of them.
using JointEnd = Reference;

/// The motor of a hinge or a slider.
struct JointMotor {
    double velocity = 0.0;  ///< Velocity, rad/s or m/s.
    double strength = 0.0;  ///< Strength, N m or N.
};

/// A joint, or one for every copy of its first body.
struct JointGroup {
    std::string name;                   ///< The name that sensors and events know it by; may be empty.
    JointKind kind = JointKind::Point;  ///< What it allows.
    std::string where;                  ///< Where it stands in the file: file:line:column.
    std::vector<JointEnd> ends;         ///< One: to the world; or two.
    Vector3 at = Vector3::Zero();  ///< Where it is, m; in the world at the start, or in the frame of the first body.
    bool isLocal = false;  ///< Whether `at` and `axis` are the first body's (the mesh's frame of a deformable one).
    Vector3 axis = Vector3::UnitZ();              ///< Axis of a hinge or a slider, of unit length.
    Vector3 offset = Vector3::Zero();             ///< Spring: from the point to the other end, world axes, m.
    std::optional<std::array<double, 2>> limits;  ///< Degrees or m.
    std::optional<JointMotor> motor;              ///< Motor of a hinge or a slider.
    double stiffness = 0.0;                       ///< Spring, N/m.
    double damping = 0.0;                         ///< Spring, N s/m.
    std::vector<HeldPoint> points;                ///< Points: in the order in which they count.
    double tolerance = 1e-4;                      ///< Points: least share of a direction's mobility.
    /// Points: of the instance of a prefab whose axes `to` and `move` are told in; absent: world.
    std::optional<RigidTransform> frame;
    std::optional<double> breakingImpulse;  ///< N s in one step.
    bool collide = false;                   ///< The joined bodies collide with each other.
};

/// A plane through height * up, with the scene's up direction as its normal.
struct Ground {
    double height = 0.0;                  ///< Height, m.
    SurfaceProperties surface{0.8, 0.0};  ///< Surface of the ground.
    Colour colour = {0.42, 0.44, 0.47};   ///< The colour that it is drawn in, with a grid.
    std::string material;  ///< A name of SceneDescription::materials in place of colour and grid; may be empty.
    double tile = 1.0;     ///< Side of the square that the material's texture is laid on, over and over, m.
    std::string where;     ///< Where it stands in the file: file:line:column.
};

/// How long, and in which steps.
struct PLIANT_API TimeSettings {
    double duration = 5.0;     ///< Simulated, s.
    int framesPerSecond = 30;  ///< Frames drawn per simulated second.
    int substeps = 4;          ///< Steps per frame: h = 1 / (framesPerSecond * substeps).

    int frames() const;  ///< Duration * framesPerSecond, rounded, at least 1.
    /// The length of a step, s.
    double step() const { return 1.0 / (static_cast<double>(framesPerSecond) * substeps); }
};

/// Of the contact solver.
struct SolverSettings {
    int iterations = 10;  ///< Iterations of the constraint solver per step.
    bool doublePrecision =
        false;  ///< Whether the reduced stiffness has double precision; Bullet's own is that of its library.
    double tangentTolerance = 0.0;  ///< The tolerance of pliant::BatchSettings.
    double margin = 0.0;            ///< Added around everything that collides of a deformable body, m.
};

/// A camera that stands still.
struct Camera {
    Vector3 from = Vector3::Zero();  ///< Place of the eye, m.
    Vector3 to = Vector3::Zero();    ///< What it looks at, m.
    double fieldOfView = 35.0;       ///< Vertical field of view, degrees.
};

/// Level of detail of all bodies, seen from the scene's camera.
struct DetailSettings {
    double pixels = 150.0;     ///< Bodies this large across have all coordinates.
    int least = 6;             ///< Coordinates that every body keeps.
    double quietEnergy = 0.0;  ///< J/kg: bodies that deform less than this keep the least; 0 = off.
};

/// The sun.
struct Light {
    std::optional<Vector3> direction;  ///< The way the light travels; absent: from above, over the viewer's shoulder.
    double brightness = 1.0;           ///< Brightness of the sun.
    bool shadow = true;                ///< Whether there are shadows.
    int shadowSize = 2048;             ///< Side of the shadow map, texels.
    double softness = 2.5;             ///< Radius of the penumbra of shadows, texels of the shadow map.
    double shadowDistance = 0.0;  ///< Distance from the eye up to which there are shadows, m; 0 = as far as one sees.
    Colour colour = {1.0, 1.0, 1.0};  ///< Multiplies the sun's own.
};

/// What a run writes.
struct OutputSettings {
    std::string name;           ///< Name of the files written; by default the scene file's.
    int width = 1280;           ///< Width of pictures, pixels.
    int height = 720;           ///< Height of pictures, pixels.
    double pictureTime = -1.0;  ///< Simulated time of the still picture, s; negative = the last frame.
};

/// What a scene file says.
struct PLIANT_API SceneDescription {
    std::string file;                            ///< Path of the file.
    std::vector<std::string> files;              ///< Path of the file, and those of the files that it includes.
    Vector3 gravity = Vector3(0.0, 0.0, -9.81);  ///< Gravity, m/s^2.
    TimeSettings time;                           ///< How long it runs, in which steps.
    SolverSettings solver;                       ///< How exactly it is solved.
    std::vector<Material> materials;             ///< In the order of the file.
    std::vector<Layer> layers;                   ///< In the order of the file.
    std::vector<ModelEntry> models;              ///< In the order of the file.
    std::vector<BodyGroup> bodies;               ///< In the order of the file.
    std::vector<RigidGroup> rigid;               ///< In the order of the file.
    std::vector<JointGroup> joints;              ///< In the order of the file.
    std::vector<Tool> tools;                     ///< In the order of the file.
    std::vector<Touch> touches;                  ///< In the order of the file.
    std::optional<Ground> ground;                ///< Absent: none.
    std::optional<Camera> camera;                ///< Absent: chosen so that all bodies are seen.
    std::optional<DetailSettings> detail;        ///< Absent: all coordinates always.
    Light light;                                 ///< The sun.
    std::vector<NamedCamera> cameras;            ///< In the order of the file.
    std::vector<View> views;                     ///< In the order of the file; none: one that is the whole picture.
    std::vector<Shot> shots;                     ///< Shots, by time.
    std::vector<Lamp> lamps;                     ///< In the order of the file, at most 8.
    Environment environment;                     ///< What is around everything.
    DebugShow show;                              ///< What is drawn of that which cannot be seen.
    std::vector<OutputFile> outputs;             ///< None: a film and a picture, as `output` says.
    OutputSettings output;                       ///< What is written.
    std::vector<Field> fields;                   ///< In the order of the file.
    TimelineDescription timeline;                ///< What is measured and what happens when.

    /// Unit vector against gravity; z where there is none.
    Vector3 up() const;
    /// A material by its name; null where there is none.
    const Material* material(const std::string& name) const;
    /// The index of a camera by its name; -1 where there is none.
    int cameraIndex(const std::string& name) const;
    /// The number of reduced bodies.
    int bodyCount() const;
};

}  // namespace pliant::scene
