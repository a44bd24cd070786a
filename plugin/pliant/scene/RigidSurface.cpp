// SPDX-License-Identifier: Zlib
#include "pliant/scene/RigidSurface.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "pliant/math/Error.h"

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
    moments.inertia = about.trace() * Matrix3::Identity() - about;
    return moments;
}

Matrix3 principalAxes(const Matrix3& inertia) {
    constexpr double kRounding = 1.0e-6;  // of the trace
    const Vector3 products(inertia(0, 1), inertia(0, 2), inertia(1, 2));
    if (!(products.cwiseAbs().maxCoeff() > kRounding * inertia.trace())) return Matrix3::Identity();
    const Matrix3 vectors = Eigen::SelfAdjointEigenSolver<Matrix3>(inertia).eigenvectors();
    // Each given axis in turn takes the principal one that is nearest to it of those that are left.
    Matrix3 axes;
    std::array<bool, 3> isTaken = {false, false, false};
    for (int axis = 0; axis < 3; ++axis) {
        int nearest = -1;
        for (int v = 0; v < 3; ++v)
            if (!isTaken[static_cast<std::size_t>(v)] &&
                (nearest < 0 || std::abs(vectors(axis, v)) > std::abs(vectors(axis, nearest))))
                nearest = v;
        isTaken[static_cast<std::size_t>(nearest)] = true;
        axes.col(axis) = vectors(axis, nearest) < 0.0 ? Vector3(-vectors.col(nearest)) : Vector3(vectors.col(nearest));
    }
    if (axes.determinant() < 0.0) axes.col(2) *= -1.0;
    return axes;
}

const SurfaceMesh& surfaceOf(const RigidGroup& group) {
    if (group.mesh && group.mesh->triangleCount() > 0) return *group.mesh;
    const std::string name = "the rigid group \"" + group.name + '"';
    throw Error(group.where.empty() ? name : group.where, "its mesh or hull has no surface",
                "set RigidGroup::mesh, to what readObj() has read for instance");
}

std::vector<int> usedVertices(const SurfaceMesh& surface) {
    std::vector<bool> isUsed(static_cast<std::size_t>(surface.vertexCount()), false);
    for (int t = 0; t < surface.triangleCount(); ++t)
        for (int c = 0; c < 3; ++c) isUsed[static_cast<std::size_t>(surface.triangles(c, t))] = true;
    std::vector<int> used;
    for (int v = 0; v < surface.vertexCount(); ++v)
        if (isUsed[static_cast<std::size_t>(v)]) used.push_back(v);
    return used;
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
    std::map<int, std::vector<int>> pieces;
    for (const int v : usedVertices(surface)) pieces[root(v)].push_back(v);
    std::vector<std::vector<int>> result;
    for (auto& [first, vertices] : pieces) result.push_back(std::move(vertices));
    return result;
}

}  // namespace pliant::scene
