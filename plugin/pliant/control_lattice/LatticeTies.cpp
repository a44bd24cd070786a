// SPDX-License-Identifier: Zlib
#include "pliant/control_lattice/LatticeTies.h"

#include <Eigen/QR>
#include <set>

#include "pliant/control_lattice/CellTopology.h"
#include "pliant/math/Error.h"

namespace pliant {
namespace {

constexpr double lightest = 1e-3;

using Neighbours = std::vector<std::set<int>>;

Neighbours neighboursOf(const ControlLattice& lattice) {
    Neighbours neighbours(static_cast<std::size_t>(lattice.positions.cols()));
    for (const ControlCell& cell : lattice.cells)
        for (int i = 0; i < topologyOf(cell.kind).corners; ++i)
            for (int j = 0; j < topologyOf(cell.kind).corners; ++j)
                if (i != j)
                    neighbours[static_cast<std::size_t>(cell.corners[static_cast<std::size_t>(i)])].insert(
                        cell.corners[static_cast<std::size_t>(j)]);
    return neighbours;
}

/// Kept vertices around one, ring by ring until they span space; none where they never do.
std::vector<int> spanningRing(const ControlLattice& lattice, const Neighbours& neighbours,
                              const std::vector<bool>& light, int vertex) {
    std::set<int> reached{vertex}, border{vertex};
    std::vector<int> ring;
    while (!border.empty()) {
        std::set<int> next;
        for (const int v : border)
            for (const int w : neighbours[static_cast<std::size_t>(v)])
                if (reached.insert(w).second) next.insert(w);
        for (const int w : next)
            if (!light[static_cast<std::size_t>(w)]) ring.push_back(w);
        border = std::move(next);
        if (ring.size() < 4) continue;
        Eigen::MatrixXd places(3, static_cast<Eigen::Index>(ring.size()));
        for (std::size_t k = 0; k < ring.size(); ++k)
            places.col(static_cast<Eigen::Index>(k)) = lattice.positions.col(ring[k]) - lattice.positions.col(ring[0]);
        Eigen::ColPivHouseholderQR<Eigen::MatrixXd> span(places);
        span.setThreshold(1e-6);
        if (span.rank() == 3) return ring;
    }
    return {};
}

/// The smallest weights with sum 1 that put the points of the ring together to x.
Eigen::VectorXd affineWeights(const ControlLattice& lattice, const std::vector<int>& ring, const Vector3& x) {
    Eigen::MatrixXd A(4, static_cast<Eigen::Index>(ring.size()));
    for (std::size_t k = 0; k < ring.size(); ++k)
        A.col(static_cast<Eigen::Index>(k)) << lattice.positions.col(ring[k]) - x, 1.0;
    return A.completeOrthogonalDecomposition().solve(Eigen::Vector4d::Unit(3));
}

}  // namespace

LatticeTies tieLightFunctions(const ControlLattice& lattice, const LatticeHierarchy& hierarchy,
                              const SparseMatrix& mass, const VectorX& cellMass, const std::vector<int>& held,
                              const std::string& where) {
    const auto n = static_cast<std::size_t>(hierarchy.functionCount());
    std::vector<bool> light(n);
    for (std::size_t a = 0; a < n; ++a) {
        const auto i = static_cast<Eigen::Index>(a);
        // A finer function is as much smaller as its cells are.
        const double share = hierarchy.level[a] == 0 ? 1.0 : 1.0 / (1 << (3 * hierarchy.level[a]));
        light[a] = mass.coeff(i, i) < lightest * share * cellMass[i];
    }
    for (const int a : held) light[static_cast<std::size_t>(a)] = false;

    const Neighbours neighbours = neighboursOf(lattice);
    LatticeTies ties;
    std::vector<int> column(n, -1);
    for (std::size_t a = 0; a < n; ++a)
        if (!light[a]) {
            column[a] = static_cast<int>(ties.kept.size());
            ties.kept.push_back(static_cast<int>(a));
        }
    std::vector<Eigen::Triplet<double>> triplets;
    for (std::size_t a = 0; a < n; ++a) {
        const int row = static_cast<int>(a);
        if (!light[a]) {
            triplets.emplace_back(row, column[a], 1.0);
        } else if (hierarchy.level[a] == 0) {
            const std::vector<int> ring = spanningRing(lattice, neighbours, light, row);
            if (ring.empty())
                throw Error(where + ": vertex " + std::to_string(row),
                            "it has nearly no flesh around it, and no four vertices that have some and span space hang "
                            "together with it",
                            "remove its cells, or make the lattice coarser there, so that cells hold flesh");
            const Eigen::VectorXd weights = affineWeights(lattice, ring, lattice.positions.col(row));
            for (std::size_t k = 0; k < ring.size(); ++k)
                triplets.emplace_back(row, column[static_cast<std::size_t>(ring[k])],
                                      weights[static_cast<Eigen::Index>(k)]);
        }
    }
    ties.combine.resize(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(ties.kept.size()));
    ties.combine.setFromTriplets(triplets.begin(), triplets.end());
    return ties;
}

}  // namespace pliant
