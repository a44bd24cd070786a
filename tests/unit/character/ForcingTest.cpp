// SPDX-License-Identifier: Zlib
// What bones do to the flesh, held against integrals that know nothing of pairs of bones.
#include "BarCharacter.h"
#include "pliant/fem/FullModel.h"
#include "pliant/model/CharacterShape.h"
#include "pliant/runtime/SkinForces.h"

namespace pliant::test {
namespace {

class Forcing : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        s_mesh = barMesh();
        s_character = makeCharacter(barRig(s_mesh), s_mesh, barOptions(), "bar");
    }
    static void TearDownTestSuite() { s_character.reset(); }

    static VectorX forces(const std::vector<MovingFrame>& bones, const Vector3& gravity = Vector3::Zero(),
                          RestShape base = RestShape::Flesh) {
        SkinForces skin(s_character, base);
        VectorX f(s_character->flesh->dimension());
        skin.evaluate({bones.data()}, gravity, f.data(), Workers(1));
        return f;
    }

    /// Both bones in one motion of the whole body.
    static std::vector<MovingFrame> together(const MovingFrame& motion) { return {motion, motion}; }

    /// U' M a for a field of accelerations in the body frame, by the mass matrix.
    template <typename Field>
    static VectorX inertial(const Field& field) {
        const ReducedModel& flesh = *s_character->flesh;
        const FullModel full(flesh.mesh);
        VectorX a(full.degreesOfFreedom());
        for (Eigen::Index v = 0; v < flesh.mesh.positions.cols(); ++v)
            a.segment<3>(3 * v) = field(flesh.meshFromBody.inversePoint(flesh.mesh.positions.col(v)));
        return flesh.basis.transpose() * (full.massMatrix() * a);
    }

    static VectorX staticAnswer(const VectorX& f) { return f.cwiseQuotient(s_character->flesh->restEigenvalues); }

    static VolumeMesh s_mesh;
    static std::shared_ptr<const CharacterModel> s_character;
};

VolumeMesh Forcing::s_mesh;
std::shared_ptr<const CharacterModel> Forcing::s_character;

const Rotation tilt(Eigen::AngleAxisd(0.8, Vector3(1, 2, -1).normalized()));

TEST_F(Forcing, BasisIsOrthonormalAndDiagonal) {
    const ReducedModel& flesh = *s_character->flesh;
    const FullModel full(flesh.mesh);
    MatrixX U(flesh.basis.rows(), flesh.basis.cols());
    for (Eigen::Index v = 0; v < U.rows(); v += 3)
        U.middleRows<3>(v) = flesh.meshFromBody.rotation * flesh.basis.middleRows<3>(v);
    const MatrixX one = MatrixX::Identity(U.cols(), U.cols());
    EXPECT_LT((U.transpose() * (full.massMatrix() * U) - one).norm(), 1e-9);
    const MatrixX K = U.transpose() * (full.restStiffness() * U);
    EXPECT_LT((K - MatrixX(flesh.restEigenvalues.asDiagonal())).norm(), 1e-9 * K.norm());
    for (const int held : flesh.fixedVertices) EXPECT_EQ(U.middleRows<3>(3 * held).norm(), 0.0);
}

TEST_F(Forcing, BonesInOneSteadyMotionMoveNothing) {
    MovingFrame motion = MovingFrame::still({tilt, Vector3(7, -3, 2), 1.0});
    motion.velocity.col(3) = Vector3(3, 5, -1);
    const VectorX q = staticAnswer(forces(together(motion)));
    EXPECT_LT(q.norm(), 1e-12);
}

TEST_F(Forcing, AccelerationActsAsGravityBackwards) {
    const Vector3 gravity(0.3, -9.81, 1.0), acceleration(2.0, 4.0, -5.0);
    MovingFrame motion = MovingFrame::still({tilt, Vector3(7, -3, 2), 1.0});
    motion.acceleration.col(3) = acceleration;
    const Vector3 felt = tilt.conjugate() * (gravity - acceleration);
    const VectorX expected = staticAnswer(inertial([&](const Vector3&) { return felt; }));
    const VectorX q = staticAnswer(forces(together(motion), gravity));
    EXPECT_GT(expected.norm(), 1e-4);
    EXPECT_LT((q - expected).norm(), 1e-12);
}

TEST_F(Forcing, SpinIsCentrifugal) {
    const Vector3 spin(1.5, -0.7, 2.2);  // in the body frame, about its origin
    MovingFrame motion = MovingFrame::still({tilt, Vector3::Zero(), 1.0});
    motion.velocity.leftCols<3>() = tilt.toRotationMatrix() * crossMatrix(spin);
    motion.acceleration.leftCols<3>() = tilt.toRotationMatrix() * crossMatrix(spin) * crossMatrix(spin);
    const VectorX expected = inertial([&](const Vector3& x) { return Vector3(-spin.cross(spin.cross(x))); });
    EXPECT_GT(expected.norm(), 1e-2);
    EXPECT_LT((forces(together(motion)) - expected).norm(), 1e-12 * (1.0 + expected.norm()));
}

// To first order in the angle the skin's displacement is all that is wrong with it: f_pose = - U' K (s - x).
TEST_F(Forcing, SmallBendsStretchTheSkin) {
    const ReducedModel& flesh = *s_character->flesh;
    const SparseMatrix K = FullModel(flesh.mesh).restStiffness();
    std::vector<double> angles = {0.04, 0.02, 0.01}, errors;
    for (const double angle : angles) {
        std::vector<MovingFrame> bones;
        motionOf(s_character->skeleton, bentPose(s_character->skeleton, angle), bones);
        Points now;
        fleshPoints(*s_character, bones, nullptr, now);
        VectorX u(3 * now.cols());
        for (Eigen::Index v = 0; v < now.cols(); ++v) u.segment<3>(3 * v) = now.col(v) - flesh.mesh.positions.col(v);
        const VectorX force = K * u;
        VectorX expected = VectorX::Zero(flesh.dimension());
        for (Eigen::Index v = 0; v < now.cols(); ++v)
            expected -= flesh.basis.middleRows<3>(3 * v).transpose() *
                        (flesh.meshFromBody.rotation.transpose() * force.segment<3>(3 * v));
        errors.push_back((forces(bones) - expected).norm());
        EXPECT_LT(errors.back(), 2.0 * angle * expected.norm());
    }
    EXPECT_NEAR(convergenceSlope(angles, errors), 2.0, 0.1);
}

TEST_F(Forcing, SkinAsBaseLeavesPosesOut) {
    std::vector<MovingFrame> bones;
    motionOf(s_character->skeleton, bentPose(s_character->skeleton, 0.5), bones);
    EXPECT_EQ(forces(bones, Vector3::Zero(), RestShape::Skin).norm(), 0.0);
    EXPECT_GT(forces(bones).norm(), 0.1);
}

TEST_F(Forcing, SameBitsAloneInACrowdAndOnThreads) {
    std::vector<std::vector<MovingFrame>> crowd(37);
    std::vector<const MovingFrame*> pointers;
    for (std::size_t i = 0; i < crowd.size(); ++i) {
        motionOf(s_character->skeleton, bentPose(s_character->skeleton, 0.02 * static_cast<double>(i)), crowd[i]);
        pointers.push_back(crowd[i].data());
    }
    const int r = s_character->flesh->dimension();
    SkinForces skin(s_character, RestShape::Flesh);
    MatrixX one(r, 37), four(r, 37);
    skin.evaluate(pointers, Vector3(0, 0, -9.81), one.data(), Workers(1));
    skin.evaluate(pointers, Vector3(0, 0, -9.81), four.data(), Workers(4));
    EXPECT_TRUE(one == four);
    for (std::size_t i = 0; i < crowd.size(); ++i) {
        VectorX alone(r);
        skin.evaluate({pointers[i]}, Vector3(0, 0, -9.81), alone.data(), Workers(1));
        EXPECT_TRUE(alone == one.col(static_cast<Eigen::Index>(i))) << i;
    }
}

}  // namespace
}  // namespace pliant::test
