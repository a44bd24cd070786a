// SPDX-License-Identifier: Zlib
#include "pliant/scene/RigidSurface.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace pliant::scene {

SolidMoments solidMoments(const SurfaceMesh& surface) {
    // The integral of x x^T over the tetrahedron of the origin a, b, c is det / 120 * (a + b + c)(a + b + c)^T + the
    // same of each corner alone.
    const Vector3 middle = surface.positions.rowwise().mean();
    Vector3 first = Vector3::Zero();
    Matrix3 second = Matrix3::Zero();
    SolidMoments moments;
    for (int t = 0; t < surface.triangleCount(); ++t) {
        const Vector3 a = surface.positions.col(surface.triangles(0, t)) - middle,
                      b = surface.positions.col(surface.triangles(1, t)) - middle,
                      c = surface.positions.col(surface.triangles(2, t)) - middle, sum = a + b + c;
        const double det = a.dot(b.cross(c));
        moments.volume += det / 6.0;
        first += det / 24.0 * sum;
        second += det / 120.0 * (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
    }
    if (moments.volume == 0.0) return moments;
    const Vector3 centre = first / moments.volume;
    const Matrix3 about = second / moments.volume - centre * centre.transpose();
    moments.centre = middle + centre;
    moments.tensor = about.trace() * Matrix3::Identity() - about;
    moments.inertia = moments.tensor.diagonal();
    return moments;
}

std::vector<std::vector<int>> piecesOf(const SurfaceMesh& surface) {
    std::map<std::array<double, 3>, int> places;
    std::vector<int> parent(static_cast<std::size_t>(surface.vertexCount()));
    const auto root = [&](int v) {
        while (parent[static_cast<std::size_t>(v)] != v) {
            int& up = parent[static_cast<std::size_t>(v)];
            up = parent[static_cast<std::size_t>(up)];
            v = up;
        }
        return v;
    };
    const auto join = [&](int a, int b) {
        const int ra = root(a), rb = root(b);
        parent[static_cast<std::size_t>(std::max(ra, rb))] = std::min(ra, rb);
    };
    std::iota(parent.begin(), parent.end(), 0);
    for (int v = 0; v < surface.vertexCount(); ++v) {
        const Vector3 x = surface.positions.col(v);
        join(v, places.emplace(std::array<double, 3>{x.x(), x.y(), x.z()}, v).first->second);
    }
    for (int t = 0; t < surface.triangleCount(); ++t)
        for (int c = 1; c < 3; ++c) join(surface.triangles(0, t), surface.triangles(c, t));
    std::vector<bool> isUsed(parent.size(), false);
    for (int t = 0; t < surface.triangleCount(); ++t)
        for (int c = 0; c < 3; ++c) isUsed[static_cast<std::size_t>(surface.triangles(c, t))] = true;
    std::map<int, std::vector<int>> pieces;
    for (int v = 0; v < surface.vertexCount(); ++v)
        if (isUsed[static_cast<std::size_t>(v)]) pieces[root(v)].push_back(v);
    std::vector<std::vector<int>> result;
    for (auto& [first, vertices] : pieces) result.push_back(std::move(vertices));
    return result;
}

}  // namespace pliant::scene
