// SPDX-License-Identifier: Zlib
#include "pliant/collision/body/CollisionModel.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "pliant/collision/kernels/BoundingSphereKernels.h"
#include "pliant/math/Error.h"

namespace pliant {

namespace {

void requireThat(bool condition, const std::string& where, const std::string& problem) {
    if (!condition) throw Error(where, problem, "make the model again");
}

/// Breadth-first numbering without gaps also proves that the nodes form one tree.
void checkTree(const BDTree& tree, const std::string& name, int itemCount, int r) {
    const int n = tree.nodeCount();
    requireThat(tree.restCentres.cols() == n && tree.restRadii.size() == n && tree.centreBasis.rows() == 3 * n &&
                    (n == 0 || tree.centreBasis.cols() == r) && tree.radiusCoefficients.cols() == n &&
                    (n == 0 || tree.radiusCoefficients.rows() == r),
                name, "array sizes disagree with its " + std::to_string(n) + " nodes");
    requireThat(static_cast<int>(tree.items.size()) == itemCount, name, "does not cover every item");
    for (int item : tree.items) requireThat(item >= 0 && item < itemCount, name, "item number out of range");
    int next = 1;
    std::vector<int> depth(static_cast<std::size_t>(n), 0);
    for (int k = 0; k < n; ++k) {
        const BDTreeNode& node = tree.nodes[static_cast<std::size_t>(k)];
        requireThat(node.firstItem >= 0 && node.itemCount > 0 && node.firstItem <= itemCount - node.itemCount, name,
                    "node " + std::to_string(k) + " covers items that do not exist");
        if (node.firstChild < 0) continue;
        requireThat(node.firstChild == next && next + 1 < n, name,
                    "node " + std::to_string(k) + " breaks the breadth-first order");
        const int level = depth[static_cast<std::size_t>(k)] + 1;
        requireThat(level <= CollisionModel::maximumTreeDepth, name, "is deeper than 64 levels");
        depth[static_cast<std::size_t>(next)] = depth[static_cast<std::size_t>(next) + 1] = level;
        next += 2;
    }
    requireThat(n == 0 || next == n, name, "has nodes that nothing refers to");
}

void checkSkeleton(const ContactSkeleton& skeleton, int r) {
    const int b = skeleton.sphereCount();
    requireThat(
        skeleton.restCentres.cols() == b && skeleton.basis.rows() == 3 * b && (b == 0 || skeleton.basis.cols() == r),
        "contact skeleton", "array sizes disagree with its " + std::to_string(b) + " spheres");
    if (skeleton.segmentCount() > 0)
        requireThat(skeleton.segments.minCoeff() >= 0 && skeleton.segments.maxCoeff() < b, "contact skeleton",
                    "segment refers to a sphere that does not exist");
}

AffineSpheres nodeSpheres(const BDTree& tree) {
    return AffineSpheres(tree.restCentres, tree.restRadii, tree.centreBasis, tree.radiusCoefficients);
}

double largestGainOf(const ContactSkeleton& skeleton) {
    double most = 0.0;
    for (int sphere = 0; sphere < skeleton.sphereCount(); ++sphere) {
        const MatrixX rows = skeleton.basis.middleRows<3>(3 * sphere).cast<double>();
        const Matrix3 squares = rows * rows.transpose();
        most = std::max(most, Eigen::SelfAdjointEigenSolver<Matrix3>(squares, Eigen::EigenvaluesOnly).eigenvalues()[2]);
    }
    return std::sqrt(most);
}

}  // namespace

AffineSpheres::AffineSpheres(const PointsF& centres, const VectorXf& radii, const MatrixXf& basis,
                             const MatrixXf& growth)
    : m_count(static_cast<int>(centres.cols())),
      m_stride(4 + 16 * ((static_cast<std::size_t>(basis.cols()) + 3) / 4)),
      m_data(static_cast<std::size_t>(centres.cols()) * m_stride, 0.0f) {
    for (int i = 0; i < m_count; ++i) {
        float* out = m_data.data() + static_cast<std::size_t>(i) * m_stride;
        for (int k = 0; k < 3; ++k) out[k] = centres(k, i);
        out[3] = radii[i];
        for (int j = 0; j < static_cast<int>(basis.cols()); ++j) {
            out += 4;
            for (int k = 0; k < 3; ++k) out[k] = basis(3 * i + k, j);
            out[3] = growth.size() ? growth(j, i) : 0.0f;
        }
    }
}

SphereF AffineSpheres::evaluate(int i, const float* packedCoordinates) const {
    return evaluate(i, packedCoordinates, m_stride - 4);
}

SphereF AffineSpheres::evaluate(int i, const float* packedCoordinates, std::size_t count) const {
    float s[4];
    sumSpheres(entry(i), 4 + std::min(count, m_stride - 4), 1, packedCoordinates, s);
    return {s[0], s[1], s[2], s[3]};
}

CollisionModel::CollisionModel(std::shared_ptr<const ReducedModel> model)
    : m_model(std::move(model)), m_dimension(m_model->dimension()) {
    const ReducedModel& m = *m_model;
    checkSkeleton(m.skeleton, m_dimension);
    checkTree(m.skeletonTree, "skeleton BD-Tree", m.skeleton.segmentCount(), m_dimension);
    checkTree(m.triangleTree, "triangle BD-Tree", m.triangleTree.nodes.empty() ? 0 : m.surface.triangleCount(),
              m_dimension);
    m_spheres = AffineSpheres(m.skeleton.restCentres, m.skeleton.radii, m.skeleton.basis, {});
    m_skeletonNodes = nodeSpheres(m.skeletonTree);
    m_triangleNodes = nodeSpheres(m.triangleTree);
    if (!m.triangleTree.nodes.empty()) {
        requireThat(m.surfaceBasis.rows() == 3 * m.surfaceVertexCount() && m.surfaceBasis.cols() == m_dimension,
                    "surface basis", "its size disagrees with the surface");
        requireThat(m.surface.triangles.minCoeff() >= 0 && m.surface.triangles.maxCoeff() < m.surfaceVertexCount(),
                    "surface", "triangle refers to a vertex that does not exist");
        m_vertices = AffineSpheres(m.surface.positions.cast<float>(), VectorXf::Zero(m.surfaceVertexCount()),
                                   m.surfaceBasis, {});
    }
    m_ownerSegment.assign(static_cast<std::size_t>(m.skeleton.sphereCount()), -1);
    for (int s = m.skeleton.segmentCount() - 1; s >= 0; --s)
        for (int end = 1; end >= 0; --end) m_ownerSegment[static_cast<std::size_t>(m.skeleton.segments(end, s))] = s;
    listLeafSpheres();
    listEndingSegments();
    std::vector<int> spheres(static_cast<std::size_t>(m.skeleton.sphereCount()));
    std::iota(spheres.begin(), spheres.end(), 0);
    m_sphereTiles = tilesOf(m.skeleton, spheres);
    m_surfacePlaces = SurfacePlaces(m);
    m_motionBoundSpheres = MotionBoundSpheres(m.skeleton);
    m_largestGain = largestGainOf(m.skeleton);
    m_excess = pliant::surfaceExcess(m);
}

void CollisionModel::listLeafSpheres() {
    const BDTree& tree = skeletonTree();
    m_firstLeafSphere.assign(1, 0);
    for (const BDTreeNode& node : tree.nodes) {
        const std::size_t first = m_leafSpheres.size();
        for (int i = node.firstItem; node.firstChild < 0 && i < node.firstItem + node.itemCount; ++i)
            for (int end = 0; end < 2; ++end)
                m_leafSpheres.push_back(skeleton().segments(end, tree.items[static_cast<std::size_t>(i)]));
        const auto begin = m_leafSpheres.begin() + static_cast<std::ptrdiff_t>(first);
        std::sort(begin, m_leafSpheres.end());
        m_leafSpheres.erase(std::unique(begin, m_leafSpheres.end()), m_leafSpheres.end());
        m_firstLeafSphere.push_back(static_cast<int>(m_leafSpheres.size()));
    }
}

void CollisionModel::listEndingSegments() {
    const auto& segments = skeleton().segments;
    const auto forEachEnd = [&segments, this](auto&& visit) {
        for (int s = 0; s < skeleton().segmentCount(); ++s)
            for (int end = 0; end < (segments(0, s) == segments(1, s) ? 1 : 2); ++end)
                visit(static_cast<std::size_t>(segments(end, s)), s);
    };
    m_firstEndingSegment.assign(static_cast<std::size_t>(skeleton().sphereCount()) + 1, 0);
    forEachEnd([this](std::size_t sphere, int) { ++m_firstEndingSegment[sphere + 1]; });
    std::partial_sum(m_firstEndingSegment.begin(), m_firstEndingSegment.end(), m_firstEndingSegment.begin());
    std::vector<int> next(m_firstEndingSegment.begin(), m_firstEndingSegment.end() - 1);
    m_endingSegments.resize(static_cast<std::size_t>(m_firstEndingSegment.back()));
    forEachEnd(
        [this, &next](std::size_t sphere, int s) { m_endingSegments[static_cast<std::size_t>(next[sphere]++)] = s; });
}

double CollisionModel::surfaceExcess(const double* q) const {
    double excess = m_excess.rest;
    for (int j = 0; j < m_dimension; ++j) excess += m_excess.growth[j] * std::abs(q[j]);
    return excess;
}

bool CollisionModel::adjacent(int segmentA, int segmentB) const {
    const auto& segments = m_model->skeleton.segments;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            if (segments(i, segmentA) == segments(j, segmentB)) return true;
    return false;
}

namespace {

/// Whether a parameter is of a place beside the surface point that a segment is.
bool isPlace(const CollisionModel& model, int segment, float parameter) {
    const auto& segments = model.skeleton().segments;
    return segments(0, segment) == segments(1, segment) &&
           model.surfacePlaces().isPlace(segments(0, segment), parameter);
}

}  // namespace

void skeletonPointBasis(const CollisionModel& model, int segment, float parameter, double* rows) {
    const auto& segments = model.skeleton().segments;
    if (isPlace(model, segment, parameter)) {
        model.surfacePlaces().basis(segments(0, segment), parameter, rows);
        return;
    }
    const float* first = model.spheres().entry(segments(0, segment)) + 4;
    const float* second = model.spheres().entry(segments(1, segment)) + 4;
    const double w1 = parameter, w0 = 1.0 - w1;
    for (int j = 0; j < model.dimension(); ++j, first += 4, second += 4, rows += 3)
        for (int k = 0; k < 3; ++k) rows[k] = w0 * static_cast<double>(first[k]) + w1 * static_cast<double>(second[k]);
}

void skeletonPointProject(const CollisionModel& model, int segment, float parameter, const Vector3& direction,
                          double* modal) {
    const auto& segments = model.skeleton().segments;
    if (isPlace(model, segment, parameter)) {
        model.surfacePlaces().project(segments(0, segment), parameter, direction, modal);
        return;
    }
    const float* first = model.spheres().entry(segments(0, segment)) + 4;
    const float* second = model.spheres().entry(segments(1, segment)) + 4;
    const Vector3 d1 = static_cast<double>(parameter) * direction, d0 = direction - d1;
    for (int j = 0; j < model.dimension(); ++j, first += 4, second += 4)
        modal[j] = (d0.x() * static_cast<double>(first[0]) + d0.y() * static_cast<double>(first[1]) +
                    d0.z() * static_cast<double>(first[2])) +
                   (d1.x() * static_cast<double>(second[0]) + d1.y() * static_cast<double>(second[1]) +
                    d1.z() * static_cast<double>(second[2]));
}

}  // namespace pliant
