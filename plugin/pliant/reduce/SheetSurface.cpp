// SPDX-License-Identifier: Zlib
#include "pliant/reduce/SheetSurface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "pliant/mesh/ClosedSurface.h"
#include "pliant/mesh/SurfaceNormals.h"

namespace pliant {
namespace {

/// A corner of a triangle, 3 t + c: of the side that begins there, too.
using Corner = int;

Corner nextCorner(Corner corner) {
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

/// Triangles that face one way, as far as they fit together, and what of their corners is one place of the sheet.
class Sheet {
public:
    Sheet(const Points& positions, Triangles triangles)
        : m_positions(positions), m_triangles(std::move(triangles)), m_place(static_cast<std::size_t>(3 * count())) {
        pairSides();
        face();
        std::iota(m_place.begin(), m_place.end(), 0);
        for (Corner side = 0; side < 3 * count(); ++side) {
            const Corner other = partner(side);
            if (other < 0) continue;
            join(side, nextCorner(other));
            join(nextCorner(side), other);
        }
    }

    /// The area that open edges enclose, as flat as they let it, over that of the triangles.
    double openShare() {
        std::map<Corner, Vector3> loops;  // by one corner of each: twice its area
        std::vector<Corner> borders;
        std::vector<Corner> loop(m_place);
        const auto end = [&loop](Corner corner) {
            while (loop[static_cast<std::size_t>(corner)] != corner) corner = loop[static_cast<std::size_t>(corner)];
            return corner;
        };
        for (Corner side = 0; side < 3 * count(); ++side) {
            if (partner(side) >= 0) continue;
            borders.push_back(side);
            const Corner a = end(side), b = end(nextCorner(side));
            loop[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
        }
        for (const Corner side : borders) {
            const Corner of = end(side);
            const Vector3 origin = m_positions.col(vertex(of)), from = m_positions.col(vertex(side)) - origin,
                          to = m_positions.col(vertex(nextCorner(side))) - origin;
            loops.emplace(of, Vector3::Zero()).first->second += from.cross(to);
        }
        double open = 0.0, all = 0.0;
        for (const auto& [of, twice] : loops) open += twice.norm();
        for (int t = 0; t < count(); ++t) all += doubleArea(t).norm();
        return all > 0.0 ? open / all : 0.0;
    }

    SurfaceMesh thickened(double thickness) {
        SurfaceMesh result;
        numberPlaces();
        const auto places = static_cast<int>(m_firstOf.size());
        result.positions.resize(3, 2 * places);
        const Points offsets = offsetsOf(places);
        for (int i = 0; i < places; ++i)
            for (int side = 0; side < 2; ++side)
                result.positions.col(2 * i + side) = m_positions.col(vertex(m_firstOf[static_cast<std::size_t>(i)])) +
                                                     (0.5 - side) * thickness * offsets.col(i);
        std::vector<Eigen::Vector3i> all;
        for (int t = 0; t < count(); ++t) {
            const Eigen::Vector3i n(number(3 * t), number(3 * t + 1), number(3 * t + 2));
            all.emplace_back(2 * n);
            all.emplace_back(2 * n[0] + 1, 2 * n[2] + 1, 2 * n[1] + 1);
        }
        for (Corner side = 0; side < 3 * count(); ++side) {
            if (partner(side) >= 0) continue;
            const int a = 2 * number(side), b = 2 * number(nextCorner(side));
            all.emplace_back(a + 1, b + 1, b);
            all.emplace_back(a + 1, b, a);
        }
        result.triangles.resize(3, static_cast<Eigen::Index>(all.size()));
        for (std::size_t t = 0; t < all.size(); ++t) result.triangles.col(static_cast<Eigen::Index>(t)) = all[t];
        result.triangleMaterial.assign(all.size(), 0);
        result.materials.resize(1);
        return result;
    }

    /// Of a closed surface: its triangles moved out by `distance`.
    SurfaceMesh movedOut(double distance) {
        numberPlaces();
        const auto places = static_cast<int>(m_firstOf.size());
        SurfaceMesh result;
        result.positions.resize(3, places);
        for (int i = 0; i < places; ++i)
            result.positions.col(i) = m_positions.col(vertex(m_firstOf[static_cast<std::size_t>(i)]));
        const bool facesOut = volume() > 0.0;
        result.positions += (facesOut ? distance : -distance) * offsetsOf(places);
        result.triangles.resize(3, count());
        for (int t = 0; t < count(); ++t)
            result.triangles.col(t) << number(3 * t), number(3 * t + (facesOut ? 1 : 2)),
                number(3 * t + (facesOut ? 2 : 1));
        result.triangleMaterial.assign(static_cast<std::size_t>(count()), 0);
        result.materials.resize(1);
        return result;
    }

    /// Of a closed surface, m^3; negative where its triangles face inwards.
    double volume() const {
        const Vector3 origin = m_positions.rowwise().mean();
        double sum = 0.0;
        for (int t = 0; t < count(); ++t)
            sum += doubleArea(t).dot(Vector3(m_positions.col(m_triangles(0, t))) - origin) / 6.0;
        return sum;
    }
    double area() const {
        double sum = 0.0;
        for (int t = 0; t < count(); ++t) sum += 0.5 * doubleArea(t).norm();
        return sum;
    }

private:
    int count() const { return static_cast<int>(m_triangles.cols()); }
    int vertex(Corner corner) const { return m_triangles(corner % 3, corner / 3); }
    Corner partner(Corner side) const { return m_partner[static_cast<std::size_t>(side)]; }
    int number(Corner corner) const { return m_number[static_cast<std::size_t>(corner)]; }

    /// Sides that exactly two triangles share.
    void pairSides() {
        std::map<std::pair<int, int>, std::vector<Corner>> sides;
        for (Corner side = 0; side < 3 * count(); ++side)
            sides[std::minmax(vertex(side), vertex(nextCorner(side)))].push_back(side);
        m_partner.assign(static_cast<std::size_t>(3 * count()), -1);
        for (const auto& [ends, of] : sides) {
            if (of.size() != 2) continue;
            m_partner[static_cast<std::size_t>(of[0])] = of[1];
            m_partner[static_cast<std::size_t>(of[1])] = of[0];
        }
    }

    /// Turns triangles until neighbours face one way; parts those that cannot.
    void face() {
        std::vector<char> isTurned(static_cast<std::size_t>(count()), 0), isSeen(isTurned);
        std::vector<int> open;
        const auto goesOn = [&](Corner side) {  // from the lesser to the greater vertex
            return (vertex(side) < vertex(nextCorner(side))) != (isTurned[static_cast<std::size_t>(side / 3)] != 0);
        };
        for (int first = 0; first < count(); ++first) {
            if (isSeen[static_cast<std::size_t>(first)] == 0) open.push_back(first);
            isSeen[static_cast<std::size_t>(first)] = 1;
            while (!open.empty()) {
                const int t = open.back();
                open.pop_back();
                for (Corner side = 3 * t; side < 3 * t + 3; ++side) {
                    const Corner other = partner(side);
                    if (other < 0) continue;
                    const auto next = static_cast<std::size_t>(other / 3);
                    const bool fits = goesOn(side) != goesOn(other);
                    if (isSeen[next] == 0) {
                        isSeen[next] = 1;
                        isTurned[next] = fits ? 0 : 1;
                        open.push_back(other / 3);
                    } else if (!fits) {
                        m_partner[static_cast<std::size_t>(side)] = m_partner[static_cast<std::size_t>(other)] = -1;
                    }
                }
            }
        }
        turn(isTurned);
    }

    /// Swaps the last two corners of triangles: side 0 of (a, b, c) is side 2 of (a, c, b).
    void turn(const std::vector<char>& isTurned) {
        const auto nowOf = [&](Corner side) {
            const bool turned = side >= 0 && isTurned[static_cast<std::size_t>(side / 3)] != 0;
            return turned ? side - side % 3 + (2 - side % 3) : side;
        };
        const std::vector<Corner> before = m_partner;
        for (std::size_t side = 0; side < before.size(); ++side)
            m_partner[static_cast<std::size_t>(nowOf(static_cast<Corner>(side)))] = nowOf(before[side]);
        for (int t = 0; t < count(); ++t)
            if (isTurned[static_cast<std::size_t>(t)] != 0) std::swap(m_triangles(1, t), m_triangles(2, t));
    }

    Corner root(Corner corner) {
        while (m_place[static_cast<std::size_t>(corner)] != corner) {
            Corner& up = m_place[static_cast<std::size_t>(corner)];
            up = m_place[static_cast<std::size_t>(up)];
            corner = up;
        }
        return corner;
    }
    void join(Corner a, Corner b) {
        a = root(a), b = root(b);
        m_place[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }

    void numberPlaces() {
        m_number.resize(m_place.size());
        m_firstOf.clear();
        for (Corner corner = 0; corner < 3 * count(); ++corner) {
            const Corner first = root(corner);
            if (first == corner) {
                m_number[static_cast<std::size_t>(corner)] = static_cast<int>(m_firstOf.size());
                m_firstOf.push_back(corner);
            } else {
                m_number[static_cast<std::size_t>(corner)] = number(first);
            }
        }
    }

    Vector3 doubleArea(int t) const {
        const Vector3 a = m_positions.col(m_triangles(0, t));
        return Vector3(m_positions.col(m_triangles(1, t)) - a).cross(Vector3(m_positions.col(m_triangles(2, t)) - a));
    }
    /// The normal of a triangle; zero where it is a sliver, whose normal is rounding.
    Vector3 faceOf(int t) const {
        constexpr double thinnest = 1e-6;  // height over longest side
        double longest = 0.0;
        for (int c = 0; c < 3; ++c)
            longest = std::max(
                longest, (m_positions.col(m_triangles(c, t)) - m_positions.col(m_triangles((c + 1) % 3, t))).norm());
        const Vector3 area = doubleArea(t);
        return area.norm() > thinnest * longest * longest ? area.normalized() : Vector3(Vector3::Zero());
    }

    /// Normals by angle, longer at creases by 1 / cos, so that both sides of a crease are moved by 1; not by more than
    /// twice, which is where two faces meet at 60 degrees.
    Points offsetsOf(int places) const {
        Points sum = Points::Zero(3, places);
        VectorX least = VectorX::Ones(places);
        for (Corner corner = 0; corner < 3 * count(); ++corner) {
            const Vector3 x = m_positions.col(vertex(corner));
            const Vector3 a = m_positions.col(vertex(nextCorner(corner))) - x;
            const Vector3 b = m_positions.col(vertex(nextCorner(nextCorner(corner)))) - x;
            sum.col(number(corner)) += std::atan2(a.cross(b).norm(), a.dot(b)) * faceOf(corner / 3);
        }
        const Points known = sum;
        for (int i = 0; i < places; ++i) {  // corners of slivers alone: as the sliver's others
            const Corner corner = m_firstOf[static_cast<std::size_t>(i)], next = nextCorner(corner);
            if (sum.col(i).norm() > 1e-9) continue;
            const Vector3 others = known.col(number(next)) + known.col(number(nextCorner(next)));
            sum.col(i) = others.norm() > 1e-9 ? others : Vector3(Vector3::UnitZ());
        }
        sum.colwise().normalize();
        for (Corner corner = 0; corner < 3 * count(); ++corner) {
            const Vector3 face = faceOf(corner / 3);
            const int place = number(corner);
            if (!face.isZero(0.0)) least[place] = std::min(least[place], sum.col(place).dot(face));
        }
        constexpr double sharpest = 0.5;
        return sum * least.cwiseMax(sharpest).cwiseInverse().asDiagonal();
    }

    const Points& m_positions;
    Triangles m_triangles;
    std::vector<Corner> m_partner;  ///< of each side: where it is the neighbour's; -1: nowhere
    std::vector<Corner> m_place;    ///< of each corner: one of the same place
    std::vector<int> m_number;      ///< of each corner: of its place
    std::vector<Corner> m_firstOf;  ///< of each place
};

}  // namespace

double sheetThickness(const SurfaceMesh& surface, double wall) {
    constexpr double thinnest = 0.003, thickest = 0.005;
    const double diagonal = (surface.positions.rowwise().maxCoeff() - surface.positions.rowwise().minCoeff()).norm();
    return wall > 0.0 ? std::clamp(wall, thinnest * diagonal, thickest * diagonal) : thickest * diagonal;
}

double openShare(const SurfaceMesh& surface) {
    return Sheet(surface.positions, trianglesBetweenPlaces(surface)).openShare();
}

double wallOf(const SurfaceMesh& surface) {
    const Sheet closed(surface.positions, trianglesBetweenPlaces(surface));
    return 2.0 * std::abs(closed.volume()) / closed.area();
}

SurfaceMesh thickenedSurface(const SurfaceMesh& surface, double distance) {
    SurfaceMesh result = Sheet(surface.positions, trianglesBetweenPlaces(surface)).movedOut(distance);
    computeNormals(result);
    return result;
}

SurfaceMesh sheetSurface(const SurfaceMesh& surface, double thickness) {
    SurfaceMesh sheet = Sheet(surface.positions, trianglesBetweenPlaces(surface)).thickened(thickness);
    computeNormals(sheet);
    return sheet;
}

}  // namespace pliant
