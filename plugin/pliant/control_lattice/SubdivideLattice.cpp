// SPDX-License-Identifier: Zlib
#include "pliant/control_lattice/SubdivideLattice.h"

#include <algorithm>
#include <map>

#include "pliant/control_lattice/CellTopology.h"

namespace pliant {
namespace {

/// Numbers what lies between vertices, in the order in which it is first met.
class EdgeMiddles {
public:
    int numberOf(std::vector<int> vertices) {
        std::sort(vertices.begin(), vertices.end());
        const auto [place, isNew] = m_numbers.try_emplace(vertices, static_cast<int>(m_vertices.size()));
        if (isNew) m_vertices.push_back(vertices);
        return place->second;
    }
    const std::vector<std::vector<int>>& vertices() const { return m_vertices; }

private:
    std::map<std::vector<int>, int> m_numbers;
    std::vector<std::vector<int>> m_vertices;
};

/// Numbers of the middles of one cell's edges and faces.
struct CellMiddles {
    std::map<std::array<int, 2>, int> edge;  ///< between two corners, both ways round
    std::map<std::array<int, 3>, int> face;  ///< of a corner and two of its neighbours, both ways round
};

CellMiddles middlesOf(const ControlCell& cell, EdgeMiddles& edges, EdgeMiddles& faces) {
    const CellTopology& topology = topologyOf(cell.kind);
    const auto vertex = [&](int corner) { return cell.corners[static_cast<std::size_t>(corner)]; };
    CellMiddles middles;
    for (const auto& [a, b] : topology.edges)
        middles.edge[{a, b}] = middles.edge[{b, a}] = edges.numberOf({vertex(a), vertex(b)});
    for (const auto& face : topology.faces) {
        std::vector<int> vertices;
        for (const int corner : face) vertices.push_back(vertex(corner));
        const int number = faces.numberOf(vertices);
        for (std::size_t k = 0; k < face.size(); ++k) {
            const int before = face[(k + face.size() - 1) % face.size()], after = face[(k + 1) % face.size()];
            middles.face[{face[k], before, after}] = middles.face[{face[k], after, before}] = number;
        }
    }
    return middles;
}

}  // namespace

SubdividedLattice subdivide(const ControlLattice& lattice) {
    const auto n = static_cast<int>(lattice.positions.cols());
    EdgeMiddles edges, faces;
    std::vector<CellMiddles> all;
    for (const ControlCell& cell : lattice.cells) all.push_back(middlesOf(cell, edges, faces));
    const int firstFace = n + static_cast<int>(edges.vertices().size());
    const int firstCell = firstFace + static_cast<int>(faces.vertices().size());

    SubdividedLattice fine;
    std::vector<std::vector<int>> means;
    for (int v = 0; v < n; ++v) means.push_back({v});
    means.insert(means.end(), edges.vertices().begin(), edges.vertices().end());
    means.insert(means.end(), faces.vertices().begin(), faces.vertices().end());
    for (std::size_t c = 0; c < all.size(); ++c) {
        const ControlCell& cell = lattice.cells[c];
        const CellTopology& topology = topologyOf(cell.kind);
        means.emplace_back(cell.corners.begin(), cell.corners.begin() + topology.corners);
        const int middle = firstCell + static_cast<int>(c);
        for (int v = 0; v < topology.corners; ++v) {
            const auto [a, b, d] = topology.neighbours[static_cast<std::size_t>(v)];
            const auto edge = [&, v = v](int to) { return n + all[c].edge.at({v, to}); };
            const auto face = [&, v = v](int i, int j) { return firstFace + all[c].face.at({v, i, j}); };
            fine.lattice.cells.push_back({CellKind::Hexahedron,
                                          {cell.corners[static_cast<std::size_t>(v)], edge(a), face(a, b), edge(b),
                                           edge(d), face(a, d), middle, face(b, d)}});
            fine.cellOf.push_back(static_cast<int>(c));
        }
    }
    std::vector<Eigen::Triplet<double>> triplets;
    fine.lattice.positions.setZero(3, static_cast<Eigen::Index>(means.size()));
    for (std::size_t v = 0; v < means.size(); ++v) {
        const double share = 1.0 / static_cast<double>(means[v].size());
        for (const int of : means[v]) {
            triplets.emplace_back(static_cast<int>(v), of, share);
            fine.lattice.positions.col(static_cast<Eigen::Index>(v)) += share * lattice.positions.col(of);
        }
    }
    fine.values.resize(static_cast<Eigen::Index>(means.size()), n);
    fine.values.setFromTriplets(triplets.begin(), triplets.end());
    return fine;
}

}  // namespace pliant
