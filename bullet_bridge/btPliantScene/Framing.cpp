// SPDX-License-Identifier: Zlib
#include "btPliantScene/Framing.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "btPliantScene/btPliantConversions.h"
#include "pliant/scene/FittingDistance.h"

namespace btPliantInternal {
namespace {

using pliant::fromBullet;
using pliant::Vector3;
using pliant::scene::Bounds;
using pliant::scene::horizontal;
using pliant::scene::ViewPoint;

constexpr double kHeapShare = 0.5;  // of the bodies' boxes that a heap fills: they lie in each other
constexpr double kHeapSlope = 0.6;  // height of a heap over its radius

struct Box {
    Vector3 least, most;
    Vector3 size() const { return most - least; }
    Vector3 centre() const { return 0.5 * (least + most); }
};

Box boxOf(const btRigidBody& body) {
    btVector3 least, most;
    body.getAabb(least, most);
    return {fromBullet(least), fromBullet(most)};
}

/// Bodies that nothing holds.
std::vector<const btRigidBody*> fallingBodies(const btPliantScene& world) {
    std::vector<const btRigidBody*> falling;
    for (const btPliantScene::Deformable& deformable : world.getDeformables())
        if (deformable.m_motion == pliant::scene::Motion::Free && !deformable.m_body->isAnchored())
            falling.push_back(deformable.m_body);
    for (const btPliantScene::Rigid& rigid : world.getRigids())
        if (rigid.m_body->getInvMass() > 0) falling.push_back(rigid.m_body);
    const auto isHeld = [&](const btRigidBody* body) {
        if (!btPliantScene::isPresent(*body)) return true;
        return std::any_of(world.getJoints().begin(), world.getJoints().end(), [&](const auto& joint) {
            return &joint->getRigidBodyA() == body || &joint->getRigidBodyB() == body;
        });
    };
    falling.erase(std::remove_if(falling.begin(), falling.end(), isHeld), falling.end());
    return falling;
}

/// How long a body at `height` over the ground flies that rises with `speed`, s.
double flightTime(double height, double speed, double gravity) {
    if (gravity <= 0.0) return 0.0;
    return (speed + std::sqrt(std::max(0.0, speed * speed + 2.0 * gravity * std::max(height, 0.0)))) / gravity;
}

/// Adds the parabola of a body, at most to the end of the run and no farther than `reach`. @return its end
Vector3 addFlight(const btRigidBody& body, const btPliantScene& world, double reach, Bounds& bounds) {
    const pliant::scene::SceneDescription& scene = world.getDescription();
    const Box box = boxOf(body);
    const Vector3 velocity = fromBullet(body.getLinearVelocity());
    double time = scene.time.duration;
    if (scene.ground) {
        const double height = scene.up().dot(box.centre()) - scene.ground->height - 0.5 * box.size().minCoeff();
        time = std::min(time, flightTime(height, scene.up().dot(velocity), scene.gravity.norm()));
    }
    constexpr int samples = 16;
    Vector3 way = Vector3::Zero();
    for (int i = 1; i <= samples; ++i) {
        const double t = time * i / samples;
        const Vector3 next = t * velocity + 0.5 * t * t * scene.gravity;
        if (next.norm() > reach) break;
        way = next;
        bounds.add(box.least + way);
        bounds.add(box.most + way);
    }
    return box.centre() + way;
}

}  // namespace

Bounds boundsOfRun(const btPliantScene& world) {
    const pliant::scene::SceneDescription& scene = world.getDescription();
    Bounds bounds = boundsOf(world);
    const double reach = scene.ground ? 1e30 : bounds.radius();
    const std::vector<const btRigidBody*> falling = fallingBodies(world);
    Vector3 middle = Vector3::Zero();
    double volume = 0.0;
    for (const btRigidBody* body : falling) {
        middle += addFlight(*body, world, reach, bounds) / static_cast<double>(falling.size());
        volume += kHeapShare * boxOf(*body).size().prod();
    }
    if (!scene.ground || falling.size() < 2) return bounds;
    // A cone of that volume, with its foot on the ground below the middle.
    const double radius = std::cbrt(3.0 * volume / (M_PI * kHeapSlope));
    middle -= (scene.up().dot(middle) - scene.ground->height) * scene.up();
    for (const Vector3& side : {horizontal(scene.up()), Vector3(scene.up().cross(horizontal(scene.up())))}) {
        bounds.add(middle + radius * side);
        bounds.add(middle - radius * side);
    }
    return bounds;
}

double aspectOf(const pliant::scene::SceneDescription& scene) {
    return static_cast<double>(scene.output.width) / scene.output.height;
}

ViewPoint viewPoint(const btPliantScene& world) {
    const pliant::scene::SceneDescription& scene = world.getDescription();
    ViewPoint view;
    view.up = scene.up();
    if (scene.camera) {
        view.eye = scene.camera->from;
        view.centre = scene.camera->to;
        view.fieldOfView = scene.camera->fieldOfView;
        return view;
    }
    const Bounds bounds = boundsOfRun(world);
    // From the front, so that x runs to the right: from -y where z is up, from +z where y is.
    const Vector3 side = horizontal(scene.up()), front = side.cross(scene.up());
    const Vector3 back = (0.5 * side + 0.4 * scene.up() + front).normalized();
    view.centre = bounds.centre();
    view.eye = bounds.centre() + pliant::scene::fittingDistance(bounds, back, view, aspectOf(scene)) * back;
    return view;
}

}  // namespace btPliantInternal
