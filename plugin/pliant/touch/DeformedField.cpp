// SPDX-License-Identifier: Zlib
#include "pliant/touch/DeformedField.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "pliant/touch/FieldLookup.h"

namespace pliant {

namespace {

constexpr int kMostIterations = 8;     ///< of Newton's method; 1 to 3 are the rule
constexpr double kConverged = 1e-5;    ///< of a cell
constexpr double kLongestStep = 1.0;   ///< cells in an iteration, so that a folded cell throws nothing far away
constexpr double kLeastVolume = 0.05;  ///< of a cell's rest volume: a cell pressed flatter is taken to be that thick

/// F^-1 of a cell, of the identity where it is pressed flat or turned inside out.
Matrix3 inverseOf(const Matrix3& F) {
    return F.determinant() > kLeastVolume ? Matrix3(F.inverse()) : Matrix3(Matrix3::Identity());
}

}  // namespace

DeformedField::DeformedField(std::shared_ptr<const SurfaceModel> model)
    : m_model(std::move(model)),
      m_q(VectorX::Zero(m_model->collision().dimension())),
      m_displacements(VectorXf::Zero(m_model->surface().lattice.basis.rows())) {}

bool DeformedField::isCurrent(const double* q) const {
    return std::equal(m_q.data(), m_q.data() + m_q.size(), q);
}

void DeformedField::update(const double* q) {
    if (isCurrent(q)) return;
    std::copy_n(q, m_q.size(), m_q.data());
    const MatrixXf& basis = m_model->surface().lattice.basis;
    // Columns one after the other: each row is a sum in the order of q, whatever the width of the vectors.
    m_displacements.setZero();
    for (Eigen::Index j = 0; j < m_q.size(); ++j) m_displacements += static_cast<float>(m_q[j]) * basis.col(j);
    m_largest = static_cast<double>(m_displacements.lpNorm<Eigen::Infinity>());
}

void DeformedField::displacement(const Vector3& rest, Vector3& u, Matrix3& derivative) const {
    const ContactLattice& lattice = m_model->surface().lattice;
    const int cell = m_model->cellAt(rest);
    Vector3 within, beyond;  // local coordinates in [0, 1], and what is left of them
    for (int k = 0; k < 3; ++k) {
        const double at = (rest[k] - lattice.origin[k]) / lattice.spacing - lattice.cellPlaces(k, cell);
        within[k] = std::min(1.0, std::max(0.0, at));
        beyond[k] = at - within[k];
    }
    u.setZero();
    derivative.setZero();
    for (int corner = 0; corner < 8; ++corner) {
        double weight[3], slope[3];
        for (int k = 0; k < 3; ++k) {
            const bool upper = ((corner >> k) & 1) != 0;
            weight[k] = upper ? within[k] : 1.0 - within[k];
            slope[k] = upper ? 1.0 : -1.0;
        }
        const Vector3 value = m_displacements.segment<3>(3 * lattice.cellVertices(corner, cell)).cast<double>();
        u += weight[0] * weight[1] * weight[2] * value;
        derivative.col(0) += slope[0] * weight[1] * weight[2] * value;
        derivative.col(1) += weight[0] * slope[1] * weight[2] * value;
        derivative.col(2) += weight[0] * weight[1] * slope[2] * value;
    }
    u += derivative * beyond;
    derivative /= lattice.spacing;
}

// Newton's method for X + u(X) = x. @param gradient 1 + du/dX at the result
Vector3 DeformedField::pullBack(const Vector3& mesh, Vector3 start, Matrix3& gradient) const {
    const double spacing = m_model->surface().lattice.spacing;
    Vector3 rest = start, u;
    for (int i = 0; i < kMostIterations; ++i) {
        displacement(rest, u, gradient);
        gradient += Matrix3::Identity();
        const Vector3 residual = rest + u - mesh;
        if (!(residual.squaredNorm() > kConverged * kConverged * spacing * spacing)) break;
        Vector3 step = inverseOf(gradient) * residual;
        const double length = step.norm(), longest = std::max(kLongestStep * spacing, 0.5 * residual.norm());
        if (length > longest) step *= longest / length;
        rest -= step;
    }
    return rest;
}

FieldSample DeformedField::sample(const DeformedBody& body, const Vector3& world, int* near) const {
    const RigidTransform &worldFromBody = body.worldFromBody(), &meshFromBody = m_model->meshFromBody();
    const Vector3 mesh = meshFromBody.point(worldFromBody.inversePoint(world));
    FieldSample sample;
    Vector3 gradient;
    if (m_largest == 0.0) {
        sample.rest = mesh;
        sample.distance = fieldDistance(m_model->surface().field, mesh, gradient);
    } else {
        Matrix3 F;
        Vector3 start = mesh;
        if (needsBoxes() && body.boxesAreCurrent()) {
            const int nearest = nearestSphere(body, world, near ? *near : 0);
            if (near) *near = nearest;
            start = m_model->restPoint(nearest);
        } else {
            Vector3 u;
            displacement(mesh, u, F);
            start -= u;
        }
        sample.rest = pullBack(mesh, start, F);
        // The level sets move with the material: the distance is that at rest over the stretch along the normal.
        const double rest = fieldDistance(m_model->surface().field, sample.rest, gradient);
        const double before = gradient.norm();
        gradient = inverseOf(F).transpose() * gradient;
        const double after = gradient.norm();
        sample.distance = after > 0.0 ? rest * before / after : rest;
    }
    const double length = gradient.norm();
    sample.distance -= m_model->surface().field.offset;
    if (length > 0.0)
        sample.normal = worldFromBody.rotation * (meshFromBody.rotation.transpose() * (gradient / length));
    return sample;
}

Vector3 DeformedField::surfaceNormal(const DeformedBody& body, int sphere) const {
    const Matrix3& meshFromBody = m_model->meshFromBody().rotation;
    Vector3 normal = m_model->surface().shell.normals.col(sphere).cast<double>();
    if (m_largest > 0.0) {
        Vector3 u;
        Matrix3 F;
        displacement(m_model->restPoint(sphere), u, F);
        F += Matrix3::Identity();
        normal = meshFromBody.transpose() * (inverseOf(F).transpose() * (meshFromBody * normal));
        const double length = normal.norm();
        if (length > 0.0) normal /= length;
    }
    return body.worldFromBody().rotation * normal;
}

int nearestSphere(const DeformedBody& body, const Vector3& world, int guess) {
    const BDTree& tree = body.model().skeletonTree();
    const Vector3 local = world - body.worldFromBody().translation;
    const auto squaredDistance = [&local](const BoxF& box) {
        double sum = 0.0;
        for (int k = 0; k < 3; ++k) {
            const double outside =
                std::max(static_cast<double>(box.lower[k]) - local[k], local[k] + static_cast<double>(box.negUpper[k]));
            if (outside > 0.0) sum += outside * outside;
        }
        return sum;
    };
    std::array<std::pair<double, int>, CollisionModel::maximumTreeDepth + 2> stack;
    std::size_t open = 0;
    int nearest = guess;
    double least = (centreOf(body.rotatedSphere(guess)) - local).squaredNorm();
    if (!tree.nodes.empty()) stack[open++] = {0.0, 0};
    while (open > 0) {
        const auto [bound, i] = stack[--open];
        if (bound >= least) continue;
        const BDTreeNode& node = tree.nodes[static_cast<std::size_t>(i)];
        if (node.firstChild >= 0) {
            std::pair<double, int> children[2];
            for (int c = 0; c < 2; ++c)
                children[c] = {squaredDistance(body.rotatedBox(node.firstChild + c)), node.firstChild + c};
            if (children[0].first < children[1].first) std::swap(children[0], children[1]);
            for (const auto& child : children) stack[open++] = child;  // the nearer one is looked at first
            continue;
        }
        for (int k = 0; k < node.itemCount; ++k) {
            const int segment = tree.items[static_cast<std::size_t>(node.firstItem + k)];
            const int sphere = body.model().skeleton().segments(0, segment);
            const double distance = (centreOf(body.rotatedSphere(sphere)) - local).squaredNorm();
            if (distance >= least) continue;
            least = distance;
            nearest = sphere;
        }
    }
    return nearest;
}

}  // namespace pliant
