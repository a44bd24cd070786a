// SPDX-License-Identifier: Zlib
#include "pliant/mesh/formats/MendSurface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

#include "pliant/math/DisjointSets.h"
#include "pliant/mesh/SurfaceClosure.h"
#include "pliant/mesh/SurfaceNormals.h"
#include "pliant/mesh/formats/CloseSeams.h"

namespace pliant {
namespace {

std::string trianglesText(std::size_t count, const char* one, const char* many) {
    return std::to_string(count) + (count == 1 ? " triangle " : " triangles ") + (count == 1 ? one : many);
}

/// Triangles that lie on each other, one the other way round: front and back of a double-sided surface, or two walls of
/// bodies that touch.
struct BackToBack {
    Eigen::Index first, second;
};

std::vector<BackToBack> backToBack(const SurfaceMesh& mesh) {
    int places = 0;
    const std::vector<int> place = positionNumbers(mesh.positions, places);
    struct Turned {
        std::array<int, 3> at;  // ascending
        bool isEven;            // how many swaps lead there
        Eigen::Index triangle;
    };
    std::vector<Turned> all;
    all.reserve(static_cast<std::size_t>(mesh.triangleCount()));
    for (Eigen::Index t = 0; t < mesh.triangles.cols(); ++t) {
        std::array<int, 3> at{};
        for (std::size_t c = 0; c < 3; ++c)
            at[c] = place[static_cast<std::size_t>(mesh.triangles(static_cast<Eigen::Index>(c), t))];
        const bool isEven = ((at[0] > at[1]) + (at[1] > at[2]) + (at[0] > at[2])) % 2 == 0;
        std::sort(at.begin(), at.end());
        all.push_back({at, isEven, t});
    }
    std::sort(all.begin(), all.end(),
              [](const Turned& a, const Turned& b) { return a.at != b.at ? a.at < b.at : a.triangle < b.triangle; });
    std::vector<BackToBack> pairs;
    for (std::size_t i = 1; i < all.size(); ++i) {
        if (all[i].at != all[i - 1].at || all[i].isEven == all[i - 1].isEven) continue;
        pairs.push_back({all[i - 1].triangle, all[i].triangle});
        ++i;  // the pair is complete
    }
    return pairs;
}

/// Those of the pairs that are walls between bodies that touch, not sheets with two sides: the triangles of a wall hang
/// together up to edges of others, all around.
std::vector<BackToBack> wallsAmong(const SurfaceMesh& mesh, const std::vector<BackToBack>& pairs) {
    int places = 0;
    const std::vector<int> place = positionNumbers(mesh.positions, places);
    const auto edge = [&](Eigen::Index t, int side) {
        const int a = place[static_cast<std::size_t>(mesh.triangles(side, t))],
                  b = place[static_cast<std::size_t>(mesh.triangles((side + 1) % 3, t))];
        return std::array<int, 2>{std::min(a, b), std::max(a, b)};
    };
    std::vector<bool> isPaired(static_cast<std::size_t>(mesh.triangleCount()), false);
    for (const BackToBack& pair : pairs)
        isPaired[static_cast<std::size_t>(pair.first)] = isPaired[static_cast<std::size_t>(pair.second)] = true;
    std::map<std::array<int, 2>, std::vector<std::size_t>> pairsAt;
    for (std::size_t p = 0; p < pairs.size(); ++p)
        for (int side = 0; side < 3; ++side) pairsAt[edge(pairs[p].first, side)].push_back(p);
    std::set<std::array<int, 2>> ofOthers;
    for (Eigen::Index t = 0; t < mesh.triangles.cols(); ++t)
        for (int side = 0; side < 3 && !isPaired[static_cast<std::size_t>(t)]; ++side) ofOthers.insert(edge(t, side));
    DisjointSets sheets(pairs.size());
    for (const auto& [at, of] : pairsAt)
        for (const std::size_t p : of) sheets.join(static_cast<int>(of.front()), static_cast<int>(p));
    std::vector<bool> ends(pairs.size(), false), touches(pairs.size(), false);  // by the lowest pair of the sheet
    for (const auto& [at, of] : pairsAt) {
        if (of.size() > 1) continue;
        const auto sheet = static_cast<std::size_t>(sheets.lowest(static_cast<int>(of.front())));
        (ofOthers.count(at) > 0 ? touches : ends)[sheet] = true;
    }
    std::vector<BackToBack> walls;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        const auto sheet = static_cast<std::size_t>(sheets.lowest(static_cast<int>(p)));
        if (touches[sheet] && !ends[sheet]) walls.push_back(pairs[p]);
    }
    return walls;
}

SurfaceMesh without(const SurfaceMesh& mesh, std::vector<Eigen::Index> left) {
    std::sort(left.begin(), left.end());
    SurfaceMesh part = mesh;
    part.triangleMaterial.clear();
    part.triangleGroup.clear();
    auto next = left.begin();
    for (Eigen::Index t = 0; t < mesh.triangles.cols(); ++t) {
        if (next != left.end() && *next == t) {
            ++next;
            continue;
        }
        part.triangles.col(static_cast<Eigen::Index>(part.triangleMaterial.size())) = mesh.triangles.col(t);
        part.triangleMaterial.push_back(mesh.triangleMaterial[static_cast<std::size_t>(t)]);
        if (!mesh.triangleGroup.empty()) part.triangleGroup.push_back(mesh.triangleGroup[static_cast<std::size_t>(t)]);
    }
    part.triangles.conservativeResize(3, static_cast<Eigen::Index>(part.triangleMaterial.size()));
    return part;
}

std::string seamsText(const ClosedSeams& seams, const char* distance) {
    std::string text;
    if (seams.moved > 0)
        text = std::to_string(seams.moved) + (seams.moved == 1 ? " vertex" : " vertices") + " moved by at most " +
               distance + " m to others";
    if (seams.split > 0)
        text += (text.empty() ? "" : ", ") + std::to_string(seams.split) +
                (seams.split == 1 ? " edge split where corners of others lie in it"
                                  : " edges split where corners of others lie in them");
    return text;
}

class Mender {
public:
    Mender(SurfaceMesh& mesh, bool hasNormals, const std::string& where)
        : m_mesh(mesh), m_hasNormals(hasNormals), m_where(where), m_closure(examineClosure(mesh)) {}

    std::vector<std::string> mend() {
        leaveOutBacks();
        if (!m_closure.closed()) closeSeamsOfAll();
        face();
        if (!m_notes.empty() && !m_hasNormals) computeNormals(m_mesh);
        return std::move(m_notes);
    }

private:
    void tell(const std::string& what) { m_notes.push_back(m_where + ": " + what); }

    /// Of walls of bodies that touch both triangles go, of a double-sided surface the backs that look like their
    /// fronts.
    void leaveOutBacks() {
        const std::vector<BackToBack> pairs = backToBack(m_mesh);
        if (pairs.empty()) return;
        std::vector<Eigen::Index> walls, backs;
        const auto materialOf = [this](Eigen::Index t) { return m_mesh.triangleMaterial[static_cast<std::size_t>(t)]; };
        for (const BackToBack& pair : wallsAmong(m_mesh, pairs)) walls.insert(walls.end(), {pair.first, pair.second});
        for (const BackToBack& pair : pairs)
            if (materialOf(pair.first) == materialOf(pair.second)) backs.push_back(pair.second);
        if (m_closure.closed())
            leaveOut(walls, "of walls between bodies that touch left out: they are one");
        else
            leaveOut(backs, "left out that are backs of others: both sides are drawn");
    }

    void leaveOut(const std::vector<Eigen::Index>& triangles, const char* what) {
        if (triangles.empty()) return;
        SurfaceMesh mended = without(m_mesh, triangles);
        SurfaceClosure closure = examineClosure(mended);
        if (m_closure.closed() && !closure.closed()) return;
        m_mesh = std::move(mended);
        m_closure = std::move(closure);
        tell(trianglesText(triangles.size(), what, what));
    }

    /// The smallest tolerance that closes the surface; none where it stays open.
    void closeSeamsOfAll() {
        const Points& x = m_mesh.positions;
        const double diagonal = (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).norm();
        for (const double share : {1e-6, 1e-5, 1e-4}) {
            SurfaceMesh mended = m_mesh;
            const ClosedSeams seams = closeSeams(mended, share * diagonal);
            if (!seams.any()) continue;
            SurfaceClosure closure = examineClosure(mended);
            if (!closure.closed()) continue;
            char distance[32];
            std::snprintf(distance, sizeof distance, "%.2g", share * diagonal);
            tell("open seams closed: " + seamsText(seams, distance));
            m_mesh = std::move(mended);
            m_closure = std::move(closure);
            return;
        }
    }

    void face() {
        const Triangles& facing = m_closure.triangles;
        if (facing.cols() != m_mesh.triangles.cols() || (m_hasNormals && !m_closure.closed())) return;
        std::size_t turned = 0;
        for (Eigen::Index t = 0; t < facing.cols(); ++t) turned += facing.col(t) != m_mesh.triangles.col(t) ? 1 : 0;
        if (turned == 0) return;
        m_mesh.triangles = facing;
        tell(trianglesText(turned, "turned, which faced", "turned, which faced") +
             (m_closure.closed() ? " inwards" : " another way than their neighbours"));
        if (m_hasNormals) turnNormals();
    }

    /// Normals of the file that point into the surface.
    void turnNormals() {
        Points faces = Points::Zero(3, m_mesh.vertexCount());
        for (const auto& corner : m_mesh.triangles.colwise()) {
            const Vector3 a = m_mesh.positions.col(corner[0]), b = m_mesh.positions.col(corner[1]),
                          c = m_mesh.positions.col(corner[2]);
            for (Eigen::Index k = 0; k < 3; ++k) faces.col(corner[k]) += (b - a).cross(c - a);
        }
        for (int v = 0; v < m_mesh.vertexCount(); ++v)
            if (faces.col(v).dot(m_mesh.normals.col(v)) < 0.0) m_mesh.normals.col(v) *= -1.0;
    }

    SurfaceMesh& m_mesh;
    bool m_hasNormals;
    const std::string& m_where;
    SurfaceClosure m_closure;
    std::vector<std::string> m_notes;
};

}  // namespace

std::vector<std::string> mendSurface(SurfaceMesh& mesh, bool hasNormals, const std::string& where) {
    return Mender(mesh, hasNormals, where).mend();
}

}  // namespace pliant
