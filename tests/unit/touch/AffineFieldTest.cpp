// SPDX-License-Identifier: Zlib
// A bent field against a truth of its own: a body that is stretched and sheared as a whole, a box to a parallelepiped,
// a ball to an ellipsoid, whose distances and normals are known in closed form.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <random>

#include "TouchSurfaces.h"
#include "pliant/touch/DistributedQuery.h"
#include "pliant/touch/FieldLookup.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

/// Displacements of unit q at a place X of the mesh frame: column 3 j + i is X_j along i, so that q is F - 1 by
/// columns.
Matrix<double, 3, 9> affineRows(const Vector3& X) {
    Matrix<double, 3, 9> rows;
    for (int j = 0; j < 3; ++j) rows.middleCols<3>(3 * j) = X[j] * Matrix3::Identity();
    return rows;
}

/// The model with its first nine shapes replaced by the affine ones, as far as fields and surface points go.
std::shared_ptr<const ReducedModel> withAffineShapes(const ReducedModel& model) {
    auto affine = std::make_shared<ReducedModel>(model);
    ContactLattice& lattice = affine->contactSurface.lattice;
    for (int cell = 0; cell < lattice.cellCount(); ++cell)
        for (int i = 0; i < 8; ++i) {
            const Vector3 corner(i & 1, (i >> 1) & 1, (i >> 2) & 1);
            const Vector3 X = lattice.origin + lattice.spacing * (lattice.cellPlaces.col(cell).cast<double>() + corner);
            lattice.basis.block<3, 9>(3 * lattice.cellVertices(i, cell), 0) = affineRows(X).cast<float>();
        }
    for (int s = 0; s < affine->skeleton.sphereCount(); ++s) {
        const Vector3 X = model.meshFromBody.point(affine->skeleton.restCentres.col(s).cast<double>());
        affine->skeleton.basis.block<3, 9>(3 * s, 0) =
            (model.meshFromBody.rotation.transpose() * affineRows(X)).cast<float>();
    }
    return affine;
}

/// A solid that is deformed by a gradient F.
class AffineBody {
public:
    AffineBody(const std::shared_ptr<const ReducedModel>& model, const Matrix3& gradient)
        : F(gradient),
          m_collision(std::make_shared<CollisionModel>(withAffineShapes(*model))),
          m_body(m_collision),
          m_field(std::make_shared<SurfaceModel>(m_collision)) {
        VectorX q = VectorX::Zero(model->dimension());
        const Matrix3 A = F - Matrix3::Identity();
        q.head<9>() = Eigen::Map<const VectorX>(A.data(), 9);
        m_body.update(q.data(), turned(Vector3(0.2, 1, -0.4), 0.9, Vector3(0.3, -0.1, 0.2)));
        m_field.update(m_body, q.data());
        m_field.updateBounds();
    }
    FieldSample sample(const Vector3& x) const { return m_field.sample(m_body, bent().worldFromField().point(x)); }
    BentField bent() const { return BentField(m_field, m_body); }
    const ContactSurface& surface() const { return m_field.model().surface(); }

    const Matrix3 F;
    double stretch() const { return F.jacobiSvd().singularValues()[0]; }
    double inverseStretch() const { return 1.0 / F.jacobiSvd().singularValues()[2]; }
    /// What is left of the place that a point is taken back to, m at rest: Newton's method ends at 1e-5 of a cell, or
    /// is exact in a step but for single precision: 24 bits of displacements of less than 0.1 m, added some ten times.
    double restError() const { return inverseStretch() * (1e-5 * surface().lattice.spacing + 10 * 0.1 * 6e-8); }

private:
    std::shared_ptr<const CollisionModel> m_collision;
    DeformedBody m_body;
    DeformedField m_field;
};

std::vector<Matrix3> gradients() {
    Matrix3 stretched = Vector3(1.25, 0.85, 1.1).asDiagonal(), sheared = Matrix3::Identity(), both;
    sheared(0, 1) = 0.35;
    both << 1.1, 0.2, -0.1, -0.05, 0.9, 0.15, 0.1, -0.2, 1.2;
    return {Matrix3::Identity(), stretched, sheared, both};
}

const Vector3 kHalf(0.15, 0.05, 0.05);  // m, of the box

struct Face {
    int axis = 0;
    double sign = 0.0;
    double depth = 0.0;  ///< m
};

/// Depth of F X below each face of the deformed box, negative beside it; the least first.
std::vector<Face> depthsBelowFaces(const Matrix3& F, const Vector3& X) {
    const Matrix3 inverse = F.inverse();
    std::vector<Face> faces;
    for (int axis = 0; axis < 3; ++axis)
        for (const double sign : {-1.0, 1.0})
            faces.push_back({axis, sign, (kHalf[axis] - sign * X[axis]) / inverse.row(axis).norm()});
    std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.depth < b.depth; });
    return faces;
}

// Below a face of the box, which stays plane, the field is told without an error of the method: what is left is half a
// step of its samples, times the stretch, and where Newton's method ends. Depths of the samples may differ by a step
// between places that lie a spacing apart, which turns the normal.
TEST(AffineField, OfABoxIsThatOfItsParallelepiped) {
    const auto model = solidBox(2 * kHalf, SolidMaterial(), 0.05);
    std::mt19937 random(4);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    for (const Matrix3& F : gradients()) {
        const AffineBody body(model, F);
        const DistanceField& field = body.surface().field;
        const double error = body.stretch() * (0.5 * field.unit + field.lipschitz * body.restError());
        const double turn = std::sqrt(3.0) * field.unit / field.spacing * body.stretch() * body.inverseStretch();
        EXPECT_LT(error, 5e-5);
        for (int axis = 0; axis < 3; ++axis)
            for (int i = 0; i < 400; ++i) {
                Vector3 X(number(random), number(random), number(random));
                const double sign = X[axis] > 0 ? 1 : -1;
                X = (0.3 * X).cwiseProduct(kHalf);  // so far from the edges that no other face counts
                X[axis] = sign * kHalf[axis];
                const Vector3 normal = (F.inverse().transpose() * Vector3(sign * Vector3::Unit(axis))).normalized();
                const double distance = 1.9 * field.spacing / body.inverseStretch() * number(random);
                const FieldSample at = body.sample(F * X + distance * normal);
                EXPECT_NEAR(at.distance, distance, error + std::abs(distance) * turn) << F << "\n" << X.transpose();
                const Vector3 told = body.bent().worldFromField().rotation.transpose() * at.normal;
                EXPECT_LT((told - normal).norm(), turn + 1e-6) << F << "\n" << X.transpose();
                EXPECT_LT((at.rest - (X + distance * (F.inverse() * normal))).norm(), body.restError());
            }
    }
}

/// Signed distance from the ellipsoid F X, |X| = radius, and the outward normal of its nearest place: the place is
/// a^2 y / (a^2 + t) with a the half axes, along which y is taken, and t > -min a^2 the root of a falling function.
double ellipsoidDistance(const Matrix3& F, double radius, const Vector3& x, Vector3& normal) {
    const Eigen::JacobiSVD<Matrix3> svd(F, Eigen::ComputeFullU);
    const Eigen::Array3d a2 = (radius * svd.singularValues().array()).square();
    const Eigen::Array3d y = (svd.matrixU().transpose() * x).array();
    double low = -a2.minCoeff() * (1 - 1e-12), high = 10 * a2.maxCoeff();
    for (int i = 0; i < 200; ++i) {
        const double t = 0.5 * (low + high);
        ((a2 * y.square() / (a2 + t).square()).sum() > 1.0 ? low : high) = t;
    }
    const Eigen::Array3d foot = a2 * y / (a2 + low);
    normal = svd.matrixU() * Vector3((foot / a2).matrix().normalized());
    return (y - foot).matrix().norm() * ((y.square() / a2).sum() < 1.0 ? -1 : 1);
}

// With g(x) = |F^-1 x| - R the field is g / |grad g|, which differs from the distance d by d^2 / 2 times the largest
// second derivative over the least slope of g between: |F^-1|^2 / |X| and 1 / |F|. The field at rest is that of 1,280
// triangles: what it is off there by in distance and direction counts times stretch and condition.
TEST(AffineField, OfABallIsThatOfItsEllipsoidToSecondOrder) {
    const double radius = 0.1;
    const auto model = solidSphere(radius);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    double largest = 0.0;
    for (const Matrix3& F : gradients()) {
        const AffineBody body(model, F);
        const double condition = body.stretch() * body.inverseStretch();
        for (int i = 0; i < 1000; ++i) {
            const Vector3 direction = Vector3(number(random), number(random), number(random)).normalized();
            const Vector3 x = F * ((radius + 4e-3 * number(random)) * direction);
            const FieldSample at = body.sample(x);
            Vector3 normal;
            const double truth = ellipsoidDistance(F, radius, x, normal);
            const Vector3 X = F.inverse() * x;
            EXPECT_LT((at.rest - X).norm(), body.restError());
            const double restOff =
                std::abs(fieldDistance(body.surface().field, at.rest) - (X.norm() - radius)) + body.restError();
            const double turnOff = (at.outward - X.normalized()).norm();
            const double curved = 0.5 * truth * truth * body.inverseStretch() * body.inverseStretch() /
                                  (X.norm() - 2 * std::abs(truth)) * body.stretch();
            const double bound = body.stretch() * restOff + std::abs(at.distance) * condition * turnOff + curved;
            EXPECT_NEAR(at.distance, truth, bound) << F << "\n" << X.transpose();
            // The normal of g turns by its second derivative along the way, and by what the one at rest is off.
            const Vector3 told = body.bent().worldFromField().rotation.transpose() * at.normal;
            const double turn = condition * turnOff + 2 * curved / std::max(std::abs(truth), 1e-9);
            EXPECT_LT((told - normal).norm(), turn + 1e-6);
            largest = std::max(largest, bound);
        }
    }
    EXPECT_LT(largest, 1e-3) << "a bound of more would hold for anything";
}

/// How deep F X is below the face that is nearest at rest and below the one that is nearest deformed, m; whether
/// another one is as near at rest within two samples, so that an interpolated field knows no face from the other.
struct BoxDepth {
    BoxDepth(const Matrix3& F, const Vector3& X, double spacing) {
        const Eigen::Array3d away = kHalf.array() - X.array().abs();
        Eigen::Index axis = 0;
        rest = away.minCoeff(&axis);
        Eigen::Array3d others = away;
        others[axis] = 1.0;
        isMixed = others.minCoeff() < rest + 2 * spacing;
        const std::vector<Face> faces = depthsBelowFaces(F, X);
        least = faces.front().depth;
        for (const Face& face : faces)
            if (face.axis == axis && face.sign * X[axis] > 0) below = face.depth;
    }
    double rest = 0.0, least = 0.0, below = 0.0;
    bool isMixed = false;
};

// What a query finds in the box: every point of the shell that is inside, none that is not, as deep as the face says
// that is nearest at rest. Where two faces are, an interpolated field is off by no more than half of a sample's
// diagonal, as a distance changes by no more than the way.
TEST(AffineField, AQueryFindsThePointsInsideAndTheirDepths) {
    const auto model = solidBox(2 * kHalf, SolidMaterial(), 0.05);
    const auto shell =
        std::make_shared<DistributedShell>(sampleShell(torusSurface(0.06, 0.025, 96), {}, 20000, nullptr), 3, nullptr);
    for (const Matrix3& F : gradients()) {
        const AffineBody body(model, F);
        const BentField bent = body.bent();
        const DistanceField& field = body.surface().field;
        const double error = body.stretch() * (0.5 * field.unit + field.lipschitz * body.restError());
        const double smear = std::sqrt(0.75) * field.spacing * body.stretch();
        const double turn = std::sqrt(3.0) * field.unit / field.spacing * body.stretch() * body.inverseStretch();
        DistributedQuery query(shell, nullptr);
        int plain = 0, mixed = 0;
        for (int frame = 0; frame < 10; ++frame) {
            query.placed().place({turned(Vector3(1, 0.2 * frame, 0.3), 0.4 * frame,
                                         Vector3(0.02 * frame - 0.1, 0.02, 0.05 + 0.002 * frame))});
            std::vector<DistributedPoint> found, all;
            DistributedQueryOptions options;
            options.followsFastPoints = false;
            query.find(bent, options, found);
            query.findAll(bent, 2, 1.0, all);  // whatever its distance
            std::vector<char> isFound(static_cast<std::size_t>(query.placed().shell().pointCount()));
            for (const DistributedPoint& point : found) isFound[static_cast<std::size_t>(point.point)] = 1;
            for (const DistributedPoint& point : all) {
                const BoxDepth depth(F, F.inverse() * point.place, field.spacing);
                const double bound = error + (depth.isMixed ? smear : depth.below * turn);
                const bool has = isFound[static_cast<std::size_t>(point.point)] != 0;
                EXPECT_FALSE(has ? depth.least < -bound : depth.least > bound) << depth.least << " m below the surface";
                if (!has || depth.rest < 0.0 || depth.rest > field.spacing) continue;  // near enough for fine samples
                ++(depth.isMixed ? mixed : plain);
                EXPECT_GT(-point.distance, depth.least - bound);
                EXPECT_LT(-point.distance, depth.below + bound);
            }
        }
        EXPECT_GT(plain, 300);
        EXPECT_GT(mixed, 100);
    }
}

}  // namespace
}  // namespace pliant::test
