// SPDX-License-Identifier: Zlib
// What a btPliantScene holds, and the functions that fill it.
#pragma once

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "btPliant/btPliantTool.h"
#include "btPliantScene/RigidFrames.h"
#include "btPliantScene/RigidShapes.h"
#include "btPliantScene/btPliantScene.h"

class btPliantHeldPoints;

namespace btPliantInternal {

/// Bodies of a scene by the name of their group, in the order of place().
using NamedBodies = std::map<std::string, std::vector<btRigidBody*>>;

/// A joint of a scene that holds many points.
struct PointJoint {
    btPliantHeldPoints* held;
    int group;                     ///< Its entry in the scene.
    std::vector<btVector3> start;  ///< Where the points were, world, m.
};

struct HandBeside;

/// A tool with its device.
struct SceneTool {
    std::unique_ptr<btPliantTool> tool;          ///< Tool in the world; null for one in a thread.
    std::shared_ptr<HandBeside> beside;          ///< Tool in a thread; null for one in the world.
    std::shared_ptr<pliant::HandDevice> device;  ///< Device; null: there is none, and the hand lets go.
    std::optional<pliant::ToolPose> origin;      ///< First pose of the device, which ways are scaled from.
    pliant::Wrench felt;                         ///< Wrench that the device was sent last.
};

/// A group of bodies that the scene moves.
struct DrivenGroup {
    std::vector<btPliantBody*> deformables;  ///< Bodies of a reduced group; empty for a rigid one.
    std::vector<btRigidBody*> rigids;
    std::vector<pliant::RigidTransform> start;
    pliant::scene::Placement placement;
    std::optional<pliant::scene::Path> path;
    pliant::scene::StartVelocity velocity;
    bool isLed = false;  ///< Whether an event has led its placement away from where it started.
};

/// What is asked after a step about who may fall asleep, kept from step to step: a step does not go to the heap.
struct SceneSleep {
    std::vector<btRigidBody*> dozing;  ///< Bodies that Bullet is about to let fall asleep though they move.
    std::vector<int> groups;           ///< Group of each body of the world by contacts; see groupByTouch().
};

class IdlePairs;
struct SceneClock;
struct SceneFields;

struct SceneData {
    SceneData(btPliantSystem& systemOfWorld, const pliant::scene::SceneDescription& description);
    ~SceneData();
    /// Whether a body of the scene may not fall asleep.
    bool staysAwake(const btRigidBody& body) const;

    const pliant::scene::SceneDescription scene;
    btPliantSystem& system;
    btDiscreteDynamicsWorld& world;
    btPliantScene::Models models;
    std::unique_ptr<btCollisionShape> groundShape;
    std::unique_ptr<btRigidBody> ground;
    std::vector<RigidShapeHolder> shapes;                  ///< Shapes, one a rigid group.
    std::vector<std::unique_ptr<btRigidBody>> rigidOwner;  ///< Bullet's bodies in the order of `rigids`.
    std::vector<btPliantScene::Rigid> rigids;
    RigidFrames frames;  ///< Frames of `rigids`.
    std::vector<btPliantScene::Deformable> deformables;
    std::vector<DrivenGroup> driven;
    NamedBodies named;
    std::map<std::string, std::vector<btTypedConstraint*>> namedJoints;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    std::vector<PointJoint> pointJoints;
    std::vector<std::string> warnings;    ///< Warnings of the whole run, once it is over.
    std::vector<SceneTool> tools;         ///< Tools in the order of the scene's.
    std::unique_ptr<SceneClock> clock;    ///< Clock; null without events, sensors, records and expectations.
    std::unique_ptr<IdlePairs> idle;      ///< Pairs that meet and do nothing; made before the first step.
    std::unique_ptr<SceneFields> fields;  ///< Fields; null where the scene has none.
    SceneSleep sleep;
    pliant::scene::ScenePoses poses;
    double movingMass = 0.0;  ///< Mass of what moves, kg.
    double time = 0.0;        ///< Time of the scene, s.
    int steps = 0;
    bool hasBegun = false, isOver = false;
};

/// A body of a group in the world. @param copy its number in the group @throws pliant::Error
btPliantBody* makeBody(SceneData& data, const pliant::scene::BodyGroup& group, int model,
                       const pliant::RigidTransform& place, int copy);
/// Ground, bodies and joints of data.scene. @throws pliant::Error
void buildScene(SceneData& data);
/// Puts what the scene moves where it is at the end of the coming step.
void drive(SceneData& data);

}  // namespace btPliantInternal
