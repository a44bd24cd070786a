// SPDX-License-Identifier: Zlib
#include "pliant/field/WallThickness.h"

#include <tbb/parallel_for.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr int kPlaces = 4000;

/// Vectors of a triangle: a corner, the two edges from it.
struct Corner {
    Vector3 a, toB, toC;
    Corner(const Points& points, const Triangles& triangles, Eigen::Index t)
        : a(points.col(triangles(0, t))),
          toB(points.col(triangles(1, t)) - points.col(triangles(0, t))),
          toC(points.col(triangles(2, t)) - points.col(triangles(0, t))) {}
    Vector3 normal() const { return toB.cross(toC).normalized(); }
};

/// The i-th point of a sequence that fills the unit interval evenly.
double fraction(double i, double step) {
    return i * step - std::floor(i * step);
}

}  // namespace

WallThickness::WallThickness(const Points& points, const Triangles& outer, const SurfaceDistance& outerDistance,
                             const SurfaceDistance& closed) {
    std::vector<double> areaUpTo;  // and with each triangle
    double area = 0.0;
    for (Eigen::Index t = 0; t < outer.cols(); ++t) {
        const Corner corner(points, outer, t);
        areaUpTo.push_back(area += 0.5 * corner.toB.cross(corner.toC).norm());
    }
    if (!(area > 0.0)) return;
    const double size = (points.rowwise().maxCoeff() - points.rowwise().minCoeff()).norm();
    m_samples.resize(kPlaces);
    tbb::parallel_for(0, kPlaces, [&](int i) {
        const auto at = std::upper_bound(areaUpTo.begin(), areaUpTo.end(), area * (i + 0.5) / kPlaces);
        const Corner corner(points, outer, std::min<Eigen::Index>(at - areaUpTo.begin(), outer.cols() - 1));
        double u = fraction(i, 0.7548776662466927), v = fraction(i, 0.5698402909980532);  // of the plastic number
        if (u + v > 1.0) {
            u = 1.0 - u;
            v = 1.0 - v;
        }
        Sample& sample = m_samples[static_cast<std::size_t>(i)];
        sample = {std::numeric_limits<double>::infinity(), corner.a + u * corner.toB + v * corner.toC};
        std::vector<SurfaceDistance::Crossing> crossings;
        for (const double side : {-1.0, 1.0}) {
            const Vector3 along = side * corner.normal(), from = sample.place + 1e-7 * size * along;
            const Vector3 to = from + size * along;
            outerDistance.crossings(from, to, crossings);
            const auto first = std::min_element(crossings.begin(), crossings.end(), [](const auto& p, const auto& q) {
                return p.place != q.place ? p.place < q.place : p.triangle < q.triangle;
            });
            if (first == crossings.end()) continue;
            if (std::abs(Corner(points, outer, first->triangle).normal().dot(along)) < 0.9) continue;
            const double thickness = first->place * size;
            closed.crossings(from + 0.5 * thickness * along, to, crossings);
            if (crossings.size() % 2 == 1) sample.thickness = std::min(sample.thickness, thickness);
        }
    });
    std::stable_sort(m_samples.begin(), m_samples.end(),
                     [](const Sample& p, const Sample& q) { return p.thickness < q.thickness; });
}

double WallThickness::atShare(double share) const {
    if (m_samples.empty()) return std::numeric_limits<double>::infinity();
    const auto last = static_cast<double>(m_samples.size() - 1);
    return m_samples[static_cast<std::size_t>(share * last)].thickness;
}

double WallThickness::shareBelow(double thickness) const {
    const auto thinner =
        std::count_if(m_samples.begin(), m_samples.end(), [&](const Sample& s) { return s.thickness < thickness; });
    return m_samples.empty() ? 0.0 : static_cast<double>(thinner) / static_cast<double>(m_samples.size());
}

}  // namespace pliant
