// SPDX-License-Identifier: Zlib
#include "pliant/control_lattice/MakeControlLattice.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "pliant/character/BoneCores.h"
#include "pliant/character/BonePieces.h"
#include "pliant/control_lattice/CellTopology.h"
#include "pliant/control_lattice/CutShares.h"
#include "pliant/control_lattice/Delaunay.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/Embedding.h"
#include "pliant/mesh/SurfaceClosure.h"

namespace pliant {
namespace {

constexpr double leastFromBones =
    0.6;  // of the spacing: balls over the edges of a bone, half a spacing wide, are empty
constexpr double mostVertices = 2e5;
constexpr int mostSplits = 12;
constexpr int pointsAtOnce = 4096;  // between two questions whether to go on
const char* const stage = "lattice";

/// A chain of vertices along a bone.
struct Chain {
    int bone = 0;
    std::vector<int> vertices;
};

class LatticeMaker {
public:
    LatticeMaker(const Rig& rig, double spacing, const std::string& where, const ProgressCallback& progress)
        : m_rig(rig), m_spacing(spacing), m_where(where), m_progress(progress) {}

    ControlLattice make() {
        reportProgress(m_progress, stage, 0.0);
        addBones();
        addAround();
        for (int round = 0;; ++round) {
            reportProgress(m_progress, stage, 0.6 + 0.3 * round / mostSplits);
            ControlLattice lattice = tetrahedra();
            if (!splitMissing(lattice)) return withFlesh(lattice);
            if (round == mostSplits)
                throw Error(
                    m_where + ": bone \"" + m_rig.skeleton.bones[static_cast<std::size_t>(m_missing)].name + "\"",
                    "it cannot be made of edges of the lattice: another bone runs too close to it",
                    "draw the lattice yourself, or move the bones apart");
        }
    }

private:
    Points positions() const {
        Points x(3, static_cast<Eigen::Index>(m_points.size()));
        for (std::size_t k = 0; k < m_points.size(); ++k) x.col(static_cast<Eigen::Index>(k)) = m_points[k];
        return x;
    }

    /// The vertex at a place, a new one where there is none.
    int vertexAt(const Vector3& x) {
        for (std::size_t k = 0; k < m_points.size(); ++k)
            if ((m_points[k] - x).norm() <= 1e-9 * (1.0 + x.norm())) return static_cast<int>(k);
        m_points.push_back(x);
        return static_cast<int>(m_points.size()) - 1;
    }

    void addBones() {
        const std::vector<bool> skinned = bonesWithSkin(m_rig);
        double vertices = 0.0;
        for (std::size_t b = 0; b < skinned.size(); ++b)
            if (skinned[b])
                for (const BonePiece& piece : bonePiecesOf(m_rig, skinned, b)) vertices += piece.length() / m_spacing;
        if (vertices > 20000.0)
            throw Error(m_where,
                        "the spacing puts " + std::to_string(static_cast<long long>(std::min(vertices, 1e18))) +
                            " vertices along the bones, more than 20000",
                        "take a larger one");
        for (std::size_t b = 0; b < skinned.size(); ++b) {
            if (!skinned[b]) continue;
            for (const BonePiece& piece : bonePiecesOf(m_rig, skinned, b)) {
                m_pieces.push_back(piece);
                const int parts = std::max(1, static_cast<int>(std::ceil(piece.length() / m_spacing - 1e-9)));
                Chain& chain = m_chains.emplace_back();
                chain.bone = static_cast<int>(b);
                for (int k = 0; k <= parts; ++k)
                    chain.vertices.push_back(
                        vertexAt(k == parts ? piece.to : piece.at(k / static_cast<double>(parts))));
            }
        }
    }

    /// How far a point is from the bones, beyond their ends too.
    double fromBones(const Vector3& x) const {
        double nearest = 1e300;
        for (BonePiece piece : m_pieces) {
            piece.jointAtFrom = piece.jointAtTo = false;
            nearest = std::min(nearest, piece.distance(x));
        }
        return nearest;
    }

    /// Points of the body-centred lattice that are inside or at most a spacing outside: whatever tetrahedron of that
    /// lattice holds a point of the flesh has its corners among them.
    void addAround() {
        const Points& x = m_rig.surface.positions;
        const Vector3 lower = x.rowwise().minCoeff() - Vector3::Constant(m_spacing),
                      size = x.rowwise().maxCoeff() + Vector3::Constant(m_spacing) - lower;
        const Eigen::Vector3d count = (size / m_spacing).array().ceil();
        if (!(2.0 * count.prod() < mostVertices))
            throw Error(m_where, "a spacing of " + std::to_string(m_spacing) + " m is too fine for a control lattice",
                        "take a coarser one");
        std::vector<Vector3> candidates;
        for (int i = 0; i <= static_cast<int>(count.x()); ++i)
            for (int j = 0; j <= static_cast<int>(count.y()); ++j)
                for (int k = 0; k <= static_cast<int>(count.z()); ++k)
                    for (const double half : {0.0, 0.5})
                        candidates.push_back(lower + m_spacing * (Vector3(i, j, k) + Vector3::Constant(half)));
        Points all(3, static_cast<Eigen::Index>(candidates.size()));
        for (std::size_t k = 0; k < candidates.size(); ++k) all.col(static_cast<Eigen::Index>(k)) = candidates[k];
        const VectorX distance = distances(all);
        for (std::size_t k = 0; k < candidates.size(); ++k)
            if (distance[static_cast<Eigen::Index>(k)] <= m_spacing &&
                fromBones(candidates[k]) >= leastFromBones * m_spacing)
                m_points.push_back(candidates[k]);
    }

    /// Of many points, the longest of the work.
    VectorX distances(const Points& points) const {
        VectorX all(points.cols());
        for (Eigen::Index begin = 0; begin < points.cols(); begin += pointsAtOnce) {
            const Eigen::Index count = std::min<Eigen::Index>(pointsAtOnce, points.cols() - begin);
            all.segment(begin, count) = signedDistances(m_rig.surface, points.middleCols(begin, count));
            reportProgress(m_progress, stage,
                           0.6 * static_cast<double>(begin + count) / static_cast<double>(points.cols()));
        }
        return all;
    }

    ControlLattice tetrahedra() const {
        ControlLattice lattice;
        lattice.positions = positions();
        const auto corners = delaunay(lattice.positions, m_where);
        for (Eigen::Index e = 0; e < corners.cols(); ++e)
            lattice.cells.push_back(
                {CellKind::Tetrahedron, {corners(0, e), corners(1, e), corners(2, e), corners(3, e)}});
        return lattice;
    }

    /// Halves parts of bones that are no edges. @return whether there were any
    bool splitMissing(const ControlLattice& lattice) {
        std::set<std::array<int, 2>> edges;
        for (const ControlCell& cell : lattice.cells)
            for (const auto& [a, b] : topologyOf(cell.kind).edges) {
                const int i = cell.corners[static_cast<std::size_t>(a)], j = cell.corners[static_cast<std::size_t>(b)];
                edges.insert({std::min(i, j), std::max(i, j)});
            }
        bool split = false;
        for (Chain& chain : m_chains)
            for (std::size_t k = 0; k + 1 < chain.vertices.size(); ++k) {
                const int a = chain.vertices[k], b = chain.vertices[k + 1];
                if (edges.count({std::min(a, b), std::max(a, b)}) > 0) continue;
                const Vector3 middle =
                    0.5 * (m_points[static_cast<std::size_t>(a)] + m_points[static_cast<std::size_t>(b)]);
                chain.vertices.insert(chain.vertices.begin() + static_cast<std::ptrdiff_t>(k) + 1, vertexAt(middle));
                m_missing = chain.bone;
                split = true;
                ++k;
            }
        return split;
    }

    /// Cells with a corner, their middle or a vertex of the surface inside, and those at bones; vertices that remain.
    ControlLattice withFlesh(const ControlLattice& all) const {
        const std::size_t count = all.cells.size();
        Points middles(3, static_cast<Eigen::Index>(count));
        VolumeMesh mesh;
        mesh.positions = all.positions;
        mesh.elements.resize(4, static_cast<Eigen::Index>(count));
        for (std::size_t c = 0; c < count; ++c) {
            const auto e = static_cast<Eigen::Index>(c);
            middles.col(e).setZero();
            for (std::size_t k = 0; k < 4; ++k) {
                mesh.elements(static_cast<Eigen::Index>(k), e) = all.cells[c].corners[k];
                middles.col(e) += 0.25 * all.positions.col(all.cells[c].corners[k]);
            }
        }
        const VectorX atVertices = signedDistances(m_rig.surface, all.positions),
                      atMiddles = signedDistances(m_rig.surface, middles);
        std::vector<bool> kept(count, false);
        for (const MaterialPoint& point : embed(mesh, m_rig.surface.positions))
            kept[static_cast<std::size_t>(point.element)] = true;
        std::set<int> onBones;
        for (const Chain& chain : m_chains) onBones.insert(chain.vertices.begin(), chain.vertices.end());
        ControlLattice lattice;
        std::vector<int> number(static_cast<std::size_t>(all.positions.cols()), -1), used;
        for (std::size_t c = 0; c < count; ++c) {
            ControlCell cell = all.cells[c];
            bool keep = kept[c] || atMiddles[static_cast<Eigen::Index>(c)] < 0.0;
            for (std::size_t k = 0; k < 4; ++k)
                keep = keep || atVertices[cell.corners[k]] < 0.0 || onBones.count(cell.corners[k]) > 0;
            if (!keep) continue;
            for (std::size_t k = 0; k < 4; ++k) {
                int& local = number[static_cast<std::size_t>(cell.corners[k])];
                if (local < 0) {
                    local = static_cast<int>(used.size());
                    used.push_back(cell.corners[k]);
                }
                cell.corners[k] = local;
            }
            lattice.cells.push_back(cell);
        }
        lattice.positions.resize(3, static_cast<Eigen::Index>(used.size()));
        for (std::size_t v = 0; v < used.size(); ++v)
            lattice.positions.col(static_cast<Eigen::Index>(v)) = all.positions.col(used[v]);
        return lattice;
    }

    const Rig& m_rig;
    double m_spacing;
    std::string m_where;
    const ProgressCallback& m_progress;
    std::vector<Vector3> m_points;
    std::vector<BonePiece> m_pieces;
    std::vector<Chain> m_chains;
    int m_missing = 0;  ///< a bone that was no chain of edges in the last round
};

}  // namespace

ControlLattice makeControlLattice(const Rig& rig, const ControlLatticeOptions& options, const std::string& where,
                                  const ProgressCallback& progress) {
    const SurfaceClosure closure = examineClosure(rig.surface);
    if (!closure.closed())
        throw Error(where,
                    "the surface of a character encloses its flesh; this one is not closed, " + openEdgesText(closure),
                    "fill its holes and weld its vertices");
    const Vector3 size = rig.surface.positions.rowwise().maxCoeff() - rig.surface.positions.rowwise().minCoeff();
    const double spacing = options.spacing > 0.0 ? options.spacing : 0.1 * size.maxCoeff();
    if (!(spacing > 0.0 && std::isfinite(spacing))) throw Error(where, "the spacing of the lattice is above zero");
    return LatticeMaker(rig, spacing, where, progress).make();
}

ControlLattice makeControlLattice(const Rig& rig, const ControlLatticeOptions& options, const std::string& where) {
    return makeControlLattice(rig, options, where, ProgressCallback());
}

}  // namespace pliant
