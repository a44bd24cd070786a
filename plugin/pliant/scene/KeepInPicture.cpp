// SPDX-License-Identifier: Zlib
#include "pliant/scene/KeepInPicture.h"

#include <algorithm>
#include <cmath>

#include "pliant/scene/FittingDistance.h"

namespace pliant::scene {
namespace {

// In which the camera makes up for 63 % of its way, s: what leaves the picture is followed sooner.
constexpr double kLagInwards = 0.7, kLagOutwards = 0.2;
constexpr double kMostOfStart = 2.0;  // of the distance at the start

/// Adds a box that has been moved, with what it throws on the ground.
void addBox(const Bounds& box, const Matrix<double, 3, 4>& map, const SceneDescription& scene, Bounds& all) {
    const Vector3 centre = map.leftCols<3>() * box.centre() + map.col(3);
    const Vector3 half = map.leftCols<3>().cwiseAbs() * (0.5 * (box.most - box.least));
    all.add(centre - half);
    all.add(centre + half);
    if (!scene.ground) return;
    all.add(centre - (scene.up().dot(centre) - scene.ground->height) * scene.up());
}

Matrix<double, 3, 4> mapOf(const RigidTransform& frame) {
    Matrix<double, 3, 4> map;
    map << frame.rotation, frame.translation;
    return map;
}

/// Frames of the bodies of a model; of characters that of their first bone, whose pose stands for those of all others.
Matrix<double, 3, 4> mapOf(const Poses& poses, int body) {
    const auto index = static_cast<std::size_t>(body);
    return poses.boneCount > 0 ? poses.bones[index * static_cast<std::size_t>(poses.boneCount)]
                               : mapOf(poses.worldFromBody[index]);
}

}  // namespace

Bounds boundsAt(const SceneDescription& scene, const WholeView& whole, const ScenePoses& poses, const Vector3& near,
                double reach) {
    Bounds all;
    const auto add = [&](const Bounds& box, const Matrix<double, 3, 4>& map) {
        const bool hasEnd = (box.most - box.least).minCoeff() >= 0.0 && box.radius() < 1e9;
        if (hasEnd && (map.leftCols<3>() * box.centre() + map.col(3) - near).norm() <= reach)
            addBox(box, map, scene, all);
    };
    for (std::size_t m = 0; m < std::min(whole.models.size(), poses.models.size()); ++m)
        for (int body = 0; body < poses.models[m].count(); ++body)
            if (m >= poses.isShown.size() || poses.isShown[m][static_cast<std::size_t>(body)] != 0)
                add(whole.models[m], mapOf(poses.models[m], body));
    for (std::size_t i = 0; i < std::min(whole.rigid.size(), poses.rigid.size()); ++i)
        if (i >= poses.isRigidShown.size() || poses.isRigidShown[i] != 0) add(whole.rigid[i], mapOf(poses.rigid[i]));
    return all;
}

void keepInPicture(const SceneDescription& scene, const WholeView& whole, const ScenePoses& poses, double passed,
                   ViewPoint& view) {
    const Vector3 away = whole.start.eye - whole.start.centre;
    const double farthest = kMostOfStart * away.norm();
    if (!(farthest > 0.0) || !(passed > 0.0)) return;
    const double seen = farthest * std::tan(0.5 * view.fieldOfView * M_PI / 180.0) * std::max(whole.aspect, 1.0);
    const Bounds bounds = boundsAt(scene, whole, poses, whole.start.centre, seen);
    if (bounds.radius() > 1e9) return;  // nothing is there
    const Vector3 back = away.normalized();
    const double wanted = std::min(fittingDistance(bounds, back, view, whole.aspect), farthest);
    double distance = (view.eye - view.centre).dot(back);
    const double lag = wanted > distance ? kLagOutwards : kLagInwards, share = 1.0 - std::exp(-passed / lag);
    distance += share * (wanted - distance);
    view.centre += share * (bounds.centre() - view.centre);
    view.eye = view.centre + distance * back;
}

}  // namespace pliant::scene
