// SPDX-License-Identifier: Zlib
#include "BarModel.h"

#include <Eigen/Dense>
#include <cmath>

#include "pliant/skeleton/BuildBDTree.h"

namespace pliant::test {

namespace {

/// Field number j at x (body frame, the bar's centre is the origin); columns follow BarOptions::frequencies.
Vector3 field(const BarOptions& options, int j, const Vector3& X) {
    const double s = X.x() / options.length;  // -1/2 .. 1/2
    const double e = s + 0.5;                 // 0 .. 1 from the held end
    const bool held = options.anchored;
    if (options.tongs > 0 && j == 0) return {0, 2 * X.y() / options.tongs * e * e, 0};
    switch (j) {
        case 0:
            return {0, held ? e * e : s * s, 0};
        case 1:
            return {0, 0, held ? e * e : s * s};
        case 2:
            return {held ? e : std::sin(3.0 * s), 0, 0};
        default:
            return {0, held ? e * e * e : s * s * s, 0};
    }
}

/// Corners of the bar's sections, 4 a section: (-,-), (+,-), (+,+), (-,+) in (y, z).
Points sections(const BarOptions& options) {
    Points points(3, 4 * (options.segments + 1));
    const double t = options.halfThickness;
    const double y[4] = {-t, t, t, -t}, z[4] = {-t, -t, t, t};
    for (int i = 0; i <= options.segments; ++i)
        for (int c = 0; c < 4; ++c)
            points.col(4 * i + c) << options.length * (static_cast<double>(i) / options.segments - 0.5), y[c], z[c];
    return points;
}

VectorX lumpedMasses(const BarOptions& options) {
    const double brick =
        options.density * 4.0 * options.halfThickness * options.halfThickness * options.length / options.segments;
    VectorX mass = VectorX::Zero(4 * (options.segments + 1));
    for (int i = 0; i < options.segments; ++i) mass.segment(4 * i, 8).array() += brick / 8.0;
    return mass;
}

/// The raw fields at points, 3n x r.
MatrixX rawFields(const BarOptions& options, const Points& points) {
    const int r = static_cast<int>(options.frequencies.size());
    MatrixX U(3 * points.cols(), r);
    for (Eigen::Index v = 0; v < points.cols(); ++v)
        for (int j = 0; j < r; ++j) U.block<3, 1>(3 * v, j) = field(options, j, points.col(v));
    return U;
}

MatrixX rigidFields(const Points& points) {
    MatrixX R(3 * points.cols(), 6);
    for (Eigen::Index v = 0; v < points.cols(); ++v) {
        R.block<3, 3>(3 * v, 0).setIdentity();
        R.block<3, 3>(3 * v, 3) = -crossMatrix(points.col(v));
    }
    return R;
}

/// Coefficients of raw and rigid fields in the orthonormal basis: mass Gram-Schmidt, rigid fields first unless held.
/// Column j of the result holds 6 rigid and r raw coefficients of basis vector j.
MatrixX orthonormalise(const MatrixX& rigid, const MatrixX& raw, const VectorX& mass3, bool held) {
    const Eigen::Index r = raw.cols(), first = held ? 6 : 0;
    MatrixX all(raw.rows(), 6 + r);
    all << rigid, raw;
    MatrixX coefficients = MatrixX::Identity(6 + r, 6 + r);
    for (Eigen::Index j = first; j < 6 + r; ++j) {
        for (int pass = 0; pass < 2; ++pass)
            for (Eigen::Index i = first; i < j; ++i) {
                const double share = all.col(i).dot(mass3.cwiseProduct(all.col(j)));
                all.col(j) -= share * all.col(i);
                coefficients.col(j) -= share * coefficients.col(i);
            }
        const double norm = std::sqrt(all.col(j).dot(mass3.cwiseProduct(all.col(j))));
        all.col(j) /= norm;
        coefficients.col(j) /= norm;
    }
    return coefficients.rightCols(r);
}

MatrixX fieldsAt(const BarOptions& options, const Points& points, const MatrixX& coefficients) {
    const MatrixX raw = rawFields(options, points);
    MatrixX all(raw.rows(), 6 + raw.cols());
    all << rigidFields(points), raw;
    return all * coefficients;
}

InertiaIntegrals integrals(const Points& points, const VectorX& mass, const MatrixX& U) {
    const Eigen::Index r = U.cols();
    InertiaIntegrals out;
    out.mass = mass.sum();
    out.translation = MatrixX::Zero(3, r);
    out.rotation = MatrixX::Zero(3, r);
    out.first.assign(static_cast<std::size_t>(r), Matrix3::Zero());
    out.second.assign(static_cast<std::size_t>(r * r), Matrix3::Zero());
    out.coriolis.assign(static_cast<std::size_t>(r * r), Vector3::Zero());
    Matrix3 inertia = Matrix3::Zero();
    for (Eigen::Index v = 0; v < points.cols(); ++v) {
        const Vector3 X = points.col(v);
        const double m = mass[v];
        inertia += m * (X.squaredNorm() * Matrix3::Identity() - X * X.transpose());
        for (Eigen::Index i = 0; i < r; ++i) {
            const Vector3 a = U.block<3, 1>(3 * v, i);
            out.translation.col(i) += m * a;
            out.rotation.col(i) += m * X.cross(a);
            out.first[static_cast<std::size_t>(i)] += m * X * a.transpose();
            for (Eigen::Index j = 0; j < r; ++j) {
                const Vector3 b = U.block<3, 1>(3 * v, j);
                out.second[static_cast<std::size_t>(i * r + j)] += m * a * b.transpose();
                out.coriolis[static_cast<std::size_t>(i * r + j)] += m * a.cross(b);
            }
        }
    }
    out.principalInertia = inertia.diagonal();
    return out;
}

SurfaceMesh skin(const BarOptions& options, const Points& points) {
    SurfaceMesh surface;
    surface.positions = points;
    std::vector<Eigen::Vector3i> triangles;
    const auto quad = [&triangles](int a, int b, int c, int d) {
        triangles.emplace_back(a, b, c);
        triangles.emplace_back(a, c, d);
    };
    for (int i = 0; i < options.segments; ++i)
        for (int c = 0; c < 4; ++c) quad(4 * i + c, 4 * i + (c + 1) % 4, 4 * i + 4 + (c + 1) % 4, 4 * i + 4 + c);
    quad(3, 2, 1, 0);
    const int last = 4 * options.segments;
    quad(last, last + 1, last + 2, last + 3);
    surface.triangles.resize(3, static_cast<Eigen::Index>(triangles.size()));
    for (std::size_t t = 0; t < triangles.size(); ++t)
        surface.triangles.col(static_cast<Eigen::Index>(t)) = triangles[t];
    surface.triangleMaterial.assign(triangles.size(), 0);
    surface.materials.resize(1);
    surface.normals = points;
    for (Eigen::Index v = 0; v < points.cols(); ++v)
        surface.normals.col(v) = Vector3(0, points(1, v), points(2, v)).normalized();
    return surface;
}

ContactSkeleton spine(const BarOptions& options, const MatrixX& coefficients) {
    const int balls = options.segments + 1;
    Points centres = Points::Zero(3, balls);
    for (int i = 0; i < balls; ++i)
        centres(0, i) =
            (options.length - 2 * options.halfThickness) * (static_cast<double>(i) / options.segments - 0.5);
    ContactSkeleton skeleton;
    skeleton.restCentres = centres.cast<float>();
    skeleton.radii = VectorXf::Constant(balls, static_cast<float>(options.halfThickness));
    skeleton.basis = fieldsAt(options, centres, coefficients).cast<float>();
    skeleton.segments.resize(2, options.segments);
    for (int i = 0; i < options.segments; ++i) skeleton.segments.col(i) << i, i + 1;
    return skeleton;
}

ContactSkeleton tongs(const BarOptions& options, const MatrixX& coefficients) {
    const int n = options.segments + 1;
    Points centres = Points::Zero(3, 2 * n);
    ContactSkeleton skeleton;
    skeleton.segments.resize(2, 2 * options.segments);
    for (int strand = 0; strand < 2; ++strand)
        for (int i = 0; i < n; ++i) {
            centres.col(strand * n + i) << options.length * (static_cast<double>(i) / options.segments - 0.5),
                (strand - 0.5) * options.tongs, 0.0;
            if (i + 1 < n) skeleton.segments.col(strand * options.segments + i) << strand * n + i, strand * n + i + 1;
        }
    skeleton.restCentres = centres.cast<float>();
    skeleton.radii = VectorXf::Constant(2 * n, static_cast<float>(options.tongs / 8));
    skeleton.basis = fieldsAt(options, centres, coefficients).cast<float>();
    return skeleton;
}

VolumeMesh bricks(const BarOptions& options, const Points& points) {
    VolumeMesh mesh;
    mesh.kind = ElementKind::Brick;
    mesh.positions = points.colwise() + options.meshOffset;
    mesh.elements.resize(8, options.segments);
    // Vega's order: (000)(100)(110)(010)(001)(101)(111)(011); a section's corners are (y,z) = (00)(10)(11)(01).
    for (int i = 0; i < options.segments; ++i) {
        const int a = 4 * i, b = 4 * i + 4;
        mesh.elements.col(i) << a, b, b + 1, a + 1, a + 3, b + 3, b + 2, a + 2;
    }
    mesh.elementMaterial.assign(static_cast<std::size_t>(options.segments), 0);
    mesh.materials.resize(1);
    mesh.materials[0].density = options.density;
    return mesh;
}

}  // namespace

std::shared_ptr<const ReducedModel> makeBar(const BarOptions& options) {
    auto model = std::make_shared<ReducedModel>();
    const Points points = sections(options);
    const VectorX mass = lumpedMasses(options);
    VectorX mass3(3 * mass.size());
    for (Eigen::Index i = 0; i < mass3.size(); ++i) mass3[i] = mass[i / 3];
    const MatrixX coefficients =
        orthonormalise(rigidFields(points), rawFields(options, points), mass3, options.anchored);
    model->name = "bar";
    model->meshFromBody.translation = options.meshOffset;
    model->anchored = options.anchored;
    model->mesh = bricks(options, points);
    if (options.anchored) model->fixedVertices = {0, 1, 2, 3};
    model->basis = fieldsAt(options, points, coefficients);
    const Eigen::Index r = model->basis.cols();
    VectorX squares(r);
    for (Eigen::Index j = 0; j < r; ++j) {
        const double w = options.frequencies[static_cast<std::size_t>(j)];
        squares[j] = w * w;
    }
    model->elasticEigenvalues = model->restEigenvalues = squares;
    model->restEigenvectors = MatrixX::Identity(r, r);
    model->energy.linearStiffness = squares.asDiagonal();
    const auto size = static_cast<std::size_t>(r);
    model->energy.cubic = VectorX::Zero(static_cast<Eigen::Index>(StrainEnergyPolynomial::cubicCount(size)));
    model->energy.quartic = VectorX::Zero(static_cast<Eigen::Index>(StrainEnergyPolynomial::quarticCount(size)));
    model->inertia = integrals(points, mass, model->basis);
    model->surface = skin(options, points);
    model->surfaceBasis = model->basis.cast<float>();
    model->surfaceNormalBasis = MatrixXf::Zero(3 * points.cols(), r);
    model->surfaceEmbedding.resize(static_cast<std::size_t>(points.cols()));
    for (Eigen::Index v = 0; v < points.cols(); ++v) {
        model->surfaceEmbedding[static_cast<std::size_t>(v)].vertex[0] = static_cast<int>(v);
        model->surfaceEmbedding[static_cast<std::size_t>(v)].weight[0] = 1.0;
    }
    model->skeleton = options.tongs > 0 ? tongs(options, coefficients) : spine(options, coefficients);
    model->skeletonTree = buildSkeletonTree(model->skeleton);
    model->triangleTree = buildTriangleTree(points.cast<float>(), model->surfaceBasis, model->surface.triangles);
    return model;
}

}  // namespace pliant::test
