// SPDX-License-Identifier: Zlib
// Ragdolls that touch: rows against differences and against momenta, and a bar that falls on a plane.
#include <cmath>
#include <random>

#include "BarCharacter.h"
#include "BarJoint.h"
#include "pliant/model/CharacterShape.h"
#include "pliant/runtime/ragdoll/RagdollContact.h"
#include "pliant/runtime/ragdoll/RagdollMotion.h"

namespace {

using namespace pliant;
using namespace pliant::test;

std::shared_ptr<const RagdollModel> contactModel() {
    static const std::shared_ptr<const RagdollModel> made = [] {
        const VolumeMesh mesh = barMesh(0.1);
        return std::make_shared<RagdollModel>(makeCharacter(barRig(mesh), mesh, barOptions(), "bar"));
    }();
    return made;
}

const CharacterModel& contactBar() {
    return *contactModel()->character;
}

VectorX normals(std::mt19937& random, Eigen::Index size) {
    std::normal_distribution<double> normal;
    return VectorX::NullaryExpr(size, [&] { return normal(random); });
}

constexpr double kGravity = 9.81;

/// Projected Gauss-Seidel without solveRows()'s bound.
void push(std::vector<RagdollRow>& rows, VectorX& V, VectorX& q1, int iterations) {
    for (int i = 0; i < iterations; ++i)
        for (RagdollRow& row : rows) {
            const double u = row.onLimbs.dot(V) + row.onFlesh.dot(q1);
            const double change = std::max(-row.impulse, (row.target - u) / row.response);
            row.impulse += change;
            V += change * row.V;
            q1 += change * row.q1;
        }
}

/// The bar of two bones over the plane z = 0. Flesh by the trapezoidal rule, damped; limbs, joint and rows in one.
struct FallingBar {
    RagdollMotion motion;
    std::vector<LimbHold> holds{2};
    RagdollSystem system;
    std::vector<FleshPoint> points;
    std::vector<RagdollRow> rows;
    VectorX q, stiffness, damping;
    int r;
    double gravityWork = 0.0;

    explicit FallingBar(double height, const Vector3& lean = Vector3(0.1, 0.4, 0.0), double bend = 0.3)
        : system(contactModel(), contactBar().flesh->dimension()), r(contactBar().flesh->dimension()) {
        Pose pose = bentPose(contactBar().skeleton, bend);
        pose[0].rotation = Rotation(Eigen::AngleAxisd(lean.norm(), lean.normalized())) * pose[0].rotation;
        std::vector<MovingFrame> frames;
        motionOf(contactBar().skeleton, pose, frames);
        for (const MovingFrame& frame : frames) motion.bones.push_back(frame.map);
        holds[1].isJoined = true;
        holds[1].range.lower.setConstant(1.0);
        holds[1].range.upper.setConstant(-1.0);
        q.setZero(r);
        motion.V.setZero(12);
        motion.q1.setZero(r);
        for (int v = 0; v < contactBar().flesh->simulationVertexCount(); ++v)
            points.push_back(fleshPoint(contactBar(), v));
        for (AffineMap& map : motion.bones) map(2, 3) += height;
        const double low = lowest();
        for (AffineMap& map : motion.bones) map(2, 3) += height - low;
        stiffness = contactBar().flesh->energy.linearStiffness.diagonal();
        damping = 0.003 * stiffness;
        system.place(motion.bones.data(), r);
    }
    double lowest() const {
        double low = 1e30;
        for (const FleshPoint& point : points) low = std::min(low, placeOf(point, motion.bones, q).z());
        return low;
    }
    MatrixX joint() const { return test::barJoint(system, contactBar().skeleton.bones[1].head(), motion.bones); }
    VectorX responses(double h) const {
        return (VectorX::Ones(r) + 0.25 * h * h * stiffness + 0.5 * h * damping).cwiseInverse();
    }
    /// @param capped whether rows ask for no more than - u0; else they are solved without a bound, too
    void step(double h, int iterations, bool capped = true) {
        const VectorX Y = responses(h), V0 = motion.V, q0 = motion.q1, p0 = system.momentum(V0, q0);
        VectorX fall = VectorX::Zero(12), weights = fall, dV, dq1;
        for (int i = 0; i < 2; ++i) {
            fall[6 * i + 2] = -h * kGravity;
            weights[6 * i + 2] = fall[6 * i + 2] * contactModel()->limbs[static_cast<std::size_t>(i)].mass.mass;
        }
        const VectorX force =
            system.coupling() * fall - h * (stiffness.cwiseProduct(q + 0.5 * h * q0)) - h * damping.cwiseProduct(q0);
        const VectorX free = Y.cwiseProduct(force);
        system.factor(Y.asDiagonal() * system.coupling(), joint());
        system.fall(V0, weights, free, VectorX::Zero(3), dV, dq1);
        motion.V += dV;
        motion.q1 += free + dq1;
        aim(h, Y.asDiagonal(), V0, q0, capped);
        if (capped)
            solveRows(rows, iterations, motion.V, motion.q1);
        else
            push(rows, motion.V, motion.q1, iterations);
        gravityWork += 0.5 * fall.dot(p0 + system.momentum(motion.V, motion.q1));
        q += 0.5 * h * (q0 + motion.q1);
        moveOn(system, holds, h, motion);
    }
    void aim(double h, const MatrixX& Y, const VectorX& V0, const VectorX& q0, bool capped) {
        rows.clear();
        for (const FleshPoint& point : points) {
            const double gap = placeOf(point, motion.bones, q).z();
            if (gap > 0.3) continue;
            rows.emplace_back();
            setUpRow(system, point, motion.bones, q, Vector3::UnitZ(), V0, q0, rows.back());
            respondRow(system, Y, rows.back());
            rows.back().target = capped ? rowTarget(rows.back().start, gap, h) : -std::max(0.0, gap) / h;
        }
    }
    /// Kinetic and elastic energy, J.
    double energy() const {
        return system.kineticEnergy(motion.V, motion.q1) + 0.5 * q.dot(stiffness.asDiagonal() * q);
    }
    /// With what gravity has not yet given.
    double balance() const { return energy() - gravityWork; }
};

TEST(RagdollContact, PointsAreThoseOfTheFlesh) {
    FallingBar b(0.5);
    std::mt19937 random(3);
    const VectorX q = 0.05 * normals(random, b.r);
    std::vector<MovingFrame> frames;
    boneMotions(*contactModel(), b.motion.bones, b.motion.V, frames);
    Points known;
    fleshPoints(contactBar(), frames, q.data(), known);
    for (std::size_t v = 0; v < b.points.size(); ++v)
        EXPECT_LT((placeOf(b.points[v], b.motion.bones, q) - known.col(static_cast<Eigen::Index>(v))).norm(), 1e-12);
}

// J (V, q') is what the point does where limbs and flesh move, by differences.
TEST(RagdollContact, RowsAreTheVelocityOfTheirPoint) {
    FallingBar b(0.5);
    std::mt19937 random(5);
    const VectorX q = 0.05 * normals(random, b.r);
    const Vector3 normal = Vector3(0.3, -0.5, 0.8).normalized();
    const double e = 1e-6;
    for (std::size_t v = 0; v < b.points.size(); v += 7)
        for (int k = 0; k < 12 + b.r; ++k) {
            const VectorX all = VectorX::Unit(12 + b.r, k), V = all.head(12), q1 = all.tail(b.r);
            std::vector<AffineMap> ahead, behind;
            advance(*contactModel(), b.motion.bones, V, e, ahead);
            advance(*contactModel(), b.motion.bones, V, -e, behind);
            const Vector3 way =
                (placeOf(b.points[v], ahead, q + e * q1) - placeOf(b.points[v], behind, q - e * q1)) / (2.0 * e);
            RagdollRow row;
            setUpRow(b.system, b.points[v], b.motion.bones, q, normal, V, q1, row);
            EXPECT_NEAR(row.start, normal.dot(way), 1e-8) << v << " " << k;
        }
}

// An impulse changes linear momentum by n, angular momentum by p x n, and leaves the joint together; responses are
// symmetric and positive.
TEST(RagdollContact, ResponsesAreThoseOfAnImpulseAtThePoint) {
    FallingBar b(0.5);
    std::mt19937 random(5);
    const VectorX q = 0.05 * normals(random, b.r), Y = b.responses(1.0 / 60.0);
    const Vector3 normal = Vector3(0.3, -0.5, 0.8).normalized();
    const MatrixX J = b.joint();
    b.system.factor(Y.asDiagonal() * b.system.coupling(), J);
    std::vector<RagdollRow> rows(6);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const FleshPoint& point = b.points[9 * i];
        setUpRow(b.system, point, b.motion.bones, q, normal, b.motion.V, b.motion.q1, rows[i]);
        respondRow(b.system, Y.asDiagonal(), rows[i]);
        const VectorX momenta = b.system.momentum(rows[i].V, rows[i].q1);
        Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
        for (int k = 0; k < 2; ++k) {
            linear += momenta.segment<3>(6 * k);
            angular +=
                Vector3(momenta.segment<3>(6 * k + 3)) + b.system.centre(k).cross(Vector3(momenta.segment<3>(6 * k)));
        }
        EXPECT_LT((linear - normal).norm(), 1e-10);
        EXPECT_LT((angular - placeOf(point, b.motion.bones, q).cross(normal)).norm(), 1e-10);
        EXPECT_LT((J.transpose() * rows[i].V).norm(), 1e-11);
        EXPECT_GT(rows[i].response, 0.0);
    }
    for (const RagdollRow& one : rows)
        for (const RagdollRow& other : rows) {
            const double there = one.onLimbs.dot(other.V) + one.onFlesh.dot(other.q1);
            const double back = other.onLimbs.dot(one.V) + other.onFlesh.dot(one.q1);
            EXPECT_NEAR(there, back, 1e-12 * (1.0 + one.response));
        }
}

struct Gain {
    double energy = 0.0, work = 0.0;  ///< of the whole by the step, and W of solveRows(); J
};

/// A bar that touches with one point, whose flesh carries that point outwards at 1 m/s at the start of a step without
/// gravity and damping. @param scale of the stiffness  @param capped whether rows ask for no more than - u0
Gain stepOfSwingingFlesh(double scale, bool capped, bool bounded) {
    FallingBar b(0.0);
    b.damping.setZero();
    b.stiffness *= scale;
    RagdollRow lowest;
    for (const FleshPoint& point : b.points)
        if (placeOf(point, b.motion.bones, b.q).z() <= b.lowest() && lowest.onFlesh.size() == 0)
            setUpRow(b.system, point, b.motion.bones, b.q, Vector3::UnitZ(), b.motion.V, b.motion.q1, lowest);
    b.motion.q1 = lowest.onFlesh / lowest.onFlesh.squaredNorm();
    const double h = 1.0 / 30.0, before = b.energy();
    const VectorX Y = b.responses(h), V0 = b.motion.V, q0 = b.motion.q1;
    const VectorX free = Y.cwiseProduct(-h * b.stiffness.cwiseProduct(b.q + 0.5 * h * q0));
    b.system.factor(Y.asDiagonal() * b.system.coupling(), b.joint());
    VectorX dV, dq1;
    b.system.fall(V0, VectorX::Zero(12), free, VectorX::Zero(3), dV, dq1);
    b.motion.V += dV;
    b.motion.q1 += free + dq1;
    b.aim(h, Y.asDiagonal(), V0, q0, capped);
    Gain gain;
    if (bounded)
        gain.work = solveRows(b.rows, 2000, b.motion.V, b.motion.q1);
    else
        push(b.rows, b.motion.V, b.motion.q1, 2000);
    b.q += 0.5 * h * (q0 + b.motion.q1);
    gain.energy = b.energy() - before;
    return gain;
}

// Rows that stop their points and do not ask where these were going gain where they are solved to the end; those whose
// target does ask need no bound, and the bound takes the gain of the others.
TEST(RagdollContact, TheTargetDecidesWhatImpulsesGain) {
    EXPECT_GT(stepOfSwingingFlesh(1e4, false, false).energy, 1.0);
    EXPECT_LT(stepOfSwingingFlesh(1e4, true, false).energy, 1e-9);
    EXPECT_LT(stepOfSwingingFlesh(1e4, false, true).energy, 1e-9);
    EXPECT_LT(stepOfSwingingFlesh(1e4, true, true).energy, 1e-9);
}

// What rows do to the energy is W, exactly, before limbs move.
TEST(RagdollContact, WorkIsTheMeanVelocityTimesTheImpulse) {
    FallingBar b(0.0);
    b.damping.setZero();
    for (int i = 0; i < 2; ++i) b.motion.V[6 * i + 2] = -1.0;
    const double h = 1.0 / 60.0, before = b.energy();
    const VectorX Y = b.responses(h), V0 = b.motion.V, q0 = b.motion.q1;
    b.system.factor(Y.asDiagonal() * b.system.coupling(), b.joint());
    b.aim(h, Y.asDiagonal(), V0, q0, true);
    const double work = solveRows(b.rows, 400, b.motion.V, b.motion.q1);
    b.q += 0.5 * h * (q0 + b.motion.q1);
    EXPECT_LT(work, -0.1);
    EXPECT_NEAR(b.energy() - before, work, 1e-10 * before);
}

TEST(RagdollContact, TargetsAreTheLeastThatGainNothing) {
    EXPECT_EQ(rowTarget(-2.0, 0.0, 0.1), 0.0);    // comes and stops
    EXPECT_EQ(rowTarget(2.0, 0.0, 0.1), -2.0);    // goes: its mean velocity is no less than 0
    EXPECT_EQ(rowTarget(-2.0, 0.05, 0.1), -0.5);  // as far as the gap
    EXPECT_NEAR(rowTarget(-2.0, -0.05, 0.1), 0.1, 1e-15);
    EXPECT_EQ(rowTarget(-0.05, -0.05, 0.1), 0.05);  // no faster out than it came
    EXPECT_EQ(rowTarget(0.0, -0.05, 0.1), 0.0);
}

struct Fall {
    double gain = 0.0, depth = 0.0, kinetic = 0.0;
};

/// From 0.5 m, for 3 s.
Fall fallen(double h, int iterations, double damping, bool capped = true) {
    FallingBar b(0.5);
    b.damping *= damping;
    Fall f;
    double last = b.balance();
    for (int i = 0; i < std::lround(3.0 / h); ++i) {
        b.step(h, iterations, capped);
        f.gain = std::max(f.gain, b.balance() - last);
        last = b.balance();
        f.depth = std::max(f.depth, -b.lowest());
    }
    f.kinetic = b.system.kineticEnergy(b.motion.V, b.motion.q1);
    return f;
}

// 196 J to begin with; energy less what gravity has done does not grow in any step, whether flesh is damped or not.
// The bound of the depth is no theory: 0.034 m, of a bar 0.2 m thick, is the most measured (1/60 s, undamped).
TEST(RagdollContact, ABarThatFallsGainsNothingAndComesToRest) {
    const double start = 40.0 * kGravity * 0.5;
    for (const double h : {1.0 / 30.0, 1.0 / 60.0, 1.0 / 120.0, 1.0 / 240.0})
        for (const int iterations : {10, 400})
            for (const double damping : {0.0, 1.0}) {
                const Fall f = fallen(h, iterations, damping);
                const auto where = testing::Message() << 1.0 / h << " " << iterations << " " << damping;
                EXPECT_LT(f.gain, 1e-12 * start) << where;
                EXPECT_LT(f.depth, 0.04) << where;
                EXPECT_LT(f.kinetic, (damping > 0.0 ? 1e-3 : 1.0) * start) << where;
            }
}

// So few iterations leave points deep, but gain nothing; with rows that stop their points the same fall gains.
TEST(RagdollContact, FewIterationsGainNothing) {
    const double start = 40.0 * kGravity * 0.5;
    EXPECT_LT(fallen(1.0 / 30.0, 2, 0.0).gain, 1e-12 * start);
    EXPECT_GT(fallen(1.0 / 30.0, 400, 0.0, false).gain, 0.1);
}

}  // namespace
