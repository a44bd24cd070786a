// SPDX-License-Identifier: Zlib
// A run is recorded once and shown as often as one likes: from another camera, at any moment, without physics.
#include <btBulletDynamicsCommon.h>
#include <btPliant/btPliantConstraintSolver.h>
#include <btPliant/btPliantSystem.h>
#include <osgPliant/BodyGroup.h>
#include <osgPliant/HeadlessViewer.h>
#include <osgPliant/Primitives.h>
#include <osgPliant/Stage.h>
#include <pliant/view/Player.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int bodyCount = 4;

/// Drops four bodies for two seconds. The log names the model: a player needs nothing else.
void record(const std::string& modelFile, const std::string& logFile) {
    btStaticPlaneShape plane(btVector3(0, 0, 1), 0);
    btRigidBody ground(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &plane));
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btPliantConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity(btVector3(0, 0, btScalar(-9.81)));
    world.addRigidBody(&ground);
    btPliantSystem system(&world);
    const std::shared_ptr<const pliant::ReducedModel> model = pliant::loadModel(modelFile);
    for (int i = 0; i < bodyCount; ++i) {
        btPliantBodyInfo info;
        info.m_meshTransform.setOrigin(btVector3(btScalar(0.2 * (i % 2)), 0, btScalar(0.6 + 0.7 * i)));
        world.addRigidBody(system.createBody(model, info));
    }
    pliant::StateLogWriter log(logFile, {{modelFile, bodyCount, model->dimension()}});
    std::vector<pliant::Poses> poses(1);
    poses[0].resize(bodyCount, model->dimension());
    for (int frame = 0; frame <= 60; ++frame) {
        poses[0].time = frame / 30.0;
        for (int i = 0; i < bodyCount; ++i) {
            const btPliantBody& body = *system.getBody(i);
            pliant::RigidTransform place;
            for (int row = 0; row < 3; ++row) {
                place.translation[row] = static_cast<double>(body.getWorldTransform().getOrigin()[row]);
                for (int column = 0; column < 3; ++column)
                    place.rotation(row, column) = static_cast<double>(body.getWorldTransform().getBasis()[row][column]);
            }
            poses[0].set(i, place, body.getReducedCoordinates().data());
        }
        log.add(poses);
        for (int i = 0; i < 8; ++i) world.stepSimulation(btScalar(1) / 240, 0);
    }
    log.close();
}

/// A picture of one moment, from the direction of `angle` degrees.
std::string replay(const std::string& logFile, double seconds, double angle, const std::string& pictureFile) {
    pliant::Player player((pliant::StateLog(logFile)));
    osgPliant::StageSettings settings;
    settings.up.set(0, 0, 1);
    settings.towardsSun.set(0.4f, -0.5f, 0.8f);
    const osg::ref_ptr<osgPliant::Stage> stage = new osgPliant::Stage(settings);
    stage->addChild(osgPliant::createPlane(osg::Vec3f(0, 0, 1), 0, 20));
    std::vector<pliant::Poses> poses;
    player.at(seconds, poses);
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const pliant::LoggedGroup& logged = player.log().groups()[i];
        const osg::ref_ptr<osgPliant::BodyGroup> group =
            new osgPliant::BodyGroup(new osgPliant::ModelGeometry(pliant::loadModel(logged.name)), logged.bodies);
        if (!group->show(poses[i])) return "the log and the model " + logged.name + " do not belong together";
        stage->addChild(group);
    }
    osgPliant::HeadlessViewer viewer;
    if (!viewer.isValid()) return viewer.getProblem();
    viewer.setScene(stage);
    const double turn = osg::DegreesToRadians(angle);
    viewer.setCamera(osg::Vec3d(2.8 * std::cos(turn), 2.8 * std::sin(turn), 1.2), osg::Vec3d(0.1, 0, 0.4),
                     osg::Vec3d(0, 0, 1));
    return osgPliant::saveImage(*viewer.render(seconds), pictureFile);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4 && argc != 6)
        return std::puts(
                   "usage: record_and_replay record MODEL.pliant LOG.states\n"
                   "       record_and_replay replay LOG.states SECONDS DEGREES PICTURE.png"),
               1;
    try {
        if (argc == 4) return record(argv[2], argv[3]), 0;
        const std::string problem = replay(argv[2], std::atof(argv[3]), std::atof(argv[4]), argv[5]);
        return problem.empty() ? 0 : (std::fprintf(stderr, "%s\n", problem.c_str()), 1);
    } catch (const std::exception& problem) {
        return std::fprintf(stderr, "%s\n", problem.what()), 1;
    }
}
