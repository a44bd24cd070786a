// SPDX-License-Identifier: Zlib
// A ball is drawn over a block with six bumps (the thesis' figure 3.26): what it feels has six peaks, and comes to one
// curve from level to level.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "TouchSurfaces.h"
#include "pliant/touch/DistributedLaw.h"
#include "pliant/touch/DistributedQuery.h"
#include "pliant/touch/SampleShell.h"
#include "pliant/touch/TouchField.h"

namespace pliant::test {
namespace {

constexpr int kBumps = 6, kLevels = 5, kPlaces = 281;
constexpr double kLength = 0.14, kWidth = 0.04, kThickness = 0.02;  // m, of the block
constexpr double kApart = 0.02, kBumpHeight = 1e-3, kBumpWidth = 5e-3;
constexpr double kBall = 0.01;       // m, radius
constexpr double kDeepest = 1.5e-3;  // m, of the ball at the top of a bump
const DistributedLaw kLayer{PressureLaw::Linear, 1e7};

double heightAt(double x, double y) {
    double height = 0.0;
    for (int b = 0; b < kBumps; ++b) {
        const double dx = x - kApart * (b - 0.5 * (kBumps - 1)), d2 = dx * dx + y * y;
        height += kBumpHeight * std::exp(-d2 / (2.0 * kBumpWidth * kBumpWidth));
    }
    return height;
}

/// A closed block, whose upper side has the bumps, of squares of `size` m.
SurfaceMesh bumpyBlock(double size) {
    const int n = static_cast<int>(std::lround(kLength / size)), m = static_cast<int>(std::lround(kWidth / size));
    const int row = m + 1, side = (n + 1) * row;
    SurfaceMesh mesh;
    mesh.positions.resize(3, 2 * side);
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= m; ++j) {
            const double x = kLength * (static_cast<double>(i) / n - 0.5),
                         y = kWidth * (static_cast<double>(j) / m - 0.5);
            mesh.positions.col(i * row + j) = Vector3(x, y, heightAt(x, y));
            mesh.positions.col(side + i * row + j) = Vector3(x, y, -kThickness);
        }
    std::vector<std::array<int, 3>> triangles;
    const auto quad = [&triangles](int a, int b, int c, int d) {
        triangles.push_back({a, b, c});
        triangles.push_back({a, c, d});
    };
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) {
            const int p = i * row + j;
            quad(p, p + row, p + row + 1, p + 1);
            quad(side + p, side + p + 1, side + p + row + 1, side + p + row);
        }
    for (int i = 0; i < n; ++i)
        for (const int j : {0, m}) {
            const int p = i * row + j, q = p + row;
            j == 0 ? quad(p, side + p, side + q, q) : quad(q, side + q, side + p, p);
        }
    for (int j = 0; j < m; ++j)
        for (const int i : {0, n}) {
            const int p = i * row + j, q = p + 1;
            i == 0 ? quad(q, side + q, side + p, p) : quad(p, side + p, side + q, q);
        }
    mesh.triangles.resize(3, static_cast<Eigen::Index>(triangles.size()));
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (int k = 0; k < 3; ++k)
            mesh.triangles(k, static_cast<Eigen::Index>(t)) = triangles[t][static_cast<std::size_t>(k)];
    return mesh;
}

/// Where the middle of the ball is along the way, m.
Vector3 ballAt(int place) {
    return {kLength * (static_cast<double>(place) / (kPlaces - 1) - 0.5), 0.0, kBumpHeight + kBall - kDeepest};
}

/// Force on the ball along the way, upwards, N, of the points of a level.
std::vector<double> felt(DistributedQuery& query, int level) {
    std::vector<double> forces;
    std::vector<DistributedPoint> found;
    const AnalyticField ball = AnalyticField::sphere(kBall);
    for (int i = 0; i < kPlaces; ++i) {
        query.placed().place({turned(Vector3::UnitX(), 0.0, -ballAt(i))});
        found.clear();
        query.findAll(ball, level, 0.0, found);
        double force = 0.0;
        for (const DistributedPoint& point : found) force -= elasticPressure(kLayer, -point.distance) * point.area.z();
        forces.push_back(force);
    }
    return forces;
}

/// The same by a sum over squares of the plane, which area vectors of the surface above them are as large as: k times
/// how deep the surface is in the ball, N.
double feltByHeights(const Vector3& centre) {
    constexpr double square = 5e-5, reach = 0.7 * kBall;  // m, beyond which the ball is above all bumps
    const int n = static_cast<int>(reach / square);
    double force = 0.0;
    for (int i = -n; i <= n; ++i)
        for (int j = -n; j <= n; ++j) {
            const double x = centre.x() + i * square, y = j * square;
            const double depth = kBall - (Vector3(x, y, heightAt(x, y)) - centre).norm();
            force += kLayer.stiffness * std::max(0.0, depth) * square * square;
        }
    return force;
}

/// Places that are higher than all around them up to nearly half of the way to the next bump, and by a factor than what
/// is there on either side.
int peaks(const std::vector<double>& forces, double factor) {
    const int around = static_cast<int>(0.4 * kApart / kLength * kPlaces);
    int count = 0;
    for (int i = around; i + around < kPlaces; ++i) {
        const auto from = forces.begin() + (i - around), to = forces.begin() + (i + around + 1);
        const auto at = forces.begin() + i;
        count += std::max_element(from, to) == at && *at > factor * std::max(*from, *(to - 1)) ? 1 : 0;
    }
    return count;
}

TEST(SixBumps, AreFeltOneByOneAndConverge) {
    const auto shell =
        std::make_shared<DistributedShell>(sampleShell(bumpyBlock(0.5e-3), {}, 300000, nullptr), kLevels, nullptr);
    DistributedQuery query(shell, nullptr);
    std::vector<std::vector<double>> curves;
    for (int level = 0; level < kLevels; ++level) curves.push_back(felt(query, level));
    const std::vector<double>& truth = curves.back();
    const double most = *std::max_element(truth.begin(), truth.end());
    // Over bumps, between them and beside them: what the heights themselves say.
    for (int i = 20; i < kPlaces - 20; i += 10)
        EXPECT_NEAR(truth[static_cast<std::size_t>(i)], feltByHeights(ballAt(i)), 0.01 * most) << i;
    double before = 0.0;
    for (int level = 0; level < kLevels; ++level) {
        double sum = 0.0;
        const std::vector<double>& forces = curves[static_cast<std::size_t>(level)];
        for (int i = 0; i < kPlaces; ++i) {
            const double off = forces[static_cast<std::size_t>(i)] - truth[static_cast<std::size_t>(i)];
            sum += off * off;
        }
        const double error = std::sqrt(sum / kPlaces) / most;
        const std::string name = "level_" + std::to_string(level + 1);
        RecordProperty(name + "_points", shell->pointCount(level));
        // The coarsest level has few points: one of its peaks stands out by no more than 1.23.
        const int found = peaks(forces, level == 0 ? 1.2 : 1.5);
        RecordProperty(name + "_peaks", found);
        RecordProperty(name + "_error", std::to_string(error));
        EXPECT_EQ(found, kBumps) << level;
        if (level < kLevels - 1) {
            EXPECT_LT(error, level == 0 ? 0.2 : 0.5 * before) << level;
        }
        before = error;
    }
}

}  // namespace
}  // namespace pliant::test
