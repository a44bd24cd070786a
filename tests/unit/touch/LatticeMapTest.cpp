// SPDX-License-Identifier: Zlib
// The map of a lattice: exact for what is trilinear, its gradient the derivative of its displacement.
#include <Eigen/LU>
#include <random>
#include <vector>

#include "pliant/touch/LatticeMap.h"

namespace pliant::test {
namespace {

/// 3 x 2 x 2 cells, each of its own number; the displacement of a vertex is f of its place.
template <typename Function>
ContactLattice latticeOf(const Function& f, std::vector<float>& displacements) {
    ContactLattice lattice;
    lattice.origin = Vector3(-0.4, 0.3, 1.0);
    lattice.spacing = 0.2;
    lattice.cells = Eigen::Vector3i(3, 2, 2);
    const auto vertex = [](int x, int y, int z) { return x + 4 * (y + 3 * z); };
    displacements.clear();
    for (int z = 0; z <= 2; ++z)
        for (int y = 0; y <= 2; ++y)
            for (int x = 0; x <= 3; ++x) {
                const Vector3 u = f(Vector3(lattice.origin + lattice.spacing * Vector3(x, y, z)));
                for (int k = 0; k < 3; ++k) displacements.push_back(static_cast<float>(u[k]));
                displacements.push_back(0.0f);
            }
    lattice.cellPlaces.resize(3, 12);
    lattice.cellVertices.resize(8, 12);
    for (int cell = 0; cell < 12; ++cell) {
        const int x = cell % 3, y = cell / 3 % 2, z = cell / 6;
        lattice.cellNumbers.push_back(cell);
        lattice.cellPlaces.col(cell) << x, y, z;
        for (int i = 0; i < 8; ++i)
            lattice.cellVertices(i, cell) = vertex(x + (i & 1), y + ((i >> 1) & 1), z + ((i >> 2) & 1));
    }
    return lattice;
}

Matrix3 matrixOf(const DeformationGradient& F) {
    Matrix3 m;
    for (int k = 0; k < 3; ++k) m.col(k) = unpacked(F.column[k]);
    return m;
}

Vector3 randomPlace(std::mt19937& random, double beyond) {
    std::uniform_real_distribution<double> x(-0.4 - beyond, 0.2 + beyond), y(0.3 - beyond, 0.7 + beyond),
        z(1.0 - beyond, 1.4 + beyond);
    return {x(random), y(random), z(random)};
}

TEST(LatticeMap, IsExactForAnAffineMotionInsideAndBeyond) {
    Matrix3 A;
    A << 0.2, -0.1, 0.3, 0.05, -0.3, 0.1, -0.2, 0.15, 0.1;
    const Vector3 b(0.01, -0.02, 0.03);
    std::vector<float> displacements;
    const ContactLattice lattice = latticeOf([&](const Vector3& x) { return Vector3(A * x + b); }, displacements);
    std::mt19937 random(1);
    for (int n = 0; n < 200; ++n) {
        const Vector3 place = randomPlace(random, 0.3);
        Packed3 u;
        DeformationGradient F;
        carry(lattice, displacements.data(), place, u, F);
        // Single precision of displacements below 1 m and of their differences over 0.2 m.
        EXPECT_LT((unpacked(u) - (A * place + b)).norm(), 2e-6);
        EXPECT_LT((matrixOf(F) - (Matrix3::Identity() + A)).norm(), 5e-6);
    }
}

TEST(LatticeMap, IsExactForATrilinearMotionAndItsDerivative) {
    const auto f = [](const Vector3& x) {
        return Vector3(0.3 * x[0] * x[1] * x[2], -0.2 * x[1] * x[2], 0.1 * x[0] * x[2] + 0.05 * x[0] * x[1]);
    };
    std::vector<float> displacements;
    const ContactLattice lattice = latticeOf(f, displacements);
    std::mt19937 random(2);
    for (int n = 0; n < 200; ++n) {
        const Vector3 x = randomPlace(random, 0.0);
        Packed3 u;
        DeformationGradient F;
        carry(lattice, displacements.data(), x, u, F);
        Matrix3 derivative;
        derivative << 0.3 * x[1] * x[2], 0.3 * x[0] * x[2], 0.3 * x[0] * x[1],  //
            0.0, -0.2 * x[2], -0.2 * x[1],                                      //
            0.1 * x[2] + 0.05 * x[1], 0.05 * x[0], 0.1 * x[0];
        EXPECT_LT((unpacked(u) - f(x)).norm(), 1e-6);
        EXPECT_LT((matrixOf(F) - Matrix3::Identity() - derivative).norm(), 5e-6);
    }
}

TEST(LatticeMap, InvertsGradientsThatAreNotPressedFlat) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> part(-0.5f, 0.5f);
    for (int n = 0; n < 200; ++n) {
        DeformationGradient F;
        for (int k = 0; k < 3; ++k) {
            F.column[k] = Packed3{part(random), part(random), part(random), 0.0f};
            F.column[k][k] += 1.0f;
        }
        const Matrix3 m = matrixOf(F);
        EXPECT_NEAR(static_cast<double>(F.volume()), m.determinant(), 1e-6);
        const Vector3 v(0.3, -0.7, 0.2);
        const InverseGradient inverse(F);
        const bool isFlat = F.volume() <= InverseGradient::kLeastVolume;
        const Matrix3 expected = isFlat ? Matrix3(Matrix3::Identity()) : Matrix3(m.inverse());
        EXPECT_LT((unpacked(inverse.times(packed(v))) - expected * v).norm(), 2e-5 * expected.norm());
        EXPECT_LT((unpacked(inverse.transposedTimes(packed(v))) - expected.transpose() * v).norm(),
                  2e-5 * expected.norm());
    }
}

TEST(LatticeMap, TakesWhatIsNoNumberToTheFirstCell) {
    std::vector<float> displacements;
    const ContactLattice lattice = latticeOf([](const Vector3& x) { return Vector3(0.1 * x); }, displacements);
    EXPECT_EQ(latticeCellAt(lattice, Vector3::Constant(std::nan(""))), 0);
    EXPECT_EQ(latticeCellAt(lattice, Vector3::Constant(1e300)), 11);
}

}  // namespace
}  // namespace pliant::test
