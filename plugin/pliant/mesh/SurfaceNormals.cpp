// SPDX-License-Identifier: Zlib
#include "pliant/mesh/SurfaceNormals.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace pliant {

namespace {

double angleBetween(const Vector3& a, const Vector3& b) {
    return std::atan2(a.cross(b).norm(), a.dot(b));
}

/// Angle-weighted face normals summed at each vertex. Degenerate triangles have no normal and add nothing.
Points cornerSums(const SurfaceMesh& mesh) {
    Points sums = Points::Zero(3, mesh.vertexCount());
    for (int t = 0; t < mesh.triangleCount(); ++t) {
        const auto corner = mesh.triangles.col(t);
        const std::array<Vector3, 3> x{mesh.positions.col(corner[0]), mesh.positions.col(corner[1]),
                                       mesh.positions.col(corner[2])};
        const Vector3 cross = (x[1] - x[0]).cross(x[2] - x[0]);
        const double area = cross.norm();
        if (!(area > 0.0)) continue;
        for (std::size_t c = 0; c < 3; ++c) {
            const double angle = angleBetween(x[(c + 1) % 3] - x[c], x[(c + 2) % 3] - x[c]);
            sums.col(corner[static_cast<Eigen::Index>(c)]) += (angle / area) * cross;
        }
    }
    return sums;
}

}  // namespace

std::vector<int> positionNumbers(const Points& positions, int& count) {
    const auto n = static_cast<std::size_t>(positions.cols());
    std::vector<int> order(n), number(n);
    std::iota(order.begin(), order.end(), 0);
    const auto before = [&](int a, int b) {
        for (int k = 0; k < 3; ++k)
            if (positions(k, a) != positions(k, b)) return positions(k, a) < positions(k, b);
        return false;
    };
    std::sort(order.begin(), order.end(), [&](int a, int b) { return before(a, b) || (!before(b, a) && a < b); });
    count = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (i == 0 || before(order[i - 1], order[i])) ++count;
        number[static_cast<std::size_t>(order[i])] = count - 1;
    }
    return number;
}

void computeNormals(SurfaceMesh& mesh) {
    const Points own = cornerSums(mesh);
    int places = 0;
    const std::vector<int> place = positionNumbers(mesh.positions, places);
    Points merged = Points::Zero(3, places);
    VectorX weight = VectorX::Zero(places);
    for (int v = 0; v < mesh.vertexCount(); ++v) {
        merged.col(place[static_cast<std::size_t>(v)]) += own.col(v);
        weight[place[static_cast<std::size_t>(v)]] += own.col(v).norm();
    }
    mesh.normals.resize(3, mesh.vertexCount());
    for (int v = 0; v < mesh.vertexCount(); ++v) {
        const int p = place[static_cast<std::size_t>(v)];
        // Two sheets back to back cancel: below a twentieth, or against the own side, the sum says nothing.
        const bool cancels = merged.col(p).norm() < 0.05 * weight[p];
        const bool opposes = merged.col(p).dot(own.col(v)) < 0.0;
        const Vector3 n = cancels || opposes ? Vector3(own.col(v)) : Vector3(merged.col(p));
        const double length = n.norm();
        mesh.normals.col(v) = length > 0.0 ? Vector3(n / length) : Vector3::UnitZ();
    }
}

}  // namespace pliant
