// SPDX-License-Identifier: Zlib
#include "pliant/shell/SurfacePoints.h"

#include <cmath>

namespace pliant {

void SurfacePoints::reserve(int count) {
    positions.resize(3, count);
    normals.resize(3, count);
    weights.resize(3, count);
    triangles.reserve(static_cast<std::size_t>(count));
}

void SurfacePoints::add(const OrientedSurface& surface, int triangle, const Vector3& barycentric,
                        const Vector3& normal) {
    const int i = count();
    if (i == positions.cols()) {
        const int room = std::max(64, 2 * i);
        positions.conservativeResize(3, room);
        normals.conservativeResize(3, room);
        weights.conservativeResize(3, room);
    }
    positions.col(i).setZero();
    for (int k = 0; k < 3; ++k) positions.col(i) += barycentric[k] * surface.points.col(surface.triangles(k, triangle));
    normals.col(i) = normal;
    weights.col(i) = barycentric;
    triangles.push_back(triangle);
}

void SurfacePoints::trim() {
    positions.conservativeResize(3, count());
    normals.conservativeResize(3, count());
    weights.conservativeResize(3, count());
}

SurfacePoints sampleArea(const OrientedSurface& surface, const SmoothSurface& smooth, int count) {
    // 1/g and 1/g^2 of the plastic number g: the two-dimensional additive recurrence of least discrepancy.
    constexpr double first = 0.7548776662466927, second = 0.5698402909980532;
    SurfacePoints samples;
    samples.reserve(count);
    const double share = surface.areas.sum() / count;
    double passed = 0.0;  // area of the triangles that are done
    int i = 0;
    for (int t = 0; t < surface.triangleCount(); ++t) {
        passed += surface.areas[t];
        const bool last = t + 1 == surface.triangleCount();
        for (; i < count && (last || (i + 0.5) * share < passed); ++i) {
            double u = std::fmod(0.5 + first * i, 1.0), v = std::fmod(0.5 + second * i, 1.0);
            if (u + v > 1.0) {
                u = 1.0 - u;
                v = 1.0 - v;
            }
            const Vector3 weights(1.0 - u - v, u, v);
            samples.add(surface, t, weights, smooth.normalAt(t, weights));
        }
    }
    samples.trim();
    return samples;
}

}  // namespace pliant
