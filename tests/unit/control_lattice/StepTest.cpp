// SPDX-License-Identifier: Zlib
// The step of lattice flesh against what is known of it.
#include <Eigen/Dense>
#include <cstdio>
#include <random>

#include "BarLattice.h"
#include "pliant/math/Error.h"
#include "pliant/runtime/lattice/LatticeBatch.h"

namespace pliant::test {
namespace {

using Bones = std::vector<MovingFrame>;

const std::shared_ptr<const LatticeModel>& blendedBar() {
    static const auto model = barLatticeModel(0.1);
    return model;
}

const std::shared_ptr<const LatticeModel>& linearBar() {
    static const auto model = barLatticeModel(0.1, true);
    return model;
}

LatticeSettings precise() {
    LatticeSettings settings;
    settings.singlePrecision = false;
    return settings;
}

Bones moved(const LatticeModel& model, const Vector3& by, const Vector3& velocity) {
    Bones bones = bent(model.skeleton, 0.0);
    for (MovingFrame& bone : bones) {
        bone.map.col(3) += by;
        bone.velocity.col(3) = velocity;
    }
    return bones;
}

Points noise(Eigen::Index n, double size, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-size, size);
    Points made(3, n);
    for (Eigen::Index k = 0; k < made.size(); ++k) made.data()[k] = number(random);
    return made;
}

void disturb(LatticeBatch& batch, int body, double position, double velocity, unsigned seed) {
    const LatticeModel& model = batch.model();
    const Points p = noise(model.functionCount(), position, seed), v = noise(model.functionCount(), velocity, seed + 1);
    for (int a = 0; a < model.functionCount(); ++a)
        if (model.boneOf[static_cast<std::size_t>(a)] < 0) {
            batch.positions(body).col(a) += p.col(a);
            batch.velocities(body).col(a) += v.col(a);
        }
}

/// The equation of the header, written down once more with dense matrices of all functions in world axes.
TEST(LatticeStep, OfOneRegionIsLinearBackwardEuler) {
    const LatticeModel& model = *linearBar();
    const Eigen::Index n = model.functionCount();
    LatticeSettings settings = precise();
    settings.massDamping = 0.7;
    settings.stiffnessDamping = 0.004;
    settings.coreFactor = 0.7;
    LatticeBatch batch(linearBar(), settings);
    Bones bones = bent(model.skeleton, 0.3);
    const Matrix3 R = Eigen::AngleAxisd(0.8, Vector3(1, 2, -1).normalized()).toRotationMatrix();
    AffineMap turn;  // of both bones together, and a velocity
    turn << R, Vector3(0.3, -0.1, 0.2);
    for (MovingFrame& bone : bones) {
        bone.map = R * bone.map;
        bone.map.col(3) += turn.col(3);
        bone.velocity = crossMatrix({0.5, -1.0, 2.0}) * bone.map;
    }
    const int body = batch.add(bones);
    disturb(batch, body, 0.003, 0.1, 1);
    const Points p0 = batch.positions(body), v0 = batch.velocities(body);
    const Vector3 gravity(0, -9.81, 1), force(0.2, 0.1, -0.3);
    const double h = 0.01;
    LatticePin point;
    point.functions = {3};
    point.values = {1.0};
    ASSERT_EQ(model.boneOf[3], -1);
    batch.addForce(body, point, force);
    batch.step(h, {body}, gravity, Workers(1));

    const LatticeOperator& all = model.regions[0].cells;
    ASSERT_EQ(static_cast<Eigen::Index>(all.functions.size()), n);
    Eigen::MatrixXd K = Eigen::MatrixXd(all.stiffness), M = Eigen::MatrixXd::Zero(3 * n, 3 * n), Q = M;
    for (Eigen::Index i = 0; i < n; ++i) {
        Q.block<3, 3>(3 * i, 3 * i) = R;
        for (Eigen::Index j = 0; j < n; ++j) {
            M.block<3, 3>(3 * i, 3 * j).diagonal().setConstant(all.mass.coeff(i, j));
            K.block<3, 3>(3 * i, 3 * j).diagonal().array() +=
                settings.coreFactor * model.regions[0].coreStiffness * all.core.coeff(i, j);
        }
    }
    K = (Q * K * Q.transpose()).eval();
    const Eigen::MatrixXd C = settings.massDamping * M + settings.stiffnessDamping * K;
    Eigen::VectorXd p(3 * n), v(3 * n), rest(3 * n), restVelocity(3 * n), known(3 * n), f(3 * n);
    for (Eigen::Index a = 0; a < n; ++a) {
        const Vector3 x = model.rest.col(a);
        p.segment<3>(3 * a) = p0.col(a);
        v.segment<3>(3 * a) = v0.col(a);
        rest.segment<3>(3 * a) = bones[0].point(x);
        restVelocity.segment<3>(3 * a) = bones[0].velocity.leftCols<3>() * x + bones[0].velocity.col(3);
        const int bone = model.boneOf[static_cast<std::size_t>(a)];
        if (bone >= 0)
            known.segment<3>(3 * a) = (bones[static_cast<std::size_t>(bone)].point(x) - p0.col(a)) / h - v0.col(a);
        f.segment<3>(3 * a) = model.weight[a] * gravity;
    }
    f.segment<3>(9) += force;
    const Eigen::MatrixXd A = M + h * C + h * h * K;
    const Eigen::VectorXd b = -h * (K * (p - rest + h * v) + C * (v - restVelocity) - f);
    std::vector<Eigen::Index> freeRows, heldRows;
    for (Eigen::Index i = 0; i < 3 * n; ++i)
        (model.boneOf[static_cast<std::size_t>(i / 3)] < 0 ? freeRows : heldRows).push_back(i);
    const Eigen::VectorXd inner = b(freeRows) - A(freeRows, heldRows) * known(heldRows);
    const Eigen::VectorXd answer = A(freeRows, freeRows).llt().solve(inner);
    Eigen::VectorXd change = known;
    change(freeRows) = answer;
    const Points now = batch.velocities(body);
    const Eigen::VectorXd found = Eigen::Map<const Eigen::VectorXd>(now.data(), 3 * n) - v;
    EXPECT_GT(answer.norm(), 0.1);
    EXPECT_LE((found - change).norm(), 1e-10 * change.norm());
    const Points place = batch.positions(body);
    EXPECT_LE((place - (p0 + h * now)).norm(), 1e-14);
    EXPECT_EQ(batch.status(body), LatticeStatus::Ok);
}

TEST(LatticeStep, FollowsSteadyMotionAsItsSkin) {
    for (const int iterations : {1, 4}) {
        LatticeSettings settings;
        settings.iterations = iterations;
        settings.stiffnessDamping = 0.002;
        settings.massDamping = 1.0;
        LatticeBatch batch(blendedBar(), settings);
        const Vector3 velocity(1.5, -0.5, 0.25);
        const double h = 1.0 / 60.0;
        const int body = batch.add(moved(batch.model(), Vector3::Zero(), velocity));
        double away = 0.0;
        for (int k = 1; k <= 120; ++k) {
            batch.setBones(body, moved(batch.model(), k * h * velocity, velocity));
            batch.step(h, {body}, Vector3::Zero(), Workers(1));
            away = std::max(
                away,
                ((batch.positions(body) - batch.model().rest).colwise() - k * h * velocity).cwiseAbs().maxCoeff());
        }
        EXPECT_LE(away, 1e-12);
    }
}

/// K q = M (g - a) on the free functions.
Points staticAnswer(const LatticeModel& model, const Vector3& pull) {
    const Eigen::Index n = model.functionCount();
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    for (const LatticeRegion& region : model.regions)
        for (Eigen::Index column = 0; column < region.shared.stiffness.cols(); ++column)
            for (SparseMatrixX::InnerIterator at(region.shared.stiffness, column); at; ++at)
                K(3 * region.shared.functions[static_cast<std::size_t>(at.row() / 3)] + at.row() % 3,
                  3 * region.shared.functions[static_cast<std::size_t>(column / 3)] + column % 3) += at.value();
    for (const LatticeRegion& region : model.regions)
        for (Eigen::Index column = 0; column < region.shared.core.cols(); ++column)
            for (SparseMatrixX::InnerIterator at(region.shared.core, column); at; ++at)
                K.block<3, 3>(3 * region.shared.functions[static_cast<std::size_t>(at.row())],
                              3 * region.shared.functions[static_cast<std::size_t>(column)])
                    .diagonal()
                    .array() += region.coreStiffness * at.value();
    Eigen::VectorXd load(3 * n);
    std::vector<Eigen::Index> freeRows;
    for (Eigen::Index a = 0; a < n; ++a) {
        load.segment<3>(3 * a) = model.weight[a] * pull;
        if (model.boneOf[static_cast<std::size_t>(a)] < 0)
            for (int k = 0; k < 3; ++k) freeRows.push_back(3 * a + k);
    }
    Eigen::VectorXd u = Eigen::VectorXd::Zero(3 * n);
    const Eigen::VectorXd inner = load(freeRows);
    const Eigen::VectorXd answer = Eigen::MatrixXd(K(freeRows, freeRows)).llt().solve(inner);
    u(freeRows) = answer;
    return Eigen::Map<const Points>(u.data(), 3, n);
}

TEST(LatticeStep, AcceleratedAnswersAsIfPulled) {
    const Vector3 gravity(0, -9.81, 0), acceleration(2.0, 1.0, -3.0);
    const double h = 1.0 / 30.0;
    struct Case {
        std::shared_ptr<const LatticeModel> model;
        int iterations;
    };
    for (const Case& of : {Case{linearBar(), 1}, Case{blendedBar(), 30}}) {
        LatticeSettings settings = precise();
        settings.iterations = of.iterations;
        LatticeBatch batch(of.model, settings);
        const int body = batch.add(moved(batch.model(), Vector3::Zero(), Vector3::Zero()));
        Vector3 by = Vector3::Zero();
        for (int k = 1; k <= 400; ++k) {
            by = 0.5 * acceleration * (k * h) * (k * h);
            batch.setBones(body, moved(batch.model(), by, acceleration * (k * h)));
            batch.step(h, {body}, gravity, Workers(1));
        }
        const Points known = staticAnswer(batch.model(), gravity - acceleration);
        const Points found = (batch.positions(body) - batch.model().rest).colwise() - by;
        EXPECT_GT(known.norm(), 0.01);
        // Rounding of places 1e2 m away, through velocities and steps.
        EXPECT_LE((found - known).norm(), 1e-7 * known.norm());
    }
}

/// Whatever the step is beside the flesh's periods (0.1 s to 2 ms).
TEST(LatticeStep, NeverGainsEnergy) {
    struct Case {
        std::shared_ptr<const LatticeModel> model;
        int iterations;
    };
    for (const Case& of : {Case{linearBar(), 1}, Case{blendedBar(), 30}, Case{blendedBar(), 1}})
        for (const double h : {1e-4, 1e-3, 1e-2, 0.1, 1.0, 100.0}) {
            LatticeSettings settings = precise();
            settings.iterations = of.iterations;
            LatticeBatch batch(of.model, settings);
            const Bones bones = bent(batch.model().skeleton, 0.5);
            const int body = batch.add(bones);
            disturb(batch, body, 0.01, 0.3, 7);
            const double first = batch.kineticEnergy(body) + batch.strainEnergy(body);
            double last = first, largestGain = 0.0, most = 0.0;
            for (int k = 0; k < 200; ++k) {
                batch.step(h, {body}, Vector3::Zero(), Workers(1));
                const double now = batch.kineticEnergy(body) + batch.strainEnergy(body);
                largestGain = std::max(largestGain, now - last);
                most = std::max(most, now);
                last = now;
            }
            // A single iteration over several regions does not lead to the least of their common energy, so on its way
            // to rest it may climb a little; never above where it came from.
            const bool descends = of.model == linearBar() || of.iterations > 1;
            EXPECT_LE(largestGain, (descends ? 1e-6 : 1e-3) * first) << "h = " << h << ", iterations " << of.iterations;
            EXPECT_LE(most, first);
            EXPECT_LT(last, first);
        }
}

TEST(LatticeStep, HasTheSameBitsAloneAndInABatch) {
    for (const bool single : {true, false})
        for (const int iterations : {1, 3}) {
            constexpr int count = 37;
            LatticeSettings settings;
            settings.singlePrecision = single;
            settings.iterations = iterations;
            settings.massDamping = 0.3;
            settings.stiffnessDamping = 0.001;
            std::vector<int> all;
            const auto run = [&](const std::vector<std::vector<int>>& together, int workers) {
                LatticeBatch batch(blendedBar(), settings);
                for (int b = 0; b < count; ++b) {
                    batch.add(bent(batch.model().skeleton, 0.02 * b));
                    disturb(batch, b, 0.002, 0.1, static_cast<unsigned>(b));
                }
                const Workers threads(workers);
                for (int k = 0; k < 3; ++k)
                    for (const std::vector<int>& bodies : together) batch.step(0.01, bodies, {0, -9.81, 0}, threads);
                MatrixX state(3 * batch.model().functionCount(), count);
                for (int b = 0; b < count; ++b) {
                    const Points p = batch.positions(b);
                    state.col(b) = Eigen::Map<const VectorX>(p.data(), p.size());
                }
                return state;
            };
            std::vector<std::vector<int>> alone;
            for (int b = 0; b < count; ++b) {
                all.push_back(b);
                alone.push_back({b});
            }
            const MatrixX one = run({all}, 1);
            EXPECT_TRUE((one.array() == run({all}, 2).array()).all());
            EXPECT_TRUE((one.array() == run({all}, 4).array()).all());
            EXPECT_TRUE((one.array() == run(alone, 1).array()).all());
        }
}

/// A bone alone is a line: flesh turns about it and strains nothing. Its core holds it.
TEST(LatticeTwist, IsHeldByTheCoreAlone) {
    const auto turned = [](double coreFactor, int steps) {
        LatticeSettings settings = precise();
        settings.coreFactor = coreFactor;
        LatticeBatch batch(linearBar(), settings);
        const LatticeModel& model = batch.model();
        const int body = batch.add(bent(model.skeleton, 0.0));
        for (int a = 0; a < model.functionCount(); ++a)
            if (model.boneOf[static_cast<std::size_t>(a)] < 0)
                batch.velocities(body).col(a) = Vector3::UnitX().cross(Vector3(model.rest.col(a)));  // 1 rad/s
        for (int k = 0; k < steps; ++k) batch.step(0.01, {body}, Vector3::Zero(), Workers(1));
        double angle = 0.0;
        for (int a = 0; a < model.functionCount(); ++a) {
            const Vector3 x = model.rest.col(a), p = batch.positions(body).col(a);
            angle = std::max(angle, (p - x).norm() / (x.tail<2>().norm() + 1e-3));
        }
        return angle;
    };
    EXPECT_NEAR(turned(0.0, 100), 1.0, 0.02) << "linear strain: a second at 1 rad/s along the tangent";
    EXPECT_LT(turned(1.0, 2500), 1e-3) << "it has swung back and rests";
}

TEST(LatticePins, HoldPointsAfterTheBlend) {
    LatticeBatch batch(blendedBar(), LatticeSettings{});
    const int body = batch.add(bent(batch.model().skeleton, 0.6));
    const Points& x = batch.model().surface.positions;
    Eigen::Index first = 0, second = 0;
    (x.colwise() - Vector3(0.5, 0.1, 0.0)).colwise().norm().minCoeff(&first);
    (x.colwise() - Vector3(0.9, 0.1, 0.1)).colwise().norm().minCoeff(&second);
    Points now;
    batch.surface(body, now);
    const Vector3 a = now.col(first) + Vector3(0, 0.03, 0), b = now.col(second) + Vector3(0, 0.02, 0.01);
    batch.pin(body, {pinOfVertex(batch.model(), static_cast<int>(first), a),
                     pinOfVertex(batch.model(), static_cast<int>(second), b)});
    for (int k = 0; k < 30; ++k) {
        batch.step(1.0 / 60.0, {body}, Vector3::Zero(), Workers(1));
        ASSERT_EQ(batch.status(body), LatticeStatus::Ok);
        batch.surface(body, now);
        ASSERT_LE((now.col(first) - a).norm(), 1e-9);
        ASSERT_LE((now.col(second) - b).norm(), 1e-9);
    }
    batch.pin(body, {pinOfVertex(batch.model(), static_cast<int>(first), a),
                     pinOfVertex(batch.model(), static_cast<int>(first), b)});
    batch.step(1.0 / 60.0, {body}, Vector3::Zero(), Workers(1));
    EXPECT_EQ(batch.status(body), LatticeStatus::PinsDisagree);
    batch.pin(body, {});
    for (int k = 0; k < 300; ++k) batch.step(1.0 / 60.0, {body}, Vector3::Zero(), Workers(1));
    LatticeBatch untouched(blendedBar(), LatticeSettings{});
    untouched.add(bent(batch.model().skeleton, 0.6));
    for (int k = 0; k < 300; ++k) untouched.step(1.0 / 60.0, {0}, Vector3::Zero(), Workers(1));
    EXPECT_LE((batch.positions(body) - untouched.positions(0)).cwiseAbs().maxCoeff(), 1e-6) << "let go, it comes back";
}

TEST(LatticeResponse, IsSymmetric) {
    LatticeBatch batch(blendedBar(), precise());
    const int body = batch.add(bent(batch.model().skeleton, 0.6));
    batch.step(0.01, {body}, Vector3::Zero(), Workers(1));
    const Points a = noise(batch.model().functionCount(), 1.0, 3), b = noise(batch.model().functionCount(), 1.0, 4);
    Points Ya, Yb;
    batch.response(body, a, Ya);
    batch.response(body, b, Yb);
    EXPECT_NEAR(b.cwiseProduct(Ya).sum(), a.cwiseProduct(Yb).sum(), 1e-12 * std::abs(b.cwiseProduct(Ya).sum()));
    EXPECT_GT(a.cwiseProduct(Ya).sum(), 0.0);
}

TEST(LatticeBatchTest, RefusesBadSettings) {
    LatticeSettings settings;
    settings.iterations = 0;
    EXPECT_THROW(LatticeBatch(blendedBar(), settings), Error);
    settings = {};
    settings.massDamping = -1.0;
    EXPECT_THROW(LatticeBatch(blendedBar(), settings), Error);
    EXPECT_THROW(LatticeBatch(nullptr, LatticeSettings{}), Error);
}

}  // namespace
}  // namespace pliant::test
