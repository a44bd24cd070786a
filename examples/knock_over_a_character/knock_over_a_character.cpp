// SPDX-License-Identifier: Zlib
// A character runs until a ball hits it, falls as a ragdoll, and goes back to its clip where it lies.
// knock_over_a_character fox.pliant [SECONDS PICTURE.png]; made by `pliant rig fox.glb -o fox.pliant`
#include <btBulletDynamicsCommon.h>
#include <btPliant/btPliantCharacter.h>
#include <btPliant/btPliantConstraintSolver.h>
#include <btPliant/btPliantSystem.h>
#include <osgPliant/CharacterGroup.h>
#include <osgPliant/HeadlessViewer.h>
#include <osgPliant/Primitives.h>
#include <osgPliant/Stage.h>
#include <osgPliant/ViewerSetUp.h>

#include <cstdio>
#include <cstdlib>
#include <osg/MatrixTransform>
#include <stdexcept>

namespace {

constexpr double step = 1.0 / 240.0, hit = 0.5, upAgain = 3.0, wayBack = 1.5;  // s
constexpr double ballSize = 0.1;                                               // radius, of the character's size

class World {
public:
    World(std::shared_ptr<const pliant::CharacterModel> model, double size) : m_sphere(btScalar(ballSize * size)) {
        m_world.setGravity(btVector3(0, 0, btScalar(-9.81)));
        m_world.addRigidBody(&m_ground);
        m_fox = m_system.createCharacter(std::move(model));
        m_world.addRigidBody(m_fox, btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
        m_fox->play("run");
        m_world.addRigidBody(&m_ball);
        // From the side, so that it comes to where the character runs when that is let go of.
        const btVector3 start(0, btScalar(-2 * size), btScalar(0.35 * size));
        m_ball.setCenterOfMassTransform(btTransform(btQuaternion::getIdentity(), start));
        m_ball.setLinearVelocity(btVector3(0, btScalar(2 * size / hit), btScalar(0.5 * 9.81 * hit)));
    }
    ~World() {
        m_world.removeRigidBody(&m_ball);
        m_world.removeRigidBody(&m_ground);
    }
    void advanceTo(double time) {
        for (; m_time < time - 0.5 * step; m_time += step) {
            m_world.stepSimulation(btScalar(step), 0);
            if (m_time < hit && m_time + step >= hit) tell(m_fox->startRagdoll());
            if (m_time < upAgain && m_time + step >= upAgain) m_fox->stopRagdoll(wayBack);
        }
    }
    const btPliantCharacter& fox() const { return *m_fox; }
    btVector3 ball() const { return m_ball.getCenterOfMassPosition(); }

private:
    static void tell(const std::string& problem) {
        if (!problem.empty()) throw std::runtime_error("it cannot fall: " + problem);
    }

    double m_time = 0.0;
    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher{&m_configuration};
    btDbvtBroadphase m_broadphase;
    btPliantConstraintSolver m_solver;
    btDiscreteDynamicsWorld m_world{&m_dispatcher, &m_broadphase, &m_solver, &m_configuration};
    btStaticPlaneShape m_plane{btVector3(0, 0, 1), 0};
    btRigidBody m_ground{btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &m_plane)};
    btSphereShape m_sphere;
    btRigidBody m_ball{btRigidBody::btRigidBodyConstructionInfo(10, nullptr, &m_sphere, btVector3(1, 1, 1))};
    btPliantSystem m_system{&m_world};
    btPliantCharacter* m_fox = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return std::puts("usage: knock_over_a_character fox.pliant [SECONDS PICTURE.png]"), 1;
    try {
        const std::shared_ptr<const pliant::CharacterModel> model = pliant::loadCharacter(argv[1]);
        const pliant::Points& x = model->flesh->surface.positions;
        const double size = (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).norm();
        World world(model, size);

        osgPliant::StageSettings settings;
        settings.up.set(0.0f, 0.0f, 1.0f);
        settings.towardsSun.set(0.5f, -0.4f, 0.8f);
        osg::ref_ptr<osgPliant::Stage> stage = new osgPliant::Stage(settings);
        osg::ref_ptr<osgPliant::CharacterGroup> foxes = new osgPliant::CharacterGroup(model, 1);
        stage->addChild(foxes);
        stage->addChild(osgPliant::createPlane(osg::Vec3f(0, 0, 1), 0, 20));
        osg::ref_ptr<osg::MatrixTransform> ball = new osg::MatrixTransform;
        ball->addChild(osgPliant::createSphere(static_cast<float>(ballSize * size)));
        stage->addChild(ball);
        std::vector<pliant::AffineMap> bones;
        const auto showAt = [&](double time) {
            world.advanceTo(time);
            world.fox().getBones(bones);
            foxes->setCharacter(0, bones, world.fox().getReducedCoordinates().data());
            const btVector3 at = world.ball();
            ball->setMatrix(osg::Matrixd::translate(at.x(), at.y(), at.z()));
        };
        showAt(0.0);
        const osg::Vec3d middle = foxes->getBodyBound(0).center(), up(0.0, 0.0, 1.0);
        const osg::Vec3d eye = middle + osg::Vec3d(1.5, -2.2, 0.9) * size;
        if (argc > 3) {
            osgPliant::HeadlessViewer viewer;
            if (!viewer.isValid()) throw std::runtime_error(viewer.getProblem());
            showAt(std::atof(argv[2]));
            viewer.setScene(stage);
            viewer.setCamera(eye, middle, up);
            const std::string problem = osgPliant::saveImage(*viewer.render(0.0), argv[3]);
            if (!problem.empty()) throw std::runtime_error(problem);
            std::printf("%s, its middle %.3f m high\n",
                        world.fox().getDrive() == btPliantDrive::Ragdoll ? "falls" : "runs",
                        foxes->getBodyBound(0).center().z());
            return 0;
        }
        osgViewer::Viewer viewer;
        osgPliant::setUpViewer(viewer);
        viewer.setSceneData(stage);
        viewer.getCameraManipulator()->setHomePosition(eye, middle, up);
        const std::string problem = osgPliant::realizeViewer(viewer);
        if (!problem.empty()) throw std::runtime_error(problem);
        viewer.home();
        for (; !viewer.done(); viewer.frame()) showAt(viewer.getFrameStamp()->getReferenceTime());
    } catch (const std::exception& problem) {
        return std::fprintf(stderr, "%s\n", problem.what()), 1;
    }
    return 0;
}
