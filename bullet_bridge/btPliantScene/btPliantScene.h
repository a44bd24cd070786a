// SPDX-License-Identifier: Zlib
/// @file
/// What a scene file describes, in the user's own Bullet world.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "btPliant/btPliantHandThread.h"
#include "btPliant/btPliantSystem.h"
#include "btPliant/btPliantTool.h"
#include "pliant/hand/HandDevice.h"
#include "pliant/math/Api.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/scene/SceneBounds.h"
#include "pliant/scene/SceneDescription.h"
#include "pliant/scene/SceneModels.h"
#include "pliant/scene/ScenePoses.h"
#include "pliant/scene/WholeView.h"

class btTypedConstraint;

namespace btPliantInternal {
struct SceneData;
struct RigidShapeHolder;
}  // namespace btPliantInternal

/// What a scene file describes, in the user's own Bullet world: its bodies, ground and joints, beside whatever else is
/// there.
///
///     const pliant::scene::SceneDescription scene = pliant::scene::readScene("crane.yaml");
///     const auto models = pliant::scene::loadModels(scene);
///     btPliantScene::applySettings(scene, world);
///     btPliantSystem soft(&world, btPliantScene::getSystemInfo(scene));
///     btPliantScene physics(soft, scene, models);
///     ... physics.step(); picture->show(physics.getPoses()); ...
///
/// The world is the user's: it needs a btPliantConstraintSolver, and it outlives the system, which outlives this.
class PLIANT_API btPliantScene {
public:
    /// One model an entry of the scene, in the scene's order (pliant::scene::loadModels()).
    using Models = pliant::scene::Models;

    /// A reduced body of the scene.
    struct Deformable {
        btPliantBody* m_body = nullptr;  ///< The body; a btPliantCharacter (its upcast()) where the model is one.
        int m_model = 0;                 ///< Index into the scene's models.
        int m_numberOfKind = 0;          ///< Among the bodies of that model.
        int m_group = 0;                 ///< Index into the scene's groups of bodies.
        /// Whether the scene moves it.
        pliant::scene::Motion m_motion = pliant::scene::Motion::Free;
    };
    /// One of Bullet's own bodies in the scene.
    struct Rigid {
        /// The body. Of a hull with products of inertia its axes are the principal ones, as Bullet wants them;
        /// getPoses() has the frame that the scene's file means.
        btRigidBody* m_body = nullptr;
        int m_group = 0;  ///< Index into the scene's rigid groups.
    };
    /// Where a joint takes hold of a body.
    struct JointPoint {
        btRigidBody* m_body;   ///< The body.
        btVector3 m_position;  ///< World frame, m, as the bodies stand.
    };

    /// The settings of a system that the scene asks for.
    /// @param scene its solver's settings count
    /// @param threads workers; 0 = all cores
    static btPliantSystemInfo getSystemInfo(const pliant::scene::SceneDescription& scene, int threads = 0);
    /// Gives a world the scene's gravity, its iterations, and pairs in an order that does not depend on memory. Bullet
    /// hands gravity to bodies that are added later.
    static void applySettings(const pliant::scene::SceneDescription& scene, btDiscreteDynamicsWorld& world);

    /// Adds everything that the scene describes to the system's world.
    /// @param system of the user's world; outlives this
    /// @param scene copied
    /// @param models one an entry of the scene
    /// @throws pliant::Error where a mesh cannot be read, models are missing, or the system is not connected
    btPliantScene(btPliantSystem& system, const pliant::scene::SceneDescription& scene, const Models& models);
    /// Takes everything out of the world again.
    ~btPliantScene();
    btPliantScene(const btPliantScene&) = delete;
    btPliantScene& operator=(const btPliantScene&) = delete;

    /// Steps the world by one step of the scene: beforeStep(), stepSimulation(), afterStep().
    void step();
    /// What the scene does before a step that the user makes, of getDescription().time.step() seconds: it moves
    /// kinematic bodies to where they are at its end, and chooses levels of detail.
    void beforeStep();
    /// What the scene does after a step that the user has made.
    void afterStep();
    /// Gives a live number a value, as events do. Lights and cameras belong to whoever draws.
    /// @param path of pliant::scene::liveEdits(), which has been checked against the scene; or of an event
    /// @param value in the unit of the file's number
    /// @throws pliant::Error for positions and rotations, which events lead along
    void setLive(const pliant::scene::LivePath& path, double value);
    /// The end of the run: conditions that have to hold then are checked, and records are closed.
    void finish();
    /// Whether an event has stopped the run.
    bool isStopped() const;
    /// How many actions events have performed so far.
    int getActionCount() const;
    /// Where the scene's records are written, from now on; without it there are none.
    /// @param folder is made where it is missing
    void setRecordFolder(const std::string& folder);
    /// Who is told what the events say.
    /// @param say gets the simulated time, s, and the text
    void setSayCallback(std::function<void(double, const std::string&)> say);
    /// The pictures that events have wanted since the last call: file names in the folder of the output.
    std::vector<std::string> takePictures();
    /// What the scene expects and did not hold so far, a sentence each.
    const std::vector<std::string>& getFailures() const;
    /// What could not be written, and which events brought bodies in inside others, a sentence each; once the run is
    /// over, which points could not be held where they should be at its end, which hands' devices failed, and
    /// which pairs have come to meet and pass through each other, since neither moves freely.
    const std::vector<std::string>& getWarnings() const;
    /// Whether a body takes part; those of pools wait until an event brings them in.
    static bool isPresent(const btRigidBody& body);
    /// A number of a sensor at the end of the last step; energies of bodies that the scene itself does not read are
    /// those of the moment.
    /// @param name as expressions have it: "tip.position.z"
    /// @return not a number where nothing is called so
    double getNumber(const std::string& name) const;
    /// Simulated time, s.
    double getTime() const;
    /// Everything that moves freely goes back to where it started, with its start velocity, every group with other
    /// chances of its jitter: the bodies themselves, or new ones in their place after they have been removed.
    /// @param drop number added to the seeds
    /// @param newBodies whether bodies are made anew
    /// @throws pliant::Error for scenes with joints
    void dropAgain(int drop, bool newBodies);

    /// What the scene says.
    const pliant::scene::SceneDescription& getDescription() const;
    /// The system that was handed to the constructor.
    btPliantSystem& getSystem() const;
    /// All reduced bodies, group by group.
    const std::vector<Deformable>& getDeformables() const;
    /// All bodies of Bullet's own, group by group.
    const std::vector<Rigid>& getRigids() const;
    /// All joints, in the order of the file.
    const std::vector<std::unique_ptr<btTypedConstraint>>& getJoints() const;
    /// A body in a hand, in the steps of the world.
    /// @param tool index into the scene's tools
    /// @throws pliant::Error for a tool in a thread
    btPliantTool& getTool(int tool) const;
    /// The hand of a tool in a thread, whose cycles are made in step with the world until its getThread().start();
    /// null for a tool in the world.
    /// @param tool index into the scene's tools
    btPliantHandThread* getHandThread(int tool) const;
    /// Where a tool of either kind is held now, world.
    /// @param tool index into the scene's tools
    pliant::ToolPose getToolPose(int tool) const;
    /// What the device of a tool was sent after the last step.
    /// @param tool index into the scene's tools
    pliant::Wrench getFeltWrench(int tool) const;
    /// The device of a tool; null where it has none.
    /// @param tool index into the scene's tools
    std::shared_ptr<pliant::HandDevice> getHandDevice(int tool) const;
    /// Gives a tool another device, from the next step on. Tools whose device is a mouse have none, and let go,
    /// until they are given one.
    /// @param tool index into the scene's tools
    /// @param device poses in the world; null: none
    void setHandDevice(int tool, std::shared_ptr<pliant::HandDevice> device);
    /// A point for each body of each joint of an entry.
    /// @param joint index into the scene's joints
    std::vector<JointPoint> getJointPoints(int joint) const;
    /// Total mass of what moves by forces, kg: also of anchored bodies, which deform.
    double getMovingMass() const;

    /// Where everything is now. The same memory each time.
    const pliant::scene::ScenePoses& getPoses();
    /// Puts everything where it was in a run that is over, so that getPoses() has the looks of its joints, too;
    /// velocities and contacts stay what they are. For pictures: what goes on from here is another run.
    /// @param poses of the same scene
    void setPoses(const pliant::scene::ScenePoses& poses);
    /// The box of all bodies as they stand, and of their shadows straight down on the ground.
    pliant::scene::Bounds getBounds() const;
    /// The scene's camera; where it has none, one that sees the bodies as they stand and where they fall to.
    pliant::scene::ViewPoint getViewPoint() const;
    /// The same with the boxes of all bodies, for cameras that go on seeing them all as they move.
    pliant::scene::WholeView getWholeView() const;

private:
    std::unique_ptr<btPliantInternal::SceneData> m_data;
};
