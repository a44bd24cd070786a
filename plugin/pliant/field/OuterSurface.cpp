// SPDX-License-Identifier: Zlib
#include "pliant/field/OuterSurface.h"

#include <tbb/parallel_for.h>

#include <Eigen/Geometry>
#include <algorithm>

namespace pliant {
namespace {

enum class OuterSide { Outside, Inside, Unknown };

/// Tells what lies beside a point of the surface: the region of a grid sample that is in sight.
class Beholder {
public:
    Beholder(const FieldGrid& grid, const OutsideRegion& outside, const SurfaceDistance& surface)
        : m_grid(grid), m_outside(outside), m_surface(surface) {}

    /// @param normal unit, on the side that is asked for
    OuterSide sideOf(const Vector3& place, const Vector3& normal) const {
        const Vector3 eye = place + 1e-4 * m_grid.spacing * normal;
        const Eigen::Vector3i lowest = ((eye - m_grid.origin) / m_grid.spacing).array().floor().cast<int>();
        for (const bool wanted : {true, false})  // what is outside counts most
            for (int corner = 0; corner < 8; ++corner) {
                const Eigen::Vector3i sample = lowest + Eigen::Vector3i(corner & 1, corner >> 1 & 1, corner >> 2);
                const Vector3 x = m_grid.place(sample);
                if ((x - place).dot(normal) <= 0.0 || m_outside.isOutside(sample) != wanted) continue;
                if (!m_surface.isBlocked(eye, x)) return wanted ? OuterSide::Outside : OuterSide::Inside;
            }
        return OuterSide::Unknown;
    }

    bool isHidden(const Vector3& place, const Vector3& normal) const {
        return sideOf(place, normal) == OuterSide::Inside && sideOf(place, -normal) == OuterSide::Inside;
    }

private:
    const FieldGrid& m_grid;
    const OutsideRegion& m_outside;
    const SurfaceDistance& m_surface;
};

using Piece = Matrix3;  // corners, a column each

int longestEdge(const Piece& p, double& length) {
    int longest = 0;
    length = -1.0;
    for (int c = 0; c < 3; ++c)
        if (const double l = (p.col((c + 1) % 3) - p.col(c)).norm(); l > length) {
            length = l;
            longest = c;
        }
    return longest;
}

double areaOf(const Piece& p) {
    return 0.5 * (p.col(1) - p.col(0)).cross(p.col(2) - p.col(0)).norm();
}

/// Halves pieces at their longest edge: down to four spacings to find out, down to one where the answers differ.
/// @return whether the whole triangle is seen; else `seen` are the pieces that are
bool seenPieces(const Piece& triangle, double spacing, const Beholder& beholder, std::vector<Piece>& seen) {
    std::vector<Piece> open{triangle};
    bool whole = true;
    while (!open.empty()) {
        const Piece p = open.back();
        open.pop_back();
        const Vector3 cross = (p.col(1) - p.col(0)).cross(p.col(2) - p.col(0));
        if (!(cross.norm() > 0.0)) continue;  // its neighbours have its edges
        double length = 0.0;
        const int longest = longestEdge(p, length);
        bool cut = length > 4.0 * spacing;
        if (!cut) {
            const Vector3 middle = p.rowwise().mean(), normal = cross.normalized();
            int hidden = beholder.isHidden(middle, normal);
            for (int c = 0; c < 3; ++c) hidden += beholder.isHidden(0.1 * middle + 0.9 * p.col(c), normal);
            cut = hidden > 0 && hidden < 4 && length > spacing;
            whole = whole && hidden == 0;
            if (hidden < 4 && !cut) seen.push_back(p);
        }
        if (!cut) continue;
        Piece first = p, second = p;
        first.col((longest + 1) % 3) = second.col(longest) = 0.5 * (p.col(longest) + p.col((longest + 1) % 3));
        open.push_back(first);
        open.push_back(second);
    }
    return whole;
}

}  // namespace

OuterSurface outerSurface(const FieldGrid& grid, const OutsideRegion& outside, const Points& points,
                          const Triangles& triangles, const SurfaceDistance& whole) {
    const Beholder beholder(grid, outside, whole);
    std::vector<std::vector<Piece>> seen(static_cast<std::size_t>(triangles.cols()));
    tbb::parallel_for(Eigen::Index(0), triangles.cols(), [&](Eigen::Index t) {
        Piece triangle;
        for (int c = 0; c < 3; ++c) triangle.col(c) = points.col(triangles(c, t));
        std::vector<Piece>& pieces = seen[static_cast<std::size_t>(t)];
        if (seenPieces(triangle, grid.spacing, beholder, pieces)) pieces.assign(1, triangle);
    });
    OuterSurface outer;
    std::size_t count = 0;
    for (const std::vector<Piece>& pieces : seen) count += pieces.size();
    outer.points.resize(3, 3 * static_cast<Eigen::Index>(count));
    outer.triangles.resize(3, static_cast<Eigen::Index>(count));
    Eigen::Index n = 0;
    for (Eigen::Index t = 0; t < triangles.cols(); ++t) {
        Piece triangle;
        for (int c = 0; c < 3; ++c) triangle.col(c) = points.col(triangles(c, t));
        outer.hiddenArea += areaOf(triangle);
        for (const Piece& p : seen[static_cast<std::size_t>(t)]) {
            outer.hiddenArea -= areaOf(p);
            outer.points.middleCols<3>(3 * n) = p;
            outer.triangles.col(n) = Eigen::Vector3i(0, 1, 2).array() + static_cast<int>(3 * n);
            ++n;
        }
    }
    return outer;
}

}  // namespace pliant
