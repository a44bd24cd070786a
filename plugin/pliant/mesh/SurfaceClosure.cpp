// SPDX-License-Identifier: Zlib
#include "pliant/mesh/SurfaceClosure.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "pliant/mesh/SurfaceNormals.h"

namespace pliant {
namespace {

/// One side of a triangle, from the lower to the higher vertex; forward where the triangle runs that way.
struct Side {
    int low, high, triangle;
    bool forward;
};

std::vector<Side> sidesOf(const Triangles& triangles) {
    std::vector<Side> sides;
    for (int t = 0; t < static_cast<int>(triangles.cols()); ++t)
        for (int c = 0; c < 3; ++c) {
            const int a = triangles(c, t), b = triangles((c + 1) % 3, t);
            sides.push_back({std::min(a, b), std::max(a, b), t, a < b});
        }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return std::tie(a.low, a.high, a.triangle, a.forward) < std::tie(b.low, b.high, b.triangle, b.forward);
    });
    return sides;
}

/// Calls visit(first, last) for the sides of every edge.
template <typename Visit>
void forEachEdge(const std::vector<Side>& sides, const Visit& visit) {
    for (std::size_t first = 0; first < sides.size();) {
        std::size_t last = first + 1;
        while (last < sides.size() && sides[last].low == sides[first].low && sides[last].high == sides[first].high)
            ++last;
        visit(first, last);
        first = last;
    }
}

/// Edges that as many triangles run along forwards as backwards are closed.
int openEdges(const std::vector<Side>& sides) {
    int open = 0;
    forEachEdge(sides, [&](std::size_t first, std::size_t last) {
        int balance = 0;
        for (std::size_t s = first; s < last; ++s) balance += sides[s].forward ? 1 : -1;
        open += balance != 0 ? 1 : 0;
    });
    return open;
}

/// Those of them with more than two triangles.
int crowdedEdges(const std::vector<Side>& sides) {
    int crowded = 0;
    forEachEdge(sides, [&](std::size_t first, std::size_t last) {
        int balance = 0;
        for (std::size_t s = first; s < last; ++s) balance += sides[s].forward ? 1 : -1;
        crowded += balance != 0 && last - first > 2 ? 1 : 0;
    });
    return crowded;
}

/// Pieces of triangles that share edges, numbered by their lowest triangle.
std::vector<int> edgePieces(const std::vector<Side>& sides, int triangleCount, int& count) {
    std::vector<int> parent(static_cast<std::size_t>(triangleCount));
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int t) {
        while (parent[static_cast<std::size_t>(t)] != t) {
            int& up = parent[static_cast<std::size_t>(t)];
            up = parent[static_cast<std::size_t>(up)];
            t = up;
        }
        return t;
    };
    forEachEdge(sides, [&](std::size_t first, std::size_t last) {
        for (std::size_t s = first; s < last; ++s) {
            const int a = root(sides[first].triangle), b = root(sides[s].triangle);
            parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
        }
    });
    std::vector<int> piece(static_cast<std::size_t>(triangleCount), -1);
    count = 0;
    for (int t = 0; t < triangleCount; ++t) {
        const int r = root(t);
        piece[static_cast<std::size_t>(t)] = r == t ? count++ : piece[static_cast<std::size_t>(r)];
    }
    return piece;
}

/// Turns triangles until neighbours across edges of two agree, each piece as its lowest triangle goes.
void agree(const std::vector<Side>& sides, Triangles& triangles) {
    struct Link {
        int from, to;
        bool same;  // they run the same way along the edge: one of them must turn
    };
    std::vector<Link> links;
    forEachEdge(sides, [&](std::size_t first, std::size_t last) {
        if (last - first != 2) return;
        const Side &a = sides[first], &b = sides[first + 1];
        links.push_back({a.triangle, b.triangle, a.forward == b.forward});
        links.push_back({b.triangle, a.triangle, a.forward == b.forward});
    });
    std::stable_sort(links.begin(), links.end(), [](const Link& a, const Link& b) { return a.from < b.from; });
    std::vector<int> turned(static_cast<std::size_t>(triangles.cols()), -1), open;
    for (int seed = 0; seed < static_cast<int>(triangles.cols()); ++seed) {
        if (turned[static_cast<std::size_t>(seed)] >= 0) continue;
        turned[static_cast<std::size_t>(seed)] = 0;
        open.push_back(seed);
        while (!open.empty()) {
            const int t = open.back();
            open.pop_back();
            auto link =
                std::lower_bound(links.begin(), links.end(), t, [](const Link& a, int from) { return a.from < from; });
            for (; link != links.end() && link->from == t; ++link) {
                int& other = turned[static_cast<std::size_t>(link->to)];
                if (other >= 0) continue;
                other = turned[static_cast<std::size_t>(t)] ^ (link->same ? 1 : 0);
                open.push_back(link->to);
            }
        }
    }
    for (Eigen::Index t = 0; t < triangles.cols(); ++t)
        if (turned[static_cast<std::size_t>(t)] == 1) std::swap(triangles(1, t), triangles(2, t));
}

struct Corners3 {
    Vector3 a, b, c;
};
Corners3 cornersOf(const SurfaceMesh& surface, const Triangles& triangles, Eigen::Index t) {
    return {surface.positions.col(triangles(0, t)), surface.positions.col(triangles(1, t)),
            surface.positions.col(triangles(2, t))};
}

/// What fronts and backs of double-sided triangles leave of their volumes.
constexpr double kVolumeRounding = 1e-12;

/// How often the triangles of the other pieces wind about x: the sum of their solid angles over 4 pi.
double windingOfOthers(const SurfaceMesh& surface, const Triangles& triangles, const std::vector<int>& piece, int own,
                       const Vector3& x) {
    double angle = 0.0;
    for (Eigen::Index t = 0; t < triangles.cols(); ++t) {
        if (piece[static_cast<std::size_t>(t)] == own) continue;
        const Corners3 q = cornersOf(surface, triangles, t);
        const Vector3 a = q.a - x, b = q.b - x, c = q.c - x;
        const double la = a.norm(), lb = b.norm(), lc = c.norm();
        const double below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        angle += 2.0 * std::atan2(a.dot(b.cross(c)), below);
    }
    return angle / (4.0 * 3.14159265358979323846);
}

/// Whether each piece encloses more than rounding, unlike front and back of a double-sided sheet.
std::vector<bool> piecesWithInside(const SurfaceMesh& surface, const std::vector<int>& piece, int pieces,
                                   const Triangles& triangles) {
    const Vector3 origin = surface.positions.col(triangles(0, 0));
    std::vector<double> volumes(static_cast<std::size_t>(pieces), 0.0), most = volumes;
    for (Eigen::Index t = 0; t < triangles.cols(); ++t) {
        const Corners3 q = cornersOf(surface, triangles, t);
        const auto p = static_cast<std::size_t>(piece[static_cast<std::size_t>(t)]);
        // Of sides of the triangle, whose differences lose no digits far from the origin.
        const Vector3 from = q.a - origin, area = (q.b - q.a).cross(q.c - q.a);
        volumes[p] += from.dot(area);
        most[p] += (from.norm() + (q.b - q.a).norm()) * area.norm();
    }
    std::vector<bool> has;
    for (std::size_t p = 0; p < volumes.size(); ++p) has.push_back(std::abs(volumes[p]) > kVolumeRounding * most[p]);
    return has;
}

/// Turns whole pieces as the header says. @return volume
double turnPieces(const SurfaceMesh& surface, const std::vector<int>& piece, int pieces, Triangles& triangles) {
    const std::vector<bool> hasInside = piecesWithInside(surface, piece, pieces, triangles);
    const Vector3 origin = surface.positions.col(triangles(0, 0));
    std::vector<double> volumes(static_cast<std::size_t>(pieces), 0.0);
    double summed = 0.0;  // without signs
    std::vector<Eigen::Index> firstOf(volumes.size(), -1);
    for (Eigen::Index t = 0; t < triangles.cols(); ++t) {
        const Corners3 q = cornersOf(surface, triangles, t);
        const auto p = static_cast<std::size_t>(piece[static_cast<std::size_t>(t)]);
        const double volume = (q.a - origin).dot((q.b - origin).cross(q.c - origin)) / 6.0;
        volumes[p] += volume;
        summed += std::abs(volume);
        if (firstOf[p] < 0) firstOf[p] = t;
    }
    for (std::size_t p = 0; p < volumes.size(); ++p)
        if (!hasInside[p]) volumes[p] = 0.0;
    const double largest =
        *std::max_element(volumes.begin(), volumes.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    std::vector<bool> turn(volumes.size(), largest < 0.0);
    double total = 0.0;
    for (std::size_t p = 0; p < volumes.size(); ++p) {
        if (!hasInside[p]) {  // either side of it is as good
            turn[p] = false;
            continue;
        }
        const bool against = (volumes[p] < 0.0) != (largest < 0.0);
        const Vector3 x = surface.positions.col(triangles(0, firstOf[p]));
        if (against && std::abs(windingOfOthers(surface, triangles, piece, static_cast<int>(p), x)) < 0.5)
            turn[p] = !turn[p];
        total += turn[p] ? -volumes[p] : volumes[p];
    }
    for (Eigen::Index t = 0; t < triangles.cols(); ++t)
        if (turn[static_cast<std::size_t>(piece[static_cast<std::size_t>(t)])])
            std::swap(triangles(1, t), triangles(2, t));
    return total > kVolumeRounding * summed ? total : 0.0;
}

}  // namespace

SurfaceClosure examineClosure(const SurfaceMesh& surface) {
    SurfaceClosure result;
    int distinct = 0;
    const std::vector<int> number = positionNumbers(surface.positions, distinct);
    std::vector<Eigen::Index> kept;
    for (Eigen::Index t = 0; t < surface.triangles.cols(); ++t) {
        const Corners3 q = cornersOf(surface, surface.triangles, t);
        result.area += 0.5 * (q.b - q.a).cross(q.c - q.a).norm();
        const auto n = [&](Eigen::Index c) { return number[static_cast<std::size_t>(surface.triangles(c, t))]; };
        if (n(0) != n(1) && n(1) != n(2) && n(2) != n(0)) kept.push_back(t);
    }
    const auto count = static_cast<Eigen::Index>(kept.size());
    Triangles welded(3, count);
    result.triangles.resize(3, count);
    for (Eigen::Index t = 0; t < count; ++t)
        for (Eigen::Index c = 0; c < 3; ++c) {
            result.triangles(c, t) = surface.triangles(c, kept[static_cast<std::size_t>(t)]);
            welded(c, t) = number[static_cast<std::size_t>(result.triangles(c, t))];
        }
    std::vector<Side> sides = sidesOf(welded);
    const std::vector<int> piece = edgePieces(sides, static_cast<int>(count), result.parts);
    result.openEdges = openEdges(sides);
    if (result.openEdges > 0) {  // perhaps they only do not agree which side is outside
        Triangles before = welded;
        agree(sides, welded);
        for (Eigen::Index t = 0; t < count; ++t)
            if (welded(1, t) != before(1, t)) std::swap(result.triangles(1, t), result.triangles(2, t));
        sides = sidesOf(welded);
        result.openEdges = openEdges(sides);
    }
    if (result.openEdges > 0 || count == 0) {
        result.openEdges = std::max(result.openEdges, 1);
        result.crowdedEdges = crowdedEdges(sides);
        return result;
    }
    result.volume = turnPieces(surface, piece, result.parts, result.triangles);
    return result;
}

std::string openEdgesText(const SurfaceClosure& closure) {
    if (closure.openEdges == 0) return "it encloses no volume";
    const auto told = [](int count, const char* what) {
        return std::to_string(count) + (count == 1 ? " edge has " : " edges have ") + what;
    };
    const int lonely = closure.openEdges - closure.crowdedEdges;
    const std::string crowded = told(closure.crowdedEdges, "more than two triangles, as where a wall meets others");
    if (lonely == 0) return crowded;
    return told(lonely, "no second triangle") + (closure.crowdedEdges > 0 ? ", and " + crowded : "");
}

}  // namespace pliant
