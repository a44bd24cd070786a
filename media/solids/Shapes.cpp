// SPDX-License-Identifier: Zlib
#include "Shapes.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace solids {
namespace {

using pliant::Vector3;

/// Minimum of two distances with a fillet of about k.
double blend(double a, double b, double k) {
    const double h = std::max(k - std::abs(a - b), 0.0) / k;
    return std::min(a, b) - 0.25 * h * h * k;
}

double ellipsoid(const Vector3& p, const Vector3& middle, const Vector3& radii) {
    const Vector3 x = p - middle;
    const double scaled = x.cwiseQuotient(radii).norm();
    const double slope = x.cwiseQuotient(radii.cwiseProduct(radii)).norm();
    return slope > 0 ? scaled * (scaled - 1.0) / slope : -radii.minCoeff();
}

/// A capsule whose radius goes from ra at a to rb at b.
double cone(const Vector3& p, const Vector3& a, const Vector3& b, double ra, double rb) {
    const Vector3 along = b - a;
    const double t = std::clamp((p - a).dot(along) / along.squaredNorm(), 0.0, 1.0);
    return (p - a - t * along).norm() - (ra + t * (rb - ra));
}

double roundedBox(const Vector3& p, const Vector3& half, double radius) {
    const Vector3 q = p.cwiseAbs() - half + Vector3::Constant(radius);
    return q.cwiseMax(0.0).norm() + std::min(q.maxCoeff(), 0.0) - radius;
}

Vector3 mirrored(const Vector3& p) {
    return {p.x(), std::abs(p.y()), p.z()};
}

pliant::SurfaceMaterial material(const char* name, const Vector3& diffuse, double specular, double shininess) {
    pliant::SurfaceMaterial made;
    made.name = name;
    made.diffuse = diffuse;
    made.specular = Vector3::Constant(specular);
    made.shininess = shininess;
    return made;
}

double cowBody(const Vector3& p) {
    const Vector3 m = mirrored(p);
    double d = ellipsoid(p, {0.0, 0, 0.30}, {0.215, 0.115, 0.115});
    d = blend(d, ellipsoid(p, {0.13, 0, 0.315}, {0.10, 0.10, 0.11}), 0.05);      // shoulders
    d = blend(d, ellipsoid(p, {-0.14, 0, 0.315}, {0.085, 0.105, 0.105}), 0.05);  // rump
    d = blend(d, cone(p, {0.17, 0, 0.35}, {0.255, 0, 0.425}, 0.075, 0.058), 0.05);
    for (const double x : {0.125, -0.145}) {
        d = blend(d, cone(m, {x, 0.062, 0.22}, {x, 0.066, 0.035}, 0.048, 0.033), 0.04);
        d = blend(d, cone(m, {x + 0.004, 0.066, 0.03}, {x + 0.006, 0.066, 0.026}, 0.036, 0.036), 0.01);
    }
    return blend(d, ellipsoid(p, {-0.09, 0, 0.205}, {0.055, 0.05, 0.045}), 0.03);  // udder
}

double cowHead(const Vector3& p) {
    const Vector3 m = mirrored(p);
    double d = ellipsoid(p, {0.285, 0, 0.445}, {0.075, 0.062, 0.065});
    d = blend(d, cone(p, {0.30, 0, 0.435}, {0.365, 0, 0.40}, 0.052, 0.046), 0.03);
    d = blend(d, cone(m, {0.262, 0.055, 0.475}, {0.245, 0.125, 0.475}, 0.022, 0.018), 0.02);      // ears
    return blend(d, cone(m, {0.275, 0.035, 0.49}, {0.272, 0.066, 0.555}, 0.019, 0.0125), 0.012);  // horns
}

double cowDistance(const Vector3& p) {
    const double tail = std::min(cone(p, {-0.205, 0, 0.375}, {-0.25, 0, 0.26}, 0.019, 0.016),
                                 cone(p, {-0.25, 0, 0.26}, {-0.255, 0, 0.2}, 0.016, 0.026));
    return blend(blend(cowBody(p), cowHead(p), 0.03), tail, 0.02);
}

int cowMaterial(const Vector3& p) {
    const auto near = [](const Vector3& q, const Vector3& middle, double radius) {
        return (q - middle).norm() < radius;
    };
    const Vector3 m = mirrored(p);
    if (p.z() < 0.04) return 3;  // hooves
    if (near(m, {0.274, 0.055, 0.535}, 0.033)) return 3;
    if (near(p, {0.40, 0, 0.39}, 0.062) || near(p, {-0.09, 0, 0.16}, 0.055)) return 2;
    if (near(m, {0.335, 0.052, 0.462}, 0.0165)) return 1;  // eyes
    const bool spot = near(p, {0.03, 0.11, 0.36}, 0.085) || near(p, {-0.16, -0.08, 0.36}, 0.095) ||
                      near(p, {0.10, -0.11, 0.29}, 0.06) || near(p, {-0.15, 0.11, 0.25}, 0.055) ||
                      near(p, {0.26, 0.08, 0.46}, 0.062) || near(p, {-0.255, 0, 0.19}, 0.04);
    return spot ? 1 : 0;
}

/// Arc of a profile. @param from, to degrees from the outward direction towards z
void addArc(std::vector<Vector2>& profile, const Vector2& middle, double radius, double from, double to, int pieces) {
    for (int i = 0; i <= pieces; ++i) {
        const double angle = (from + (to - from) * i / pieces) * 3.14159265358979323846 / 180.0;
        profile.push_back(middle + radius * Vector2(std::cos(angle), std::sin(angle)));
    }
}

/// Straight piece of a profile, without its ends.
void addLine(std::vector<Vector2>& profile, const Vector2& from, const Vector2& to, int pieces) {
    for (int i = 1; i < pieces; ++i) profile.push_back(from + (to - from) * i / pieces);
}

/// The same with its first end, a corner of the profile.
void addEdge(std::vector<Vector2>& profile, const Vector2& from, const Vector2& to, int pieces) {
    profile.push_back(from);
    addLine(profile, from, to, pieces);
}

/// From 0 at `from` to 1 at `to`.
double smoothStep(double from, double to, double x) {
    const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

/// Grooves across the tread, slanted to both sides and flat where the sides begin.
double treadDepth(const Vector2& p, double angle) {
    const double phase = 24.0 * (angle / 6.28318530717958648 + 0.45 * std::abs(p.y()));
    const double fromGroove = std::abs(phase - std::round(phase));
    return 0.012 * (1.0 - smoothStep(0.10, 0.20, fromGroove)) * smoothStep(0.262, 0.285, p.x());
}

}  // namespace

ImplicitShape cow() {
    ImplicitShape shape;
    shape.name = "cow";
    shape.lower = Vector3(-0.32, -0.17, -0.03);
    shape.upper = Vector3(0.45, 0.17, 0.60);
    shape.cell = Vector3::Constant(0.0115);
    shape.distance = cowDistance;
    shape.materialAt = cowMaterial;
    shape.materials = {material("coat", {0.82, 0.80, 0.76}, 0.03, 10), material("spots", {0.035, 0.03, 0.03}, 0.06, 20),
                       material("skin", {0.75, 0.38, 0.33}, 0.05, 20), material("horn", {0.22, 0.17, 0.12}, 0.1, 30)};
    return shape;
}

Revolved apple() {
    Revolved shape;
    shape.name = "apple";
    // Wider above than below, with a dimple at both ends; a stalk stands in the upper one.
    const auto point = [](double degrees) {
        const double angle = degrees * 3.14159265358979323846 / 180.0;
        const double across = 0.038 * std::cos(angle) * (1.0 + 0.14 * std::sin(angle));
        const double near = std::exp(-across * across / (0.013 * 0.013));
        return Vector2(across, 0.036 * std::sin(angle) - (degrees > 0 ? 0.015 : -0.008) * near);
    };
    auto& profile = shape.profile;
    profile.emplace_back(0, point(-90).y());
    for (int degrees = -80; degrees <= 84; degrees += 6) profile.push_back(point(degrees));
    const double foot = point(84).y() - 0.001, top = foot + 0.024;
    addEdge(profile, {0.0021, foot}, {0.0026, top}, 4);
    profile.emplace_back(0.0026, top);
    profile.emplace_back(0, top + 0.001);
    shape.segments = 40;
    shape.materialAt = [foot](const Vector2& p) {
        return p.x() < 0.0036 && p.y() > foot - 0.001 ? 2 : p.x() < 0.013 && p.y() > 0 ? 1 : 0;
    };
    shape.materials = {material("red", {0.55, 0.035, 0.02}, 0.25, 60), material("green", {0.42, 0.40, 0.06}, 0.2, 60),
                       material("stalk", {0.10, 0.06, 0.03}, 0.02, 10)};
    return shape;
}

Revolved tyre() {
    Revolved shape;
    shape.name = "tyre";
    // Anticlockwise: tread, upper side, inside, lower side.
    auto& profile = shape.profile;
    addLine(profile, {0.3, -0.042}, {0.3, 0.042}, 8);
    addArc(profile, {0.262, 0.042}, 0.038, 0, 90, 8);
    addLine(profile, {0.262, 0.08}, {0.205, 0.08}, 4);
    addArc(profile, {0.205, 0.06}, 0.02, 90, 180, 4);
    addLine(profile, {0.185, 0.06}, {0.185, -0.06}, 6);
    addArc(profile, {0.205, -0.06}, 0.02, 180, 270, 4);
    addLine(profile, {0.205, -0.08}, {0.262, -0.08}, 4);
    addArc(profile, {0.262, -0.042}, 0.038, 270, 360, 8);
    shape.segments = 144;
    shape.depth = treadDepth;
    shape.materialAt = [](const Vector2& p) { return std::abs(p.y()) > 0.0799 && p.x() < 0.23 ? 1 : 0; };
    shape.materials = {material("rubber", {0.035, 0.035, 0.038}, 0.10, 15),
                       material("stripe", {0.75, 0.73, 0.68}, 0.05, 15)};
    return shape;
}

Revolved plate() {
    Revolved shape;
    shape.name = "plate";
    // Anticlockwise: bottom with a foot, outside, rim, upper side; 5 mm thick.
    auto& profile = shape.profile;
    addEdge(profile, {0, 0.003}, {0.052, 0.003}, 7);
    addArc(profile, {0.052, 0.001}, 0.002, 90, 0, 2);
    addArc(profile, {0.057, 0.0015}, 0.0015, 200, 340, 3);
    addEdge(profile, {0.0605, 0.003}, {0.085, 0.011}, 4);
    addLine(profile, {0.085, 0.011}, {0.118, 0.0175}, 6);
    addArc(profile, {0.1175, 0.02}, 0.0025, 280, 460, 6);
    addLine(profile, {0.117, 0.0225}, {0.083, 0.016}, 7);
    addLine(profile, {0.083, 0.016}, {0.062, 0.0085}, 4);
    addEdge(profile, {0.058, 0.008}, {0, 0.008}, 8);
    profile.emplace_back(0, 0.008);
    shape.segments = 72;
    shape.materialAt = [](const Vector2& p) { return p.y() > 0.018 && p.x() > 0.102 && p.x() < 0.114 ? 1 : 0; };
    shape.materials = {material("china", {0.85, 0.85, 0.82}, 0.4, 120), material("blue", {0.06, 0.12, 0.40}, 0.4, 120)};
    return shape;
}

ImplicitShape jelly() {
    ImplicitShape shape;
    shape.name = "jelly";
    shape.lower = Vector3::Constant(-0.115);
    shape.upper = Vector3::Constant(0.115);
    shape.cell = Vector3::Constant(0.0085);
    shape.distance = [](const Vector3& p) { return roundedBox(p, Vector3::Constant(0.1), 0.02); };
    shape.materialAt = [](const Vector3&) { return 0; };
    shape.materials = {material("jelly", {0.70, 0.05, 0.10}, 0.5, 200)};
    return shape;
}

Revolved peg() {
    Revolved shape;
    shape.name = "peg";
    auto& profile = shape.profile;
    addEdge(profile, {0, -0.06}, {0.015, -0.06}, 4);
    addEdge(profile, {0.015, -0.06}, {0.02, -0.05}, 4);
    addEdge(profile, {0.02, -0.05}, {0.02, 0.058}, 24);
    addArc(profile, {0.018, 0.058}, 0.002, 0, 90, 3);
    addLine(profile, {0.018, 0.06}, {0, 0.06}, 4);
    profile.emplace_back(0, 0.06);
    shape.segments = 96;
    shape.materialAt = [](const Vector2& p) { return p.y() > 0.02 && p.y() < 0.03 ? 1 : 0; };
    shape.materials = {material("brass", {0.58, 0.40, 0.10}, 0.4, 80), material("mark", {0.05, 0.05, 0.06}, 0.2, 40)};
    return shape;
}

Revolved socket() {
    Revolved shape;
    shape.name = "socket";
    // Anticlockwise: bottom, outside, top, the hole.
    auto& profile = shape.profile;
    addEdge(profile, {0.0232, 0}, {0.058, 0}, 7);
    addArc(profile, {0.058, 0.002}, 0.002, 270, 360, 3);
    addLine(profile, {0.06, 0.002}, {0.06, 0.078}, 14);
    addArc(profile, {0.058, 0.078}, 0.002, 0, 90, 3);
    addLine(profile, {0.058, 0.08}, {0.0232, 0.08}, 7);
    addEdge(profile, {0.0232, 0.08}, {0.0202, 0.077}, 2);
    addEdge(profile, {0.0202, 0.077}, {0.0202, 0.003}, 18);
    addEdge(profile, {0.0202, 0.003}, {0.0232, 0}, 2);
    shape.segments = 96;
    shape.materialAt = [](const Vector2&) { return 0; };
    shape.materials = {material("steel", {0.30, 0.33, 0.38}, 0.4, 80)};
    return shape;
}

Revolved hose() {
    Revolved shape;
    shape.name = "hose";
    auto& profile = shape.profile;
    profile.emplace_back(0, -0.3);
    addLine(profile, {0, -0.3}, {0.011, -0.3}, 3);
    addArc(profile, {0.011, -0.296}, 0.004, 270, 360, 3);
    addLine(profile, {0.015, -0.296}, {0.015, 0.296}, 96);
    addArc(profile, {0.011, 0.296}, 0.004, 0, 90, 3);
    addLine(profile, {0.011, 0.3}, {0, 0.3}, 3);
    profile.emplace_back(0, 0.3);
    shape.segments = 40;
    shape.materialAt = [](const Vector2& p) { return std::abs(p.y()) > 0.27 ? 1 : 0; };
    shape.materials = {material("rubber", {0.03, 0.03, 0.035}, 0.3, 30), material("clamp", {0.45, 0.46, 0.5}, 0.5, 90)};
    return shape;
}

Revolved plug() {
    Revolved shape;
    shape.name = "plug";
    auto& profile = shape.profile;
    const int pieces = 80;
    // Half the length times the cosine of its angle, and a waist in the middle.
    for (int i = 0; i <= pieces; ++i) {
        const double angle = 3.14159265358979323846 * i / pieces;
        const double z = -0.08 * std::cos(angle), waist = std::exp(-z * z / 4.5e-4);
        profile.emplace_back(i == 0 || i == pieces ? 0.0 : 0.035 * std::sin(angle) * (1.0 - 0.28 * waist), z);
    }
    shape.segments = 72;
    shape.materialAt = [](const Vector2&) { return 0; };
    shape.materials = {material("brass", {0.58, 0.40, 0.10}, 0.4, 80)};
    return shape;
}

namespace {

/// The middle of the wire: 300 degrees of a circle, from whose ends it goes on straight. The ends cross below, 18 mm
/// apart, so that another wire of 6 mm gets through between them.
std::vector<Vector3> alphaLine() {
    constexpr double pi = 3.14159265358979323846, radius = 0.04, apart = 0.009, end = 150 * pi / 180, tail = 0.05;
    constexpr int pieces = 24;
    const auto loop = [](double angle) {
        return Vector3(radius * std::sin(angle), -apart * angle / end, radius * std::cos(angle));
    };
    std::vector<Vector3> line;
    line.push_back(loop(-end) + tail * Vector3(-std::cos(end), 0, -std::sin(end)));
    for (int i = 0; i <= pieces; ++i) line.push_back(loop((2.0 * i / pieces - 1) * end));
    line.push_back(loop(end) + tail * Vector3(std::cos(end), 0, -std::sin(end)));
    return line;
}

}  // namespace

ImplicitShape alpha() {
    ImplicitShape shape;
    shape.name = "alpha";
    shape.lower = Vector3(-0.0491, -0.0172, -0.067);
    shape.upper = Vector3(0.049, 0.017, 0.049);
    shape.cell = Vector3::Constant(0.0015);
    shape.distance = [line = alphaLine()](const Vector3& p) {
        double nearest = 1;
        for (std::size_t i = 0; i + 1 < line.size(); ++i)
            nearest = std::min(nearest, cone(p, line[i], line[i + 1], 0.003, 0.003));
        return nearest;
    };
    shape.materialAt = [](const Vector3&) { return 0; };
    shape.materials = {material("steel", {0.30, 0.31, 0.33}, 0.8, 120)};
    return shape;
}

}  // namespace solids
