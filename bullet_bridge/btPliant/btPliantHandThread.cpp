// SPDX-License-Identifier: Zlib
#include "btPliant/btPliantHandThread.h"

#include <BulletCollision/CollisionShapes/btCollisionShape.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "btPliant/beside/EnergyLedger.h"
#include "btPliant/beside/FeltObjects.h"
#include "btPliant/beside/FeltSolids.h"
#include "btPliant/beside/ToolShape.h"
#include "btPliant/btPliantSystem.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/HandPushes.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/data/TouchShells.h"
#include "btPliant/hand/HandNeighbours.h"
#include "pliant/math/Error.h"

using btPliantInternal::dataOf;
using btPliantInternal::FeltLaw;
using btPliantInternal::HandNeighbours;
using btPliantInternal::ShapeField;
using btPliantInternal::toEigen;

namespace {

void checkStep(double step) {
    if (!(step > 0.0 && step <= 10.0))
        throw pliant::Error("btPliantHandThread", "a step is no time from 0 to 10 s", "give the step of the world");
}

ShapeField fieldOfTool(const btCollisionShape& shape) {
    ShapeField field;
    if (shape.isInfinite() || !btPliantInternal::fieldOf(shape, btTransform::getIdentity(), field))
        throw pliant::Error("btPliantHandThread", "the tool is no sphere, box, capsule or cylinder",
                            "give it one of these shapes");
    return field;
}

/// Whether limits are above others by more than the rounding of degrees.
bool isFaster(const pliant::HandLimits& limits, const pliant::HandLimits& others) {
    constexpr double kRounding = 1.0 + 1e-9;
    return limits.speed > kRounding * others.speed || limits.angularSpeed > kRounding * others.angularSpeed;
}

FeltLaw feltLaw(const btCollisionObject& object, const btPliantTouchSettings& touch) {
    const btScalar friction = touch.m_friction < 0 ? object.getFriction() : touch.m_friction;
    return {btPliantInternal::lawOf(touch), static_cast<double>(friction)};
}

}  // namespace

struct btPliantHandThread::Data {
    Data(const btCollisionShape& shape, const pliant::ToolPose& pose, std::shared_ptr<pliant::HandDevice> device,
         const pliant::HandSettings& settings, double rate)
        : field(fieldOfTool(shape)),
          limits(settings.limits),
          coupling(settings.coupling),
          isFast(isFaster(settings.limits, pliant::HandLimits())),
          solids(pose.position),
          objects(shape),
          thread(settings, pose, std::move(device), rate) {
        toolObject.setCollisionShape(const_cast<btCollisionShape*>(&shape));
        pushes->tool = &toolObject;
        btVector3 lower, upper;
        shape.getAabb(btTransform::getIdentity(), lower, upper);
        farthest = toEigen(lower).cwiseAbs().cwiseMax(toEigen(upper).cwiseAbs()).norm();
    }

    /// Share of a step for which bodies get forces. Those of the last cycles go on where the hand has made none, for
    /// one step or cycle at most: that is made up for when it goes on, and a hand that does not is not to push for
    /// ever.
    double shareFor(double step, double covered) {
        advance = std::max(0.0, advance + step - covered);
        const double over = std::max(0.0, advance - std::max(step, 1.0 / thread.rate()));
        advance -= over;
        return 1.0 - std::min(1.0, over / step);
    }

    btPliantInternal::PushStep pushStep(double step, double covered) {
        const double share = shareFor(step, covered);
        const pliant::HandReport report = thread.report();
        ledger.book(report.work - given, 0.0);
        given = report.work;
        ledger.forgetLosses(pliant::mostCouplingEnergy(coupling, report.followed, report.tool) + solids.mostEnergy() +
                            objects.mostEnergy());
        if (!solids.touches() && !objects.touches()) ledger.forgetDebts();
        const double energy = isFast ? ledger.available() : std::numeric_limits<double>::infinity();
        return {step, share, report.tool.position, limits.speed, limits.angularSpeed, energy};
    }

    /// Pushes all bodies, and tells the system what they get.
    void push(double step, double covered) {
        btPliantInternal::PushStep pushed = pushStep(step, covered);
        pushes->points.clear();
        pushes->toolPlace = pushed.tool;
        pushes->left = pushedFor = step;
        pushed.asked = solids.ask(pushed) + objects.ask(pushed);
        solids.push(pushed, pushes->points);
        objects.push(pushed, pushes->points);
    }

    /// Books what the last push has done, once.
    void bookWork() { ledger.book(0.0, solids.takeWork(pushedFor) + objects.takeWork(pushedFor)); }

    void gather(const HandNeighbours& owed) {
        solids.gather(owed.points);
        objects.gather(owed.shapes);
    }

    ShapeField field;  ///< In the frame of the tool.
    pliant::HandLimits limits;
    pliant::CouplingSettings coupling;
    bool isFast;  ///< Whether its limits let the hand give bodies much more than they bring.
    btPliantInternal::EnergyLedger ledger;
    double given = 0.0;      ///< Work of the device that the ledger has, J.
    double pushedFor = 0.0;  ///< Length of the step that bodies were pushed for, s.
    double farthest = 0.0;   ///< Radius of a ball about the held point that holds the tool, m.
    btPliantInternal::FeltSolids solids;
    btPliantInternal::FeltObjects objects;
    double advance = 0.0;          ///< Time that bodies got forces for before the hand has covered it, s.
    double due = 0.0;              ///< Share of a cycle that the steps so far have left over.
    btCollisionObject toolObject;  ///< What stands for the tool where the user has nothing that does; in no world.
    std::shared_ptr<btPliantInternal::HandPushes> pushes = std::make_shared<btPliantInternal::HandPushes>();
    bool hasSystem = false;  ///< Whether a system reads them.
    pliant::HandThread thread;
};

btPliantHandThread::btPliantHandThread(const btCollisionShape& shape, const pliant::ToolPose& pose,
                                       std::shared_ptr<pliant::HandDevice> device, const pliant::HandSettings& settings,
                                       double rate)
    : m_data(std::make_unique<Data>(shape, pose, std::move(device), settings, rate)) {}

btPliantHandThread::~btPliantHandThread() = default;

void btPliantHandThread::addBody(btCollisionObject& object, const btPliantTouchSettings& touch) {
    constexpr const char* kWhere = "btPliantHandThread::addBody";
    if (btPliantBody* body = btPliantBody::upcast(&object)) {
        btPliantInternal::checkTouch(kWhere, *body, touch);
        auto shell = btPliantInternal::shellFor(dataOf(body->getSystem()).touchRequests, *body, touch);
        removeBody(object);
        m_data->solids.add(*body, std::move(shell), feltLaw(object, touch));
        if (!m_data->hasSystem) setSystem(body->getSystem());
        return;
    }
    btPliantInternal::checkTouchNumbers(kWhere, touch);
    ShapeField field;
    if (!btPliantInternal::fieldOf(*object.getCollisionShape(), object.getWorldTransform(), field))
        throw pliant::Error(kWhere, "the body is no plane, sphere, box, capsule or cylinder",
                            "give it one of these shapes, or reduce its surface with --solid");
    removeBody(object);
    m_data->objects.add(object, feltLaw(object, touch), touch.m_points);
}

void btPliantHandThread::removeBody(const btCollisionObject& object) {
    Data& data = *m_data;
    if (const btPliantBody* body = btPliantBody::upcast(&object))
        data.ledger.book(0.0, data.solids.remove(*body, data.pushedFor));
    data.ledger.book(0.0, data.objects.remove(object, data.pushedFor));
    auto& points = data.pushes->points;
    points.erase(std::remove_if(points.begin(), points.end(), [&](const auto& push) { return push.body == &object; }),
                 points.end());
}

void btPliantHandThread::setSystem(btPliantSystem& system, const btCollisionObject* tool) {
    Data& data = *m_data;
    auto pushes = std::make_shared<btPliantInternal::HandPushes>(*data.pushes);
    if (tool) pushes->tool = tool;
    data.pushes = std::move(pushes);  // a system that had the others forgets them
    data.hasSystem = true;
    auto& hands = dataOf(system).hands;
    hands.erase(std::remove_if(hands.begin(), hands.end(), [](const auto& hand) { return hand.expired(); }),
                hands.end());
    hands.push_back(data.pushes);
}

const btCollisionObject& btPliantHandThread::getTool() const {
    return *m_data->pushes->tool;
}

void btPliantHandThread::beforeStep(double step) {
    checkStep(step);
    Data& data = *m_data;
    if (!data.thread.isRunning()) {
        constexpr double kRounding = 1e-6;  // of a cycle
        data.due += step * data.thread.rate();
        const double whole = std::floor(data.due + kRounding);
        data.due -= whole;
        data.thread.run(static_cast<int>(whole));
    }
    data.bookWork();  // of a step that no afterStep() has ended
    data.solids.forgetOwed();
    data.objects.forgetOwed();
    const double covered = data.thread.collect(
        [&data](pliant::HandSurroundings& owed) { data.gather(static_cast<const HandNeighbours&>(owed)); });
    data.solids.settle(covered);
    data.objects.settle(covered);
    data.push(step, covered);
}

void btPliantHandThread::afterStep(double step) {
    checkStep(step);
    Data& data = *m_data;
    data.pushes->left = 0.0;
    data.bookWork();
    std::unique_ptr<pliant::HandSurroundings> next = data.thread.takeSpare();
    if (!next) next = std::make_unique<HandNeighbours>(data.field.field, data.field.worldFromField, data.farthest);
    auto& near = static_cast<HandNeighbours&>(*next);
    near.points.points.clear();
    near.points.parts.clear();
    near.shapes.shapes.clear();
    const pliant::ToolPose tool = data.thread.report().tool;
    const pliant::Matrix3 turn = tool.rotation.toRotationMatrix();
    btPliantInternal::ToolReach reach{data.field, {}, 0.0, step};
    reach.worldFromTool.rotation = turn * data.field.worldFromField.rotation;
    reach.worldFromTool.translation = tool.position + turn * data.field.worldFromField.translation;
    // Two steps: the next surroundings come at the end of the step that follows.
    reach.reach = 2.0 * step * (data.limits.speed + data.limits.angularSpeed * data.farthest);
    data.solids.collect(reach, near.points);
    data.objects.collect(reach, data.farthest, near.shapes);
    near.points.begin();
    near.shapes.begin();
    data.thread.publish(std::move(next), step);
}

pliant::HandThread& btPliantHandThread::getThread() {
    return m_data->thread;
}

const pliant::HandThread& btPliantHandThread::getThread() const {
    return m_data->thread;
}
