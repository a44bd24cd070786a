// SPDX-License-Identifier: Zlib
// Limbs and flesh as one system: masses, momenta, joints, against what is known without it.
#include <cmath>
#include <random>

#include "BarCharacter.h"
#include "pliant/runtime/SkinForces.h"
#include "pliant/runtime/ragdoll/BoneMasses.h"
#include "pliant/runtime/ragdoll/PoseForce.h"
#include "pliant/runtime/ragdoll/RagdollSystem.h"
#include "unit/mesh/UnevenBoxes.h"

namespace {

using namespace pliant;
using namespace pliant::test;

std::shared_ptr<const CharacterModel> bar() {
    static const std::shared_ptr<const CharacterModel> made = [] {
        const VolumeMesh mesh = barMesh();
        CharacterOptions options = barOptions();
        options.modes = options.dimension = 24;
        return makeCharacter(barRig(mesh), mesh, options, "bar");
    }();
    return made;
}

VectorX noise(std::mt19937& random, Eigen::Index size) {
    std::normal_distribution<double> normal;
    return VectorX::NullaryExpr(size, [&] { return normal(random); });
}

/// The bar somewhere, bent by 0.7 rad, and the response of flesh that is soft, stiff and anything between.
struct BentBar {
    std::shared_ptr<const RagdollModel> model = std::make_shared<RagdollModel>(bar());
    int r = bar()->flesh->dimension();
    std::mt19937 random{7};
    std::vector<MovingFrame> frames;
    std::vector<AffineMap> bones;
    RagdollSystem system{model, r};
    VectorX Y = VectorX::Zero(r);

    BentBar() {
        Pose pose = bentPose(bar()->skeleton, 0.7);
        pose[0].translation += Vector3(0.3, 2.0, -1.0);
        pose[0].rotation = Rotation(Eigen::AngleAxisd(0.9, Vector3(1, 2, -1).normalized())) * pose[0].rotation;
        motionOf(bar()->skeleton, pose, frames);
        for (const MovingFrame& frame : frames) bones.push_back(frame.map);
        system.place(bones.data(), r);
        for (Eigen::Index j = 0; j < r; ++j)
            Y[j] = 1.0 / (1.0 + 0.25 * bar()->flesh->energy.linearStiffness(j, j) / 3600.0);
    }
    /// Both bones meet at the joint: the velocity of the one less that of the other there.
    MatrixX jointRows() const {
        const Vector3 joint = frames[1].point(bar()->skeleton.bones[1].head());
        MatrixX J = MatrixX::Zero(12, 3);
        for (int k = 0; k < 3; ++k)
            for (int i = 0; i < 2; ++i) {
                const Vector3 axis = (i == 0 ? 1.0 : -1.0) * Vector3::Unit(k);
                J.block<3, 1>(6 * i, k) = axis;
                J.block<3, 1>(6 * i + 3, k) = (joint - system.centre(i)).cross(axis);
            }
        return J;
    }
    void factor(const MatrixX& joints) { system.factor(Y.asDiagonal() * system.coupling(), joints); }
    /// Linear momentum, and angular momentum about the origin.
    Eigen::Matrix<double, 6, 1> total(const VectorX& momenta) const {
        Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
        for (int i = 0; i < 2; ++i) {
            const Vector3 linear = momenta.segment<3>(6 * i);
            sum.head<3>() += linear;
            sum.tail<3>() += Vector3(momenta.segment<3>(6 * i + 3)) + system.centre(i).cross(linear);
        }
        return sum;
    }
};

TEST(RagdollSystem, LimbsTogetherAreTheWholeBody) {
    const BentBar b;
    ASSERT_EQ(b.model->limbCount(), 2);
    EXPECT_EQ(b.model->limbs[1].parent, 0);
    EXPECT_EQ(b.model->limbs[1].joint, 1);
    const BoneMass whole = together(b.model->limbs[0].mass, b.model->limbs[1].mass);
    EXPECT_NEAR(whole.mass, 40.0, 1e-10);  // 1 x 0.2 x 0.2 m of 1000 kg/m^3
    EXPECT_NEAR(b.model->limbs[0].mass.mass, 20.0, 1e-10);
    // The body frame may have any axes; moments of a cuboid of these sides are 40 (a^2 + b^2) / 12.
    const Eigen::SelfAdjointEigenSolver<Matrix3> solver(whole.inertia);
    EXPECT_NEAR(solver.eigenvalues()[0], 40.0 * 0.08 / 12.0, 1e-9);
    EXPECT_NEAR(solver.eigenvalues()[1], 40.0 * 1.04 / 12.0, 1e-9);
    EXPECT_NEAR(solver.eigenvalues()[2], 40.0 * 1.04 / 12.0, 1e-9);
    EXPECT_NEAR(b.model->limbs[0].outerMass, 40.0, 1e-10);
    EXPECT_NEAR(b.model->limbs[1].outerMass, 20.0, 1e-10);
}

// Bricks whose material is in a part of them: the centre of all limbs is that of the boxes.
TEST(RagdollSystem, LimbsOfCutFleshAreWhereItsMaterialIs) {
    CharacterModel character = *bar();
    auto flesh = std::make_shared<ReducedModel>(*character.flesh);
    flesh->mesh.filledBoxes = unevenBoxes(flesh->mesh.elementCount());
    character.flesh = flesh;
    const std::vector<BoneMass> bones = boneMasses(character);
    BoneMass whole;
    for (const BoneMass& bone : bones) whole = together(whole, bone);
    Vector3 centre = Vector3::Zero();
    double squares = 0.0;  // half of the trace of the inertia about the centre
    for (const bool isCentred : {false, true})
        for (int e = 0; e < flesh->mesh.elementCount(); ++e) {
            const Vector3 lower = flesh->mesh.positions.col(flesh->mesh.elements(0, e)),
                          sides = flesh->mesh.positions.col(flesh->mesh.elements(6, e)) - lower;
            const FilledBox box = flesh->mesh.filledBox(e);
            const Vector3 place = flesh->meshFromBody.inversePoint(lower + box.middle().cwiseProduct(sides));
            const double mass = 1000.0 * sides.prod();
            if (!isCentred)
                centre += mass / 40.0 * place;
            else
                squares += mass * ((place - centre).squaredNorm() + box.deviation().cwiseProduct(sides).squaredNorm());
        }
    EXPECT_NEAR(whole.mass, 40.0, 1e-10);
    EXPECT_LT((whole.centre - centre).norm(), 1e-12);
    EXPECT_NEAR(0.5 * whole.inertia.trace(), squares, 1e-9);
}

// What accelerating limbs do to the flesh is - H' V', as SkinForces has it.
TEST(RagdollSystem, FleshAndLimbsFeelTheSame) {
    BentBar b;
    const VectorX rate = noise(b.random, 12);
    for (int i = 0; i < 2; ++i) {
        MovingFrame& frame = b.frames[static_cast<std::size_t>(i)];
        const Vector3 turn = rate.segment<3>(6 * i + 3);
        for (Eigen::Index c = 0; c < 3; ++c) frame.acceleration.col(c) = turn.cross(Vector3(frame.map.col(c)));
        frame.acceleration.col(3) =
            turn.cross(Vector3(frame.map.col(3) - b.system.centre(i))) + Vector3(rate.segment<3>(6 * i));
    }
    SkinForces forces(bar(), RestShape::Skin);
    VectorX f(b.r);
    forces.evaluate({b.frames.data()}, Vector3::Zero(), f.data(), Workers(1));
    EXPECT_LT((f + b.system.coupling() * rate).norm(), 1e-12 * f.norm());
}

TEST(RagdollSystem, ImpulsesKeepBothMomentaAndTheJoint) {
    BentBar b;
    const MatrixX J = b.jointRows();
    b.factor(J);
    for (int trial = 0; trial < 5; ++trial) {
        const VectorX a = noise(b.random, 12), f = noise(b.random, b.r);
        VectorX V = a, q1 = b.Y.asDiagonal() * f;
        b.system.respond(V, q1);
        const VectorX momenta = b.system.momentum(V, q1);
        EXPECT_LT((b.total(momenta) - b.total(a)).norm(), 1e-11 * a.norm());
        EXPECT_LT((J.transpose() * V).norm(), 1e-11 * V.norm());
        // Equations of the flesh: H' V + Y^-1 q' = b.
        EXPECT_LT((b.system.coupling() * V + b.Y.cwiseInverse().asDiagonal() * q1 - f).norm(), 1e-9 * f.norm());
        EXPECT_GT(a.dot(V) + f.dot(q1), 0.0);
    }
}

// A hinge given twice is a hinge: rows that say the same are no reason for numbers that are not finite.
TEST(RagdollSystem, RowsThatSayTheSameHoldOnce) {
    BentBar b;
    const MatrixX J = b.jointRows();
    MatrixX twice(12, 7);
    twice << J, -2.0 * J, VectorX::Zero(12);
    const VectorX a = noise(b.random, 12), f = noise(b.random, b.r);
    VectorX V = a, q1 = b.Y.asDiagonal() * f, W = V, p1 = q1;
    b.factor(J);
    b.system.respond(V, q1);
    b.factor(twice);
    b.system.respond(W, p1);
    ASSERT_TRUE(W.allFinite());
    EXPECT_LT((V - W).norm(), 1e-9 * V.norm());
    EXPECT_LT((q1 - p1).norm(), 1e-9 * q1.norm());
}

// More coordinates than the flesh has are those that it has.
TEST(RagdollSystem, MovesNoMoreCoordinatesThanThereAre) {
    BentBar b;
    const MatrixX H = b.system.coupling();
    b.system.place(b.bones.data(), b.r + 7);
    EXPECT_EQ((b.system.coupling() - H).norm(), 0.0);
    b.system.place(b.bones.data(), -1);
    EXPECT_EQ(b.system.coupling().rows(), 0);
}

// Couples between limbs that share flesh are what Lagrange's equations of T ask for: dT of a turn of one limb.
TEST(RagdollSystem, PassesWhatTurningLimbsAskFor) {
    BentBar b;
    const VectorX V = noise(b.random, 12), q1 = noise(b.random, b.r);
    const VectorX passing = b.system.passing(b.bones.data(), V, q1);
    const auto coupled = [&](const std::vector<AffineMap>& bones) {
        b.system.place(bones.data(), b.r);
        return V.dot(b.system.coupling().transpose() * q1);
    };
    const auto coupledMomenta = [&](const std::vector<AffineMap>& bones) {
        b.system.place(bones.data(), b.r);
        return VectorX(b.system.coupling().transpose() * q1);
    };
    const double e = 1e-6;
    const VectorX momenta = coupledMomenta(b.bones);
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 3; ++k) {
            VectorX turn = VectorX::Zero(12);
            turn[6 * i + 3 + k] = 1.0;
            std::vector<AffineMap> ahead, behind;
            advance(*b.model, b.bones, turn, e, ahead);
            advance(*b.model, b.bones, turn, -e, behind);
            const double slope = (coupled(ahead) - coupled(behind)) / (2.0 * e);
            // l_i' = w_i x l_i + dT / d(turn of i) of the coupled part; of it - v_i x p_i goes with the mass centre.
            const Vector3 w = V.segment<3>(6 * i + 3), v = V.segment<3>(6 * i), l = momenta.segment<3>(6 * i + 3),
                          p = momenta.segment<3>(6 * i);
            const double known = w.cross(l)[k] + slope + v.cross(p)[k];
            EXPECT_NEAR(passing[6 * i + 3 + k], known, 1e-6 * (1.0 + passing.norm()));
        }
}

TEST(RagdollSystem, ResponsesAreSymmetric) {
    BentBar b;
    b.factor(b.jointRows());
    const VectorX a = noise(b.random, 12), f = noise(b.random, b.r), c = noise(b.random, 12), g = noise(b.random, b.r);
    VectorX V = a, q1 = b.Y.asDiagonal() * f, W = c, p1 = b.Y.asDiagonal() * g;
    b.system.respond(V, q1);
    b.system.respond(W, p1);
    const double one = c.dot(V) + g.dot(q1), other = a.dot(W) + f.dot(p1);
    EXPECT_NEAR(one, other, 1e-10 * (std::abs(one) + 1.0));
}

// Gravity alone: all limbs fall with g, and flesh that hangs on them does not move against them.
TEST(RagdollSystem, FallsFreely) {
    BentBar b;
    b.factor(b.jointRows());
    const double h = 1.0 / 120.0;
    const Vector3 g(0, 0, -9.81);
    VectorX all = VectorX::Zero(12), a = all;
    for (int i = 0; i < 2; ++i) {
        all.segment<3>(6 * i) = h * g;
        a.segment<3>(6 * i) = h * b.model->limbs[static_cast<std::size_t>(i)].mass.mass * g;
    }
    const VectorX start = VectorX::Zero(12), free = b.Y.asDiagonal() * (b.system.coupling() * all);
    EXPECT_GT(free.norm(), 1e-4);
    VectorX dV, dq1;
    b.system.fall(start, a, free, VectorX::Zero(3), dV, dq1);
    EXPECT_LT((dV - all).norm(), 1e-13);
    EXPECT_LT((free + dq1).norm(), 1e-13);
}

TEST(RagdollSystem, MomentaGiveTheirVelocitiesBack) {
    BentBar b;
    const VectorX V = noise(b.random, 12), q1 = noise(b.random, b.r);
    EXPECT_LT((b.system.velocity(b.system.momentum(V, q1), q1) - V).norm(), 1e-12 * V.norm());
    // Half of what a change of velocities costs, by differences.
    const double e = 1e-6;
    const VectorX d = noise(b.random, 12);
    const double slope = (b.system.kineticEnergy(V + e * d, q1) - b.system.kineticEnergy(V - e * d, q1)) / (2.0 * e);
    EXPECT_NEAR(slope, d.dot(b.system.momentum(V, q1)), 1e-6 * std::abs(slope));
}

TEST(RagdollSystem, MovesItsBonesAtTheirVelocities) {
    BentBar b;
    const VectorX V = noise(b.random, 12);
    std::vector<AffineMap> ahead, behind, rates(2);
    std::vector<MovingFrame> frames;
    const double e = 1e-5;
    advance(*b.model, b.bones, V, e, ahead);
    advance(*b.model, b.bones, V, -e, behind);
    boneMotions(*b.model, b.bones, V, frames);
    for (std::size_t i = 0; i < 2; ++i) {
        rates[i] = (ahead[i] - behind[i]) / (2.0 * e);
        EXPECT_LT((rates[i] - frames[i].velocity).norm(), 1e-8);
        EXPECT_LT(((ahead[i] - 2.0 * b.bones[i] + behind[i]) / (e * e) - frames[i].acceleration).norm(), 1e-4);
    }
    EXPECT_LT((limbVelocities(*b.model, b.bones, rates) - V).norm(), 1e-8);
}

// Crowds' pull is in single precision: some 12 numbers of each pair are rounded by 6e-8 and summed.
TEST(Ragdoll, PosesPullAsInCrowds) {
    BentBar bent;
    SkinForces crowd(bar(), RestShape::Flesh);
    VectorX known = VectorX::Zero(bent.r), force;
    for (MovingFrame& frame : bent.frames) frame.velocity = frame.acceleration = AffineMap::Zero();
    crowd.evaluate({bent.frames.data()}, Vector3::Zero(), known.data(), Workers(1));
    poseForce(*bar(), bent.bones, force);
    EXPECT_GT(known.norm(), 1.0);
    EXPECT_LT((force - known).norm(), 1e-6 * known.norm());
    // Bones that move together pull at nothing.
    std::vector<AffineMap> together(2, bent.bones[0]);
    poseForce(*bar(), together, force);
    EXPECT_LT(force.norm(), 1e-12 * known.norm());
}

}  // namespace
