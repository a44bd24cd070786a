// SPDX-License-Identifier: Zlib
#include "pliant/control_lattice/LatticeHierarchy.h"

#include <algorithm>
#include <set>

#include "pliant/control_lattice/CellTopology.h"
#include "pliant/math/Error.h"

namespace pliant {
namespace {

using Edges = std::set<std::array<int, 2>>;

/// Which new vertices lie on bones: the middles of edges that do. Their halves take the place of those edges.
std::vector<bool> newOnBones(const SparseMatrix& values, Eigen::Index before, Edges& bones) {
    std::vector<std::vector<int>> ends(static_cast<std::size_t>(values.rows()));
    for (Eigen::Index v = 0; v < before; ++v)
        for (SparseMatrix::InnerIterator at(values, v); at; ++at)
            ends[static_cast<std::size_t>(at.row())].push_back(static_cast<int>(v));
    std::vector<bool> onBone(ends.size(), false);
    Edges halves;
    for (std::size_t v = static_cast<std::size_t>(before); v < ends.size(); ++v) {
        if (ends[v].size() != 2 || bones.count({ends[v][0], ends[v][1]}) == 0) continue;
        onBone[v] = true;
        for (const int end : ends[v]) halves.insert({end, static_cast<int>(v)});
    }
    bones = std::move(halves);
    return onBone;
}

/// Columns of the identity.
SparseMatrix columns(Eigen::Index rows, const std::vector<int>& of) {
    SparseMatrix selection(rows, static_cast<Eigen::Index>(of.size()));
    selection.reserve(Eigen::VectorXi::Ones(selection.cols()));
    for (Eigen::Index k = 0; k < selection.cols(); ++k) selection.insert(of[static_cast<std::size_t>(k)], k) = 1.0;
    selection.makeCompressed();
    return selection;
}

SparseMatrix sideBySide(const SparseMatrix& a, const SparseMatrix& b) {
    SparseMatrix both(a.rows(), a.cols() + b.cols());
    both.leftCols(a.cols()) = a;
    both.rightCols(b.cols()) = b;
    return both;
}

/// Functions and integrals grow eightfold from level to level, and so do the time and memory that they take.
/// @param cells of the next subdivision
void expectFew(double cells, bool hasFunctions) {
    constexpr double mostWithFunctions = 1.0e5, most = 1.0e6;
    if (cells <= (hasFunctions ? mostWithFunctions : most)) return;
    throw Error(
        "control lattice",
        "its subdivision has " + std::to_string(static_cast<long long>(cells)) + " cells, more than " +
            std::to_string(static_cast<long long>(hasFunctions ? mostWithFunctions : most)) +
            (hasFunctions ? " with functions of their own" : " to integrate over"),
        hasFunctions ? "take fewer levels, or a coarser lattice" : "take a smaller depth, or a coarser lattice");
}

double subdividedCells(const ControlLattice& lattice) {
    double corners = 0.0;
    for (const ControlCell& cell : lattice.cells) corners += topologyOf(cell.kind).corners;
    return corners;
}

}  // namespace

LatticeHierarchy makeHierarchy(const ControlLattice& lattice, const std::vector<std::array<int, 2>>& boneEdges,
                               int levels, int depth) {
    if (levels < 0 || levels > finestFunctions || depth < std::max(1, levels) || depth > 6)
        throw Error("control lattice",
                    std::to_string(levels) + " levels of functions at a depth of " + std::to_string(depth),
                    "levels are 0 to 3, the depth is at least 1, at least as many and at most 6");
    LatticeHierarchy h;
    const Eigen::Index n = lattice.positions.cols();
    Edges bones(boneEdges.begin(), boneEdges.end());
    for (Eigen::Index v = 0; v < n; ++v) {
        h.level.push_back(0);
        h.vertex.push_back(static_cast<int>(v));
    }
    std::vector<int> all(h.vertex);
    h.values = columns(n, all);
    for (int level = 1; level <= depth; ++level) {
        const ControlLattice& coarse = level == 1 ? lattice : h.finer.back().lattice;
        expectFew(subdividedCells(coarse), level <= levels);
        const Eigen::Index before = coarse.positions.cols();
        SubdividedLattice fine = subdivide(coarse);
        h.values = SparseMatrix(fine.values * h.values);
        if (level <= levels) {
            const std::vector<bool> onBone = newOnBones(fine.values, before, bones);
            std::vector<int> added;
            for (std::size_t v = static_cast<std::size_t>(before); v < onBone.size(); ++v)
                if (!onBone[v]) added.push_back(static_cast<int>(v));
            h.values = sideBySide(h.values, columns(fine.values.rows(), added));
            for (const int v : added) {
                h.level.push_back(level);
                h.vertex.push_back(v);
            }
        }
        h.finer.push_back(std::move(fine));
    }
    return h;
}

}  // namespace pliant
