// SPDX-License-Identifier: Zlib
#include "pliant/mesh/formats/BackToBack.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "pliant/math/DisjointSets.h"

namespace pliant {
namespace {

using Edge = std::array<int, 2>;  // two places, ascending

/// What is neither front nor back, by edge; and how pairs meet the edges.
class Walls {
public:
    Walls(const SurfaceMesh& mesh, const Triangles& outward, const std::vector<int>& place,
          const std::vector<BackToBack>& pairs)
        : m_mesh(mesh), m_outward(outward), m_place(place), m_pairs(pairs) {
        std::vector<bool> isPaired(static_cast<std::size_t>(mesh.triangleCount()), false);
        for (const BackToBack& pair : pairs)
            isPaired[static_cast<std::size_t>(pair.first)] = isPaired[static_cast<std::size_t>(pair.second)] = true;
        for (std::size_t p = 0; p < pairs.size(); ++p)
            for (int side = 0; side < 3; ++side) m_pairsAt[edge(pairs[p].first, side)].push_back(p);
        for (Eigen::Index t = 0; t < mesh.triangles.cols(); ++t)
            for (int side = 0; side < 3 && !isPaired[static_cast<std::size_t>(t)] && !isThin(t); ++side)
                if (const Edge at = edge(t, side); m_pairsAt.count(at) > 0) m_othersAt[at].push_back(t);
    }

    std::vector<BackToBack> find() {
        DisjointSets sheets(m_pairs.size());
        for (const auto& [at, of] : m_pairsAt)
            if (m_othersAt.count(at) == 0)
                for (const std::size_t p : of) sheets.join(static_cast<int>(of.front()), static_cast<int>(p));
        const auto sheetOf = [&](std::size_t p) {
            return static_cast<std::size_t>(sheets.lowest(static_cast<int>(p)));
        };
        std::vector<bool> touches(m_pairs.size(), false), isNone = touches;  // by the lowest pair of the sheet
        for (const auto& [at, of] : m_pairsAt) {
            const auto others = m_othersAt.find(at);
            for (const std::size_t p : of) {
                if (others == m_othersAt.end()) {
                    if (of.size() == 1) isNone[sheetOf(p)] = true;  // it ends here
                    continue;
                }
                touches[sheetOf(p)] = true;
                if (!isInside(at, m_pairs[p].first, others->second)) isNone[sheetOf(p)] = true;
            }
        }
        for (std::size_t p = 0; p < m_pairs.size(); ++p)
            if (isTransparent(m_pairs[p].first) || isTransparent(m_pairs[p].second)) isNone[sheetOf(p)] = true;
        std::vector<BackToBack> walls;
        for (std::size_t p = 0; p < m_pairs.size(); ++p)
            if (touches[sheetOf(p)] && !isNone[sheetOf(p)]) walls.push_back(m_pairs[p]);
        return walls;
    }

private:
    int placeOf(Eigen::Index t, int corner) const {
        return m_place[static_cast<std::size_t>(m_mesh.triangles(corner % 3, t))];
    }
    Edge edge(Eigen::Index t, int side) const {
        const int a = placeOf(t, side), b = placeOf(t, side + 1);
        return {std::min(a, b), std::max(a, b)};
    }

    /// Whether two of its corners are at one place: it has no direction from the edge between the others.
    bool isThin(Eigen::Index t) const {
        return placeOf(t, 0) == placeOf(t, 1) || placeOf(t, 1) == placeOf(t, 2) || placeOf(t, 2) == placeOf(t, 0);
    }
    bool isTransparent(Eigen::Index t) const {
        const int material = m_mesh.triangleMaterial[static_cast<std::size_t>(t)];
        if (m_mesh.materials[static_cast<std::size_t>(material)].opacity < 1.0) return true;
        for (int c = 0; c < 3 && m_mesh.colours.cols() > 0; ++c)
            if (m_mesh.colours(3, m_mesh.triangles(c, t)) < 1.0F) return true;
        return false;
    }

    /// From the edge into the triangle, at right angles to the edge.
    Vector3 direction(Eigen::Index t, const Edge& at, const Vector3& from, const Vector3& along) const {
        int corner = 0;
        while (corner < 2 && (placeOf(t, corner) == at[0] || placeOf(t, corner) == at[1])) ++corner;
        const Vector3 to = m_mesh.positions.col(m_mesh.triangles(corner, t)) - from;
        return (to - to.dot(along) * along).normalized();
    }

    Vector3 outwardOf(Eigen::Index t) const {
        const Vector3 a = m_mesh.positions.col(m_outward(0, t)), b = m_mesh.positions.col(m_outward(1, t)),
                      c = m_mesh.positions.col(m_outward(2, t));
        return (b - a).cross(c - a);
    }

    /// Whether material lies on both sides of `wall` at the edge: the others next to it about the edge, either way
    /// round, face away from it. None of them is transparent.
    bool isInside(const Edge& at, Eigen::Index wall, const std::vector<Eigen::Index>& others) const {
        const Vector3 from = m_mesh.positions.col(at[0]);
        const Vector3 along = (Vector3(m_mesh.positions.col(at[1])) - from).normalized();
        const Vector3 x = direction(wall, at, from, along), y = along.cross(x);
        constexpr double whole = 2.0 * 3.14159265358979323846, coincident = 1e-6;
        double least = whole, most = 0.0;
        bool facesAwayFirst = false, facesAwayLast = false;
        for (const Eigen::Index t : others) {
            if (isTransparent(t)) return false;
            const Vector3 d = direction(t, at, from, along);
            double angle = std::atan2(d.dot(y), d.dot(x));
            if (angle < 0.0) angle += whole;
            if (angle < coincident || angle > whole - coincident) return false;
            const bool turnsOn = outwardOf(t).dot(along.cross(d)) > 0.0;  // its outside lies at larger angles
            if (angle < least) facesAwayFirst = turnsOn;
            if (angle > most) facesAwayLast = !turnsOn;
            least = std::min(least, angle);
            most = std::max(most, angle);
        }
        return facesAwayFirst && facesAwayLast;
    }

    const SurfaceMesh& m_mesh;
    const Triangles& m_outward;
    const std::vector<int>& m_place;
    const std::vector<BackToBack>& m_pairs;
    std::map<Edge, std::vector<std::size_t>> m_pairsAt;
    std::map<Edge, std::vector<Eigen::Index>> m_othersAt;
};

}  // namespace

std::vector<BackToBack> backToBack(const SurfaceMesh& mesh, const std::vector<int>& place) {
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
        if (at[0] == at[1] || at[1] == at[2]) continue;  // thinner than the places are wide
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

bool looksTheSame(const SurfaceMesh& mesh, const std::vector<int>& place, const BackToBack& pair) {
    const auto materialOf = [&](Eigen::Index t) { return mesh.triangleMaterial[static_cast<std::size_t>(t)]; };
    if (materialOf(pair.first) != materialOf(pair.second)) return false;
    const auto differ = [](const auto& columns, int a, int b) {
        using Number = typename std::decay_t<decltype(columns)>::Scalar;
        return columns.cols() > 0 && (columns.col(a) - columns.col(b)).cwiseAbs().maxCoeff() > Number(1e-5);
    };
    for (Eigen::Index c = 0; c < 3; ++c)
        for (Eigen::Index k = 0; k < 3; ++k) {
            const int a = mesh.triangles(c, pair.first), b = mesh.triangles(k, pair.second);
            if (place[static_cast<std::size_t>(a)] != place[static_cast<std::size_t>(b)]) continue;
            if (differ(mesh.texcoords, a, b) || differ(mesh.colours, a, b)) return false;
        }
    return true;
}

std::vector<BackToBack> wallsAmong(const SurfaceMesh& mesh, const Triangles& outward, const std::vector<int>& place,
                                   const std::vector<BackToBack>& pairs) {
    if (outward.cols() != mesh.triangles.cols()) return {};  // some have no area
    return Walls(mesh, outward, place, pairs).find();
}

}  // namespace pliant
