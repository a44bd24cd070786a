// SPDX-License-Identifier: Zlib
#include "pliant/scene/SceneCameras.h"

#include <algorithm>
#include <cmath>

#include "pliant/scene/KeepInPicture.h"

namespace pliant::scene {
namespace {

/// Catmull-Rom's spline through the keys [CR74], with tangents for keys at any times.
template <class Value>
Vector3 splineAt(const std::vector<CameraKey>& keys, double t, const Value& value) {
    if (t <= keys.front().time || keys.size() == 1) return value(keys.front());
    if (t >= keys.back().time) return value(keys.back());
    std::size_t i = 0;
    while (keys[i + 1].time < t) ++i;
    const auto tangent = [&](std::size_t k) -> Vector3 {
        const std::size_t before = k == 0 ? 0 : k - 1, after = std::min(k + 1, keys.size() - 1);
        return (value(keys[after]) - value(keys[before])) / (keys[after].time - keys[before].time);
    };
    const double h = keys[i + 1].time - keys[i].time, s = (t - keys[i].time) / h;
    const double s2 = s * s, s3 = s2 * s;
    return (2 * s3 - 3 * s2 + 1) * value(keys[i]) + (s3 - 2 * s2 + s) * h * tangent(i) +
           (3 * s2 - 2 * s3) * value(keys[i + 1]) + (s3 - s2) * h * tangent(i + 1);
}

int copiesOf(const Placement& placement) {
    return placement.count[0] * placement.count[1] * placement.count[2];
}

}  // namespace

SceneCameras::SceneCameras(const SceneDescription& scene, const WholeView& whole)
    : m_scene(scene), m_whole(whole), m_standard(whole.start), m_followed(scene.cameras.size(), Vector3::Zero()) {
    for (const NamedCamera& camera : scene.cameras) {
        Target target;
        const int copy = std::max(camera.of.copy, 0);
        std::vector<int> counts(scene.models.size(), 0);
        for (const BodyGroup& group : scene.bodies) {
            std::size_t model = 0;
            while (scene.models[model].name != group.model) ++model;
            if (group.name == camera.of.name && !group.name.empty())
                target = {static_cast<int>(model), counts[model] + copy};
            counts[model] += copiesOf(group.placement);
        }
        int rigids = 0;
        for (const RigidGroup& group : scene.rigid) {
            if (group.name == camera.of.name && !group.name.empty()) target = {-1, rigids + copy};
            rigids += copiesOf(group.placement);
        }
        m_targets.push_back(target);
    }
}

Vector3 SceneCameras::positionOf(const Target& target, const ScenePoses& poses) const {
    const auto number = static_cast<std::size_t>(target.number);
    if (target.model < 0)
        return number < poses.rigid.size() ? poses.rigid[number].translation : Vector3(Vector3::Zero());
    return poses.models[static_cast<std::size_t>(target.model)].worldFromBody[number].translation;
}

void SceneCameras::follow(const ScenePoses& poses) {
    const double passed = m_time < 0.0 ? -1.0 : poses.time - m_time;
    for (std::size_t i = 0; i < m_scene.cameras.size(); ++i) {
        const NamedCamera& camera = m_scene.cameras[i];
        if (camera.kind != CameraKind::Follow) continue;
        const Vector3 now = positionOf(m_targets[i], poses);
        const double share = passed < 0.0 || camera.lag <= 0.0 ? 1.0 : 1.0 - std::exp(-passed / camera.lag);
        m_followed[i] += share * (now - m_followed[i]);
    }
    if (passed < 0.0) m_standard = m_whole.start;
    if (!m_scene.camera) keepInPicture(m_scene, m_whole, poses, passed, m_standard);
    m_time = poses.time;
    m_cut = poses.camera;
    m_cutTime = poses.cutTime;
}

ViewPoint SceneCameras::pointOf(std::size_t index) const {
    const NamedCamera& camera = m_scene.cameras[index];
    ViewPoint point;
    point.up = m_scene.up();
    const auto led = [&](LivePath::Kind kind, int axis, double value) {
        return m_scene.timeline.ofPicture(kind, camera.name, axis, std::max(m_time, 0.0)).value_or(value);
    };
    point.fieldOfView = led(LivePath::Kind::FieldOfView, 0, camera.fieldOfView);
    for (int i = 0; i < 3; ++i) {
        point.eye[i] = led(LivePath::Kind::CameraFrom, i, camera.from[i]);
        point.centre[i] = led(LivePath::Kind::CameraTo, i, camera.to[i]);
    }
    if (camera.kind == CameraKind::Follow) {
        point.centre = m_followed[index];
        point.eye = point.centre + camera.offset;
    } else if (camera.kind == CameraKind::Orbit) {
        const Vector3 side = horizontal(point.up), across = point.up.cross(side);
        const double turns = camera.period != 0.0 ? std::max(m_time, 0.0) / camera.period : 0.0;
        const double angle = (camera.start / 180.0 + 2.0 * turns) * M_PI;
        point.eye =
            camera.to + camera.radius * (std::cos(angle) * side + std::sin(angle) * across) + camera.height * point.up;
    } else if (camera.kind == CameraKind::Path) {
        const double t = std::max(m_time, 0.0);
        point.eye = splineAt(camera.keys, t, [](const CameraKey& key) { return key.from; });
        point.centre = splineAt(camera.keys, t, [](const CameraKey& key) { return key.to; });
        const Vector3 up = splineAt(camera.keys, t, [](const CameraKey& key) { return key.up; });
        if (up.norm() > 1e-9) point.up = up.normalized();
    }
    return point;
}

/// What shots and events say of the first view; -1: nothing.
int SceneCameras::shotCamera() const {
    int camera = -1;
    double since = -1.0;
    for (const Shot& shot : m_scene.shots)
        if (shot.from <= m_time + 1e-9) {
            camera = m_scene.cameraIndex(shot.camera);
            since = shot.from;
        }
    return m_cut >= 0 && m_cutTime >= since ? m_cut : camera;
}

std::vector<ShownView> SceneCameras::views(const std::string& camera) const {
    const auto viewOf = [&](int index) {
        ShownView view;
        view.point = index >= 0 ? pointOf(static_cast<std::size_t>(index)) : m_standard;
        return view;
    };
    if (!camera.empty()) return {viewOf(m_scene.cameraIndex(camera))};
    const int shot = shotCamera();
    if (m_scene.views.empty()) return {viewOf(shot >= 0 || m_scene.camera || m_scene.cameras.empty() ? shot : 0)};
    std::vector<ShownView> all;
    for (const View& view : m_scene.views) {
        all.push_back(viewOf(all.empty() && shot >= 0 ? shot : m_scene.cameraIndex(view.camera)));
        all.back().area = view.area;
    }
    return all;
}

}  // namespace pliant::scene
