// SPDX-License-Identifier: Zlib
// How points of a lattice move with q: of many one after the other as of each by itself.
#include <gtest/gtest.h>

#include <random>

#include "pliant/touch/LatticeBasis.h"

namespace pliant {
namespace {

/// Two cells side by side, of which each vertex moves by chance with each coordinate.
ContactLattice twoCells(int coordinates, unsigned seed) {
    ContactLattice lattice;
    lattice.spacing = 1.0;
    lattice.cellVertices.resize(8, 2);
    for (int cell = 0; cell < 2; ++cell)
        for (int corner = 0; corner < 8; ++corner) lattice.cellVertices(corner, cell) = corner + 4 * cell;
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    lattice.basis.resize(3 * 12, coordinates);
    for (Eigen::Index i = 0; i < lattice.basis.size(); ++i) lattice.basis.data()[i] = normal(random);
    return lattice;
}

TEST(LatticeCellBasis, TellsWhatEachPointTellsByItself) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    for (const int r : {1, 2, 7, 8, 15, 16, 40}) {
        const ContactLattice lattice = twoCells(r, 1);
        LatticeCellBasis basis;
        for (int i = 0; i < 40; ++i) {
            const LatticePoint point{i / 3 % 2, Vector3(uniform(random), uniform(random), uniform(random))};
            Vector3 directions[3];
            for (Vector3& d : directions) d = Vector3(uniform(random), uniform(random), uniform(random)).array() - 0.5;
            VectorX expected(3 * r), found(3 * r);
            latticeBasisAlong(lattice, point, directions, 3, expected.data());
            basis.along(lattice, point, directions, 3, found.data());
            EXPECT_LT((found - expected).norm(), 1e-14 * (1.0 + expected.norm())) << r;
        }
    }
}

TEST(LatticeCellBasis, ForgetsALatticeThatIsAnotherOneNow) {
    ContactLattice lattice = twoCells(5, 1);
    const LatticePoint point{1, Vector3(0.2, 0.7, 0.4)};
    const Vector3 along(0.3, -0.5, 1.0);
    LatticeCellBasis basis;
    VectorX expected(5), found(5);
    basis.along(lattice, point, &along, 1, found.data());
    lattice = twoCells(5, 2);
    basis.forget();
    basis.along(lattice, point, &along, 1, found.data());
    latticeBasisAlong(lattice, point, &along, 1, expected.data());
    EXPECT_LT((found - expected).norm(), 1e-14);
}

}  // namespace
}  // namespace pliant
