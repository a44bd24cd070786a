// SPDX-License-Identifier: Zlib
// Imported free bodies fall and collide as our own do, whatever rigid motion their files' basis held.
#include <Eigen/Geometry>

#include "../bridge/TestWorld.h"
#include "SpoiledBasis.h"

namespace {

using namespace pliant;
using namespace pliant::test;

struct Momenta {
    Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
};

/// Of all vertices of the simulation mesh, by the full mass matrix: nothing that the run time keeps goes in but the
/// velocities of its points.
Momenta momentaOf(const btPliantBody& body, const FullModel& full) {
    const ReducedModel& model = body.getModel();
    const VectorX q = body.getReducedCoordinates(), v = body.getReducedVelocities();
    const btTransform& frame = body.getCenterOfMassTransform();
    const auto vector = [](const btVector3& b) { return Vector3(b.x(), b.y(), b.z()); };
    Matrix3 A;
    for (int i = 0; i < 3; ++i) A.row(i) = vector(frame.getBasis()[i]).transpose();
    const Vector3 V = vector(body.getLinearVelocity()), W = vector(body.getAngularVelocity());
    const VectorX u = model.basis * q, rate = model.basis * v;
    VectorX position(u.size()), velocity(u.size());
    for (Eigen::Index i = 0; i < u.size(); i += 3) {
        const Vector3 x = A * (model.meshFromBody.inversePoint(model.mesh.positions.col(i / 3)) + u.segment<3>(i));
        position.segment<3>(i) = vector(frame.getOrigin()) + x;
        velocity.segment<3>(i) = V + W.cross(x) + A * rate.segment<3>(i);
    }
    const VectorX momentum = full.massMatrix() * velocity;
    Momenta sum;
    for (Eigen::Index i = 0; i < u.size(); i += 3) sum.linear += momentum.segment<3>(i);
    for (int c = 0; c < 3; ++c) {  // the rotation about axis c as a field, times M velocity
        for (Eigen::Index i = 0; i < u.size(); i += 3)
            sum.angular[c] += Vector3::Unit(c).cross(position.segment<3>(i)).dot(momentum.segment<3>(i));
    }
    return sum;
}

btPliantSystemInfo withoutRecovery() {
    btPliantSystemInfo info = TestWorld::oneThread();
    info.m_penetrationRecovery = 0;  // taking back penetration moves masses without velocity
    return info;
}

TEST(ImportedCollision, KeepsTheMomentumOfTheFullMesh) {
    const TemporaryFolder folder;
    const auto model = importVega(writeSpoiled(folder, {true, true, true})).model;
    const FullModel full(model->mesh);
    TestWorld scene(withoutRecovery());
    scene.world.setGravity(btVector3(0, 0, 0));
    const double size =
        (model->mesh.positions.rowwise().maxCoeff() - model->mesh.positions.rowwise().minCoeff()).norm();
    btPliantBodyInfo info;
    info.m_linearVelocity = btVector3(0, btScalar(-2.0 * size), btScalar(0.2 * size));
    info.m_angularVelocity = btVector3(btScalar(0.5), 1, btScalar(-0.7));
    btPliantBody* a = scene.addBar(model, btVector3(btScalar(0.1 * size), btScalar(1.2 * size), 0), info);
    btPliantBody* b = scene.addBar(model, btVector3(0, 0, 0), {}, btQuaternion(btVector3(0, 0, 1), btScalar(0.6)));
    const Momenta a0 = momentaOf(*a, full), b0 = momentaOf(*b, full);
    int contacts = 0;
    double bent = 0.0;
    for (int i = 0; i < 240; ++i) {
        scene.step(1, 1.0 / 240.0);
        contacts += scene.system->getStats().m_contacts;
        bent = std::max(bent, b->getReducedVelocities().norm());
    }
    const Momenta a1 = momentaOf(*a, full), b1 = momentaOf(*b, full);
    EXPECT_GT(contacts, 0);
    EXPECT_GT(bent, 1e-6);
    EXPECT_GT((a1.linear - a0.linear).norm(), 0.1 * a0.linear.norm()) << "they did not collide";
    EXPECT_LT((a1.linear + b1.linear - a0.linear - b0.linear).norm(), 1e-9 * a0.linear.norm());
    EXPECT_LT((a1.angular + b1.angular - a0.angular - b0.angular).norm(), 1e-8 * a0.linear.norm() * size);
}

TEST(ImportedCollision, FallsWithoutBendingAndComesToRestOnTheGround) {
    const TemporaryFolder folder;
    const auto model = importVega(writeSpoiled(folder, {true, false, false})).model;
    TestWorld scene;
    scene.addGround();
    btPliantBody* body = scene.addBar(model, btVector3(0, 3, 0));
    scene.step(60);
    EXPECT_NEAR(body->getLinearVelocity().y(), -9.81 * 0.5, 1e-3);
    EXPECT_LT(body->getReducedCoordinates().norm(), 1e-8);
    scene.step(600);
    EXPECT_LT(body->getLinearVelocity().length(), 0.05);
    EXPECT_GT(body->getCenterOfMassPosition().y(), 0);
}

}  // namespace
