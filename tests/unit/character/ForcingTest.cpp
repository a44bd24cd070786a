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

/// The sum over pairs of bones as it is written down, one after the other in double.
VectorX sumOverPairs(const CharacterModel& character, const std::vector<MovingFrame>& bones, const Vector3& gravity) {
    const SkinForcing& forcing = character.forcing;
    VectorX sum = VectorX::Zero(forcing.inertia.rows());
    for (Eigen::Index p = 0; p < forcing.pairs.cols(); ++p) {
        const MovingFrame &b = bones[static_cast<std::size_t>(forcing.pairs(0, p))],
                          &c = bones[static_cast<std::size_t>(forcing.pairs(1, p))];
        const Matrix3 back = (b.map.leftCols<3>() / b.scale()).transpose();
        AffineMap felt = c.acceleration, shape = c.map;
        felt.col(3) -= gravity;
        felt = back * felt;
        shape.col(3) -= b.map.col(3);
        shape = back * shape;
        shape.leftCols<3>() -= b.scale() * Matrix3::Identity();
        sum -= forcing.inertia.middleCols<12>(12 * p) * felt.reshaped();
        if (&b != &c) sum -= forcing.pose.middleCols<12>(12 * p) * shape.reshaped();
    }
    return sum;
}

// The two poses of a pair share columns, the more so where no bone is scaled; in single precision (24 bits).
TEST_F(Forcing, IsTheSumOverAllPairsOfBones) {
    const Vector3 gravity(0.3, -9.81, 1.0);
    for (const double scale : {1.0, 1.3, 0.7}) {
        std::vector<MovingFrame> bones{MovingFrame::still({tilt, Vector3(0.01, -0.02, 0.03), 1.0}),
                                       MovingFrame::still({tilt * tilt, Vector3(0.02, 0.01, -0.01), scale})};
        bones[1].acceleration = 3.0 * bones[0].map;
        const VectorX expected = sumOverPairs(*s_character, bones, gravity);
        EXPECT_LT((forces(bones, gravity) - expected).norm(), 1e-6 * expected.norm()) << scale;
        std::swap(bones[0], bones[1]);
        const VectorX swapped = sumOverPairs(*s_character, bones, gravity);
        EXPECT_LT((forces(bones, gravity) - swapped).norm(), 1e-6 * swapped.norm()) << scale;
        EXPECT_GT((expected - swapped).norm(), 0.1 * expected.norm()) << "which bone is which shows";
    }
}

TEST_F(Forcing, ScaledNeighboursChangeNoBit) {
    std::vector<MovingFrame> plain, scaled;
    motionOf(s_character->skeleton, bentPose(s_character->skeleton, 0.5), plain);
    scaled = plain;
    scaled[1].map.leftCols<3>() *= 1.2;
    VectorX beside(2 * s_character->flesh->dimension());
    SkinForces skin(s_character, RestShape::Flesh);
    skin.evaluate({plain.data(), scaled.data()}, Vector3(0, 0, -9.81), beside.data(), Workers(1));
    const VectorX alone = forces(plain, Vector3(0, 0, -9.81));
    EXPECT_TRUE(alone == beside.head(alone.size()));
    EXPECT_GT((alone - beside.tail(alone.size())).norm(), 0.01 * alone.norm());
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

// Each worker has memory of its own for sixteen characters at a time; two that shared it would mix what they compute.
TEST_F(Forcing, WorkersShareNoMemory) {
    std::vector<std::vector<MovingFrame>> poses(37);
    for (std::size_t i = 0; i < poses.size(); ++i)
        motionOf(s_character->skeleton, bentPose(s_character->skeleton, 0.02 * static_cast<double>(i)), poses[i]);
    std::vector<const MovingFrame*> crowd(20005);
    for (std::size_t i = 0; i < crowd.size(); ++i) crowd[i] = poses[i % poses.size()].data();
    const int r = s_character->flesh->dimension();
    SkinForces skin(s_character, RestShape::Flesh);
    MatrixX expected(r, 20005), forces(r, 20005);
    skin.evaluate(crowd, Vector3(0, 0, -9.81), expected.data(), Workers(1));
    const Workers four(4);
    for (int round = 0; round < 200; ++round) {
        forces.setZero();
        skin.evaluate(crowd, Vector3(0, 0, -9.81), forces.data(), four);
        ASSERT_TRUE(forces == expected) << round;
    }
}

}  // namespace
}  // namespace pliant::test
