// SPDX-License-Identifier: Zlib
#include "btPliant/beside/FeltSolids.h"

#include <algorithm>
#include <tuple>

#include "btPliant/data/BodyCollision.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

using pliant::RigidTransform;
using pliant::Vector3;

namespace {

/// Metres in a second from which on a point counts as put where it is: bodies that fall 500 m are as fast.
constexpr double kFastestPoint = 100.0;

}  // namespace

void FeltSolids::add(btPliantBody& body, std::shared_ptr<const pliant::DistributedShell> shell, const FeltLaw& law) {
    Solid solid;
    solid.body = &body;
    solid.model = dataOf(body).originalModel;
    const auto points = static_cast<std::size_t>(shell->pointCount());
    solid.placed = std::make_unique<pliant::PlacedShell>(std::move(shell), &solid.model->contactSurface.lattice);
    solid.law = law;
    solid.located.resize(points);
    solid.isLocated.assign(points, 0);
    m_solids.push_back(std::move(solid));  // numbers of what is gone are not used again while forces are owed
}

double FeltSolids::remove(const btPliantBody& body, double step) {
    double work = 0.0;
    for (std::size_t number = 0; number < m_solids.size(); ++number) {
        if (m_solids[number].body != &body) continue;
        double done = 0.0;
        for (Push& push : m_pushes)
            if (push.body == number) done += takeWork(push, step);
        work += std::max(done, m_solids[number].promised);
        m_solids[number] = Solid();  // what is owed to it by its number finds nobody
    }
    return work;
}

/// Brings points of a body to where it is at the end of the step.
void FeltSolids::place(Solid& solid) const {
    BodyData& data = dataOf(*solid.body);
    updateCollision(data);
    const pliant::DeformedField::NewState state = fieldState(data);
    pliant::DeformedField::updateTogether(&state, 1);
    RigidTransform frame = worldFromMesh(data);
    frame.translation -= m_origin;
    solid.placed->place({frame, data.field->latticeDisplacements()});
}

void FeltSolids::addNear(const Solid& solid, const ToolReach& reach, NearPoints& near) const {
    const pliant::PlacedShell& placed = *solid.placed;
    const pliant::DistributedShell& shell = placed.shell();
    const pliant::AnalyticField& field = reach.tool.field;
    const int finest = shell.levelCount() - 1;
    const auto local = [&](const Vector3& place) { return reach.worldFromTool.inversePoint(place + m_origin); };
    for (std::size_t c = 0; c < shell.cells().size(); ++c) {
        const pliant::DistributedShell::Cell& cell = shell.cells()[c];
        const int number = static_cast<int>(c);
        const pliant::PlacedShell::Sphere ball = placed.boundingSphere(number, cell.low, cell.high);
        const double way = placed.lastStep(number);
        // What was put somewhere by its user has no velocity, and is not looked for on its way.
        const bool moves = way <= reach.step * kFastestPoint;
        const double perStep = moves ? 1.0 / reach.step : 0.0, within = reach.reach + (moves ? 2.0 * way : 0.0);
        if (field.distance(local(ball.centre)) > within + ball.radius) continue;
        for (int k = cell.firstCluster; k < cell.firstCluster + cell.clusterCount; ++k) {
            const pliant::DistributedShell::Cluster& cluster = shell.clusters()[static_cast<std::size_t>(k)];
            for (int i = cluster.first; i < cluster.first + cluster.prefix[finest]; ++i) {
                const Vector3 at = placed.point(i);
                if (field.distance(local(at)) > within) continue;
                near.points.push_back({i, at + m_origin,
                                       pliant::areaVector(placed.gradient(i), shell.area(i, finest), 1.0),
                                       perStep * (at - placed.lastPoint(i))});
            }
        }
    }
}

void FeltSolids::collect(const ToolReach& reach, NearPoints& near) {
    for (std::size_t b = 0; b < m_solids.size(); ++b) {
        Solid& solid = m_solids[b];
        if (!solid.body || !solid.body->getBroadphaseHandle()) continue;  // what is in no world touches nothing
        place(solid);
        const std::size_t first = near.points.size();
        addNear(solid, reach, near);
        if (near.points.size() > first)
            near.parts.push_back({static_cast<int>(b), solid.law, first, near.points.size()});
    }
}

void FeltSolids::gather(const NearPoints& near) {
    for (const NearPoints::Part& part : near.parts)
        for (std::size_t i = part.first; i < part.end; ++i)
            if (const NearPoints::Impulse& given = near.given()[i]; given.depth > 0.0)
                m_gathered.push_back({static_cast<std::size_t>(part.body), near.points[i].number, given.pressure,
                                      given.friction, given.depth, near.points[i].area.norm()});
}

void FeltSolids::settle(double covered) {
    if (!(covered > 0.0)) return;
    m_pushes.swap(m_gathered);
    for (Push& push : m_pushes) {
        push.pressure /= covered;
        push.friction /= covered;
        push.depth /= covered;
    }
    joinPushes();
}

/// Of a point that several surroundings have had: one push, by body and point.
void FeltSolids::joinPushes() {
    for (std::size_t i = 0; i < m_pushes.size(); ++i) m_pushes[i].order = i;
    std::sort(m_pushes.begin(), m_pushes.end(), [](const Push& a, const Push& b) {
        return std::tie(a.body, a.point, a.order) < std::tie(b.body, b.point, b.order);
    });
    std::size_t last = 0;
    for (std::size_t i = 1; i < m_pushes.size(); ++i) {
        const Push& push = m_pushes[i];
        Push& sum = m_pushes[last];
        if (push.body != sum.body || push.point != sum.point) {
            m_pushes[++last] = push;
            continue;
        }
        sum.pressure += push.pressure;
        sum.friction += push.friction;
        sum.depth += push.depth;
        sum.area = push.area;
    }
    if (!m_pushes.empty()) m_pushes.resize(last + 1);
}

const pliant::MaterialPoint& FeltSolids::located(Solid& solid, int point) {
    const auto i = static_cast<std::size_t>(point);
    if (!solid.isLocated[i]) {
        solid.located[i] = solid.body->locate(toBullet(solid.placed->shell().restPoint(point)));
        solid.isLocated[i] = 1;
    }
    return solid.located[i];
}

void FeltSolids::sumForces() {
    for (Solid& solid : m_solids) solid.force = solid.torque = Vector3::Zero();
    for (const Push& push : m_pushes) {
        Solid& solid = m_solids[push.body];
        const Vector3 at = toEigen(solid.body->getPointPosition(located(solid, push.point)));
        solid.force += push.force();
        solid.torque += (at - toEigen(solid.body->getCenterOfMassPosition())).cross(push.force());
    }
}

double FeltSolids::mostEnergy() const {
    double energy = 0.0;
    for (const Push& push : m_pushes)
        if (m_solids[push.body].body) energy += push.pressure.norm() * push.depth;
    return energy;
}

double FeltSolids::ask(const PushStep& step) {
    const auto isNowhere = [this](const Push& push) {
        const btPliantBody* body = m_solids[push.body].body;
        return !body || !body->getBroadphaseHandle();
    };
    m_pushes.erase(std::remove_if(m_pushes.begin(), m_pushes.end(), isNowhere), m_pushes.end());
    sumForces();
    double asked = 0.0;
    for (Solid& solid : m_solids) {
        solid.isFree = solid.body && dataOf(*solid.body).frameIsFree;
        solid.promised = 0.0;
        if (!solid.isFree) continue;
        solid.bounds = boundsOfPush(*solid.body, step.share * solid.force, step.share * solid.torque, step);
        asked += solid.bounds.asked();
    }
    return asked;
}

void FeltSolids::push(const PushStep& step, std::vector<HandPush>& told) {
    for (Push& push : m_pushes) {
        Solid& solid = m_solids[push.body];
        const double share = solid.isFree ? step.share * solid.bounds.shareIn(step) : step.share;
        push.given = GivenPush();
        if (!(share > 0.0)) continue;
        const pliant::MaterialPoint& point = located(solid, push.point);
        const Vector3 force = share * push.force();
        push.given.velocity = toEigen(solid.body->getPointVelocity(point));
        push.given.force = force;
        solid.body->applyForceAt(point, toBullet(force));
        HandPush got;
        got.body = solid.body;
        got.place = toEigen(solid.body->getPointPosition(point));
        got.rest = solid.placed->shell().restPoint(push.point);
        got.pressure = share * push.pressure;
        got.friction = share * push.friction;
        got.torque = (got.place - toEigen(solid.body->getCenterOfMassPosition())).cross(force);
        got.depth = push.depth;
        got.area = push.area;
        told.push_back(got);
    }
    for (Solid& solid : m_solids)
        if (solid.isFree) solid.promised = solid.bounds.energyOf(solid.bounds.shareIn(step));
}

double FeltSolids::takeWork(Push& push, double step) {
    Solid& solid = m_solids[push.body];
    const GivenPush given = push.given;
    push.given = GivenPush();
    if (!solid.body || given.force.isZero()) return 0.0;
    return given.work(toEigen(solid.body->getPointVelocity(located(solid, push.point))), Vector3::Zero(), step);
}

double FeltSolids::takeWork(double step) {
    double work = 0.0;
    for (Push& push : m_pushes) work += takeWork(push, step);
    for (Solid& solid : m_solids) solid.promised = 0.0;
    return work;
}

}  // namespace btPliantInternal
