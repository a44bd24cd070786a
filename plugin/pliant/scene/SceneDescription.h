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
    std::string name;              ///< by which others name it
    std::optional<Colour> colour;  ///< absent: the surface's own; with a texture it multiplies it
    std::string texture;           ///< an image; empty: the surface's own
    std::string normalMap;   ///< an image of normals in the frame of the texture (OpenGL: green is up); empty: none
    bool twoSided = false;   ///< back faces are drawn even of what is closed
    double roughness = 0.6;  ///< 0 = mirror, 1 = chalk
    double metal = 0.0;      ///< share of the light that is reflected in the colour of the surface
    double opacity = 1.0;    ///< 0 = not seen
};

/// Who meets whom: bodies of a layer touch those of the layers that it names, and of those that name it.
struct Layer {
    std::string name;                ///< by which bodies name it
    std::string where;               ///< file:line:column
    std::vector<std::string> meets;  ///< other layers, itself, or "rest": all that is in none
};

/// A reduced model, or the mesh that it is made of on demand.
struct ModelEntry {
    std::string name;                            ///< by which bodies name it
    std::string where;                           ///< file:line:column, for messages
    std::string file;                            ///< .pliant, or a mesh (docs/formats.md) that is reduced with `reduce`
    bool isReduced = false;                      ///< whether `file` is a reduced model
    std::shared_ptr<const ReduceRecipe> reduce;  ///< of a mesh
    std::shared_ptr<const ReduceRecipe> rig;     ///< of a rigged character, which gets flesh; then `reduce` is null
    std::string keep;  ///< where the reduced model is kept; empty = the models folder of the output
    std::optional<DampingSettings> damping;       ///< absent: defaultDamping() of the model
    NewmarkSettings newmark;                      ///< of the implicit step
    Integrator integrator = Integrator::Newmark;  ///< how q moves
    Coupling coupling = Coupling::Full;           ///< how rotation and deformation feel each other
    bool selfContact = false;                     ///< whether a body touches itself
    std::optional<Colour> colour;                 ///< drawn in place of the model's own colours
    /// Pairs of a material of the mesh and one of SceneDescription::materials that is drawn in its place.
    std::vector<std::pair<std::string, std::string>> materials;
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
    std::uint64_t seed = 1;                ///< of the moves and turns
    std::optional<RigidTransform> frame;   ///< of the instance of a prefab that all of this is told in; absent: world
};

/// How a kinematic group moves: its position (m) and rotation (degrees) as functions of time.
struct PLIANT_API Path {
    std::array<LiveNumber, 3> position;  ///< m
    std::array<LiveNumber, 3> rotation;  ///< degrees

    /// The placement at time t, s.
    /// @param t simulated time, s
    /// @param placement of the group; the rest of it stays
    Placement at(double t, Placement placement) const;
};

/// Bullet's properties of a surface.
struct SurfaceProperties {
    double friction = 0.5;          ///< coefficient; a pair has the product of both
    double restitution = 0.0;       ///< share of the approaching speed
    double rollingFriction = 0.0;   ///< m: lever of the normal force against rolling
    double spinningFriction = 0.0;  ///< m: the same against spinning about the normal
    double contactStiffness = 0.0;  ///< N/m of a contact by a penalty; 0: contacts are rigid
    double contactDamping = 0.0;    ///< N s/m, with it
};

/// How a body moves at the start.
struct StartVelocity {
    Vector3 linear = Vector3::Zero();   ///< m/s
    Vector3 angular = Vector3::Zero();  ///< rad/s, world axes
};

/// Who moves a body.
enum class Motion {
    Free,      ///< forces alone
    Anchored,  ///< the frame stands still, the deformation moves
    Kinematic  ///< the scene moves the frame, by a path and with the start velocity for ever; the deformation moves
};

/// How the bones of characters move.
struct ClipSettings {
    std::string clip;       ///< its name; empty: the model's first
    double speed = 1.0;     ///< seconds of the clip in a second
    double phase = 0.0;     ///< where it begins, as a share of its length
    bool isRandom = false;  ///< each copy begins somewhere, by chance of Placement::seed
    std::string where;      ///< file:line:column of what is said; empty: nothing is

    /// Where a copy begins, as a share of the clip's length.
    /// @param seed Placement::seed  @param copy its number, from 0
    PLIANT_API double phaseOf(std::uint64_t seed, int copy) const;
};

/// A group of reduced bodies.
struct BodyGroup {
    bool isPool = false;           ///< its bodies come into the scene by events
    std::string name;              ///< for joints; may be empty
    std::string model;             ///< a name of SceneDescription::models
    std::string where;             ///< file:line:column
    Placement placement;           ///< of the copies
    Motion motion = Motion::Free;  ///< who moves it
    std::optional<Path> path;      ///< kinematic ones
    StartVelocity velocity;        ///< at the start; of kinematic ones for ever
    SurfaceProperties surface;     ///< of every copy
    ClipSettings clip;             ///< of characters
    bool mayFallAsleep = true;     ///< at rest
    std::string layer;             ///< a name of SceneDescription::layers; empty: in none
    std::vector<Colour> colours;   ///< of the copies in turn: each multiplies what the surface has; none: white
    /// As ModelEntry::materials, of these bodies alone; none: those of the model.
    std::vector<std::pair<std::string, std::string>> materials;
};

/// The shapes of Bullet's own bodies.
enum class RigidShape {
    Box,          ///< by `size`
    Sphere,       ///< by `radius`
    Capsule,      ///< by `radius` and `height`
    Cylinder,     ///< by `radius` and `height`
    Mesh,         ///< by `file` and `scale`; it does not move freely
    Cone,         ///< by `radius` and `height`
    Hull,         ///< by `file` and `scale`: the convex hull, or one a piece
    MultiSphere,  ///< by `parts`, spheres: their convex hull
    Compound,     ///< by `parts`
    HeightField   ///< by `heights`; it does not move freely
};

/// A part of a compound, or a sphere of a multi-sphere.
struct RigidPart {
    RigidShape shape = RigidShape::Sphere;  ///< a box, a sphere, a capsule, a cylinder or a cone
    Vector3 size = Vector3::Ones();         ///< box: full edge lengths, m
    double radius = 0.5;                    ///< sphere, capsule, cylinder, cone, m
    double height = 1.0;                    ///< along local z, m; of a capsule: between the centres of its caps
    RigidTransform place;  ///< body from part; of what has a mass with its centre of mass at the origin
};

/// Heights over a square grid about the origin, along x and y.
struct HeightTable {
    int columns = 0;             ///< along x, at least 2
    int rows = 0;                ///< along y, at least 2
    double spacing = 1.0;        ///< of the grid, m
    std::vector<float> heights;  ///< rows times columns, along z, m; the first row has the least y
};

/// Bullet's own bodies.
struct RigidGroup {
    bool isPool = false;                         ///< its bodies come into the scene by events
    std::string name;                            ///< for joints; may be empty
    RigidShape shape = RigidShape::Box;          ///< what it is
    std::string where;                           ///< file:line:column
    Vector3 size = Vector3::Ones();              ///< box: full edge lengths, m
    double radius = 0.5;                         ///< sphere, capsule, cylinder, cone, m
    double height = 1.0;                         ///< along local z, m; of a capsule: between the centres of its caps
    std::string file;                            ///< mesh, hull
    double scale = 1.0;                          ///< mesh, hull
    bool inPieces = false;                       ///< hull: one for each connected piece of the surface
    std::vector<RigidPart> parts;                ///< multi-sphere, compound
    std::shared_ptr<const HeightTable> heights;  ///< height field
    /// Mesh and hull: what `file` holds, scaled, m; of what has a mass with the centre of mass at the origin. It is
    /// what is drawn.
    std::shared_ptr<const SurfaceMesh> mesh;
    /// Hull, compound: of the solid, about axes of the file through its centre of mass, with its products, m^2.
    Matrix3 inertiaOfKilogram = Matrix3::Zero();
    double mass = 0.0;                 ///< kg; 0 = static
    bool isKinematic = false;          ///< the scene moves it
    bool isContinuous = false;         ///< its flight is tested against what it might pass through
    std::optional<Path> path;          ///< kinematic ones
    Placement placement;               ///< of the copies
    StartVelocity velocity;            ///< at the start; of kinematic ones for ever
    SurfaceProperties surface;         ///< of every copy
    Colour colour = {0.6, 0.6, 0.62};  ///< drawn
    std::string material;              ///< a name of SceneDescription::materials in place of the colour; may be empty
    std::string layer;                 ///< a name of SceneDescription::layers; empty: in none
};

/// The kinds of joints.
enum class JointKind {
    Point,   ///< a ball in a socket
    Hinge,   ///< turns about an axis
    Slider,  ///< slides along an axis
    Fixed,   ///< holds place and direction
    Spring,  ///< pulls two points together
    Points   ///< holds many points of a reduced body
};

/// A point of a joint that holds many.
struct HeldPoint {
    Vector3 point = Vector3::Zero();                ///< of the first body's mesh at rest, m
    std::optional<std::array<LiveNumber, 3>> to;    ///< where it is held, m; absent: where it is at the start
    std::optional<std::array<LiveNumber, 3>> move;  ///< from there to where it is held, m
};

/// What a joint holds: a group of bodies, or one of them.
using JointEnd = Reference;

/// The motor of a hinge or a slider.
struct JointMotor {
    double velocity = 0.0;  ///< rad/s or m/s
    double strength = 0.0;  ///< N m or N
};

/// A joint, or one for every copy of its first body.
struct JointGroup {
    std::string name;                   ///< for sensors and events; may be empty
    JointKind kind = JointKind::Point;  ///< what it allows
    std::string where;                  ///< file:line:column
    std::vector<JointEnd> ends;         ///< one: to the world; or two
    Vector3 at = Vector3::Zero();       ///< m; world at the start, or the frame of the first body
    bool isLocal = false;               ///< `at` and `axis` are the first body's (the mesh's frame of a deformable one)
    Vector3 axis = Vector3::UnitZ();    ///< of a hinge or a slider, unit length
    Vector3 offset = Vector3::Zero();   ///< spring: from the point to the other end, world axes, m
    std::optional<std::array<double, 2>> limits;  ///< degrees or m
    std::optional<JointMotor> motor;              ///< of a hinge or a slider
    double stiffness = 0.0;                       ///< spring, N/m
    double damping = 0.0;                         ///< spring, N s/m
    std::vector<HeldPoint> points;                ///< points: in the order in which they count
    double tolerance = 1e-4;                      ///< points: least share of a direction's mobility
    /// Points: of the instance of a prefab whose axes `to` and `move` are told in; absent: world.
    std::optional<RigidTransform> frame;
    std::optional<double> breakingImpulse;  ///< N s in one step
    bool collide = false;                   ///< the joined bodies collide with each other
};

/// A plane through height * up, with the scene's up direction as its normal.
struct Ground {
    double height = 0.0;                  ///< m
    SurfaceProperties surface{0.8, 0.0};  ///< of the ground
    Colour colour = {0.42, 0.44, 0.47};   ///< drawn, with a grid
    std::string material;  ///< a name of SceneDescription::materials in place of colour and grid; may be empty
    double tile = 1.0;     ///< side of the square that the material's texture is laid on, over and over, m
    std::string where;     ///< file:line:column
};

/// How long, and in which steps.
struct PLIANT_API TimeSettings {
    double duration = 5.0;     ///< simulated, s
    int framesPerSecond = 30;  ///< frames drawn per simulated second
    int substeps = 4;          ///< steps per frame: h = 1 / (framesPerSecond * substeps)

    int frames() const;  ///< duration * framesPerSecond, rounded, at least 1
    /// The length of a step, s.
    double step() const { return 1.0 / (static_cast<double>(framesPerSecond) * substeps); }
};

/// Of the contact solver.
struct SolverSettings {
    int iterations = 10;            ///< sweeps of the constraint solver per step
    bool doublePrecision = false;   ///< of the reduced stiffness; Bullet's own is that of its library
    double tangentTolerance = 0.0;  ///< see pliant::BatchSettings
    double margin = 0.0;            ///< added around everything that collides of a deformable body, m
};

/// A camera that stands still.
struct Camera {
    Vector3 from = Vector3::Zero();  ///< the eye, m
    Vector3 to = Vector3::Zero();    ///< what it looks at, m
    double fieldOfView = 35.0;       ///< vertical, degrees
};

/// Level of detail of all bodies, seen from the scene's camera.
struct DetailSettings {
    double pixels = 150.0;     ///< bodies this large across have all coordinates
    int least = 6;             ///< coordinates that every body keeps
    double quietEnergy = 0.0;  ///< J/kg: bodies that deform less than this keep the least; 0 = off
};

/// The sun.
struct Light {
    std::optional<Vector3> direction;  ///< the way the light travels; absent: from above, over the viewer's shoulder
    double brightness = 1.0;           ///< of the sun
    bool shadow = true;                ///< whether there are shadows
    double softness = 2.5;             ///< of shadows: radius of the penumbra, texels of the shadow map
    double shadowDistance = 0.0;       ///< from the eye up to which there are shadows, m; 0 = as far as one sees
    Colour colour = {1.0, 1.0, 1.0};   ///< multiplies the sun's own
};

/// What a run writes.
struct OutputSettings {
    std::string name;           ///< of the files written; by default the scene file's
    int width = 1280;           ///< of pictures, pixels
    int height = 720;           ///< of pictures, pixels
    double pictureTime = -1.0;  ///< simulated time of the still picture, s; negative = the last frame
};

/// What a scene file says.
struct PLIANT_API SceneDescription {
    std::string file;                            ///< its path
    std::vector<std::string> files;              ///< its path, and those of the files that it includes
    Vector3 gravity = Vector3(0.0, 0.0, -9.81);  ///< m/s^2
    TimeSettings time;                           ///< how long
    SolverSettings solver;                       ///< how exactly
    std::vector<Material> materials;             ///< in the order of the file
    std::vector<Layer> layers;                   ///< in the order of the file
    std::vector<ModelEntry> models;              ///< in the order of the file
    std::vector<BodyGroup> bodies;               ///< in the order of the file
    std::vector<RigidGroup> rigid;               ///< in the order of the file
    std::vector<JointGroup> joints;              ///< in the order of the file
    std::vector<Tool> tools;                     ///< in the order of the file
    std::vector<Touch> touches;                  ///< in the order of the file
    std::optional<Ground> ground;                ///< absent: none
    std::optional<Camera> camera;                ///< absent: chosen so that all bodies are seen
    std::optional<DetailSettings> detail;        ///< absent: all coordinates always
    Light light;                                 ///< the sun
    std::vector<NamedCamera> cameras;            ///< in the order of the file
    std::vector<View> views;                     ///< in the order of the file; none: one that is the whole picture
    std::vector<Shot> shots;                     ///< by time
    std::vector<Lamp> lamps;                     ///< in the order of the file, at most 8
    Environment environment;                     ///< what is around
    DebugShow show;                              ///< what is drawn of that which cannot be seen
    std::vector<OutputFile> outputs;             ///< none: a film and a picture, as `output` says
    OutputSettings output;                       ///< what is written
    std::vector<Field> fields;                   ///< in the order of the file
    TimelineDescription timeline;                ///< what is measured and what happens when

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
