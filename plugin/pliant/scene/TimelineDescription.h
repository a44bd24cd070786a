// SPDX-License-Identifier: Zlib
/// @file
/// What a scene file says about time: what is measured, what happens when, what is written and what has to hold.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"
#include "pliant/scene/Formula.h"

namespace pliant::scene {

/// A name of a group of bodies or joints, or one of its copies.
struct Reference {
    std::string name;      ///< Name of the group.
    std::string where;     ///< Where it stands in the file: file:line:column.
    int copy = -1;         ///< Number of the copy, in the order of place(); -1: every one.
    std::string usedBy{};  ///< The instance of a prefab that it stands in, for messages; empty: none.
};

/// What a sensor measures.
enum class SensorKind {
    Contact,  ///< Contacts between bodies.
    Region,   ///< Bodies in a box.
    Point,    ///< A material point.
    Joint,    ///< What a joint carries.
    Energy,   ///< Energies of the world, or of groups.
    Hand,     ///< What a tool does to its body, and what its device is sent.
    Strain,   ///< How far a material point is strained.
    Bodies    ///< Where bodies are, how fast, and how many.
};

/// A number, or three, that a sensor has.
struct SensorQuantity {
    const char* name;  ///< The name behind the dot.
    const char* unit;  ///< Unit; "1" for plain numbers.
    int components;    ///< Number of components: 1, or 3 for vectors, with x, y, z behind another dot.
};

/// What sensors of a kind measure, in the order of their numbers.
PLIANT_API const std::vector<SensorQuantity>& quantitiesOf(SensorKind kind);

/// The name of a component of a vector: "tip.position.x". @param component 0 to 2
inline std::string componentOf(const std::string& name, int component) {
    return name + '.' + "xyz"[component];
}

/// Something that is measured after every step.
struct Sensor {
    std::string name;                       ///< The name that expressions know it by: "name.count".
    std::string where;                      ///< Where it stands in the file: file:line:column.
    SensorKind kind = SensorKind::Contact;  ///< What it measures.
    std::vector<Reference> of;              ///< Region, bodies: none = all that moves; point, joint, hand, strain: one.
    std::vector<Reference> with;            ///< Contact: the other side; none = whatever `of` touches.
    /// Region: lower corner of the box, m; contact: of one in the mesh frame at rest, equal corners being none.
    Vector3 from = Vector3::Zero();
    Vector3 to = Vector3::Zero();         ///< Upper corner of that box, m.
    std::string material;                 ///< Contact: of the mesh, where contacts count; empty: everywhere.
    double filter = 0.05;                 ///< Contact: time constant of the filtered force, s.
    std::optional<RigidTransform> frame;  ///< Region: of the instance of a prefab that the box is told in.
    /// Point, strain: of the material at rest, mesh frame (body frame of rigid ones), m.
    Vector3 at = Vector3::Zero();
};

/// A number of the running scene that may be set.
struct LivePath {
    /// What it is.
    enum class Kind {
        Gravity,           ///< A component of the world's gravity, m/s^2.
        MotorVelocity,     ///< Velocity of the motors of the joints of a name, rad/s, or of sliders in the unit of
                           ///< `metres`.
        MotorStrength,     ///< Strength of the motors of the joints of a name, N m or N.
        Friction,          ///< Friction of bodies.
        Restitution,       ///< Restitution of bodies.
        Position,          ///< A component of a kinematic group, m.
        Rotation,          ///< A component of a kinematic group, degrees.
        Stiffness,         ///< Factor on that of the material of reduced bodies, of one or all.
        MassDamping,       ///< Mass damping of reduced bodies, 1/s.
        StiffnessDamping,  ///< Stiffness damping of reduced bodies, s.
        // From here on of the picture, which animations alone lead: no physics knows them.
        SunBrightness,   ///< Brightness of the sun.
        LampBrightness,  ///< Brightness of a lamp.
        LampPosition,    ///< A component of where a lamp stands, m.
        CameraFrom,      ///< A component of the eye of a camera that stands still, m.
        CameraTo,        ///< A component of what it looks at, m.
        FieldOfView      ///< Vertical field of view of a camera, degrees.
    };
    /// Whether it is a number of the picture: of a light or a camera.
    bool isOfPicture() const { return kind >= Kind::SunBrightness; }
    Kind kind = Kind::Gravity;  ///< What it is.
    Reference of;               ///< Whose it is.
    int axis = 0;               ///< Component of a vector.
    std::string material;       ///< Stiffness: of the mesh; empty: of all.
    double metres = 1.0;        ///< The unit of length that velocities of sliders' motors are told in, m.
};

/// What an event does.
enum class ActionKind {
    Set,      ///< Gives a live number a value.
    Animate,  ///< Leads a number of a kinematic group to a value in some time.
    Push,     ///< Gives bodies an impulse.
    Spawn,    ///< Brings bodies of a pool into the scene.
    Remove,   ///< Takes bodies out of the scene.
    Join,     ///< Joints hold.
    Part,     ///< Joints let go.
    Picture,  ///< Makes a picture.
    Save,     ///< Keeps the state of the world.
    Restore,  ///< Takes the world back to a state that was kept.
    Cut,      ///< The picture shows another camera.
    Say,      ///< Tells something.
    Ragdoll,  ///< Lets go of the bones of characters.
    Clip,     ///< Has the bones of ragdolls driven by their clips again.
    Stop      ///< Ends the run.
};

/// One thing that an event does.
struct Action {
    ActionKind kind = ActionKind::Stop;  ///< What is done.
    std::string where;                   ///< Where it stands in the file: file:line:column.
    LivePath path;                       ///< The number that is set or animated.
    Formula value;                       ///< Set, animate: the value to come to.
    double duration = 0.0;               ///< Animate: how long; clip: how long bones are on their way to it; s.
    std::vector<Reference> of;           ///< Push, spawn, remove, ragdoll, clip: groups; join, part: joints.
    std::string region;                  ///< Remove: the sensor whose bodies are meant; empty: `of`.
    std::array<Formula, 3> vector;       ///< Push: impulse, N s; spawn: position, m.
    std::optional<Vector3> at;           ///< Push: point of the material at rest; absent: the centre of mass.
    Formula count{1.0};                  ///< Spawn: how many.
    std::array<Formula, 3> velocity;     ///< Velocity of what is spawned, m/s.
    double jitterPosition = 0.0;         ///< Spawn: largest move along each axis, m.
    double jitterRotation = 0.0;         ///< Spawn: largest turn about a random axis, degrees.
    Formula seed{1.0};                   ///< Seed of what is spawned.
    std::string camera;                  ///< Name of the camera that is cut to.
    std::string file;                    ///< Picture: in the output folder; save, restore: the name of the state.
    std::vector<std::string> words;      ///< Texts before, between and behind `numbers` that are said.
    std::vector<Formula> numbers;        ///< Numbers that are said.
};

/// When something happens, and what. Times are rounded to steps.
struct Event {
    std::string where;            ///< Where it stands in the file: file:line:column.
    std::optional<double> at;     ///< Once, at this time, s; or.
    std::optional<double> every;  ///< Again and again, s; or.
    double from = 0.0;            ///< Of `every`: the first time, s.
    double until = 1.0e30;        ///< Of `every`: the last time, s.
    std::optional<Formula> when;  ///< Whenever this has become true.
    double lasting = 0.0;         ///< Of `when`: for so long, s.
    bool once = false;            ///< Of `when`: the first time alone.
    std::vector<Action> actions;  ///< Actions, in their order.
};

/// A file of numbers over time.
struct Record {
    std::string file;             ///< A file .csv or .jsonl, as seen from the folder of the output.
    std::string where;            ///< Where it stands in the file: file:line:column.
    double every = 0.0;           ///< Interval, s; 0: every step.
    std::vector<std::string> of;  ///< Quantities of sensors: "tip.position".
    bool ofEach = false;          ///< Of groups a number for each body.
    std::string contacts;         ///< The contact sensor whose contacts are written, a line each; empty: numbers are.
};

/// A condition that has to hold: a scene can be a test.
struct Expectation {
    std::string where;         ///< Where it stands in the file: file:line:column.
    std::optional<double> at;  ///< Time, s; absent: at the end.
    Formula that;              ///< What must not be 0.
};

/// How a number goes from key to key.
enum class Between {
    Linear,  ///< It goes evenly.
    Smooth,  ///< It starts and ends level.
    Steps    ///< It waits, and is at once at the next.
};

/// A live number that is led along keys.
struct Animation {
    std::string where;                            ///< Where it stands in the file: file:line:column.
    LivePath path;                                ///< The number that is led.
    std::vector<std::pair<double, double>> keys;  ///< Time, s, and value; by time, at least one.
    bool repeat = false;                          ///< After the last key it begins again.
    Between between = Between::Linear;            ///< How it goes between keys.

    /// The value at time t, s; before the first key and after the last that of the key.
    PLIANT_API double at(double t) const;
};

/// Everything of a scene that has to do with time.
struct TimelineDescription {
    std::vector<Sensor> sensors;            ///< In the order of the file.
    std::vector<Event> events;              ///< In the order of the file, which is that of one moment.
    std::vector<Record> records;            ///< In the order of the file.
    std::vector<Expectation> expectations;  ///< In the order of the file.
    std::vector<Animation> animations;      ///< In the order of the file.

    /// The value at time t of a number of the picture that an animation leads; nothing where none does. Of several
    /// the last one counts.
    /// @param kind one of the picture  @param name of the lamp or the camera; empty: the sun
    /// @param axis of a vector  @param t simulated time, s
    PLIANT_API std::optional<double> ofPicture(LivePath::Kind kind, const std::string& name, int axis, double t) const;

    /// Whether there is anything.
    bool any() const {
        return !sensors.empty() || !events.empty() || !records.empty() || !expectations.empty() || !animations.empty();
    }
};

}  // namespace pliant::scene
