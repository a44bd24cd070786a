// SPDX-License-Identifier: Zlib
#include "pliant/character/BoneCores.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/character/BonePieces.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/Embedding.h"

namespace pliant {
namespace {

constexpr double nowhere = std::numeric_limits<double>::infinity();

std::string bonePlace(const Rig& rig, std::size_t bone, const std::string& where) {
    return where + ": bone \"" + rig.skeleton.bones[bone].name + "\"";
}

class CoreMaker {
public:
    CoreMaker(const Rig& rig, const VolumeMesh& mesh, double share, const std::string& where)
        : m_rig(rig), m_mesh(mesh), m_share(share), m_where(where), m_locator(mesh), m_edge(meanEdge(mesh)) {
        m_skinned = bonesWithSkin(rig);
        m_cores.boneOf.assign(static_cast<std::size_t>(mesh.vertexCount()), -1);
        m_cores.radii.setZero(rig.skeleton.boneCount());
        m_nearest.assign(m_cores.boneOf.size(), std::numeric_limits<double>::infinity());
    }

    BoneCores make(std::vector<std::string>& notes) {
        std::vector<std::vector<BonePiece>> trimmed(m_skinned.size());
        for (std::size_t b = 0; b < m_skinned.size(); ++b)
            if (m_skinned[b]) trimmed[b] = measure(b);
        for (std::size_t b = 0; b < m_skinned.size(); ++b)
            if (m_skinned[b]) claim(b, trimmed[b]);
        for (std::size_t b = 0; b < m_skinned.size(); ++b)
            if (m_skinned[b] && !holdsAny(b)) widen(b, trimmed[b]);
        for (std::size_t b = 0; b < m_skinned.size(); ++b)
            if (m_skinned[b]) cover(b, trimmed[b]);
        if (heldInLine())  // what is held in one line turns about it freely
            for (std::size_t b = 0; b < m_skinned.size(); ++b)
                if (m_skinned[b]) widen(b, trimmed[b]);
        for (std::size_t v = 0; v < m_cores.boneOf.size(); ++v)
            if (m_cores.boneOf[v] >= 0) m_cores.held.push_back(static_cast<int>(v));
        if (!m_widened.empty())
            notes.push_back(m_where + ": the cores of " + m_widened +
                            " are thinner than the bricks, so these bones hold the vertices nearest to them; more "
                            "--voxels make the cores as thin as they should be");
        if (m_cores.held.size() == m_cores.boneOf.size())
            throw Error(m_where, "the cores of the bones hold every vertex of the flesh",
                        "a finer mesh (--voxels) leaves some of them free");
        return m_cores;
    }

private:
    /// The radius of a bone, and what of the bone is away from its joints.
    std::vector<BonePiece> measure(std::size_t b) {
        const std::vector<BonePiece> pieces = bonePiecesOf(m_rig, m_skinned, b);
        if (pieces.empty())
            throw Error(bonePlace(m_rig, b, m_where), "it carries skin and has no length", "give it a child bone");
        const std::vector<Vector3> samples = samplesOf(pieces, 0.5 * m_edge);
        if (std::none_of(samples.begin(), samples.end(), [&](const Vector3& x) { return isInside(x); }))
            throw Error(bonePlace(m_rig, b, m_where), "there is no flesh around it: it lies outside of the surface",
                        "move it into the surface, or take its weights away");
        const double radius = m_share * wayToSurface(m_rig.surface, samples);
        m_cores.radii[static_cast<Eigen::Index>(b)] = radius;
        std::vector<BonePiece> trimmed;
        for (const BonePiece& piece : pieces) trimmed.push_back(piece.withoutJoints(radius));
        return trimmed;
    }

    bool isInside(const Vector3& x) const { return m_locator.locate(x).distance <= boneSlack; }

    /// Vertices in the core; one in two cores belongs to the bone that is nearer, measured in radii.
    void claim(std::size_t b, const std::vector<BonePiece>& pieces) {
        const double radius = m_cores.radii[static_cast<Eigen::Index>(b)];
        for (std::size_t v = 0; v < m_cores.boneOf.size(); ++v) {
            const double d = distanceTo(pieces, m_mesh.positions.col(static_cast<Eigen::Index>(v)));
            if (!(d <= radius * (1.0 + 1e-6) + boneSlack)) continue;
            const double relative = d / std::max(radius, boneSlack);
            if (relative >= m_nearest[v]) continue;
            m_nearest[v] = relative;
            m_cores.boneOf[v] = static_cast<int>(b);
        }
    }

    bool holdsAny(std::size_t b) const {
        return std::find(m_cores.boneOf.begin(), m_cores.boneOf.end(), static_cast<int>(b)) != m_cores.boneOf.end();
    }

    /// Where the mesh is too coarse for the core: the free vertices that are nearest to the bone.
    void widen(std::size_t b, const std::vector<BonePiece>& pieces) {
        double nearest = nowhere;
        for (std::size_t v = 0; v < m_cores.boneOf.size(); ++v)
            if (m_cores.boneOf[v] < 0) nearest = std::min(nearest, distanceTo(pieces, position(v)));
        if (!(nearest < nowhere))
            throw Error(bonePlace(m_rig, b, m_where), "other bones hold all vertices of the flesh around it",
                        "a finer mesh (--voxels) has room for it");
        for (std::size_t v = 0; v < m_cores.boneOf.size(); ++v)
            if (m_cores.boneOf[v] < 0 && distanceTo(pieces, position(v)) <= nearest * (1.0 + 1e-3) + boneSlack)
                m_cores.boneOf[v] = static_cast<int>(b);
        tell(b);
    }

    /// Along a bone whose core is thinner than the bricks vertices lie in it by chance alone: where none is as near as
    /// the corners of a brick are to its middle, the nearest ones are held.
    void cover(std::size_t b, const std::vector<BonePiece>& pieces) {
        const double reach = std::max(m_cores.radii[static_cast<Eigen::Index>(b)], 0.87 * m_edge) * (1.0 + 1e-6);
        bool found = false;
        for (const Vector3& x : samplesOf(pieces, 0.5 * m_edge)) {
            double held = nowhere, nearest = nowhere;
            for (std::size_t v = 0; v < m_cores.boneOf.size(); ++v) {
                const double d = (position(v) - x).norm();
                if (m_cores.boneOf[v] >= 0)
                    held = std::min(held, d);
                else if (d < nearest && distanceTo(pieces, position(v)) < nowhere)
                    nearest = d;
            }
            if (held <= reach || !(nearest < held)) continue;  // of long elements the held ones may be the nearest
            found = true;
            for (std::size_t v = 0; v < m_cores.boneOf.size(); ++v)
                if (m_cores.boneOf[v] < 0 && (position(v) - x).norm() <= nearest * (1.0 + 1e-3) + boneSlack &&
                    distanceTo(pieces, position(v)) < nowhere)
                    m_cores.boneOf[v] = static_cast<int>(b);
        }
        if (found) tell(b);
    }

    void tell(std::size_t b) {
        const std::string name = "\"" + m_rig.skeleton.bones[b].name + "\"";
        if (m_widened.find(name) == std::string::npos) m_widened += (m_widened.empty() ? "" : ", ") + name;
    }

    Vector3 position(std::size_t v) const { return m_mesh.positions.col(static_cast<Eigen::Index>(v)); }

    bool heldInLine() const {
        Vector3 first = Vector3::Zero(), along = Vector3::Zero();
        bool found = false;
        for (std::size_t v = 0; v < m_cores.boneOf.size(); ++v) {
            if (m_cores.boneOf[v] < 0) continue;
            if (!found) first = position(v);
            found = true;
            if ((position(v) - first).norm() > along.norm()) along = position(v) - first;
        }
        for (std::size_t v = 0; v < m_cores.boneOf.size(); ++v)
            if (m_cores.boneOf[v] >= 0 && (position(v) - first).cross(along).norm() > 1e-6 * along.squaredNorm())
                return false;
        return true;
    }

    const Rig& m_rig;
    const VolumeMesh& m_mesh;
    double m_share;
    const std::string& m_where;
    PointLocator m_locator;
    double m_edge;
    std::vector<bool> m_skinned;
    BoneCores m_cores;
    std::string m_widened;          ///< names of bones whose cores were too thin
    std::vector<double> m_nearest;  ///< of each vertex to the bone that holds it, in radii
};

}  // namespace

double meanEdge(const VolumeMesh& mesh) {
    double sum = 0.0;
    for (Eigen::Index e = 0; e < mesh.elements.cols(); ++e)
        sum += (mesh.positions.col(mesh.elements(1, e)) - mesh.positions.col(mesh.elements(0, e))).norm();
    return sum / static_cast<double>(mesh.elements.cols());
}

std::vector<bool> bonesWithSkin(const Rig& rig) {
    std::vector<bool> skinned(rig.skeleton.bones.size(), false);
    for (Eigen::Index v = 0; v < rig.weights.weights.cols(); ++v)
        for (Eigen::Index i = 0; i < 4; ++i)
            if (rig.weights.weights(i, v) > 0.0) skinned[static_cast<std::size_t>(rig.weights.bones(i, v))] = true;
    return skinned;
}

BoneCores boneCores(const Rig& rig, const VolumeMesh& mesh, double share, const std::string& where,
                    std::vector<std::string>& notes) {
    return CoreMaker(rig, mesh, share, where).make(notes);
}

}  // namespace pliant
