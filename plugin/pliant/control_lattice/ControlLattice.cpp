// SPDX-License-Identifier: Zlib
#include "pliant/control_lattice/ControlLattice.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>

#include "pliant/control_lattice/CellTopology.h"
#include "pliant/math/Error.h"

namespace pliant {
namespace {

const CellTopology tetrahedron{4,
                               {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}},
                               {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}},
                               {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};
const CellTopology prism{6,
                         {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}},
                         {{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {0, 3, 5, 2}},
                         {{1, 2, 3}, {2, 0, 4}, {0, 1, 5}, {5, 4, 0}, {3, 5, 1}, {4, 3, 2}}};
const CellTopology hexahedron{
    8,
    {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}},
    {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}},
    {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7}, {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}}};

constexpr double flat = 1e-9;  // of the product of the three edges at a corner

std::string cellPlace(const std::string& where, std::size_t cell) {
    return where + ": cell " + std::to_string(cell);
}

/// The volume that the edges at a corner span, as a share of the product of their lengths.
double cornerVolume(const ControlLattice& lattice, const ControlCell& cell, std::size_t corner) {
    const auto& n = topologyOf(cell.kind).neighbours[corner];
    const Vector3 x = lattice.positions.col(cell.corners[corner]);
    Matrix3 edges;
    for (int k = 0; k < 3; ++k)
        edges.col(k) =
            lattice.positions.col(cell.corners[static_cast<std::size_t>(n[static_cast<std::size_t>(k)])]) - x;
    const double lengths = edges.col(0).norm() * edges.col(1).norm() * edges.col(2).norm();
    return lengths > 0.0 ? edges.determinant() / lengths : 0.0;
}

void mirror(ControlCell& cell) {
    auto& c = cell.corners;
    if (cell.kind == CellKind::Tetrahedron) {
        std::swap(c[0], c[1]);
        return;
    }
    const auto half = static_cast<std::ptrdiff_t>(cell.kind == CellKind::Prism ? 3 : 4);
    std::swap_ranges(c.begin(), c.begin() + half, c.begin() + half);
}

void checkNumbers(const ControlLattice& lattice, const std::string& where) {
    if (lattice.cells.empty()) throw Error(where, "the control lattice has no cells");
    if (!lattice.positions.allFinite()) throw Error(where, "a position of the control lattice is not finite");
    std::vector<bool> used(static_cast<std::size_t>(lattice.positions.cols()), false);
    for (std::size_t c = 0; c < lattice.cells.size(); ++c)
        for (int k = 0; k < topologyOf(lattice.cells[c].kind).corners; ++k) {
            const int v = lattice.cells[c].corners[static_cast<std::size_t>(k)];
            if (v < 0 || v >= lattice.positions.cols())
                throw Error(cellPlace(where, c), "vertex " + std::to_string(v) + " does not exist");
            used[static_cast<std::size_t>(v)] = true;
        }
    for (std::size_t v = 0; v < used.size(); ++v)
        if (!used[v])
            throw Error(where, "vertex " + std::to_string(v) + " of the control lattice belongs to no cell",
                        "leave it out");
}

void checkFaces(const ControlLattice& lattice, const std::string& where) {
    std::map<std::vector<int>, int> cellsAt;
    for (std::size_t c = 0; c < lattice.cells.size(); ++c)
        for (const auto& face : topologyOf(lattice.cells[c].kind).faces) {
            std::vector<int> key;
            for (const int k : face) key.push_back(lattice.cells[c].corners[static_cast<std::size_t>(k)]);
            std::sort(key.begin(), key.end());
            if (++cellsAt[key] > 2)
                throw Error(cellPlace(where, c), "one of its faces belongs to two other cells as well",
                            "cells must not overlap");
        }
}

}  // namespace

const CellTopology& topologyOf(CellKind kind) {
    return kind == CellKind::Tetrahedron ? tetrahedron : kind == CellKind::Prism ? prism : hexahedron;
}

CellKind cellOfCorners(int corners, const std::string& where) {
    if (corners == 4) return CellKind::Tetrahedron;
    if (corners == 6) return CellKind::Prism;
    if (corners == 8) return CellKind::Hexahedron;
    if (corners == 5) throw Error(where, "it is a pyramid, whose top has four edges", "split it into two tetrahedra");
    throw Error(where, "it has " + std::to_string(corners) + " corners",
                "cells are tetrahedra (4), prisms (6) and hexahedra (8)");
}

int checkControlLattice(ControlLattice& lattice, const std::string& where) {
    checkNumbers(lattice, where);
    int turned = 0;
    for (std::size_t c = 0; c < lattice.cells.size(); ++c) {
        ControlCell& cell = lattice.cells[c];
        const auto corners = static_cast<std::size_t>(topologyOf(cell.kind).corners);
        int right = 0, left = 0;
        for (std::size_t k = 0; k < corners; ++k) {
            const double volume = cornerVolume(lattice, cell, k);
            right += volume > flat;
            left += volume < -flat;
        }
        if (left == static_cast<int>(corners)) {
            mirror(cell);
            ++turned;
        } else if (right != static_cast<int>(corners)) {
            throw Error(cellPlace(where, c), left > 0 ? "it is folded or turned inside out" : "it is flat",
                        "move its vertices");
        }
    }
    checkFaces(lattice, where);
    return turned;
}

}  // namespace pliant
