// SPDX-License-Identifier: Zlib
#include "btPliant/btPliantHandThread.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionShapes/btCollisionShape.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "btPliant/btPliantSystem.h"
#include "btPliant/data/BodyCollision.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/data/TouchShells.h"
#include "btPliant/hand/NearPoints.h"
#include "btPliant/narrowphase/ShapeCollider.h"
#include "pliant/math/Error.h"
#include "pliant/touch/PlacedShell.h"

using btPliantInternal::BodyData;
using btPliantInternal::dataOf;
using btPliantInternal::NearPoints;
using btPliantInternal::toEigen;
using pliant::RigidTransform;
using pliant::Vector3;

namespace {

/// Metres in a second from which on a point counts as put where it is: bodies that fall 500 m are as fast.
constexpr double kFastestPoint = 100.0;

void checkStep(double step) {
    if (!(step > 0.0 && step <= 10.0))
        throw pliant::Error("btPliantHandThread", "a step is no time from 0 to 10 s", "give the step of the world");
}

btPliantInternal::ShapeField fieldOfTool(const btCollisionShape& shape) {
    btCollisionObject object;
    const btTransform atOrigin = btTransform::getIdentity();
    const btCollisionObjectWrapper wrap(nullptr, &shape, &object, atOrigin, -1, -1);
    const btPliantInternal::ShapeCollider* collider = btPliantInternal::colliderOf(wrap);
    if (!collider || !collider->field || shape.isInfinite())
        throw pliant::Error("btPliantHandThread", "the tool is no sphere, box, capsule or cylinder",
                            "give it one of these shapes");
    btPliantInternal::ShapeField field;
    collider->field({shape, atOrigin}, field);
    return field;
}

}  // namespace

struct btPliantHandThread::Data {
    /// A body that a hand feels.
    struct FeltBody {
        btPliantBody* body = nullptr;  ///< Null: removed.
        std::shared_ptr<const pliant::ReducedModel> model;
        std::unique_ptr<pliant::PlacedShell> placed;  ///< In the world's axes about the hand's origin.
        pliant::DistributedLaw law;
        std::vector<pliant::MaterialPoint> located;  ///< Of all points of the shell, where `isLocated`.
        std::vector<char> isLocated;
    };

    /// A force on a body for the coming step.
    struct Push {
        std::size_t body = 0;
        int point = 0;
        Vector3 force = Vector3::Zero();  ///< N.
    };

    Data(const btCollisionShape& shape, const pliant::ToolPose& pose, std::shared_ptr<pliant::HandDevice> device,
         const pliant::HandSettings& settings, double rate)
        : field(fieldOfTool(shape)),
          limits(settings.limits),
          origin(pose.position),
          thread(settings, pose, std::move(device), rate) {
        btVector3 lower, upper;
        shape.getAabb(btTransform::getIdentity(), lower, upper);
        farthest = toEigen(lower).cwiseAbs().cwiseMax(toEigen(upper).cwiseAbs()).norm();
    }

    void place(FeltBody& felt) const;
    void addNear(const FeltBody& felt, const RigidTransform& worldFromField, double reach, double step,
                 NearPoints& near) const;
    void gather(const NearPoints& near);
    void apply(const Push& push);

    btPliantInternal::ShapeField field;  ///< In the frame of the tool.
    pliant::HandLimits limits;
    double farthest = 0.0;  ///< Radius of a ball about the held point that holds the tool, m.
    Vector3 origin;         ///< About which places are kept in few digits, world, m.
    std::vector<FeltBody> bodies;
    std::vector<Push> pushes, gathered;
    double due = 0.0;  ///< Share of a cycle that the steps so far have left over.
    pliant::HandThread thread;
};

/// Brings points of a body to where it is at the end of the step.
void btPliantHandThread::Data::place(FeltBody& felt) const {
    BodyData& data = dataOf(*felt.body);
    btPliantInternal::updateCollision(data);
    const pliant::DeformedField::NewState state = btPliantInternal::fieldState(data);
    pliant::DeformedField::updateTogether(&state, 1);
    RigidTransform frame = btPliantInternal::worldFromMesh(data);
    frame.translation -= origin;
    felt.placed->place({frame, data.field->latticeDisplacements()});
}

/// Adds the points that the tool may come to within a step.
void btPliantHandThread::Data::addNear(const FeltBody& felt, const RigidTransform& worldFromField, double reach,
                                       double step, NearPoints& near) const {
    const pliant::PlacedShell& placed = *felt.placed;
    const pliant::DistributedShell& shell = placed.shell();
    const int finest = shell.levelCount() - 1;
    const auto local = [&](const Vector3& place) { return worldFromField.inversePoint(place + origin); };
    for (std::size_t c = 0; c < shell.cells().size(); ++c) {
        const pliant::DistributedShell::Cell& cell = shell.cells()[c];
        const int number = static_cast<int>(c);
        const pliant::PlacedShell::Sphere ball = placed.boundingSphere(number, cell.low, cell.high);
        const double way = placed.lastStep(number);
        // What was put somewhere by its user has no velocity, and is not looked for on its way.
        const bool moves = way <= step * kFastestPoint;
        const double perStep = moves ? 1.0 / step : 0.0, within = reach + (moves ? 2.0 * way : 0.0);
        if (field.field.distance(local(ball.centre)) > within + ball.radius) continue;
        for (int k = cell.firstCluster; k < cell.firstCluster + cell.clusterCount; ++k) {
            const pliant::DistributedShell::Cluster& cluster = shell.clusters()[static_cast<std::size_t>(k)];
            for (int i = cluster.first; i < cluster.first + cluster.prefix[finest]; ++i) {
                const Vector3 at = placed.point(i);
                if (field.field.distance(local(at)) > within) continue;
                near.points.push_back({i, at + origin,
                                       pliant::areaVector(placed.gradient(i), shell.area(i, finest), 1.0),
                                       perStep * (at - placed.lastPoint(i))});
            }
        }
    }
}

/// Notes what is owed, as impulses for now.
void btPliantHandThread::Data::gather(const NearPoints& near) {
    for (const NearPoints::Part& part : near.parts)
        for (std::size_t i = part.first; i < part.end; ++i)
            if (!near.given()[i].isZero())
                gathered.push_back({static_cast<std::size_t>(part.body), near.points[i].number, near.given()[i]});
}

void btPliantHandThread::Data::apply(const Push& push) {
    FeltBody& felt = bodies[push.body];
    if (!felt.body) return;
    const auto i = static_cast<std::size_t>(push.point);
    if (!felt.isLocated[i]) {
        felt.located[i] = felt.body->locate(btPliantInternal::toBullet(felt.placed->shell().restPoint(push.point)));
        felt.isLocated[i] = 1;
    }
    felt.body->applyForceAt(felt.located[i], btPliantInternal::toBullet(push.force));
}

btPliantHandThread::btPliantHandThread(const btCollisionShape& shape, const pliant::ToolPose& pose,
                                       std::shared_ptr<pliant::HandDevice> device, const pliant::HandSettings& settings,
                                       double rate)
    : m_data(std::make_unique<Data>(shape, pose, std::move(device), settings, rate)) {}

btPliantHandThread::~btPliantHandThread() = default;

void btPliantHandThread::addBody(btPliantBody& body, const btPliantTouchSettings& touch) {
    btPliantInternal::checkTouch("btPliantHandThread::addBody", body, touch);
    Data::FeltBody felt;
    felt.body = &body;
    felt.model = dataOf(body).originalModel;
    const auto shell = btPliantInternal::shellFor(dataOf(body.getSystem()).touchRequests, body, touch);
    felt.placed = std::make_unique<pliant::PlacedShell>(shell, &felt.model->contactSurface.lattice);
    felt.law = btPliantInternal::lawOf(touch);
    const auto points = static_cast<std::size_t>(shell->pointCount());
    felt.located.resize(points);
    felt.isLocated.assign(points, 0);
    removeBody(body);
    m_data->bodies.push_back(std::move(felt));  // numbers of what is gone are not used again while forces are owed
}

void btPliantHandThread::removeBody(const btPliantBody& body) {
    for (Data::FeltBody& felt : m_data->bodies)
        if (felt.body == &body) felt = Data::FeltBody();  // what is owed to it by its number finds nobody
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
    data.gathered.clear();
    const double covered = data.thread.collect(
        [&data](pliant::HandSurroundings& owed) { data.gather(static_cast<const NearPoints&>(owed)); });
    // A world that is faster than the hand goes on with the forces of the last cycles.
    if (covered > 0.0) {
        data.pushes.swap(data.gathered);
        for (Data::Push& push : data.pushes) push.force /= covered;
    }
    for (const Data::Push& push : data.pushes) data.apply(push);
}

void btPliantHandThread::afterStep(double step) {
    checkStep(step);
    Data& data = *m_data;
    std::unique_ptr<pliant::HandSurroundings> next = data.thread.takeSpare();
    if (!next) next = std::make_unique<NearPoints>(data.field.field, data.field.worldFromField);
    auto& near = static_cast<NearPoints&>(*next);
    near.points.clear();
    near.parts.clear();
    const pliant::ToolPose tool = data.thread.report().tool;
    const pliant::Matrix3 turn = tool.rotation.toRotationMatrix();
    RigidTransform worldFromField;
    worldFromField.rotation = turn * data.field.worldFromField.rotation;
    worldFromField.translation = tool.position + turn * data.field.worldFromField.translation;
    // Two steps: the next surroundings come at the end of the step that follows.
    const double reach = 2.0 * step * (data.limits.speed + data.limits.angularSpeed * data.farthest);
    for (std::size_t b = 0; b < data.bodies.size(); ++b) {
        if (!data.bodies[b].body) continue;
        data.place(data.bodies[b]);
        const std::size_t first = near.points.size();
        data.addNear(data.bodies[b], worldFromField, reach, step, near);
        if (near.points.size() > first)
            near.parts.push_back({static_cast<int>(b), data.bodies[b].law, first, near.points.size()});
    }
    near.begin();
    data.thread.publish(std::move(next), step);
}

pliant::HandThread& btPliantHandThread::getThread() {
    return m_data->thread;
}

const pliant::HandThread& btPliantHandThread::getThread() const {
    return m_data->thread;
}
