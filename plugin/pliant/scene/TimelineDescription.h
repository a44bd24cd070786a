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
    std::string name;      ///< of the group
    std::string where;     ///< file:line:column
    int copy = -1;         ///< in the order of place(); -1: every one
    std::string usedBy{};  ///< the instance of a prefab that it stands in, for messages; empty: none
};

/// What a sensor measures.
enum class SensorKind {
    Contact,  ///< contacts between bodies
    Region,   ///< bodies in a box
    Point,    ///< a material point
    Joint,    ///< what a joint carries
    Energy,   ///< energies of the world, or of groups
    Hand,     ///< what a tool does to its body, and what its device is sent
    Strain    ///< how far a material point is strained
};

/// A number, or three, that a sensor has.
struct SensorQuantity {
    const char* name;  ///< behind the dot
    const char* unit;  ///< "1" for plain numbers
    int components;    ///< 1; 3 for vectors, with x, y, z behind another dot
};

/// What sensors of a kind measure, in the order of their numbers.
PLIANT_API const std::vector<SensorQuantity>& quantitiesOf(SensorKind kind);

/// The name of a component of a vector: "tip.position.x". @param component 0 to 2
inline std::string componentOf(const std::string& name, int component) {
    return name + '.' + "xyz"[component];
}

/// Something that is measured after every step.
struct Sensor {
    std::string name;                       ///< in expressions: "name.count"
    std::string where;                      ///< file:line:column
    SensorKind kind = SensorKind::Contact;  ///< what it measures
    std::vector<Reference> of;              ///< region: none = all that moves; point, joint, hand, strain: one
    std::vector<Reference> with;            ///< contact: the other side; none = whatever `of` touches
    /// Region: lower corner of the box, m; contact: of one in the mesh frame at rest, equal corners being none.
    Vector3 from = Vector3::Zero();
    Vector3 to = Vector3::Zero();         ///< upper corner of that box, m
    std::string material;                 ///< contact: of the mesh, where contacts count; empty: everywhere
    double filter = 0.05;                 ///< contact: time constant of the filtered force, s
    std::optional<RigidTransform> frame;  ///< region: of the instance of a prefab that the box is told in
    /// Point, strain: of the material at rest, mesh frame (body frame of rigid ones), m.
    Vector3 at = Vector3::Zero();
};

/// A number of the running scene that may be set.
struct LivePath {
    /// What it is.
    enum class Kind {
        Gravity,           ///< a component of the world's gravity, m/s^2
        MotorVelocity,     ///< of the joints of a name, rad/s, or of sliders in the unit of `metres`
        MotorStrength,     ///< of the joints of a name, N m or N
        Friction,          ///< of bodies
        Restitution,       ///< of bodies
        Position,          ///< a component of a kinematic group, m
        Rotation,          ///< a component of a kinematic group, degrees
        Stiffness,         ///< factor on that of the material of reduced bodies, of one or all
        MassDamping,       ///< of reduced bodies, 1/s
        StiffnessDamping,  ///< of reduced bodies, s
        // From here on of the picture, which animations alone lead: no physics knows them.
        SunBrightness,   ///< of the sun
        LampBrightness,  ///< of a lamp
        LampPosition,    ///< a component of where a lamp stands, m
        CameraFrom,      ///< a component of the eye of a camera that stands still, m
        CameraTo,        ///< a component of what it looks at, m
        FieldOfView      ///< of a camera, degrees
    };
    /// Whether it is a number of the picture: of a light or a camera.
    bool isOfPicture() const { return kind >= Kind::SunBrightness; }
    Kind kind = Kind::Gravity;  ///< what it is
    Reference of;               ///< whose
    int axis = 0;               ///< of a vector
    std::string material;       ///< stiffness: of the mesh; empty: of all
    double metres = 1.0;        ///< in the unit of length that velocities of sliders' motors are told in
};

/// What an event does.
enum class ActionKind {
    Set,      ///< gives a live number a value
    Animate,  ///< leads a number of a kinematic group to a value in some time
    Push,     ///< gives bodies an impulse
    Spawn,    ///< brings bodies of a pool into the scene
    Remove,   ///< takes bodies out of the scene
    Join,     ///< joints hold
    Part,     ///< joints let go
    Picture,  ///< makes a picture
    Save,     ///< keeps the state of the world
    Restore,  ///< takes the world back to a state that was kept
    Cut,      ///< the picture shows another camera
    Say,      ///< tells something
    Stop      ///< ends the run
};

/// One thing that an event does.
struct Action {
    ActionKind kind = ActionKind::Stop;  ///< what
    std::string where;                   ///< file:line:column
    LivePath path;                       ///< set, animate
    Formula value;                       ///< set, animate: the value to come to
    double duration = 0.0;               ///< animate, s
    std::vector<Reference> of;           ///< push, spawn, remove: groups; join, part: joints
    std::string region;                  ///< remove: the sensor whose bodies are meant; empty: `of`
    std::array<Formula, 3> vector;       ///< push: impulse, N s; spawn: position, m
    std::optional<Vector3> at;           ///< push: point of the material at rest; absent: the centre of mass
    Formula count{1.0};                  ///< spawn: how many
    std::array<Formula, 3> velocity;     ///< spawn, m/s
    double jitterPosition = 0.0;         ///< spawn: largest move along each axis, m
    double jitterRotation = 0.0;         ///< spawn: largest turn about a random axis, degrees
    Formula seed{1.0};                   ///< spawn
    std::string camera;                  ///< cut
    std::string file;                    ///< picture: in the output folder; save, restore: the name of the state
    std::vector<std::string> words;      ///< say: texts before, between and behind `numbers`
    std::vector<Formula> numbers;        ///< say
};

/// When something happens, and what. Times are rounded to steps.
struct Event {
    std::string where;            ///< file:line:column
    std::optional<double> at;     ///< once, at this time, s; or
    std::optional<double> every;  ///< again and again, s; or
    double from = 0.0;            ///< of `every`: the first time, s
    double until = 1.0e30;        ///< of `every`: the last time, s
    std::optional<Formula> when;  ///< whenever this has become true
    double lasting = 0.0;         ///< of `when`: for so long, s
    bool once = false;            ///< of `when`: the first time alone
    std::vector<Action> actions;  ///< in their order
};

/// A file of numbers over time.
struct Record {
    std::string file;             ///< .csv or .jsonl, as seen from the folder of the output
    std::string where;            ///< file:line:column
    double every = 0.0;           ///< s; 0 = every step
    std::vector<std::string> of;  ///< quantities of sensors: "tip.position"
};

/// A condition that has to hold: a scene can be a test.
struct Expectation {
    std::string where;         ///< file:line:column
    std::optional<double> at;  ///< s; absent: at the end
    Formula that;              ///< not 0
};

/// How a number goes from key to key.
enum class Between {
    Linear,  ///< evenly
    Smooth,  ///< with level ends
    Steps    ///< it waits, and is at once at the next
};

/// A live number that is led along keys.
struct Animation {
    std::string where;                            ///< file:line:column
    LivePath path;                                ///< what
    std::vector<std::pair<double, double>> keys;  ///< time, s, and value; by time, at least one
    bool repeat = false;                          ///< after the last key it begins again
    Between between = Between::Linear;            ///< how

    /// The value at time t, s; before the first key and after the last that of the key.
    PLIANT_API double at(double t) const;
};

/// Everything of a scene that has to do with time.
struct TimelineDescription {
    std::vector<Sensor> sensors;            ///< in the order of the file
    std::vector<Event> events;              ///< in the order of the file, which is that of one moment
    std::vector<Record> records;            ///< in the order of the file
    std::vector<Expectation> expectations;  ///< in the order of the file
    std::vector<Animation> animations;      ///< in the order of the file

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
