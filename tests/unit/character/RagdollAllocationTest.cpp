// SPDX-License-Identifier: Zlib
// Limbs and flesh step without going to the heap once they have stepped before.
#include "../../AllocationCounter.h"
#include "BarCharacter.h"
#include "pliant/runtime/ragdoll/JointRows.h"
#include "pliant/runtime/ragdoll/PoseForce.h"
#include "pliant/runtime/ragdoll/RagdollMotion.h"

namespace pliant::test {
namespace {

TEST(RagdollAllocation, AStepHasNone) {
    const VolumeMesh mesh = barMesh(0.1);
    Rig rig = barRig(mesh);
    rig.clips = {nod(0.6)};
    const std::shared_ptr<const CharacterModel> bar = makeCharacter(rig, mesh, barOptions(), "bar");
    const auto model = std::make_shared<RagdollModel>(bar);
    const int r = bar->flesh->dimension();
    RagdollSystem system(model, r);
    std::vector<LimbHold> holds;
    for (const JointRange& range : model->ranges) holds.push_back({true, range});
    RagdollMotion motion{std::vector<AffineMap>(2, AffineMap(AffineMap::Identity())), VectorX::Zero(system.size()),
                         VectorX::Constant(r, 0.01)};
    motion.V.head<6>() << 1, 2, 3, 4, -5, 6;
    motion.V.tail<6>() << 1, -2, 0, 4, -5, 8;
    MotionScratch scratch;
    MatrixX YH, J;
    VectorX a, dq, dV, dq1, impulse, answer, pull;
    const VectorX none;
    const auto step = [&] {
        system.place(motion.bones.data(), r);
        YH = 0.5 * system.coupling();
        jointRows(system, holds, motion.bones, J);
        system.factor(YH, J);
        a.setZero(system.size());
        dq.setConstant(r, 1e-3);
        system.fall(motion.V, a, dq, none, dV, dq1);
        motion.V += dV;
        motion.q1 += dq1;
        impulse.setOnes(system.size());
        answer.setOnes(r);
        system.respond(impulse, answer);
        moveOn(system, holds, 1.0 / 60.0, motion, scratch);
        poseForce(*bar, motion.bones, pull);
    };
    for (int i = 0; i < 5; ++i) step();
    EXPECT_GE(countOneAllocation(), 1) << "the counter counts";
    const Vector3 before = motion.bones[1].col(3);
    const long first = allocations;
    for (int i = 0; i < 60; ++i) step();
    EXPECT_EQ(allocations - first, 0);
    EXPECT_GT((motion.bones[1].col(3) - before).norm(), 0.1) << "it has not moved";
}

}  // namespace
}  // namespace pliant::test
