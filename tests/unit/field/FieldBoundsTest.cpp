// SPDX-License-Identifier: Zlib
// What queries take for granted of any field: it is nowhere steeper than its Lipschitz number says, and tells of
// nothing that it is farther than it is, but for what interpolation adds. A distance to the nearest place y of a
// surface grows no faster than that to y alone, a convex function: linear between samples h apart, at shares t of a
// cell, it is too large by no more than sum |x - c| w <= h sqrt(sum t (1 - t)), and by no more than h^2 sum t (1 - t) /
// 2 |x - y|.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <random>

#include "pliant/field/MakeDistanceField.h"
#include "pliant/skeleton/SurfaceDistance.h"
#include "pliant/touch/FieldLookup.h"
#include "unit/shell/ShellShapes.h"

namespace pliant::test {
namespace {

constexpr int kBrick = 8;  // spacings

using Inside = bool (*)(const Vector3& x);

constexpr double kRing[2] = {0.08, 0.025}, kHandle[2] = {0.035, 0.006};  // m, radii of the torus and of the handle
constexpr double kFlat = 2.5e-4;  // m, more than any of the meshes' facets lies inside of the round surface

/// @param half edges, m
bool isInBox(const Vector3& x, const Vector3& half) {
    return (x.cwiseAbs().array() < half.array()).all();
}

/// @param radii of the ring about z and of its tube, m
bool isInTorus(const Vector3& x, const double (&radii)[2]) {
    return std::hypot(std::hypot(x.x(), x.y()) - radii[0], x.z()) < radii[1];
}

constexpr double kProfile[][2] = {{0.0, 0.17},    {0.012, 0.165}, {0.015, 0.155}, {0.006, 0.145},
                                  {0.045, 0.135}, {0.05, 0.125},  {0.075, 0.1},   {0.085, 0.07},
                                  {0.075, 0.03},  {0.055, 0.005}, {0.05, 0.0},    {0.0, 0.0}};

/// Whether a ray outward crosses the profile once or thrice, or the place is in the handle.
bool isInPot(const Vector3& x) {
    if (isInTorus(Vector3(x.x() - 0.1, x.z() - 0.07, x.y()), kHandle)) return true;
    const double r = std::hypot(x.x(), x.y());
    bool inside = false;
    for (int i = 0; i < 11; ++i) {
        const double *a = kProfile[i], *b = kProfile[i + 1];
        if ((a[1] > x.z()) == (b[1] > x.z())) continue;
        if (r < a[0] + (b[0] - a[0]) * (x.z() - a[1]) / (b[1] - a[1])) inside = !inside;
    }
    return inside;
}

/// A pot about z with a lid, a knob and a wall that bulges, and a ring for a handle that runs into it.
SurfaceMesh pot() {
    Matrix<double, 2, Eigen::Dynamic> line(2, 12);
    for (int i = 0; i < 12; ++i) line.col(i) << kProfile[i][0], kProfile[i][1];
    SurfaceMesh mesh = revolved(line, 48), handle = torus(kHandle[0], kHandle[1], 48, 16);
    const Matrix3 upright = Eigen::AngleAxisd(M_PI / 2, Vector3::UnitX()).toRotationMatrix();
    handle.positions = ((upright * handle.positions).colwise() + Vector3(0.1, 0.0, 0.07)).eval();
    addTriangles(mesh, handle.positions, handle.triangles);
    return mesh;
}

struct FieldCase {
    FieldCase(const char* called, const SurfaceMesh& surface, bool has, Inside in)
        : name(called), mesh(surface), hasPartsInside(has), isInside(in), field(makeDistanceField(mesh)) {}
    const char* name;
    SurfaceMesh mesh;
    bool hasPartsInside;  ///< so that the nearest triangle is that of the surface for places outside alone
    Inside isInside;      ///< in closed form; of round ones within kFlat of the surface
    DistanceField field;
};

/// Made once.
const std::vector<FieldCase>& fieldCases() {
    static const std::vector<FieldCase> cases = [] {
        SurfaceMesh block, sheet;
        addBox(block, Vector3(-0.15, -0.1, -0.075), Vector3(0.15, 0.1, 0.075));
        addBox(sheet, Vector3(-0.15, -0.1, -0.001), Vector3(0.15, 0.1, 0.001));
        return std::vector<FieldCase>{
            {"block", block, false,
             [](const Vector3& x) {
                 return isInBox(x, {0.15, 0.1, 0.075});
             }},
            {"torus", torus(kRing[0], kRing[1], 96, 48), false, [](const Vector3& x) { return isInTorus(x, kRing); }},
            {"sheet", sheet, false,
             [](const Vector3& x) {
                 return isInBox(x, {0.15, 0.1, 0.001});
             }},
            {"pot", pot(), true, isInPot}};
    }();
    return cases;
}

/// Places in and around the field's box, as far as its longest side away from it.
class PlacesAround {
public:
    explicit PlacesAround(const DistanceField& field)
        : lower(field.origin), upper(field.origin + kBrick * field.spacing * field.bricks.cast<double>()) {}
    const Vector3 lower, upper;

    Vector3 next() {
        const double around = m_share(m_random) < 0.5 ? 0.0 : (upper - lower).maxCoeff();
        Vector3 x;
        for (int k = 0; k < 3; ++k) x[k] = lower[k] - around + (upper[k] - lower[k] + 2 * around) * m_share(m_random);
        return x;
    }
    /// From a hundredth of a spacing to a hundred spacings away.
    Vector3 beside(const Vector3& x, double spacing) {
        const Vector3 way(m_normal(m_random), m_normal(m_random), m_normal(m_random));
        return x + spacing * std::pow(10.0, 4.0 * m_share(m_random) - 2.0) * way.normalized();
    }

private:
    std::mt19937 m_random{11};
    std::uniform_real_distribution<double> m_share{0.0, 1.0};
    std::normal_distribution<double> m_normal;
};

TEST(FieldBounds, NoFieldIsSteeperThanItsLipschitzNumber) {
    for (const FieldCase& one : fieldCases()) {
        const DistanceField& field = one.field;
        PlacesAround places(field);
        // Places in a brick, samples and their means are of single precision, some eight roundings of 2^-24.
        const double rounding = std::ldexp(8.0, -24) * (places.upper - places.lower).maxCoeff();
        double steepest = 0.0;
        for (int i = 0; i < 300000; ++i) {
            const Vector3 x = places.next(), y = places.beside(x, field.spacing);
            const double change = std::abs(fieldDistance(field, x) - fieldDistance(field, y)), way = (x - y).norm();
            EXPECT_LE(change, field.lipschitz * way + rounding) << one.name << ", " << x.transpose();
            if (way > field.spacing) steepest = std::max(steepest, change / way);
        }
        EXPECT_GT(steepest, 0.9) << one.name;
        EXPECT_LE(field.lipschitz, std::sqrt(3.0) + 1e-3) << one.name
                                                          << ": distances change by no more than a spacing "
                                                             "between samples, along each of three axes";
    }
}

/// What a linear interpolation adds to a distance at most.
double addedBetween(double h, double distance, double shares) {
    return std::min(h * std::sqrt(shares), h * h * shares / (2.0 * std::max(distance, 1e-12)));
}

// [B07 3.14] Outside of the box the value is told by that at the box' nearest place, whose error it takes over at most.
TEST(FieldBounds, NothingOutsideIsToldFartherThanItIs) {
    for (const FieldCase& one : fieldCases()) {
        const DistanceField& field = one.field;
        const SurfaceDistance surface(one.mesh.positions, one.mesh.triangles);
        PlacesAround places(field);
        const double s = field.spacing, h = kBrick * s;
        const double rounding = 0.5 * field.unit + std::ldexp(8.0, -24) * (places.upper - places.lower).maxCoeff();
        double largest = 0.0;
        int compared[2] = {0, 0};
        for (int i = 0; i < 60000; ++i) {
            const Vector3 x = places.next(), n = x.cwiseMax(places.lower).cwiseMin(places.upper);
            const double told = fieldDistance(field, x);
            if (told < 2.0 * s) continue;  // it may be inside, whose distances have another sign
            const double truth = (x - surface.nearest(x)).norm(), atBox = (n - surface.nearest(n)).norm();
            // Samples of fine bricks mix the truth with what the corners say, and lie up to sqrt(3) s beside.
            const double nearest = std::max(0.0, atBox - std::sqrt(3.0) * s);
            const double slack = addedBetween(h, nearest, 0.75) + addedBetween(s, nearest, 0.75) + rounding;
            EXPECT_LE(told, truth + slack) << one.name << ", " << x.transpose();
            largest = std::max(largest, (told - truth) / s);
            ++compared[n == x ? 0 : 1];
        }
        EXPECT_GT(compared[0], 2000) << one.name;
        EXPECT_GT(compared[1], 10000) << one.name;
        RecordProperty(std::string("spacings_too_far_") + one.name, std::to_string(largest));
        EXPECT_LT(largest, 1.2) << one.name << ": in spacings, against getting worse; what is derived is up to 7.8";
    }
}

/// A place of a triangle. @param u, v from 0 to 1
Vector3 placeOf(const SurfaceMesh& mesh, int triangle, double u, double v) {
    const auto corner = [&](int k) { return Vector3(mesh.positions.col(mesh.triangles(k, triangle))); };
    const double root = std::sqrt(u);
    return (1 - root) * corner(0) + root * (1 - v) * corner(1) + root * v * corner(2);
}

// Where contact happens all samples around a place are exact. Signed distances change by no more than the way, so that
// a cell takes off no more than it may add.
TEST(FieldBounds, WhereBodiesTouchItIsNoFartherOffThanACell) {
    for (const FieldCase& one : fieldCases()) {
        const DistanceField& field = one.field;
        const SurfaceDistance surface(one.mesh.positions, one.mesh.triangles);
        std::mt19937 random(3);
        std::normal_distribution<double> normal;
        std::uniform_real_distribution<double> share(0.0, 1.0);
        const double s = field.spacing;
        const double most = std::sqrt(0.75) * s + 0.5 * field.unit + std::ldexp(8.0, -24) * 0.4;
        const bool isPlane = one.name == std::string("block") || one.name == std::string("sheet");
        double largest = 0.0;
        int compared[2] = {0, 0};  // outside, inside
        for (int i = 0; i < 40000; ++i) {
            const double u = share(random), v = share(random);
            const Vector3 beside(normal(random), normal(random), normal(random));
            const Vector3 x = placeOf(one.mesh, i % one.mesh.triangleCount(), u, v) + 0.2 * s * beside;
            const double truth = (x - surface.nearest(x)).norm(), told = fieldDistance(field, x);
            if (truth > 0.75 * s) continue;
            const bool inside = one.isInside(x), isSure = isPlane || truth > kFlat;
            const double signedTruth = (isSure ? inside : told < 0.0) ? -truth : truth;
            if (inside && one.hasPartsInside)  // the nearest triangle may be one that lies inside
                EXPECT_LE(told, signedTruth + most) << one.name << ", " << x.transpose();
            else {
                EXPECT_NEAR(told, signedTruth, most) << one.name << ", " << x.transpose();
                largest = std::max(largest, std::abs(told - signedTruth));
            }
            ++compared[inside ? 1 : 0];
        }
        for (const int side : {0, 1}) EXPECT_GT(compared[side], 4000) << one.name << (side ? ", inside" : ", outside");
        RecordProperty(std::string("spacings_off_") + one.name, std::to_string(largest / s));
    }
}

}  // namespace
}  // namespace pliant::test
