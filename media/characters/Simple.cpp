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

double smoothStep(double from, double to, double x) {
    const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

/// A closed surface around a shape of one material.
pliant::SurfaceMesh surfaceOf(const Vector3& lower, const Vector3& upper, double cell,
                              const std::function<double(const Vector3&)>& distance,
                              const pliant::SurfaceMaterial& looks) {
    solids::ImplicitShape shape;
    shape.lower = lower;
    shape.upper = upper;
    shape.cell = Vector3::Constant(cell);
    shape.distance = distance;
    shape.materialAt = [](const Vector3&) { return 0; };
    shape.materials = {looks};
    return solids::surfaceOf(shape);
}

/// A chain of bones along x with joints at the places; weights pass from one to the next over `overlap` to both sides.
void bindAlong(pliant::Rig& rig, const std::vector<double>& joints, double overlap) {
    std::vector<std::vector<pliant::Influence>> influences;
    for (Eigen::Index v = 0; v < rig.surface.positions.cols(); ++v) {
        const double x = rig.surface.positions(0, v);
        std::vector<pliant::Influence> all;
        double above = 1.0;  // share of this bone and those behind it
        for (std::size_t j = 0; j <= joints.size(); ++j) {
            const double next = j < joints.size() ? smoothStep(joints[j] - overlap, joints[j] + overlap, x) : 0.0;
            all.push_back({static_cast<int>(j), above - std::min(above, next)});
            above = next;
        }
        influences.push_back(all);
    }
    pliant::WeightChanges changes;
    rig.weights = pliant::limitWeights(rig.skeleton, influences, "a generated character", changes);
}

}  // namespace

pliant::Rig bar() {
    pliant::Rig rig;
    const auto distance = [](const Vector3& p) {
        const Vector3 q = (p - Vector3(0.5, 0, 0)).cwiseAbs() - Vector3(0.48, 0.08, 0.08);
        return q.cwiseMax(0.0).norm() + std::min(q.maxCoeff(), 0.0) - 0.02;
    };
    rig.surface =
        surfaceOf({-0.05, -0.15, -0.15}, {1.05, 0.15, 0.15}, 0.025, distance, matt("rubber", {0.75, 0.30, 0.08}, 30.0));
    const int upper = addBone(rig.skeleton, "upper", -1, {0, 0, 0});
    addBone(rig.skeleton, "lower", upper, {0.5, 0, 0});
    bindAlong(rig, {0.5}, 0.15);
    const auto angle = [](double t) { return 0.125 * pi * (1.0 - std::cos(2 * pi * t)); };
    rig.clips.push_back(makeClip(rig, "bend", 1.0, 24, {{"lower", Vector3::UnitY(), angle}}, nullptr));
    findBoneEnds(rig, "bar");
    return rig;
}

pliant::Rig worm() {
    pliant::Rig rig;
    const auto distance = [](const Vector3& p) {
        const double x = std::clamp(p.x(), 0.06, 0.84);
        // Rings, as worms have them.
        return (p - Vector3(x, 0, 0)).norm() - (0.057 + 0.003 * std::cos(2 * pi * p.x() / 0.06));
    };
    rig.surface =
        surfaceOf({-0.05, -0.1, -0.1}, {0.95, 0.1, 0.1}, 0.017, distance, matt("worm", {0.72, 0.33, 0.30}, 30.0));
    const int tail = addBone(rig.skeleton, "tail", -1, {0, 0, 0});
    const int middle = addBone(rig.skeleton, "middle", tail, {0.3, 0, 0});
    addBone(rig.skeleton, "head", middle, {0.6, 0, 0});
    bindAlong(rig, {0.3, 0.6}, 0.1);
    const auto wave = [](double amount, double phase) {
        return [=](double t) { return amount * std::sin(2 * pi * (t - phase)); };
    };
    rig.clips.push_back(makeClip(rig, "crawl", 1.0, 24,
                                 {{"tail", Vector3::UnitZ(), wave(0.3, 0.0)},
                                  {"middle", Vector3::UnitZ(), wave(0.6, 0.25)},
                                  {"head", Vector3::UnitZ(), wave(0.6, 0.5)}},
                                 nullptr));
    findBoneEnds(rig, "worm");
    return rig;
}

}  // namespace characters
