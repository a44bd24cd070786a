// SPDX-License-Identifier: Zlib
// Rows of ragdolls' joints against differences of what limbs do.
#include <cmath>
#include <random>

#include "BarCharacter.h"
#include "pliant/runtime/ragdoll/JointRows.h"

namespace {

using namespace pliant;
using namespace pliant::test;

/// Two limbs turned against each other by three angles.
struct BentJoint {
    std::shared_ptr<const RagdollModel> model = [] {
        const VolumeMesh mesh = barMesh(0.1);
        return std::make_shared<RagdollModel>(makeCharacter(barRig(mesh), mesh, barOptions(), "bar"));
    }();
    std::vector<LimbHold> holds{2};
    std::vector<AffineMap> bones;
    RagdollSystem system{model, 24};

    BentJoint() {
        holds[1].isJoined = true;
        holds[1].range.middle = Eigen::AngleAxisd(0.4, Vector3(1, 2, 3).normalized()).toRotationMatrix();
        holds[1].range.axes = Eigen::AngleAxisd(-0.7, Vector3(2, -1, 1).normalized()).toRotationMatrix();
        holds[1].range.lower = Vector3(-0.5, 0.3, -2.0);
        holds[1].range.upper = Vector3(1.5, 0.3, 1.0);
        Pose pose = bentPose(model->character->skeleton, 0.7);
        pose[0].rotation = Rotation(Eigen::AngleAxisd(0.9, Vector3(1, 2, -1).normalized())) * pose[0].rotation;
        std::vector<MovingFrame> frames;
        motionOf(model->character->skeleton, pose, frames);
        for (const MovingFrame& frame : frames) bones.push_back(frame.map);
        system.place(bones.data(), 24);
    }
    Vector3 angles(const std::vector<AffineMap>& at) const {
        const JointRange& range = holds[1].range;
        return jointAngles(range.middle.transpose() * at[0].leftCols<3>().transpose() * at[1].leftCols<3>() *
                           range.axes);
    }
    Vector3 gap(const std::vector<AffineMap>& at) const {
        const Vector3 head = model->character->skeleton.bones[1].head();
        return (at[0] - at[1]).leftCols<3>() * head + (at[0] - at[1]).col(3);
    }
};

TEST(JointRows, AreRatesOfGapsAndLockedAngles) {
    const BentJoint b;
    const MatrixX J = jointRows(b.system, b.holds, b.bones);
    ASSERT_EQ(J.cols(), 4);  // three of the place, one of the second angle
    const double e = 1e-6;
    for (int k = 0; k < 12; ++k) {
        std::vector<AffineMap> ahead, behind;
        advance(*b.model, b.bones, VectorX::Unit(12, k), e, ahead);
        advance(*b.model, b.bones, VectorX::Unit(12, k), -e, behind);
        const Vector3 gap = (b.gap(ahead) - b.gap(behind)) / (2.0 * e);
        const Vector3 turn = (b.angles(ahead) - b.angles(behind)) / (2.0 * e);
        for (int i = 0; i < 3; ++i) EXPECT_NEAR(J(k, i), gap[i], 1e-8) << k;
        EXPECT_NEAR(J(k, 3), turn[1], 1e-8) << k;
    }
}

TEST(JointRows, LimitsAreRatesOfWhatIsLeft) {
    const BentJoint b;
    std::vector<JointLimit> limits;
    jointLimits(*b.model, b.holds, b.bones, 1e3, limits);
    ASSERT_EQ(limits.size(), 4u);  // of the first and the third angle
    const Vector3 now = b.angles(b.bones);
    const double e = 1e-6;
    for (const JointLimit& limit : limits) {
        const JointRange& range = b.holds[1].range;
        EXPECT_NE(limit.axis, 1);
        EXPECT_NEAR(
            limit.gap,
            limit.isUpper ? range.upper[limit.axis] - now[limit.axis] : now[limit.axis] - range.lower[limit.axis],
            1e-14);
        for (int k = 0; k < 12; ++k) {
            std::vector<AffineMap> ahead, behind;
            advance(*b.model, b.bones, VectorX::Unit(12, k), e, ahead);
            advance(*b.model, b.bones, VectorX::Unit(12, k), -e, behind);
            const double rate = (b.angles(ahead) - b.angles(behind))[limit.axis] / (2.0 * e);
            EXPECT_NEAR(gapRate(*b.model, limit, VectorX::Unit(12, k)), limit.isUpper ? -rate : rate, 1e-8) << k;
        }
    }
    const double near = limits.front().gap + 1e-3;
    std::vector<JointLimit> close;
    jointLimits(*b.model, b.holds, b.bones, near, close);
    for (const JointLimit& limit : close) EXPECT_LT(limit.gap, near);
    EXPECT_FALSE(close.empty());
}

}  // namespace
