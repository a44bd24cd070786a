// SPDX-License-Identifier: Zlib
#include "pliant/collision/body/SurfaceExcess.h"

#include <algorithm>
#include <array>
#include <limits>

#include "pliant/collision/body/CollisionModel.h"

namespace pliant {

namespace {

/// The sphere that x (body frame, rest) stands out of least, by the bounding spheres at rest of the skeleton tree.
int nearestSphere(const ReducedModel& model, const Vector3& x) {
    const BDTree& tree = model.skeletonTree;
    std::array<int, CollisionModel::maximumTreeDepth + 2> stack;
    std::size_t open = 0;
    stack[open++] = 0;
    double least = std::numeric_limits<double>::max();
    int nearest = 0;
    const auto excess = [&](const auto& centre, float radius) {
        return (centre.template cast<double>() - x).norm() - static_cast<double>(radius);
    };
    while (open > 0) {
        const int k = stack[--open];
        if (excess(tree.restCentres.col(k), tree.restRadii[k]) >= least) continue;
        const BDTreeNode& node = tree.nodes[static_cast<std::size_t>(k)];
        if (node.firstChild >= 0) {
            const int first = node.firstChild, second = first + 1;
            const bool swap = (tree.restCentres.col(second).cast<double>() - x).squaredNorm() <
                              (tree.restCentres.col(first).cast<double>() - x).squaredNorm();
            stack[open++] = swap ? first : second;
            stack[open++] = swap ? second : first;  // the nearer one is looked at first
            continue;
        }
        for (int i = node.firstItem; i < node.firstItem + node.itemCount; ++i)
            for (int end = 0; end < 2; ++end) {
                const int sphere = model.skeleton.segments(end, tree.items[static_cast<std::size_t>(i)]);
                const double e = excess(model.skeleton.restCentres.col(sphere), model.skeleton.radii[sphere]);
                if (e >= least) continue;
                least = e;
                nearest = sphere;
            }
    }
    return nearest;
}

}  // namespace

SurfaceExcess surfaceExcess(const ReducedModel& model) {
    const int r = model.dimension();
    SurfaceExcess bound;
    bound.growth = VectorX::Zero(r);
    if (model.skeletonTree.nodes.empty() || model.surfaceBasis.rows() != 3 * model.surfaceVertexCount()) return bound;
    double size = 0.0;
    for (int v = 0; v < model.surfaceVertexCount(); ++v) {
        const Vector3 x = model.surface.positions.col(v);
        const int b = nearestSphere(model, x);
        const Vector3 c = model.skeleton.restCentres.col(b).cast<double>();
        bound.rest = std::max(bound.rest, (x - c).norm() - static_cast<double>(model.skeleton.radii[b]));
        size = std::max(size, x.norm() + c.norm());
        for (int j = 0; j < r; ++j) {
            const Vector3 uv = model.surfaceBasis.block<3, 1>(3 * v, j).cast<double>();
            const Vector3 ub = model.skeleton.basis.block<3, 1>(3 * b, j).cast<double>();
            bound.growth[j] = std::max(bound.growth[j], (uv - ub).norm() + 1e-6 * (uv.norm() + ub.norm()));
        }
    }
    bound.rest += 1e-6 * size;  // vertices and spheres are evaluated in single precision (BuildBDTree.cpp has the sums)
    return bound;
}

}  // namespace pliant
