// SPDX-License-Identifier: Zlib
#include "pliant/control_lattice/LatticeBones.h"

#include <algorithm>
#include <set>

#include "pliant/character/BoneCores.h"
#include "pliant/control_lattice/CellTopology.h"
#include "pliant/math/Error.h"

namespace pliant {
namespace {

using Edge = std::array<int, 2>;

std::set<Edge> edgesOf(const ControlLattice& lattice) {
    std::set<Edge> edges;
    for (const ControlCell& cell : lattice.cells)
        for (const auto& [a, b] : topologyOf(cell.kind).edges) {
            const int i = cell.corners[static_cast<std::size_t>(a)], j = cell.corners[static_cast<std::size_t>(b)];
            edges.insert({std::min(i, j), std::max(i, j)});
        }
    return edges;
}

/// Vertices on the way from one point to another, in their order along it.
std::vector<int> verticesAlong(const ControlLattice& lattice, const Vector3& from, const Vector3& to,
                               double tolerance) {
    const Vector3 along = to - from;
    std::vector<std::pair<double, int>> found;
    for (Eigen::Index v = 0; v < lattice.positions.cols(); ++v) {
        const Vector3 x = lattice.positions.col(v) - from;
        const double s = std::clamp(x.dot(along) / along.squaredNorm(), 0.0, 1.0);
        if ((x - s * along).norm() <= tolerance) found.emplace_back(s, static_cast<int>(v));
    }
    std::sort(found.begin(), found.end());
    std::vector<int> vertices;
    for (const auto& [s, v] : found) vertices.push_back(v);
    return vertices;
}

}  // namespace

LatticeBones findLatticeBones(const ControlLattice& lattice, const Rig& rig, double tolerance,
                              const std::string& where) {
    const std::set<Edge> edges = edgesOf(lattice);
    const std::vector<bool> skinned = bonesWithSkin(rig);
    LatticeBones bones;
    bones.boneOf.assign(static_cast<std::size_t>(lattice.positions.cols()), -1);
    for (std::size_t b = 0; b < skinned.size(); ++b) {
        if (!skinned[b]) continue;
        const Bone& bone = rig.skeleton.bones[b];
        const auto refuse = [&](const std::string& what, const std::string& cure) {
            throw Error(where + ": bone \"" + bone.name + "\"", what, cure);
        };
        for (const Vector3& end : bone.ends) {
            if (!((end - bone.head()).norm() > tolerance)) continue;
            const std::vector<int> chain = verticesAlong(lattice, bone.head(), end, tolerance);
            const auto isAt = [&](int v, const Vector3& x) {
                return (lattice.positions.col(v) - x).norm() <= tolerance;
            };
            if (chain.size() < 2 || !isAt(chain.front(), bone.head()) || !isAt(chain.back(), end))
                refuse("one of its ends is no vertex of the control lattice",
                       "bones lie along edges of the lattice; put vertices at their ends");
            for (std::size_t k = 0; k + 1 < chain.size(); ++k) {
                const Edge edge{std::min(chain[k], chain[k + 1]), std::max(chain[k], chain[k + 1])};
                if (edges.count(edge) == 0)
                    refuse("between vertices " + std::to_string(edge[0]) + " and " + std::to_string(edge[1]) +
                               " it runs through a cell",
                           "bones lie along edges of the lattice");
                bones.edges.push_back(edge);
            }
            for (const int v : chain)
                if (isAt(v, bone.head()) || bones.boneOf[static_cast<std::size_t>(v)] < 0)
                    bones.boneOf[static_cast<std::size_t>(v)] = static_cast<int>(b);
        }
    }
    std::sort(bones.edges.begin(), bones.edges.end());
    bones.edges.erase(std::unique(bones.edges.begin(), bones.edges.end()), bones.edges.end());
    return bones;
}

}  // namespace pliant
