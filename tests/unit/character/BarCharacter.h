// SPDX-License-Identifier: Zlib
// The bar that known figures are told of: 1 x 0.2 x 0.2 m of cubes, two bones along its middle, E = 20 kPa, nu = 0.3.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../fem/BeamMesh.h"
#include "pliant/character/MakeCharacter.h"
#include "pliant/mesh/MeshTopology.h"

namespace pliant::test {

constexpr double halfWidth = 0.1;

inline VolumeMesh barMesh(double cell = 0.05) {
    BeamShape shape;
    shape.nx = static_cast<int>(std::lround(1.0 / cell));
    shape.ny = shape.nz = static_cast<int>(std::lround(0.2 / cell));
    shape.width = shape.height = 0.2;
    VolumeMesh mesh = beamMesh(shape);
    mesh.positions.row(1).array() -= halfWidth;
    mesh.positions.row(2).array() -= halfWidth;
    mesh.materials[0].youngsModulus = 2.0e4;
    return mesh;
}

/// Smoothstep from the upper bone to the lower one over 0.15 m to both sides of the joint.
inline double lowerWeight(double x) {
    const double t = std::clamp((x - 0.35) / 0.3, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

/// "upper" from x = 0 and "lower" from x = 0.5, the boundary of `mesh` as skin.
inline Rig barRig(const VolumeMesh& mesh) {
    Rig rig;
    rig.surface = boundarySurface(mesh);
    rig.skeleton.bones.resize(2);
    rig.skeleton.bones[0].name = "upper";
    rig.skeleton.bones[1].name = "lower";
    rig.skeleton.bones[1].parent = 0;
    rig.skeleton.bones[1].stance.translation = rig.skeleton.bones[1].bind.translation = Vector3(0.5, 0, 0);
    rig.skeleton.bones[0].ends = {Vector3(0.5, 0, 0)};
    rig.skeleton.bones[1].ends = {Vector3(1, 0, 0)};
    std::vector<std::vector<Influence>> influences;
    for (Eigen::Index v = 0; v < rig.surface.positions.cols(); ++v) {
        const double lower = lowerWeight(rig.surface.positions(0, v));
        influences.push_back({{0, 1.0 - lower}, {1, lower}});
    }
    WeightChanges changes;
    rig.weights = limitWeights(rig.skeleton, influences, "bar", changes);
    return rig;
}

/// The lower bone bent by an angle about y, both standing still.
inline Pose bentPose(const Skeleton& skeleton, double angle) {
    Pose pose = bindPose(skeleton);
    pose[1].rotation = pose[1].rotation * Rotation(Eigen::AngleAxisd(angle, Vector3::UnitY()));
    return pose;
}

/// Bends the lower bone about z and back in a second.
inline Clip nod(double angle) {
    const Eigen::Quaterniond bent(Eigen::AngleAxisd(angle, Vector3::UnitZ()));
    MatrixX keys(4, 3);
    keys << 0, bent.x(), 0, 0, bent.y(), 0, 0, bent.z(), 0, 1, bent.w(), 1;
    Clip clip;
    clip.name = "nod";
    clip.end = 1.0;
    clip.motions.resize(1);
    clip.motions[0].bone = 1;
    clip.motions[0].rotation = smoothTrack({0.0, 0.5, 1.0}, keys, true);
    return clip;
}

/// The core of the figures: the axis and its four neighbours, radius 0.05.
inline CharacterOptions barOptions() {
    CharacterOptions options;
    options.core = 0.5;
    options.modes = 24;
    options.dimension = 24;
    return options;
}

}  // namespace pliant::test
