// SPDX-License-Identifier: Zlib
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "SampleLattice.h"
#include "pliant/control_lattice/LatticeHierarchy.h"
#include "pliant/math/Error.h"

namespace pliant::test {
namespace {

constexpr double rounding = 1e-15;

double linear(const Vector3& x) {
    return 0.3 + Vector3(0.5, -0.25, 0.125).dot(x);
}

TEST(LatticeHierarchy, LinearFunctionsAreExact) {
    const ControlLattice lattice = threeKinds();
    const LatticeHierarchy h = makeHierarchy(lattice, {}, 3, 3);
    VectorX coefficients = VectorX::Zero(h.functionCount());
    for (Eigen::Index v = 0; v < lattice.positions.cols(); ++v) coefficients[v] = linear(lattice.positions.col(v));
    const VectorX values = h.values * coefficients;
    const Points& x = h.finer.back().lattice.positions;
    ASSERT_EQ(values.size(), x.cols());
    for (Eigen::Index v = 0; v < x.cols(); ++v) EXPECT_NEAR(values[v], linear(x.col(v)), rounding);
}

TEST(LatticeHierarchy, TooManyCellsAreRefused) {
    ControlLattice lattice = oneCell(CellKind::Tetrahedron);
    lattice.cells.resize(500, lattice.cells.front());  // 2,000 hexahedra, then 16,000, then 128,000
    const auto refusal = [&](int levels, int depth) -> std::string {
        try {
            makeHierarchy(lattice, {}, levels, depth);
        } catch (const Error& problem) {
            return problem.what();
        }
        return "";
    };
    EXPECT_EQ(refusal(2, 2), "");
    EXPECT_THAT(refusal(3, 3), testing::HasSubstr("128000 cells, more than 100000 with functions"));
    EXPECT_THAT(refusal(2, 4), testing::HasSubstr("take a smaller depth"));
}

/// Coordinates of x in a tetrahedron.
Eigen::Vector4d barycentric(const ControlLattice& lattice, const Vector3& x) {
    Eigen::Matrix4d corners;
    corners.topRows<3>() = lattice.positions;
    corners.row(3).setOnes();
    return corners.inverse() * x.homogeneous();
}

TEST(LatticeHierarchy, IsBarycentricOnTetrahedra) {
    const ControlLattice lattice = oneCell(CellKind::Tetrahedron);
    const LatticeHierarchy h = makeHierarchy(lattice, {}, 0, 3);
    const Points& x = h.finer.back().lattice.positions;
    const MatrixX phi = h.values;
    for (Eigen::Index v = 0; v < x.cols(); ++v)
        EXPECT_LE((phi.row(v).transpose() - barycentric(lattice, x.col(v))).cwiseAbs().maxCoeff(), 4 * rounding);
}

/// On the unit cube V0 is trilinear.
TEST(LatticeHierarchy, IsTrilinearOnCubes) {
    ControlLattice cube = oneCell(CellKind::Hexahedron);
    cube.positions << 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1;
    const LatticeHierarchy h = makeHierarchy(cube, {}, 0, 3);
    const Points& x = h.finer.back().lattice.positions;
    const MatrixX phi = h.values;
    for (Eigen::Index v = 0; v < x.cols(); ++v)
        for (Eigen::Index a = 0; a < 8; ++a) {
            double product = 1.0;
            for (int k = 0; k < 3; ++k) product *= cube.positions(k, a) > 0.5 ? x(k, v) : 1.0 - x(k, v);
            EXPECT_EQ(phi(v, a), product) << "eighths are exact";
        }
}

TEST(LatticeHierarchy, FunctionsAreOneAtTheirVertexAndZeroAtOthersOfTheirLevel) {
    const ControlLattice lattice = threeKinds();
    const LatticeHierarchy h = makeHierarchy(lattice, {}, 3, 3);
    const MatrixX phi = h.values;
    std::array<Eigen::Index, 4> vertices{lattice.positions.cols()};
    for (std::size_t l = 1; l < 4; ++l) vertices[l] = h.finer[l - 1].lattice.positions.cols();
    EXPECT_EQ(h.functionCount(), vertices[3]) << "as many as the finest space has dimensions";
    for (Eigen::Index a = 0; a < phi.cols(); ++a) {
        const auto level = static_cast<std::size_t>(h.level[static_cast<std::size_t>(a)]);
        for (Eigen::Index v = 0; v < vertices[level]; ++v)
            EXPECT_EQ(phi(v, a), v == h.vertex[static_cast<std::size_t>(a)] ? 1.0 : 0.0);
    }
    EXPECT_EQ(Eigen::FullPivLU<Eigen::MatrixXd>(phi).rank(), phi.cols()) << "linearly independent";
}

TEST(LatticeHierarchy, FinerFunctionsVanishOnBones) {
    const ControlLattice lattice = threeKinds();
    const LatticeHierarchy all = makeHierarchy(lattice, {}, 2, 2);
    const LatticeHierarchy h = makeHierarchy(lattice, {{0, 4}, {4, 8}}, 2, 2);
    EXPECT_EQ(all.functionCount() - h.functionCount(), 2 * 3) << "one in the middle, two at the quarters of each edge";
    const Points& x = h.finer.back().lattice.positions;
    const MatrixX phi = h.values;
    int met = 0;
    for (Eigen::Index v = 0; v < x.cols(); ++v) {
        if (!(x.col(v).head<2>().norm() < 1e-12 && x(2, v) <= 1.0)) continue;  // on the edge from 0 to 4
        ++met;
        for (Eigen::Index a = 0; a < phi.cols(); ++a)
            if (h.level[static_cast<std::size_t>(a)] > 0) {
                EXPECT_EQ(phi(v, a), 0.0);
            }
    }
    EXPECT_EQ(met, 5);
}

}  // namespace
}  // namespace pliant::test
