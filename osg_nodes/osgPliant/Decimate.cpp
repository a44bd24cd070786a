// SPDX-License-Identifier: Zlib
#include "osgPliant/Decimate.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <set>

namespace osgPliant {

namespace {

using pliant::Vector3;

/// Sum of weight * (n . x + d)^2 over planes.
struct Quadric {
    pliant::Matrix3 a = pliant::Matrix3::Zero();
    Vector3 b = Vector3::Zero();
    double c = 0.0;
    double weight = 0.0;

    void addPlane(const Vector3& n, const Vector3& point, double w) {
        const double d = -n.dot(point);
        a += w * n * n.transpose();
        b += w * d * n;
        c += w * d * d;
        weight += w;
    }
    void add(const Quadric& other) {
        a += other.a;
        b += other.b;
        c += other.c;
        weight += other.weight;
    }
    /// Mean squared distance of x to the planes, m^2.
    double at(const Vector3& x) const {
        return weight > 0.0 ? std::max(0.0, (x.dot(a * x) + 2.0 * b.dot(x) + c) / weight) : 0.0;
    }
};

struct Collapse {
    double cost;
    int from, to;
    int stamp;                                     ///< of both ends together when the cost was computed
    bool operator<(const Collapse& other) const {  // the cheapest on top, ties by number
        if (cost != other.cost) return cost > other.cost;
        return from != other.from ? from > other.from : to > other.to;
    }
};

/// Distance of a point from a triangle.
double distanceToTriangle(const Vector3& x, const Vector3& a, const Vector3& b, const Vector3& c) {
    const auto toEdge = [&](const Vector3& p, const Vector3& q) {
        const double squared = (q - p).squaredNorm();
        const double share = squared > 0.0 ? std::clamp((x - p).dot(q - p) / squared, 0.0, 1.0) : 0.0;
        return (x - p - share * (q - p)).norm();
    };
    const double border = std::min({toEdge(a, b), toEdge(b, c), toEdge(c, a)});
    const Vector3 normal = (b - a).cross(c - a);
    if (!(normal.norm() > 0.0)) return border;
    const auto isInside = [&](const Vector3& p, const Vector3& q) { return normal.dot((q - p).cross(x - p)) >= 0.0; };
    const bool above = isInside(a, b) && isInside(b, c) && isInside(c, a);
    return above ? std::min(border, std::abs(normal.normalized().dot(x - a))) : border;
}

class Decimator {
public:
    Decimator(const pliant::SurfaceMesh& surface, const std::vector<int>& array);
    void run(int target);
    Decimated result() const;

private:
    void keepOutlines();
    void push(int a, int b);
    std::set<int> neighbours(int v) const;
    bool allowed(int from, int to) const;
    int arrayOf(int v) const { return m_array.empty() ? 0 : m_array[static_cast<std::size_t>(v)]; }
    bool hasCornerFor(int triangle, int to) const;
    void collapse(int from, int to);
    double farthestVertex() const;

    const pliant::SurfaceMesh& m_surface;
    const std::vector<int>& m_array;
    std::vector<int> m_weld;
    std::vector<std::vector<int>> m_twins;      ///< vertices at the position of a welded one
    std::vector<std::array<int, 3>> m_corners;  ///< welded
    std::vector<bool> m_gone;
    std::vector<std::vector<int>> m_around;  ///< triangles of a vertex, some of them gone
    std::vector<Quadric> m_quadrics;
    std::vector<int> m_stamp;
    std::vector<int> m_moved;  ///< where a welded vertex went
    std::priority_queue<Collapse> m_queue;
    int m_left = 0;
    double m_error = 0.0;
};

Decimator::Decimator(const pliant::SurfaceMesh& surface, const std::vector<int>& array)
    : m_surface(surface), m_array(array), m_weld(weldByPosition(surface.positions)) {
    const auto d = static_cast<std::size_t>(surface.vertexCount());
    m_twins.resize(d);
    for (std::size_t v = 0; v < d; ++v) m_twins[static_cast<std::size_t>(m_weld[v])].push_back(static_cast<int>(v));
    m_around.resize(d);
    m_quadrics.resize(d);
    m_stamp.assign(d, 0);
    m_moved.resize(d);
    std::iota(m_moved.begin(), m_moved.end(), 0);
    std::set<std::pair<int, int>> edges;
    for (int t = 0; t < surface.triangleCount(); ++t) {
        std::array<int, 3> corner{};
        for (int k = 0; k < 3; ++k) {
            corner[static_cast<std::size_t>(k)] = m_weld[static_cast<std::size_t>(surface.triangles(k, t))];
        }
        m_corners.push_back(corner);
        const Vector3 p = surface.positions.col(corner[0]);
        const Vector3 normal = (surface.positions.col(corner[1]) - p).cross(surface.positions.col(corner[2]) - p);
        const double area = 0.5 * normal.norm();
        m_gone.push_back(!(area > 0.0));
        if (m_gone.back()) continue;
        ++m_left;
        for (std::size_t k = 0; k < 3; ++k) {
            const auto v = static_cast<std::size_t>(corner[k]);
            m_quadrics[v].addPlane(normal.normalized(), p, area);
            m_around[v].push_back(t);
            edges.insert(std::minmax(corner[k], corner[(k + 1) % 3]));
        }
    }
    keepOutlines();
    for (const auto& [a, b] : edges) push(a, b);
}

// Where colours meet and where the surface ends moving a vertex along the surface is seen, too. Such edges count as
// planes upright on their triangles [GH97], with ten times the weight of a triangle of their
// length.
void Decimator::keepOutlines() {
    struct Side {
        int triangle, material, count;
    };
    std::map<std::pair<int, int>, Side> sides;
    const auto materialOf = [this](std::size_t t) {
        return t < m_surface.triangleMaterial.size() ? m_surface.triangleMaterial[t] : 0;
    };
    const auto addUpright = [this](const std::pair<int, int>& edge, int triangle) {
        const auto& corner = m_corners[static_cast<std::size_t>(triangle)];
        const Vector3 p = m_surface.positions.col(corner[0]), from = m_surface.positions.col(edge.first),
                      along = m_surface.positions.col(edge.second) - from;
        const Vector3 normal =
            (m_surface.positions.col(corner[1]) - p).cross(m_surface.positions.col(corner[2]) - p).normalized();
        for (const int v : {edge.first, edge.second})
            m_quadrics[static_cast<std::size_t>(v)].addPlane(normal.cross(along).normalized(), from,
                                                             10.0 * along.squaredNorm());
    };
    for (std::size_t t = 0; t < m_corners.size(); ++t) {
        if (m_gone[t]) continue;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::pair<int, int> edge = std::minmax(m_corners[t][k], m_corners[t][(k + 1) % 3]);
            const auto triangle = static_cast<int>(t);
            const auto [side, isNew] = sides.try_emplace(edge, Side{triangle, materialOf(t), 0});
            ++side->second.count;
            if (isNew || side->second.material == materialOf(t)) continue;
            addUpright(edge, triangle);
            addUpright(edge, side->second.triangle);
        }
    }
    for (const auto& [edge, side] : sides)
        if (side.count == 1) addUpright(edge, side.triangle);
}

void Decimator::push(int a, int b) {
    Quadric sum = m_quadrics[static_cast<std::size_t>(a)];
    sum.add(m_quadrics[static_cast<std::size_t>(b)]);
    const double costA = sum.at(m_surface.positions.col(a)), costB = sum.at(m_surface.positions.col(b));
    const int stamp = m_stamp[static_cast<std::size_t>(a)] + m_stamp[static_cast<std::size_t>(b)];
    // A little weight on length: flat regions are otherwise all free, and thin out unevenly.
    const double length = (m_surface.positions.col(a) - m_surface.positions.col(b)).squaredNorm();
    const bool toA = costA < costB;
    m_queue.push({std::min(costA, costB) + 1e-4 * length, toA ? b : a, toA ? a : b, stamp});
}

std::set<int> Decimator::neighbours(int v) const {
    std::set<int> found;
    for (const int t : m_around[static_cast<std::size_t>(v)]) {
        if (m_gone[static_cast<std::size_t>(t)]) continue;
        for (const int w : m_corners[static_cast<std::size_t>(t)]) {
            if (w != v) found.insert(w);
        }
    }
    return found;
}

/// Whether a triangle finds a vertex of its array where a corner of it would go.
bool Decimator::hasCornerFor(int triangle, int to) const {
    if (m_array.empty()) return true;
    const int array = arrayOf(m_surface.triangles(0, triangle));
    const std::vector<int>& twins = m_twins[static_cast<std::size_t>(to)];
    return std::any_of(twins.begin(), twins.end(), [&](int v) { return arrayOf(v) == array; });
}

/// Neither tears (the ends share neighbours only across their common triangles) nor folds (no triangle turns over).
bool Decimator::allowed(int from, int to) const {
    int shared = 0;
    for (const int t : m_around[static_cast<std::size_t>(from)]) {
        if (m_gone[static_cast<std::size_t>(t)]) continue;
        const auto& corner = m_corners[static_cast<std::size_t>(t)];
        if (std::find(corner.begin(), corner.end(), to) != corner.end()) {
            ++shared;
            continue;
        }
        if (!hasCornerFor(t, to)) return false;
        Vector3 before[3], after[3];
        for (std::size_t k = 0; k < 3; ++k) {
            before[k] = m_surface.positions.col(corner[k]);
            after[k] = corner[k] == from ? Vector3(m_surface.positions.col(to)) : before[k];
        }
        const Vector3 n = (before[1] - before[0]).cross(before[2] - before[0]);
        const Vector3 m = (after[1] - after[0]).cross(after[2] - after[0]);
        if (!(n.dot(m) > 0.2 * n.norm() * m.norm())) return false;
    }
    if (shared == 0) return false;
    const std::set<int> a = neighbours(from), b = neighbours(to);
    std::vector<int> common;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
    return static_cast<int>(common.size()) <= shared;
}

void Decimator::collapse(int from, int to) {
    auto& target = m_around[static_cast<std::size_t>(to)];
    for (const int t : m_around[static_cast<std::size_t>(from)]) {
        if (m_gone[static_cast<std::size_t>(t)]) continue;
        auto& corner = m_corners[static_cast<std::size_t>(t)];
        if (std::find(corner.begin(), corner.end(), to) != corner.end()) {
            m_gone[static_cast<std::size_t>(t)] = true;
            --m_left;
        } else {
            std::replace(corner.begin(), corner.end(), from, to);
            target.push_back(t);
        }
    }
    m_around[static_cast<std::size_t>(from)].clear();
    m_quadrics[static_cast<std::size_t>(to)].add(m_quadrics[static_cast<std::size_t>(from)]);
    m_moved[static_cast<std::size_t>(from)] = to;
    ++m_stamp[static_cast<std::size_t>(from)];
    ++m_stamp[static_cast<std::size_t>(to)];
    for (const int v : neighbours(to)) push(v, to);
}

void Decimator::run(int target) {
    while (m_left > target && !m_queue.empty()) {
        const Collapse next = m_queue.top();
        m_queue.pop();
        const auto from = static_cast<std::size_t>(next.from), to = static_cast<std::size_t>(next.to);
        if (next.stamp != m_stamp[from] + m_stamp[to] || m_moved[from] != next.from || m_moved[to] != next.to) continue;
        if (!allowed(next.from, next.to)) continue;
        m_error = std::max(m_error, std::sqrt(next.cost));
        collapse(next.from, next.to);
    }
}

/// Vertices against the triangles around where they have gone and around its neighbours: no less than their distance
/// from the surface.
double Decimator::farthestVertex() const {
    double farthest = 0.0;
    for (std::size_t v = 0; v < m_moved.size(); ++v) {
        int to = m_weld[v];
        while (m_moved[static_cast<std::size_t>(to)] != to) to = m_moved[static_cast<std::size_t>(to)];
        if (to == m_weld[v]) continue;
        const Vector3 x = m_surface.positions.col(static_cast<Eigen::Index>(v));
        double nearest = (x - m_surface.positions.col(to)).norm();
        std::set<int> places = neighbours(to);
        places.insert(to);
        for (const int place : places) {
            for (const int t : m_around[static_cast<std::size_t>(place)]) {
                if (m_gone[static_cast<std::size_t>(t)]) continue;
                const auto& corner = m_corners[static_cast<std::size_t>(t)];
                nearest = std::min(nearest, distanceToTriangle(x, m_surface.positions.col(corner[0]),
                                                               m_surface.positions.col(corner[1]),
                                                               m_surface.positions.col(corner[2])));
            }
        }
        farthest = std::max(farthest, nearest);
    }
    return farthest;
}

Decimated Decimator::result() const {
    const bool mapped = m_surface.texcoords.cols() == m_surface.positions.cols();
    // Of the vertices at one position, the one that looks most like the corner it replaces.
    const auto twin = [&](int original, int welded) {
        int best = welded;
        double least = std::numeric_limits<double>::max();
        for (const int v : m_twins[static_cast<std::size_t>(welded)]) {
            if (arrayOf(v) != arrayOf(original)) continue;
            double difference = (m_surface.normals.col(v) - m_surface.normals.col(original)).squaredNorm();
            if (mapped) difference += (m_surface.texcoords.col(v) - m_surface.texcoords.col(original)).squaredNorm();
            if (difference < least) {
                least = difference;
                best = v;
            }
        }
        return best;
    };
    Decimated out;
    out.error = m_error;
    if (!m_array.empty()) out.farthest = farthestVertex();
    out.triangles.resize(3, m_left);
    Eigen::Index column = 0;
    for (std::size_t t = 0; t < m_corners.size(); ++t) {
        if (m_gone[t]) continue;
        for (int k = 0; k < 3; ++k) {
            out.triangles(k, column) =
                twin(m_surface.triangles(k, static_cast<Eigen::Index>(t)), m_corners[t][static_cast<std::size_t>(k)]);
        }
        ++column;
        out.triangleMaterial.push_back(t < m_surface.triangleMaterial.size() ? m_surface.triangleMaterial[t] : 0);
    }
    return out;
}

}  // namespace

std::vector<int> weldByPosition(const pliant::Points& positions) {
    std::vector<int> order(static_cast<std::size_t>(positions.cols()));
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](int v) { return std::array<double, 3>{positions(0, v), positions(1, v), positions(2, v)}; };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
    std::vector<int> first(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool same = i > 0 && key(order[i]) == key(order[i - 1]);
        first[static_cast<std::size_t>(order[i])] = same ? first[static_cast<std::size_t>(order[i - 1])] : order[i];
    }
    return first;
}

std::vector<Decimated> decimate(const pliant::SurfaceMesh& surface, const std::vector<int>& targetTriangles,
                                const std::vector<int>& array) {
    Decimator decimator(surface, array);
    std::vector<Decimated> results;
    for (const int target : targetTriangles) {
        decimator.run(target);
        results.push_back(decimator.result());
    }
    return results;
}

std::vector<Decimated> coarserLevels(const pliant::SurfaceMesh& surface, const std::vector<int>& array) {
    constexpr int fewest = 60;
    constexpr std::size_t most = 5;
    std::vector<int> targets;
    for (int target = surface.triangleCount() / 2; target >= fewest && targets.size() < most; target /= 2)
        targets.push_back(target);
    std::vector<Decimated> levels;
    Eigen::Index before = surface.triangles.cols();
    for (Decimated& coarse : decimate(surface, targets, array)) {
        if (coarse.triangles.cols() > before * 3 / 4) break;  // nothing left to gain
        before = coarse.triangles.cols();
        levels.push_back(std::move(coarse));
    }
    return levels;
}

}  // namespace osgPliant
