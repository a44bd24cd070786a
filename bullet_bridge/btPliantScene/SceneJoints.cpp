// SPDX-License-Identifier: Zlib
#include "btPliantScene/SceneJoints.h"

#include <Eigen/Geometry>
#include <utility>

#include "btPliant/btPliantBody.h"
#include "btPliant/btPliantHeldPoints.h"
#include "btPliant/btPliantJoints.h"
#include "btPliantScene/SceneData.h"
#include "btPliantScene/btPliantConversions.h"

namespace btPliantInternal {
namespace {

using pliant::toBullet;

using pliant::scene::JointGroup;
using pliant::scene::JointKind;

constexpr double kRadians = SIMD_PI / 180.0;

/// One joint in the making: A, B (or the world), and the frame that they share, in the world.
struct Place {
    btRigidBody* A;
    btRigidBody* B;
    btTransform frame;

    btRigidBody& other() const { return B ? *B : btTypedConstraint::getFixedBody(); }
    btTransform inA() const { return btPliantJoint::restFrame(*A, frame); }
    btTransform inOther(const btTransform& world) const { return B ? btPliantJoint::restFrame(*B, world) : world; }
    btTransform inOther() const { return inOther(frame); }
};

/// A hinge turns about z, a slider slides along x.
Place placeOf(const SceneData& data, const JointGroup& group, btRigidBody* A, btRigidBody* B) {
    const btPliantBody* soft = btPliantBody::upcast(A);
    const btTransform local = soft ? soft->getMeshTransform() : data.frames.placeOf(*A);
    const btTransform toWorld = group.isLocal ? local : btTransform::getIdentity();
    pliant::RigidTransform frame;
    frame.translation = group.at;
    const pliant::Vector3 along = group.kind == JointKind::Slider ? pliant::Vector3::UnitX() : pliant::Vector3::UnitZ();
    if (group.kind == JointKind::Hinge || group.kind == JointKind::Slider)
        frame.rotation = Eigen::Quaterniond::FromTwoVectors(along, group.axis).toRotationMatrix();
    return {A, B, toWorld * toBullet(frame)};
}

std::unique_ptr<btTypedConstraint> makeHinge(const JointGroup& group, const Place& place, double step) {
    auto hinge = std::make_unique<btPliantHingeConstraint>(*place.A, place.other(), place.inA(), place.inOther());
    if (group.limits)
        hinge->setLimit(static_cast<btScalar>(kRadians * (*group.limits)[0]),
                        static_cast<btScalar>(kRadians * (*group.limits)[1]), btScalar(0.9), btScalar(0.3), 0);
    if (group.motor)
        hinge->enableAngularMotor(true, static_cast<btScalar>(group.motor->velocity),
                                  static_cast<btScalar>(group.motor->strength * step));
    return hinge;
}

/// The second body slides on the first; a body alone slides on a rail in the world.
std::unique_ptr<btTypedConstraint> makeSlider(const JointGroup& group, const Place& place) {
    std::unique_ptr<btPliantSliderConstraint> slider;
    if (place.B)
        slider = std::make_unique<btPliantSliderConstraint>(*place.A, *place.B, place.inA(), place.inOther());
    else
        slider = std::make_unique<btPliantSliderConstraint>(place.other(), *place.A, place.frame, place.inA());
    slider->setLowerLinLimit(static_cast<btScalar>(group.limits ? (*group.limits)[0] : 1.0));
    slider->setUpperLinLimit(static_cast<btScalar>(group.limits ? (*group.limits)[1] : -1.0));
    if (group.motor) {
        slider->setPoweredLinMotor(true);
        slider->setTargetLinMotorVelocity(static_cast<btScalar>(group.motor->velocity));
        slider->setMaxLinMotorForce(static_cast<btScalar>(group.motor->strength));
    }
    return slider;
}

std::unique_ptr<btTypedConstraint> makeSpring(const JointGroup& group, const Place& place) {
    btTransform end = place.frame;
    end.setOrigin(end.getOrigin() + toBullet(group.offset));
    end.setBasis(btMatrix3x3::getIdentity());
    auto spring = std::make_unique<btPliantSpringConstraint>(*place.A, place.other(), place.inA(), place.inOther(end));
    for (int axis = 0; axis < 6; ++axis) spring->setLimit(axis, 1, -1);
    for (int axis = 0; axis < 3; ++axis) {
        spring->enableSpring(axis, true);
        spring->setStiffness(axis, static_cast<btScalar>(group.stiffness));
        spring->setDamping(axis, static_cast<btScalar>(group.damping));
    }
    return spring;
}

/// The reader has seen to it that the first body deforms.
std::unique_ptr<btTypedConstraint> makePoints(const JointGroup& group, const Place& place) {
    btPliantBody& body = *btPliantBody::upcast(place.A);
    auto held =
        place.B ? std::make_unique<btPliantHeldPoints>(body, *place.B) : std::make_unique<btPliantHeldPoints>(body);
    for (const pliant::scene::HeldPoint& point : group.points) held->addPoint(toBullet(point.point));
    held->setTolerance(static_cast<btScalar>(group.tolerance));
    return held;
}

std::unique_ptr<btTypedConstraint> makeJoint(const JointGroup& group, const Place& place, double step) {
    switch (group.kind) {
        case JointKind::Point:
            return std::make_unique<btPliantPoint2PointConstraint>(*place.A, place.other(), place.inA().getOrigin(),
                                                                   place.inOther().getOrigin());
        case JointKind::Hinge:
            return makeHinge(group, place, step);
        case JointKind::Slider:
            return makeSlider(group, place);
        case JointKind::Fixed:
            return std::make_unique<btPliantFixedConstraint>(*place.A, place.other(), place.inA(), place.inOther());
        case JointKind::Spring:
            return makeSpring(group, place);
        case JointKind::Points:
            return makePoints(group, place);
    }
    return nullptr;
}

std::vector<btRigidBody*> bodiesOf(const pliant::scene::JointEnd& end, const NamedBodies& bodies) {
    const std::vector<btRigidBody*>& all = bodies.at(end.name);
    if (end.copy < 0) return all;
    return {all[static_cast<std::size_t>(end.copy)]};
}

/// Every joint's bodies; the second is null for the world.
std::vector<std::pair<btRigidBody*, btRigidBody*>> pairsOf(const JointGroup& group, const NamedBodies& bodies) {
    std::vector<btRigidBody*> second;
    if (group.ends.size() > 1) second = bodiesOf(group.ends[1], bodies);
    std::vector<std::pair<btRigidBody*, btRigidBody*>> pairs;
    for (btRigidBody* first : bodiesOf(group.ends[0], bodies))
        pairs.emplace_back(first, second.empty() ? nullptr : second[second.size() == 1 ? 0 : pairs.size()]);
    return pairs;
}

}  // namespace

std::vector<btPliantScene::JointPoint> jointPoints(const SceneData& data, const JointGroup& group) {
    std::vector<btPliantScene::JointPoint> points;
    for (const auto& [first, second] : pairsOf(group, data.named)) {
        for (const pliant::scene::HeldPoint& held : group.points) {
            const btVector3 at = btPliantBody::upcast(first)->getPointPosition(toBullet(held.point));
            points.push_back({first, at});
            if (second) points.push_back({second, at});
        }
        if (!group.points.empty()) continue;
        const btVector3 at = placeOf(data, group, first, second).frame.getOrigin();
        points.push_back({first, at});
        if (second) points.push_back({second, group.kind == JointKind::Spring ? at + toBullet(group.offset) : at});
    }
    return points;
}

std::vector<std::unique_ptr<btTypedConstraint>> makeJoints(const SceneData& data, const JointGroup& group) {
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    for (const auto& [first, second] : pairsOf(group, data.named)) {
        joints.push_back(makeJoint(group, placeOf(data, group, first, second), data.scene.time.step()));
        if (group.breakingImpulse)
            joints.back()->setBreakingImpulseThreshold(static_cast<btScalar>(*group.breakingImpulse));
    }
    return joints;
}

namespace {

using Live = std::array<pliant::scene::LiveNumber, 3>;

pliant::Vector3 valueOf(const Live& numbers, double t) {
    return {numbers[0].at(t), numbers[1].at(t), numbers[2].at(t)};
}

/// Where a point has to be at time t. @param start where it was at the start
pliant::Vector3 targetOf(const JointGroup& group, const pliant::scene::HeldPoint& point, const pliant::Vector3& start,
                         double t) {
    if (point.to) {
        const pliant::Vector3 to = valueOf(*point.to, t);
        return group.frame ? pliant::Vector3(group.frame->translation + group.frame->rotation * to) : to;
    }
    const pliant::Vector3 move = valueOf(*point.move, t);
    return start + (group.frame ? pliant::Vector3(group.frame->rotation * move) : move);
}

void leadPoints(const JointGroup& group, double t, double h, PointJoint& joint) {
    for (std::size_t i = 0; i < group.points.size(); ++i) {
        const pliant::scene::HeldPoint& point = group.points[i];
        if (!point.to && !point.move) continue;
        const pliant::Vector3 start = pliant::fromBullet(joint.start[i]), next = targetOf(group, point, start, t + h);
        const pliant::Vector3 velocity = (next - targetOf(group, point, start, t)) / h;
        joint.held->setTarget(static_cast<int>(i), toBullet(next), toBullet(velocity));
    }
}

}  // namespace

void listPointJoints(SceneData& data, int group, btTypedConstraint& joint) {
    auto* held = dynamic_cast<btPliantHeldPoints*>(&joint);
    if (!held) return;
    PointJoint entry{held, group, {}};
    for (int i = 0; i < held->getNumPoints(); ++i) entry.start.push_back(held->getTarget(i));
    data.pointJoints.push_back(std::move(entry));
}

void leadPoints(SceneData& data) {
    for (PointJoint& joint : data.pointJoints)
        leadPoints(data.scene.joints[static_cast<std::size_t>(joint.group)], data.time, data.scene.time.step(), joint);
}

std::vector<std::string> givenUpPoints(const SceneData& data) {
    std::vector<std::string> told;
    for (const PointJoint& joint : data.pointJoints) {
        const JointGroup& group = data.scene.joints[static_cast<std::size_t>(joint.group)];
        const std::string status = joint.held->isEnabled() ? joint.held->getStatus() : std::string();
        if (!status.empty())
            told.push_back(group.where + ": " + (group.name.empty() ? "" : group.name + ": ") + status);
    }
    return told;
}

}  // namespace btPliantInternal
