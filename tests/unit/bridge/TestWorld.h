// SPDX-License-Identifier: Zlib
// A plain Bullet world with a btPliantSystem, as a user makes it.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "BarModel.h"
#include "btPliant/btPliantBody.h"
#include "btPliant/btPliantConstraintSolver.h"
#include "btPliant/btPliantShape.h"
#include "btPliant/btPliantSystem.h"

namespace pliant::test {

constexpr bool doublePrecision = sizeof(btScalar) == sizeof(double);

struct TestWorld {
    explicit TestWorld(const btPliantSystemInfo& info = oneThread())
        : dispatcher(&configuration),
          world(&dispatcher, &broadphase, &solver, &configuration),
          system(std::make_unique<btPliantSystem>(&world, info)) {
        world.setGravity(btVector3(0, btScalar(-9.81), 0));
    }
    ~TestWorld() {
        system.reset();
        for (auto& body : rigid)
            if (body->getBroadphaseHandle()) world.removeRigidBody(body.get());
    }

    static btPliantSystemInfo oneThread() {
        btPliantSystemInfo info;
        info.m_threads = 1;
        return info;
    }

    btRigidBody* addRigid(btCollisionShape* shape, double mass, const btVector3& position) {
        shapes.emplace_back(shape);
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shape->calculateLocalInertia(static_cast<btScalar>(mass), inertia);
        btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), nullptr, shape, inertia);
        info.m_startWorldTransform.setIdentity();
        info.m_startWorldTransform.setOrigin(position);
        rigid.push_back(std::make_unique<btRigidBody>(info));
        world.addRigidBody(rigid.back().get());
        return rigid.back().get();
    }
    btRigidBody* addGround() { return addRigid(new btStaticPlaneShape(btVector3(0, 1, 0), 0), 0, btVector3(0, 0, 0)); }

    /// A bar whose centre of mass is at `position`.
    btPliantBody* addBar(const std::shared_ptr<const ReducedModel>& model, const btVector3& position,
                         btPliantBodyInfo info = btPliantBodyInfo(),
                         const btQuaternion& turn = btQuaternion::getIdentity()) {
        const btVector3 offset(static_cast<btScalar>(model->meshFromBody.translation.x()),
                               static_cast<btScalar>(model->meshFromBody.translation.y()),
                               static_cast<btScalar>(model->meshFromBody.translation.z()));
        info.m_meshTransform = btTransform(turn, position) * btTransform(btQuaternion::getIdentity(), -offset);
        btPliantBody* body = system->createBody(model, info);
        world.addRigidBody(body);
        return body;
    }

    /// How deep the deepest contact of all is, m; 0 where none is.
    double deepestContact() {
        double deepest = 0.0;
        for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
            const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(m);
            for (int i = 0; i < manifold.getNumContacts(); ++i)
                deepest = std::max(deepest, -static_cast<double>(manifold.getContactPoint(i).getDistance()));
        }
        return deepest;
    }

    void step(int count = 1, double h = 1.0 / 120.0) {
        for (int i = 0; i < count; ++i) world.stepSimulation(static_cast<btScalar>(h), 0);
    }

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broadphase;
    btPliantConstraintSolver solver;
    btDiscreteDynamicsWorld world;
    std::unique_ptr<btPliantSystem> system;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> rigid;
};

/// kg m/s of a body's frame.
inline btVector3 linearMomentum(const btPliantBody& body) {
    return body.getLinearVelocity() / body.getInvMass();
}

/// Of all reduced bodies, about the world's origin, kg m^2/s.
inline btVector3 totalAngularMomentum(const TestWorld& scene) {
    btVector3 sum(0, 0, 0);
    for (int i = 0; i < scene.system->getNumBodies(); ++i) {
        const btPliantBody& body = *scene.system->getBody(i);
        sum += body.getAngularMomentum() + body.getCenterOfMassPosition().cross(linearMomentum(body));
    }
    return sum;
}

}  // namespace pliant::test
