// SPDX-License-Identifier: Zlib
// A soft body in a plain Bullet world. What is Pliant's: the solver, the system, the body.
#include <btBulletDynamicsCommon.h>
#include <btPliant/btPliantConstraintSolver.h>
#include <btPliant/btPliantSystem.h>

#include <cstdio>

int main(int argc, char** argv) {
    if (argc != 2) return std::puts("usage: plain_bullet MODEL.pliant"), 1;

    btStaticPlaneShape plane(btVector3(0, 0, 1), 0);
    btRigidBody ground(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &plane));

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btPliantConstraintSolver solver;  // Bullet's solver, with rows that bend bodies
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity(btVector3(0, 0, btScalar(-9.81)));
    world.addRigidBody(&ground);

    btPliantSystem system(&world);
    btPliantBodyInfo info;
    info.m_meshTransform.setOrigin(btVector3(0, 0, 1));  // of the mesh as its file has it
    try {
        btPliantBody* body = system.createBody(pliant::loadModel(argv[1]), info);
        world.addRigidBody(body);
        for (int step = 1; step <= 240; ++step) {
            world.stepSimulation(btScalar(1) / 120, 0);
            if (step % 24 == 0)
                std::printf("t = %.1f s  height %6.3f m  strain energy %.3g J\n", step / 120.0,
                            double(body->getMeshTransform().getOrigin().z()), body->getStrainEnergy());
        }
    } catch (const std::exception& problem) {
        return std::fprintf(stderr, "%s\n", problem.what()), 1;
    }
    return 0;
}
