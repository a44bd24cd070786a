// SPDX-License-Identifier: Zlib
// What is known of a bent lattice, against deformations in closed form.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>

#include "pliant/touch/LatticeBounds.h"
#include "pliant/touch/LatticeMap.h"

namespace pliant::test {
namespace {

constexpr double kSpacing = 0.02;  // m

/// A block of cells, all the lattice's own.
ContactLattice block(int x, int y, int z) {
    ContactLattice lattice;
    lattice.spacing = kSpacing;
    lattice.cells = {x, y, z};
    lattice.cellPlaces.resize(3, x * y * z);
    lattice.cellVertices.resize(8, x * y * z);
    for (int c = 0; c < x * y * z; ++c) {
        const int i = c % x, j = c / x % y, k = c / (x * y);
        lattice.cellNumbers.push_back(c);
        lattice.cellPlaces.col(c) << i, j, k;
        for (int v = 0; v < 8; ++v)
            lattice.cellVertices(v, c) = i + (v & 1) + (x + 1) * (j + (v >> 1 & 1) + (y + 1) * (k + (v >> 2)));
    }
    lattice.basis = MatrixXf::Zero(3 * (x + 1) * (y + 1) * (z + 1), 1);
    return lattice;
}

using Map = std::function<Vector3(const Vector3&)>;

std::vector<float> displacements(const ContactLattice& lattice, const Map& map) {
    std::vector<float> u;
    const Eigen::Vector3i n = lattice.cells + Eigen::Vector3i::Ones();
    for (int v = 0; v < n.prod(); ++v) {
        const Vector3 X = kSpacing * Vector3(v % n[0], v / n[0] % n[1], v / (n[0] * n[1]));
        const Vector3 move = map(X) - X;
        for (int k = 0; k < 3; ++k) u.push_back(static_cast<float>(move[k]));
        u.push_back(0.0f);
    }
    return u;
}

TEST(LatticeBoundsTest, AHomogeneousStretchIsItsLeastFactor) {
    const ContactLattice lattice = block(4, 3, 3);
    const Matrix3 turn = Eigen::AngleAxisd(1.1, Vector3(1, 2, 3).normalized()).toRotationMatrix();
    const Matrix3 F = turn * Vector3(1.2, 0.7, 0.9).asDiagonal();
    LatticeBounds bounds;
    bounds.update(lattice, displacements(lattice, [&](const Vector3& X) { return Vector3(F * X); }).data());
    for (int c = 0; c < lattice.cellCount(); ++c) EXPECT_NEAR(bounds.leastStretch(c), 0.7, 1e-4) << "whatever the turn";
}

// The least singular value of F anywhere in a bent block, by brute force: no bound may lie above it, and a way that the
// bounds allow for is taken off.
TEST(LatticeBoundsTest, NoPlaceIsStretchedLess) {
    const ContactLattice lattice = block(6, 2, 2);
    double angle = 0.3;
    const Map bend = [&](const Vector3& X) {  // about y, into an arc
        const double radius = 6 * kSpacing / angle, phi = X.x() / radius;
        return Vector3((radius + X.z()) * std::sin(phi), X.y(), (radius + X.z()) * std::cos(phi) - radius);
    };
    LatticeBounds bounds;
    double tightest = 1e30;
    for (int i = 0; i < 60; ++i, angle += 0.01) {
        const std::vector<float> u = displacements(lattice, bend);
        bounds.update(lattice, u.data());
        for (int c = 0; c < lattice.cellCount(); ++c)
            for (int k = 0; k < 27; ++k) {
                const Vector3 in = 0.5 * Vector3(k % 3, k / 3 % 3, k / 9) * 0.998 + Vector3::Constant(0.001);
                Packed3 moved;
                DeformationGradient gradient;
                carry(lattice, u.data(), kSpacing * (lattice.cellPlaces.col(c).cast<double>() + in), moved, gradient);
                Matrix3 F;
                for (int j = 0; j < 3; ++j) F.col(j) = unpacked(gradient.column[j]);
                const double least = F.jacobiSvd().singularValues()[2];
                ASSERT_LE(bounds.leastStretch(c), least + 1e-6) << "frame " << i << ", cell " << c;
                tightest = std::min(tightest, least - bounds.leastStretch(c));
            }
    }
    EXPECT_LT(tightest, 0.2) << "a bound that says nothing would do";
}

TEST(LatticeBoundsTest, GapsAreThoseOfCellsThatAreNotBesideEachOther) {
    const ContactLattice lattice = block(4, 1, 1);
    LatticeBounds bounds;
    const auto pressed = [&](double factor) {
        return displacements(lattice, [&](const Vector3& X) { return Vector3(factor * X.x(), X.y(), X.z()); });
    };
    bounds.update(lattice, pressed(0.3).data());
    for (int c = 0; c < 4; ++c) EXPECT_NEAR(bounds.gap(c), 0.3 * kSpacing, 1e-6) << "a cell lies between";
    bounds.update(lattice, pressed(1.0).data());
    EXPECT_NEAR(bounds.gap(0), 0.5 * kSpacing, 1e-6) << "half a cell at most";
    bounds.update(lattice, pressed(0.996).data());  // within what the bounds hold for
    EXPECT_NEAR(bounds.gap(0), (0.5 - 2 * 0.016) * kSpacing, 1e-6) << "less the way of both";
    std::vector<float> folded = displacements(lattice, [&](const Vector3& X) {
        return Vector3(X.x() < 2.5 * kSpacing ? X.x() : 5 * kSpacing - X.x(), X.y(), X.z());
    });
    bounds.update(lattice, folded.data());
    EXPECT_NEAR(bounds.gap(0), 0.0, 1e-7) << "the last cell lies on it";
    EXPECT_EQ(bounds.leastStretch(2), 0.0);
}

}  // namespace
}  // namespace pliant::test
