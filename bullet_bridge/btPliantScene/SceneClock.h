// SPDX-License-Identifier: Zlib
// Time in a scene: what its sensors look at, and what its events do to the world.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "btPliantScene/BodyNames.h"
#include "btPliantScene/SceneData.h"
#include "pliant/model/MaterialFrame.h"
#include "pliant/scene/Timeline.h"

namespace btPliantInternal {

/// What a sensor looks at.
struct SensorBodies {
    std::vector<btRigidBody*> of, with;
    std::vector<btTypedConstraint*> joints;
    int tool = -1;                                           ///< Tool whose hand is looked at; -1: none.
    std::vector<std::unique_ptr<btJointFeedback>> feedback;  ///< Forces of each of the joints, written by Bullet.
    btPliantContactSensor* contacts = nullptr;               ///< Sensor of the system behind a contact sensor.
    std::optional<double> startEnergy;                       ///< Energy at the start, J, of an energy sensor.
    std::shared_ptr<pliant::MaterialFrame> strained;         ///< Frame that a strain sensor looks at.
};

/// A component of the placement of a kinematic group on its way to a value.
struct Leading {
    DrivenGroup* group;
    int component;  ///< Number of the component, 0 to 2: position; 3 to 5: rotation.
    double from, to, start, duration;
};

/// A state that an event has kept. What events have set stays as it is when the state comes back.
struct SavedScene {
    std::vector<std::byte> world;
    std::vector<char> isPresent;  ///< Whether each body that may move is present.
    std::vector<DrivenGroup> driven;
    std::vector<Leading> leading;
    double time = 0.0;  ///< Time when it was kept, s.
};

/// A body that an event has brought in after the last step.
struct Arrival {
    btRigidBody* body;
    const pliant::scene::Action* action;
};

struct SceneClock {
    /// @throws pliant::Error where a contact sensor names a region that its bodies do not have
    explicit SceneClock(const SceneData& data);

    pliant::scene::Timeline timeline;
    std::vector<SensorBodies> bodies;  ///< Bodies of each sensor.
    BodyNames names;                   ///< Names of bodies for records of contacts.
    std::vector<Leading> leading;
    std::function<void(double, const std::string&)> say;
    std::vector<double> animated;  ///< Value that each animation had last; not a number: none.
    std::map<const btRigidBody*, std::vector<double>> stiffness;  ///< Factors on the stiffness of each material.
    std::vector<std::string> pictures;                            ///< Pictures that events want of this moment.
    std::map<std::string, SavedScene> saved;                      ///< Kept states by name.
    std::vector<Arrival> arrivals;                                ///< Bodies brought in at the last moment.
    std::set<const pliant::scene::Action*> warnedOf;              ///< Actions whose bodies came in inside others.
    bool isStopped = false;
    int actions = 0;  ///< Number of actions performed so far.
};

/// All bodies of the scene that may move, present or not.
std::vector<btRigidBody*> allBodies(const SceneData& data);
/// Bodies of a name, or the one with a number.
std::vector<btRigidBody*> bodiesOf(const SceneData& data, const pliant::scene::Reference& reference);
/// Whether a body that is present has its centre of mass in a region.
bool isInside(const pliant::scene::Sensor& sensor, const btRigidBody& body);

/// Writes the numbers of all sensors.
void measureSensors(SceneData& data);
/// Does what an event says.
void perform(SceneData& data, const pliant::scene::DueAction& due);
/// Gives a number of the running scene a value.
void setLive(SceneData& data, const pliant::scene::LivePath& path, double value);
/// Brings what the scene animates to where it is at time t, s.
/// @param ofGroups placements of kinematic groups, which are to be where they are at the end of the coming step;
/// false: everything else
void animate(SceneData& data, bool ofGroups, double t);
/// The state of the world, kept under a name, and back; time goes on.
void saveScene(SceneData& data, const std::string& name);
void restoreScene(SceneData& data, const std::string& name);
/// Gives the material of reduced bodies another stiffness, or their deformation another damping.
void setMaterial(SceneData& data, const pliant::scene::LivePath& path, double value);
/// Materials that events and animations name, against those of the models. @throws pliant::Error
void checkMaterials(const SceneData& data);
/// Nobody drives the bones of characters any more, or clips do again.
void letFall(SceneData& data, const pliant::scene::Action& action);
void driveAgain(SceneData& data, const pliant::scene::Action& action);
/// Bodies that events take for characters, against their models and the world. @throws pliant::Error
void checkCharacters(const SceneData& data);
/// Moves what events lead along to where it is at time t.
void lead(SceneData& data, double t);
/// One moment of the scene's time.
void advanceClock(SceneData& data);

}  // namespace btPliantInternal
