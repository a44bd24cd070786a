// SPDX-License-Identifier: Zlib
#include "pliant/collision/DeformedBody.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "pliant/collision/SphereKernels.h"

namespace pliant {

struct DeformedBody::Cache {
    explicit Cache(std::shared_ptr<const CollisionModel> shared)
        : model(std::move(shared)),
          lanes(model->laneCount(), 0.0f),
          balls(4 * static_cast<std::size_t>(model->balls().count())),
          turned(balls.size()),
          boxes(static_cast<std::size_t>(model->skeletonTree().nodeCount())),
          surfaceExcess(model->surfaceExcess(VectorX::Zero(model->dimension()).eval().data())) {}

    void evaluateBalls() { model->balls().evaluateAll(lanes.data(), balls.data()); }

    void turnAndRefit() {
        const Eigen::Matrix3f rotation = worldFromBody.rotation.cast<float>();
        turnSpheres(balls.data(), model->balls().count(), rotation.data(), turned.data());
        const BDTree& tree = model->skeletonTree();
        for (int k = tree.nodeCount() - 1; k >= 0; --k) {  // children come after their parents
            float* box = boxes[static_cast<std::size_t>(k)].lower;
            const int child = tree.nodes[static_cast<std::size_t>(k)].firstChild;
            if (child < 0)
                boxAround(turned.data(), model->ballsUnder(k), model->ballCountUnder(k), box);
            else
                joinBoxes(boxes[static_cast<std::size_t>(child)].lower,
                          boxes[static_cast<std::size_t>(child) + 1].lower, box);
        }
    }

    std::shared_ptr<const CollisionModel> model;
    std::vector<float> lanes;   ///< (q_j, q_j, q_j, |q_j|), padded
    std::vector<float> balls;   ///< body frame, 4 floats each
    std::vector<float> turned;  ///< along the world's axes
    std::vector<BoxF> boxes;    ///< of the skeleton tree's nodes, around turned balls
    double surfaceExcess;       ///< metres, at this q
    RigidTransform worldFromBody;
};

namespace {

SphereF sphereAt(const std::vector<float>& spheres, int i) {
    const float* s = spheres.data() + 4 * static_cast<std::size_t>(i);
    return {s[0], s[1], s[2], s[3]};
}

Aabb shifted(const BoxF& box, const Vector3& origin) {
    Aabb result;
    for (int k = 0; k < 3; ++k) {
        // One rounding to float of a corner: half a unit in the last place.
        const double slack =
            1.2e-7 * static_cast<double>(std::max(std::fabs(box.lower[k]), std::fabs(box.negUpper[k])));
        result.lower[k] = origin[k] + static_cast<double>(box.lower[k]) - slack;
        result.upper[k] = origin[k] - static_cast<double>(box.negUpper[k]) + slack;
    }
    return result;
}

}  // namespace

static_assert(sizeof(BoxF) == 8 * sizeof(float), "a box is read as eight consecutive floats");

DeformedBody::DeformedBody(std::shared_ptr<const CollisionModel> model)
    : m_cache(std::make_unique<Cache>(std::move(model))) {
    m_cache->evaluateBalls();
    m_cache->turnAndRefit();
}
DeformedBody::~DeformedBody() = default;
DeformedBody::DeformedBody(DeformedBody&&) noexcept = default;
DeformedBody& DeformedBody::operator=(DeformedBody&&) noexcept = default;

const CollisionModel& DeformedBody::model() const {
    return *m_cache->model;
}

void DeformedBody::update(const double* q, const RigidTransform& worldFromBody) {
    Cache& c = *m_cache;
    c.worldFromBody = worldFromBody;
    float* lane = c.lanes.data();
    for (int j = 0; j < c.model->dimension(); ++j, lane += 4) {
        lane[0] = lane[1] = lane[2] = static_cast<float>(q[j]);
        lane[3] = std::fabs(lane[0]);
    }
    c.surfaceExcess = c.model->surfaceExcess(q);
    c.evaluateBalls();
    c.turnAndRefit();
}

void DeformedBody::setTransform(const RigidTransform& worldFromBody) {
    const bool turns = worldFromBody.rotation != m_cache->worldFromBody.rotation;
    m_cache->worldFromBody = worldFromBody;
    if (turns) m_cache->turnAndRefit();
}

const RigidTransform& DeformedBody::worldFromBody() const {
    return m_cache->worldFromBody;
}

SphereF DeformedBody::ball(int i) const {
    return sphereAt(m_cache->balls, i);
}

SphereF DeformedBody::skeletonNode(int i) const {
    return model().skeletonNodes().evaluate(i, m_cache->lanes.data());
}

SphereF DeformedBody::triangleNode(int i) const {
    return model().triangleNodes().evaluate(i, m_cache->lanes.data());
}

SphereF DeformedBody::vertex(int i) const {
    return model().vertices().evaluate(i, m_cache->lanes.data());
}

SphereF DeformedBody::turnedBall(int i) const {
    return sphereAt(m_cache->turned, i);
}

const float* DeformedBody::turnedBalls() const {
    return m_cache->turned.data();
}

const BoxF& DeformedBody::turnedBox(int node) const {
    return m_cache->boxes[static_cast<std::size_t>(node)];
}

SweptSegment DeformedBody::segment(int index) const {
    SweptSegment swept;
    swept.index = index;
    for (int end = 0; end < 2; ++end) {
        const SphereF s = turnedBall(model().skeleton().segments(end, index));
        swept.end[end] = centreOf(s) + worldFromBody().translation;
        swept.radius[end] = static_cast<double>(s.radius);
    }
    return swept;
}

Vector3 DeformedBody::segmentPoint(int index, double parameter) const {
    const SweptSegment swept = segment(index);
    return (1.0 - parameter) * swept.end[0] + parameter * swept.end[1];
}

Aabb DeformedBody::worldBounds() const {
    return bounds(worldFromBody());
}

double DeformedBody::surfaceExcess() const {
    return m_cache->surfaceExcess;
}

Aabb DeformedBody::bounds(const RigidTransform& frame) const {
    const int count = model().balls().count();
    if (count == 0) return {frame.translation, frame.translation};
    if (frame.rotation == worldFromBody().rotation) return shifted(turnedBox(0), frame.translation);
    Aabb box{Vector3::Constant(std::numeric_limits<double>::max()),
             Vector3::Constant(std::numeric_limits<double>::lowest())};
    for (int i = 0; i < count; ++i) {
        const SphereF s = ball(i);
        const Vector3 centre = frame.point(centreOf(s)), radius = Vector3::Constant(static_cast<double>(s.radius));
        box.lower = box.lower.cwiseMin(centre - radius);
        box.upper = box.upper.cwiseMax(centre + radius);
    }
    return box;
}

}  // namespace pliant
