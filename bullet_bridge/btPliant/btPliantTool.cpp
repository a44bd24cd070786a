// SPDX-License-Identifier: Zlib
#include "btPliant/btPliantTool.h"

#include <algorithm>
#include <cmath>

#include "btPliant/btPliantBody.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/HeldBody.h"
#include "btPliant/data/JointData.h"
#include "pliant/math/Error.h"

using btPliantInternal::dataOf;
using btPliantInternal::toBullet;
using btPliantInternal::toEigen;
using pliant::ToolPose;
using pliant::Vector3;

namespace {

pliant::HandSettings checked(const pliant::HandSettings& settings) {
    pliant::checkHandSettings(settings, "btPliantTool");
    return settings;
}

/// Share of the coupling's own stiffness that a static tool has where nothing holds it: it must have some mass.
constexpr double kLeastHold = 1e-3;

/// Leaves nothing to a static tool that could move it but its coupling and what it meets.
void holdFast(btRigidBody& body) {
    body.setFlags(body.getFlags() | BT_DISABLE_WORLD_GRAVITY);
    body.setGravity(btVector3(0, 0, 0));
    body.setDamping(0, 0);
    body.setRestitution(0);
}

/// Of a reduced body the frame turns by this inertia, kg m^2; 0: by its own again.
void setHandInertia(btRigidBody& body, double inertia) {
    btPliantBody* reduced = btPliantBody::upcast(&body);
    if (!reduced) return;
    btPliantInternal::BodyData& data = dataOf(*reduced);
    data.handInertia = inertia;
    data.momentumIsKnown = false;
}

btRigidBody& movable(btRigidBody& body, btPliantToolDynamics dynamics) {
    if (btPliantBody::upcast(&body) && dynamics == btPliantToolDynamics::Static &&
        !dataOf(*btPliantBody::upcast(&body)).frameIsFree)
        throw pliant::Error("btPliantTool", "a static tool is no body that is anchored, kinematic or a character",
                            "take a dynamic tool, or a model without \"fixed\" that moves freely");
    if (!btPliantBody::upcast(&body) && body.isStaticOrKinematicObject())
        throw pliant::Error("btPliantTool", "a hand cannot hold a static or kinematic body", "give the body a mass");
    return body;
}

ToolPose poseOf(const btTransform& frame) {
    return {toEigen(frame.getOrigin()), pliant::Rotation(toEigen(frame.getBasis())).normalized()};
}

}  // namespace

/// The hold on a body, which it has as it was once it is let go.
struct btPliantTool::Hold {
    Hold(btRigidBody& held, bool holdsFast) : mark(held, holdsFast), body(held), isStatic(holdsFast) {
        if (!isStatic) return;
        mass = 1 / held.getInvMass();
        inertia = held.getLocalInertia();
        flags = held.getFlags();
        gravity = held.getGravity();
        damping = held.getLinearDamping();
        angularDamping = held.getAngularDamping();
        restitution = held.getRestitution();
        holdFast(held);
    }
    ~Hold() {
        if (!isStatic) return;
        body.setMassProps(mass, inertia);
        body.updateInertiaTensor();
        setHandInertia(body, 0.0);
        body.setFlags(flags);
        body.setGravity(gravity);
        body.setDamping(damping, angularDamping);
        body.setRestitution(restitution);
        body.setLinearVelocity(btVector3(0, 0, 0));
        body.setAngularVelocity(btVector3(0, 0, 0));
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

    btPliantInternal::HeldBody mark;
    btRigidBody& body;
    const bool isStatic;
    bool isPrepared = false;  ///< Whether follow() has begun the coming step.
    btScalar mass = 0, damping = 0, angularDamping = 0, restitution = 0;
    btVector3 inertia = btVector3(0, 0, 0), gravity = btVector3(0, 0, 0);
    int flags = 0;
};

btPliantTool::btPliantTool(btRigidBody& body, const btTransform& grip, const pliant::HandSettings& settings,
                           btPliantToolDynamics dynamics)
    : btTypedConstraint(MAX_CONSTRAINT_TYPE, movable(body, dynamics)),
      btPliantJoint(body, getFixedBody(), grip, btTransform::getIdentity()),
      m_grip(frameInBody(body, grip)),
      m_dynamics(dynamics),
      m_port(checked(settings),
             poseOf(dynamics == btPliantToolDynamics::Static ? body.getCenterOfMassTransform()
                                                             : body.getCenterOfMassTransform() * m_grip)),
      m_followed(poseOf(body.getCenterOfMassTransform() * m_grip)),
      m_log(settings.limits) {
    dataOf(*this).coupling = std::make_unique<btPliantInternal::ToolCoupling>();
    m_hold = std::make_unique<Hold>(body, dynamics == btPliantToolDynamics::Static);
}

btPliantTool::~btPliantTool() = default;

ToolPose btPliantTool::heldPose() const {
    return m_dynamics == btPliantToolDynamics::Static ? poseOf(m_rbA.getCenterOfMassTransform()) : getGripPose();
}

/// Where what the port holds is, while the grip is there.
ToolPose btPliantTool::heldBy(const ToolPose& grip) const {
    if (m_dynamics != btPliantToolDynamics::Static) return grip;
    const ToolPose inBody = poseOf(m_grip);
    ToolPose held;
    held.rotation = (grip.rotation * inBody.rotation.conjugate()).normalized();
    held.position = grip.position - held.rotation * inBody.position;
    return held;
}

/// Of a wrench about what the port holds.
pliant::Wrench btPliantTool::aboutGrip(pliant::Wrench wrench) const {
    if (m_dynamics == btPliantToolDynamics::Static)
        wrench.torque += (heldPose().position - getGripPose().position).cross(wrench.force);
    return wrench;
}

void btPliantTool::follow(const ToolPose* reading, btScalar dt) {
    const auto h = static_cast<double>(dt);
    ToolPose aim;
    if (reading) aim = heldBy(*reading);
    m_port.follow(reading ? &aim : nullptr, heldPose(), h);
    m_followed = m_port.followed();
    m_log.step(m_port.status(), h);
    m_rbA.activate();
    if (m_dynamics != btPliantToolDynamics::Static) return;
    const ToolPose inBody = poseOf(m_grip);
    m_followed = {m_port.followed().point(inBody.position), m_port.followed().rotation * inBody.rotation};
    beginStaticStep(h);
    m_hold->isPrepared = true;
}

// With the mass m = h F / v and the velocity v that takes the tool to the device within the step, or as fast as it may,
// an impulse P of what it meets leaves the velocity v + P / m, and the coupling at the end of the step is -P / h: the
// balance of a static tool, to first order. A saturated F is taken by its secant, which is never too soft.
void btPliantTool::beginStaticStep(double dt) {
    const pliant::HandSettings& settings = m_port.settings();
    const pliant::Vector6 gap = pliant::poseGap(heldPose(), m_port.followed());
    const auto part = [&](const Vector3& way, double stiffness, double force, double fastest, Vector3& velocity) {
        const double length = way.norm(), speed = std::min(length / dt, fastest);
        const double least = kLeastHold * stiffness * dt * dt;
        velocity = length > 0.0 ? Vector3(way * (speed / length)) : Vector3(Vector3::Zero());
        const double mass = speed > 0.0 ? dt * force / speed : m_port.hold() * stiffness * dt * dt;
        return std::max(mass, least);
    };
    const pliant::CouplingSettings& coupling = settings.coupling;
    const Vector3 way = gap.head<3>(), turn = gap.tail<3>();
    const double force = m_port.hold() * pliant::saturatedForce(coupling.stiffness, coupling.maxForce, way.norm());
    const double torque = m_port.hold() * pliant::saturatedForce(coupling.torqueStiffness, coupling.maxTorque,
                                                                 std::sin(0.5 * turn.norm()));
    Vector3 velocity, spin;
    const double mass = part(way, coupling.stiffness, force, settings.limits.speed, velocity);
    const double inertia = part(turn, 0.5 * coupling.torqueStiffness, torque, settings.limits.angularSpeed, spin);
    const auto i = static_cast<btScalar>(inertia);
    m_rbA.setMassProps(static_cast<btScalar>(mass), btVector3(i, i, i));
    m_rbA.updateInertiaTensor();
    setHandInertia(m_rbA, inertia);
    m_rbA.setLinearVelocity(toBullet(velocity));
    m_rbA.setAngularVelocity(toBullet(spin));
}

pliant::Wrench btPliantTool::feel(btScalar dt) {
    return aboutGrip(m_port.render(heldPose(), static_cast<double>(dt)));
}

ToolPose btPliantTool::getGripPose() const {
    const btPliantInternal::JointSide& held = dataOf(*this).sides[0];
    // The side's own frame is brought up to date, which nobody sees.
    const bool isCarried = held.reduced && m_dynamics != btPliantToolDynamics::Static;
    const btTransform grip = isCarried ? const_cast<btPliantInternal::JointSide&>(held).follow() : m_grip;
    return poseOf(m_rbA.getCenterOfMassTransform() * grip);
}

pliant::Wrench btPliantTool::getWrench(btScalar dt) const {
    if (m_dynamics == btPliantToolDynamics::Static) {
        pliant::Wrench wrench = pliant::couple(m_port.settings().coupling, m_port.followed(), heldPose()).wrench;
        wrench.force *= m_port.hold();
        wrench.torque *= m_port.hold();
        return aboutGrip(wrench);
    }
    return {toEigen(getLinearImpulse()) / static_cast<double>(dt),
            toEigen(getAngularImpulse()) / static_cast<double>(dt)};
}

void btPliantTool::buildJacobian() {
    if (m_dynamics != btPliantToolDynamics::Static) followMaterial();  // of a static one the frame carries the grip
    const pliant::HandSettings& settings = m_port.settings();
    const pliant::Vector6 gap = pliant::poseGap(poseOf(m_rbA.getCenterOfMassTransform() * m_grip), m_port.followed());
    btPliantInternal::ToolCoupling& coupling = *dataOf(*this).coupling;
    coupling.dampingRatio = settings.dampingRatio;
    coupling.hold = m_port.hold();
    coupling.linear = {gap.head<3>(), m_port.followedVelocity().head<3>(), settings.coupling.stiffness,
                       settings.coupling.maxForce, settings.limits.speed};
    coupling.angular = {gap.tail<3>(), m_port.followedVelocity().tail<3>(), settings.coupling.torqueStiffness,
                        settings.coupling.maxTorque, settings.limits.angularSpeed};
    if (m_dynamics != btPliantToolDynamics::Static) return;
    // A static tool's coupling is in its mass and velocity, which are those of a step that follow() has begun. In
    // another one they would take the way of that again: the coupling draws the tool to where it followed last.
    coupling.hold = m_hold->isPrepared ? 0.0 : std::max(m_port.hold(), kLeastHold);
    coupling.linear.aimVelocity = coupling.angular.aimVelocity = Vector3::Zero();
    coupling.isPushed = m_hold->isPrepared;
    m_hold->isPrepared = false;
}

void btPliantTool::getInfo1(btConstraintInfo1* info) {
    info->m_numConstraintRows = 6;
    info->nub = 0;
}

void btPliantTool::getInfo2(btConstraintInfo2* info) {
    const btVector3 arm = m_rbA.getCenterOfMassTransform().getBasis() * m_grip.getOrigin();
    for (int k = 0; k < 3; ++k) {
        btVector3 axis(0, 0, 0);
        axis[k] = 1;
        const btVector3 moment = arm.cross(axis);
        const int linear = k * info->rowskip, angular = (k + 3) * info->rowskip;
        for (int i = 0; i < 3; ++i) {
            info->m_J1linearAxis[linear + i] = axis[i];
            info->m_J1angularAxis[linear + i] = moment[i];
            info->m_J1angularAxis[angular + i] = axis[i];
            info->m_J2angularAxis[angular + i] = -axis[i];
        }
        for (const int row : {linear, angular}) {
            info->m_constraintError[row] = 0;
            info->m_lowerLimit[row] = info->m_upperLimit[row] = 0;
        }
    }
}

void btPliantTool::setParam(int, btScalar, int) {}

btScalar btPliantTool::getParam(int, int) const {
    return 0;
}

btTransform btPliantTool::getFrame(int side) const {
    return side == 0 ? m_grip : btTransform::getIdentity();
}

void btPliantTool::setFrame(int side, const btTransform& frame) {
    if (side == 0) m_grip = frame;
}

namespace {

/// Shows every number of a port's state to `visit`, as doubles.
template <class State, class Visit>
void visitState(State& state, const Visit& visit) {
    for (auto* pose : {&state.guard.pose, &state.followed}) {
        for (int k = 0; k < 3; ++k) visit(pose->position[k]);
        for (int k = 0; k < 4; ++k) visit(pose->rotation.coeffs()[k]);
    }
    visit(state.guard.silence);
    visit(state.guard.grip);
    visit(state.energy);
    visit(state.damping);
    for (int k = 0; k < 6; ++k) visit(state.velocity[k]);
    for (int k = 0; k < 6; ++k) visit(state.deviceWay[k]);
}

constexpr std::size_t kNumbers = 33;  // of visitState(), two that are none before, and the kind behind

}  // namespace

void btPliantTool::getNumbers(std::vector<double>& numbers) const {
    const pliant::DevicePort::State state = m_port.state();
    numbers = {state.guard.sawBadNumbers ? 1.0 : 0.0, static_cast<double>(state.guard.status)};
    visitState(state, [&numbers](double x) { numbers.push_back(x); });
    numbers.push_back(static_cast<double>(m_dynamics));
}

bool btPliantTool::acceptsNumbers(const std::vector<double>& numbers) const {
    // Poses are those of the grip or those of the centre of mass.
    if (numbers.size() != kNumbers || numbers.back() != static_cast<double>(m_dynamics)) return false;
    for (const double x : numbers)
        if (!std::isfinite(x)) return false;
    const double status = numbers[1];
    return status >= 0.0 && status <= static_cast<double>(pliant::DeviceStatus::NotFinite) &&
           status == std::floor(status) && numbers[17] >= 0.0 && numbers[17] <= 1.0 && numbers[19] >= 0.0 &&
           numbers[19] <= m_port.settings().limits.deviceDamping;
}

void btPliantTool::setNumbers(const std::vector<double>& numbers) {
    pliant::DevicePort::State state;
    state.guard.sawBadNumbers = numbers[0] != 0.0;
    state.guard.status = static_cast<pliant::DeviceStatus>(static_cast<int>(numbers[1]));
    std::size_t next = 2;
    visitState(state, [&numbers, &next](double& x) { x = numbers[next++]; });
    m_port.setState(state);
    const ToolPose inBody = poseOf(m_grip);
    m_followed = m_dynamics == btPliantToolDynamics::Static
                     ? ToolPose{state.followed.point(inBody.position), state.followed.rotation * inBody.rotation}
                     : state.followed;
}
