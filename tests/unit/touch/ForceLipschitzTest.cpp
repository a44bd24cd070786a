// SPDX-License-Identifier: Zlib
// Forces of distributed contact have a Lipschitz number: points that begin to touch, borders of the field's bricks and
// changes of level do not let them jump. With the pressure |d| and area vectors a_i that stand still,
//
//     |F(x + s) - F(x)| <= L |s| sum |a_i|
//
// over what touches at either place, L being the field's own number. Shares w_l of levels add |sum dw_l F_l|. Among
// thousands of points one that jumps is lost in such a sum, so each of them is held to its own part of it, too:
//
//     |f_i(x + s) - f_i(x)| <= L |s| |a_i|.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "TouchSurfaces.h"
#include "pliant/field/MakeDistanceField.h"
#include "pliant/touch/DistributedQuery.h"

namespace pliant::test {
namespace {

constexpr double kFrameTime = 1e-3;       // s
constexpr int kShellLevels = 4;           // of the shell
constexpr double kForceRounding = 1e-12;  // m^3, of sums of forces about 1e-6
constexpr double kPointRounding = 1e-12;  // m, of the distance of a point about 0.1 m away from the origin

struct Touching {
    Vector3 force = Vector3::Zero();  ///< With a stiffness of 1 Pa/m, N.
    double area = 0.0;                ///< m^2
};

Touching touchingOf(const std::vector<DistributedPoint>& found) {
    Touching sum;
    for (const DistributedPoint& p : found) {
        if (!(p.distance < 0.0)) continue;
        sum.force -= p.distance * p.area;
        sum.area += p.area.norm();
    }
    return sum;
}

using PointForces = std::map<int, Touching>;

PointForces forcesOf(const std::vector<DistributedPoint>& found) {
    PointForces forces;
    for (const DistributedPoint& p : found)
        if (p.distance < 0.0) forces[p.point] = {-p.distance * p.area, p.area.norm()};
    return forces;
}

/// The largest change of a point's force, in shares of its area times `way`; one that does not touch has none.
double largestChange(const PointForces& before, const PointForces& now, double way) {
    double largest = 0.0;
    const auto compare = [&](const PointForces& one, const PointForces& other) {
        for (const auto& [point, touching] : one) {
            const auto found = other.find(point);
            const Vector3 change = touching.force - (found == other.end() ? Vector3(0, 0, 0) : found->second.force);
            largest = std::max(largest, change.norm() / (way * touching.area));
        }
    };
    compare(before, now);
    compare(now, before);
    return largest;
}

/// A torus that sinks into the field of another, step by step.
class SinkingTorus {
public:
    explicit SinkingTorus(double step)
        : m_step(step), m_sampled(makeDistanceField(torusSurface(0.08, 0.025, 64), coarse())) {}

    /// @param budgets points that may be looked at, by frame  @return the largest share of the bound that was reached
    template <class Budget>
    double largestShare(int frames, const Budget& budget) {
        const RigidField field(m_sampled);
        DistributedQuery query(std::make_shared<DistributedShell>(
                                   sampleShell(torusSurface(0.1, 0.03, 96), {}, 8000, nullptr), kShellLevels, nullptr),
                               nullptr);
        DistributedQueryOptions options;
        options.step = kFrameTime;
        Touching last;
        PointForces lastForces;
        std::array<double, DistributedShell::kMostLevels> lastWeights{};
        double largest = 0.0;
        for (int frame = 0; frame < frames; ++frame) {
            options.budget = budget(frame);
            query.placed().place({turned(Vector3(1, 0.3, 0.2), 0.1, kStart + frame * m_step * kWay)});
            std::vector<DistributedPoint> found;
            query.find(field, options, found);
            m_points = query.counts().listed;
            const Touching now = touchingOf(found);
            if (frame > 0) {
                const double most = m_sampled.lipschitz * m_step * std::max(now.area, last.area) +
                                    jumpOfLevels(query, field, lastWeights) + kForceRounding;
                largest = std::max(largest, (now.force - last.force).norm() / most);
            }
            const PointForces forces = forcesOf(found);
            if (frame > 0 && query.weights() == lastWeights)
                m_pointShare = std::max(m_pointShare, largestChange(lastForces, forces, m_sampled.lipschitz * m_step));
            lastForces = forces;
            m_newPoints += now.area > last.area ? 1 : 0;
            last = now;
            lastWeights = query.weights();
        }
        return largest;
    }
    int framesWithNewPoints() const { return m_newPoints; }
    /// The largest share of its own bound that a point has reached.
    double pointShare() const { return m_pointShare; }
    double blended() const { return m_blended; }
    int points() const { return m_points; }  ///< that a budget of the last frame is compared with

private:
    static DistanceFieldOptions coarse() {
        DistanceFieldOptions options;
        options.resolution = 64;
        return options;
    }
    /// |sum dw_l F_l|, of the shares that have changed.
    double jumpOfLevels(const DistributedQuery& query, const RigidField& field,
                        const std::array<double, DistributedShell::kMostLevels>& before) {
        Vector3 sum = Vector3::Zero();
        for (int l = 0; l < kShellLevels; ++l) {
            const double change = query.weights()[static_cast<std::size_t>(l)] - before[static_cast<std::size_t>(l)];
            if (change == 0.0) continue;
            EXPECT_LE(std::abs(change), kFrameTime / DistributedQuery::kBlendTime + 1e-12) << "levels jump";
            m_blended += std::abs(change);
            std::vector<DistributedPoint> all;
            query.findAll(field, l, 0.0, all);
            sum += change * touchingOf(all).force;
        }
        return sum.norm();
    }

    inline static const Vector3 kStart{0.1, 0.01, 0.0545}, kWay = Vector3(0.1, 0.1, -1.0).normalized();
    double m_step;
    DistanceField m_sampled;
    double m_blended = 0.0, m_pointShare = 0.0;
    int m_newPoints = 0, m_points = 0;
};

TEST(ForceLipschitz, PointsAndBricksDoNotLetItJump) {
    for (const double step : {1e-6, 1e-5, 1e-4}) {
        SinkingTorus torus(step);
        const double share = torus.largestShare(100, [](int) { return 0; });
        EXPECT_LE(share, 1.0) << step;
        EXPECT_GT(share, 0.3) << "far from the bound it would not see a jump";
        EXPECT_LE(torus.pointShare(), 1.0 + kPointRounding / step) << step;
        EXPECT_GT(torus.pointShare(), 0.3) << step;
        EXPECT_GT(torus.framesWithNewPoints(), 20) << "nothing begins to touch";
    }
}

// A level that is more than twice the budget would be left at once, which a budget asks for.
TEST(ForceLipschitz, LevelsDoNotLetItJump) {
    SinkingTorus torus(1e-6);
    int most = 0;
    const double share = torus.largestShare(150, [&](int frame) {
        if (frame == 30) most = torus.points();
        return frame < 30 || frame > 80 ? 0 : most * 6 / 10;
    });
    EXPECT_LE(share, 1.0);
    EXPECT_GT(torus.blended(), 3.9) << "down a level and up again, two shares each";
}

}  // namespace
}  // namespace pliant::test
