// SPDX-License-Identifier: Zlib
#include "unit/collision/SyntheticBasket.h"

#include <Eigen/Geometry>
#include <cmath>

#include "pliant/skeleton/BuildBDTree.h"

namespace pliant::test {

namespace {

constexpr double kPi = 3.14159265358979323846;

double uniform(std::mt19937& random, double low, double high) {
    return low + (high - low) * (static_cast<double>(random()) / 4294967296.0);
}

/// Adds a strand to skeleton and surface.
void addStrand(ReducedModel& model, const Points& centres, double radius, bool closed) {
    ContactSkeleton& s = model.skeleton;
    const int first = s.sphereCount(), n = static_cast<int>(centres.cols()), steps = closed ? n : n - 1;
    s.restCentres.conservativeResize(3, first + n);
    s.restCentres.rightCols(n) = centres.cast<float>();
    s.radii.conservativeResize(first + n);
    s.radii.tail(n).setConstant(static_cast<float>(radius));
    s.segments.conservativeResize(2, s.segments.cols() + steps);
    for (int i = 0; i < steps; ++i) s.segments.col(s.segments.cols() - steps + i) << first + i, first + (i + 1) % n;
    append(model.surface, tube(centres, radius, 6, closed));
}

void finish(ReducedModel& model, int r, double size) {
    const auto fill = [&](const Points& x) {
        MatrixXf basis(3 * x.cols(), r);
        for (int j = 0; j < r; ++j)
            for (Eigen::Index i = 0; i < x.cols(); ++i)
                basis.block<3, 1>(3 * i, j) = (size * basisField(j, x.col(i))).cast<float>();
        return basis;
    };
    model.basis = MatrixX::Zero(3, r);
    model.skeleton.basis = fill(model.skeleton.restCentres.cast<double>());
    model.surfaceBasis = fill(model.surface.positions);
    model.skeletonTree = buildSkeletonTree(model.skeleton);
    model.triangleTree =
        buildTriangleTree(model.surface.positions.cast<float>(), model.surfaceBasis, model.surface.triangles);
}

}  // namespace

Vector3 basisField(int j, const Vector3& x) {
    const double f = 6.0 + 2.5 * j;
    return {std::sin(f * x.y() + 0.7 * j) * std::cos(f * x.z()), std::sin(f * x.z() + x.x() * f + 1.3 * j),
            std::cos(f * x.x() + 0.4 * j) * std::sin(f * x.y() + 0.3)};
}

SurfaceMesh tube(const Points& centres, double radius, int sides, bool closed) {
    const int n = static_cast<int>(centres.cols()), steps = closed ? n : n - 1;
    SurfaceMesh mesh;
    mesh.positions.resize(3, n * sides + (closed ? 0 : 2));
    mesh.normals.resize(3, mesh.positions.cols());
    mesh.triangles.resize(3, 2 * steps * sides + (closed ? 0 : 2 * sides));
    Vector3 side = Vector3::Zero();
    for (int i = 0; i < n; ++i) {
        const Vector3 before = centres.col(closed ? (i + n - 1) % n : std::max(i - 1, 0));
        const Vector3 after = centres.col(closed ? (i + 1) % n : std::min(i + 1, n - 1));
        const Vector3 along = (after - before).normalized();
        if (i == 0) side = along.unitOrthogonal();
        side = (side - side.dot(along) * along).normalized();
        for (int k = 0; k < sides; ++k) {
            const double angle = 2.0 * kPi * k / sides;
            const Vector3 normal = std::cos(angle) * side + std::sin(angle) * along.cross(side);
            mesh.positions.col(i * sides + k) = centres.col(i) + radius * normal;
            mesh.normals.col(i * sides + k) = normal;
        }
    }
    int t = 0;
    for (int i = 0; i < steps; ++i)
        for (int k = 0; k < sides; ++k) {
            const int a = i * sides + k, b = i * sides + (k + 1) % sides, up = ((i + 1) % n - i) * sides;
            mesh.triangles.col(t++) << a, b, b + up;
            mesh.triangles.col(t++) << a, b + up, a + up;
        }
    for (int cap = 0; !closed && cap < 2; ++cap) {
        const int centre = n * sides + cap, ring = cap ? (n - 1) * sides : 0;
        mesh.positions.col(centre) = centres.col(cap ? n - 1 : 0);
        mesh.normals.col(centre) = (centres.col(cap ? n - 1 : 0) - centres.col(cap ? n - 2 : 1)).normalized();
        for (int k = 0; k < sides; ++k) {
            const int a = ring + k, b = ring + (k + 1) % sides;
            mesh.triangles.col(t++) << (cap ? a : b), (cap ? b : a), centre;
        }
    }
    mesh.triangleMaterial.assign(static_cast<std::size_t>(t), 0);
    mesh.materials.resize(1);
    return mesh;
}

void append(SurfaceMesh& mesh, const SurfaceMesh& other) {
    const int first = mesh.vertexCount(), triangles = mesh.triangleCount();
    mesh.positions.conservativeResize(3, first + other.vertexCount());
    mesh.positions.rightCols(other.vertexCount()) = other.positions;
    mesh.normals.conservativeResize(3, first + other.vertexCount());
    mesh.normals.rightCols(other.vertexCount()) = other.normals;
    mesh.triangles.conservativeResize(3, triangles + other.triangleCount());
    mesh.triangles.rightCols(other.triangleCount()) = (other.triangles.array() + first).matrix();
    mesh.triangleMaterial.resize(static_cast<std::size_t>(mesh.triangleCount()), 0);
    mesh.materials.resize(1);
}

std::shared_ptr<const ReducedModel> basketModel(const BasketShape& shape) {
    auto model = std::make_shared<ReducedModel>();
    Points hoop(3, shape.steps);
    for (int h = 0; h < shape.hoops; ++h) {
        const double z = shape.height * ((h + 0.5) / shape.hoops - 0.5);
        for (int i = 0; i < shape.steps; ++i) {
            const double angle = 2.0 * kPi * i / shape.steps;
            hoop.col(i) << shape.radius * std::cos(angle), shape.radius * std::sin(angle), z;
        }
        addStrand(*model, hoop, shape.strand, true);
    }
    const double outside = shape.radius + 2.0 * shape.strand;
    Points upright(3, shape.hoops + 1);
    for (int u = 0; u < shape.uprights; ++u) {
        const double angle = 2.0 * kPi * (u + 0.25) / shape.uprights;
        for (int i = 0; i <= shape.hoops; ++i)
            upright.col(i) << outside * std::cos(angle), outside * std::sin(angle),
                shape.height * (static_cast<double>(i) / shape.hoops - 0.5);
        addStrand(*model, upright, shape.strand, false);
    }
    finish(*model, shape.dimension, 1.0);
    return model;
}

VectorX randomCoordinates(std::mt19937& random, int r, double size) {
    VectorX q(r);
    for (int j = 0; j < r; ++j) q[j] = uniform(random, -size, size);
    return q;
}

RigidTransform randomPose(std::mt19937& random, double reach) {
    RigidTransform pose;
    Vector3 axis;
    for (int k = 0; k < 3; ++k) {
        axis[k] = uniform(random, -1.0, 1.0);
        pose.translation[k] = uniform(random, -reach, reach);
    }
    pose.rotation = Eigen::AngleAxisd(uniform(random, 0.0, 3.0), axis.normalized()).toRotationMatrix();
    return pose;
}

std::shared_ptr<const ReducedModel> polylineModel(const Points& centres, const VectorX& radii, bool closed) {
    auto model = std::make_shared<ReducedModel>();
    const int n = static_cast<int>(centres.cols());
    model->skeleton.restCentres = centres.cast<float>();
    model->skeleton.radii = radii.cast<float>();
    const int steps = n == 1 ? 1 : closed ? n : n - 1;
    model->skeleton.segments.resize(2, steps);
    for (int i = 0; i < steps; ++i) model->skeleton.segments.col(i) << i, (i + 1) % n;
    model->surface =
        tube(n == 1 ? Points(centres.replicate(1, 2) + Points::Identity(3, 2)) : centres, radii[0], 6, false);
    finish(*model, 1, 0.0);
    return model;
}

}  // namespace pliant::test
