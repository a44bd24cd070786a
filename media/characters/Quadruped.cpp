// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <cmath>

#include "Binding.h"
#include "Characters.h"
#include "ImplicitShape.h"

namespace characters {

using pliant::Vector3;

namespace {

constexpr double pi = 3.14159265358979323846;

/// Minimum of two distances with a fillet of about k.
double blend(double a, double b, double k) {
    const double h = std::max(k - std::abs(a - b), 0.0) / k;
    return std::min(a, b) - 0.25 * h * h * k;
}

/// A capsule whose radius goes from ra at a to rb at b.
double cone(const Vector3& p, const Vector3& a, const Vector3& b, double ra, double rb) {
    const Vector3 along = b - a;
    const double t = std::clamp((p - a).dot(along) / along.squaredNorm(), 0.0, 1.0);
    return (p - a - t * along).norm() - (ra + t * (rb - ra));
}

/// Places of the left side; the right one is its mirror image.
const Vector3 hips(-0.27, 0, 0.47), chest(0.20, 0, 0.48), neck(0.27, 0, 0.52), head(0.38, 0, 0.68), nose(0.53, 0, 0.63);
const Vector3 tailRoot(-0.36, 0, 0.50), tailEnd(-0.50, 0, 0.28);
const Vector3 earRoot(0.365, 0.06, 0.715), earEnd(0.32, 0.17, 0.70);
const Vector3 hornRoot(0.385, 0.035, 0.745), hornEnd(0.36, 0.075, 0.85);
const double foreX = 0.19, hindX = -0.26, legY = 0.085;

Vector3 mirrored(const Vector3& p) {
    return {p.x(), std::abs(p.y()), p.z()};
}

double distance(const Vector3& p) {
    const Vector3 m = mirrored(p);
    double d = cone(p, hips, chest, 0.125, 0.135);
    d = blend(d, cone(p, neck, head, 0.085, 0.065), 0.06);
    double skull =
        blend(cone(p, head, {0.42, 0, 0.68}, 0.075, 0.07), cone(p, {0.42, 0, 0.675}, nose, 0.06, 0.042), 0.03);
    skull = blend(skull, cone(m, earRoot, earEnd, 0.022, 0.026), 0.02);
    skull = blend(skull, cone(m, hornRoot, hornEnd, 0.021, 0.013), 0.012);
    d = blend(d, skull, 0.04);
    for (const double x : {foreX, hindX}) {
        d = blend(d, cone(m, {x, legY, 0.42}, {x, legY, 0.22}, 0.062, 0.042), 0.05);
        d = blend(d, cone(m, {x, legY, 0.22}, {x + 0.01, legY, 0.035}, 0.042, 0.035), 0.02);
    }
    return blend(d, cone(p, tailRoot, tailEnd, 0.024, 0.030), 0.03);
}

int materialAt(const Vector3& p) {
    const Vector3 m = mirrored(p);
    if (p.z() < 0.05) return 2;
    if (p.z() > 0.76 && m.y() > 0.02) return 2;
    if ((m - Vector3(0.445, 0.055, 0.70)).norm() < 0.018) return 1;
    return (p - nose).norm() < 0.05 || (p - tailEnd).norm() < 0.05 ? 1 : 0;
}

void addLegs(pliant::Rig& rig, int parent, const std::string& name, double x, std::vector<Region>& regions) {
    for (const double side : {1.0, -1.0}) {
        const std::string whole = name + (side > 0 ? " left" : " right");
        const Vector3 top(x, side * legY, 0.42), knee(x, side * legY, 0.22), foot(x + 0.01, side * legY, 0.0);
        const int thigh = addBone(rig.skeleton, whole + " thigh", parent, top);
        const int shin = addBone(rig.skeleton, whole + " shin", thigh, knee);
        regions.push_back({thigh, top - Vector3(0, 0, 0.06), knee, 0.05});
        regions.push_back({shin, knee, foot, 0.04});
    }
}

void addHead(pliant::Rig& rig, int parent, std::vector<Region>& regions) {
    const int neckBone = addBone(rig.skeleton, "neck", parent, neck);
    const int headBone = addBone(rig.skeleton, "head", neckBone, head);
    regions.push_back({neckBone, neck + 0.2 * (head - neck), neck + 0.6 * (head - neck), 0.075});
    regions.push_back({headBone, head, nose, 0.075});
    for (const double side : {1.0, -1.0}) {
        const Vector3 mirror(1, side, 1);
        const std::string name = side > 0 ? "left" : "right";
        const Vector3 ear = mirror.cwiseProduct(earRoot), horn = mirror.cwiseProduct(hornRoot);
        const int earBone = addBone(rig.skeleton, name + " ear", headBone, ear);
        const int hornBone = addBone(rig.skeleton, name + " horn", headBone, horn);
        regions.push_back(
            {earBone, ear + 0.3 * (mirror.cwiseProduct(earEnd) - ear), mirror.cwiseProduct(earEnd), 0.024});
        regions.push_back(
            {hornBone, horn + 0.2 * (mirror.cwiseProduct(hornEnd) - horn), mirror.cwiseProduct(hornEnd), 0.018});
    }
}

std::function<double(double)> wave(double amount, double phase) {
    return [=](double t) { return amount * std::sin(2 * pi * (t + phase)); };
}

/// Knees bend one way alone, while the leg swings forwards.
std::function<double(double)> kneeBend(double amount, double phase) {
    return [=](double t) { return 0.5 * amount * (1.0 - std::cos(2 * pi * (t + phase) + 0.5 * pi)); };
}

/// @param phases of the legs fore left, fore right, hind left, hind right
pliant::Clip gait(const pliant::Rig& rig, const std::string& name, double period, double stride, double rise,
                  const std::vector<double>& phases) {
    std::vector<Swing> swings;
    const char* legs[] = {"fore left", "fore right", "hind left", "hind right"};
    for (std::size_t leg = 0; leg < 4; ++leg) {
        swings.push_back({std::string(legs[leg]) + " thigh", Vector3::UnitY(), wave(stride, phases[leg])});
        swings.push_back({std::string(legs[leg]) + " shin", Vector3::UnitY(), kneeBend(1.2 * stride, phases[leg])});
    }
    swings.push_back({"neck", Vector3::UnitY(), wave(0.25 * stride, 0.1)});
    swings.push_back({"tail", Vector3::UnitX(), wave(0.4, 0.0)});
    return makeClip(rig, name, period, 16, swings, [=](double t) { return rise * std::cos(4 * pi * t); });
}

}  // namespace

pliant::Rig quadruped() {
    pliant::Rig rig;
    solids::ImplicitShape shape;
    shape.lower = Vector3(-0.58, -0.24, -0.03);
    shape.upper = Vector3(0.62, 0.24, 0.92);
    shape.cell = Vector3::Constant(0.017);
    shape.distance = distance;
    shape.materialAt = materialAt;
    shape.materials = {matt("coat", {0.50, 0.30, 0.15}, 20.0), matt("dark", {0.05, 0.04, 0.035}, 20.0),
                       matt("horn", {0.28, 0.23, 0.17}, 20.0)};
    rig.surface = solids::surfaceOf(shape);
    std::vector<Region> regions;
    const int back = addBone(rig.skeleton, "hips", -1, hips);
    const int front = addBone(rig.skeleton, "chest", back, {-0.03, 0, 0.475});
    regions.push_back({back, hips, {-0.03, 0, 0.475}, 0.13});
    regions.push_back({front, {-0.03, 0, 0.475}, chest, 0.13});
    addLegs(rig, front, "fore", foreX, regions);
    addLegs(rig, back, "hind", hindX, regions);
    addHead(rig, front, regions);
    const int tail = addBone(rig.skeleton, "tail", back, tailRoot);
    regions.push_back({tail, tailRoot + 0.3 * (tailEnd - tailRoot), tailEnd, 0.027});
    bindToRegions(rig, regions, 18);
    rig.clips.push_back(gait(rig, "walk", 1.0, 0.35, 0.008, {0.0, 0.5, 0.75, 0.25}));
    rig.clips.push_back(gait(rig, "run", 0.5, 0.6, 0.03, {0.0, 0.1, 0.5, 0.6}));
    rig.clips.push_back(makeClip(
        rig, "shake", 1.0, 32,
        {{"head", Vector3::UnitX(), [](double t) { return 0.5 * std::sin(pi * t) * std::sin(6 * pi * t); }}}, nullptr));
    findBoneEnds(rig, "quadruped");
    return rig;
}

}  // namespace characters
