// SPDX-License-Identifier: Zlib
#include "pliant/collision/DeformedBody.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "pliant/collision/BallKernels.h"
#include "pliant/collision/SphereKernels.h"
#include "pliant/math/Prefetch.h"

namespace pliant {

struct DeformedBody::Cache {
    explicit Cache(std::shared_ptr<const CollisionModel> shared)
        : model(std::move(shared)),
          q(static_cast<std::size_t>(model->dimension()), 0.0f),
          lanes(model->laneCount(), 0.0f),
          turned(4 * static_cast<std::size_t>(kBallsPerTile * model->ballTiles().tiles)),
          boxes(static_cast<std::size_t>(model->skeletonTree().nodeCount())),
          surfaceExcess(model->surfaceExcess(VectorX::Zero(model->dimension()).eval().data())) {}

    void setCoordinates(const double* newQ) {
        float* lane = lanes.data();
        for (std::size_t j = 0; j < q.size(); ++j, lane += 4) {
            q[j] = lane[0] = lane[1] = lane[2] = static_cast<float>(newQ[j]);
            lane[3] = std::fabs(q[j]);
        }
        surfaceExcess = model->surfaceExcess(newQ);
    }

    MovingBalls beginMove(const RigidTransform& newFrame) {
        MovingBalls moving;
        moving.q = q.data();
        moving.turned = turned.data();
        Eigen::Map<Eigen::Matrix3f>(moving.rotation) = newFrame.rotation.cast<float>();
        shift = (newFrame.translation - worldFromBody.translation).cast<float>();
        worldFromBody = newFrame;
        looksAhead = false;
        return moving;
    }

    void endMove(const MovingBalls& moved) {
        const Eigen::Map<const Eigen::Matrix<float, 8, 1>> box(moved.box);
        const Eigen::Map<const Eigen::Vector3f> ahead(moved.ahead), behind(moved.behind);
        const Eigen::Vector3f farthest = (ahead + shift).cwiseAbs().cwiseMax((behind - shift).cwiseAbs());
        // The differences are off by a few roundings of what they are taken of.
        travelled += farthest.cast<double>().norm() +
                     1e-6 * static_cast<double>(box.cwiseAbs().maxCoeff() + shift.cwiseAbs().maxCoeff());
        swung += ahead.cwiseAbs().cwiseMax(behind.cwiseAbs()).cast<double>().norm();
        boxesAreCurrent = boxes.size() <= 1;
        if (!boxes.empty()) std::copy_n(moved.box, 8, boxes.front().lower);
    }

    void refit() {
        if (boxesAreCurrent) return;
        boxesAreCurrent = true;
        fitBoxes(turned, boxes);
    }

    void fitBoxes(const std::vector<float>& balls, std::vector<BoxF>& around) const {
        const BDTree& tree = model->skeletonTree();
        for (int k = tree.nodeCount() - 1; k >= 0; --k) {  // children come after their parents
            float* box = around[static_cast<std::size_t>(k)].lower;
            const int child = tree.nodes[static_cast<std::size_t>(k)].firstChild;
            if (child < 0)
                boxAround(balls.data(), model->ballsUnder(k), model->ballCountUnder(k), box);
            else
                joinBoxes(around[static_cast<std::size_t>(child)].lower,
                          around[static_cast<std::size_t>(child) + 1].lower, box);
        }
    }

    void prepareToLookAhead() {
        turnedAhead.resize(turned.size());
        coordinatesAhead.resize(q.size());
        aheadBoxes.resize(boxes.size());
    }

    void lookAhead(const double* aheadQ, const RigidTransform& frame) {
        prepareToLookAhead();
        for (std::size_t j = 0; j < q.size(); ++j) coordinatesAhead[j] = static_cast<float>(aheadQ[j]);
        MovingBalls moving;
        moving.q = coordinatesAhead.data();
        moving.turned = turnedAhead.data();
        Eigen::Map<Eigen::Matrix3f>(moving.rotation) = frame.rotation.cast<float>();
        const BallTiles& tiles = model->ballTiles();
        moveBalls(tiles.coefficients.data(), tiles.radii.data(), tiles.tiles, model->dimension(), 1, &moving);
        aheadOrigin = frame.translation;
        looksAhead = true;
        fitBoxes(turnedAhead, aheadBoxes);
    }

    std::shared_ptr<const CollisionModel> model;
    std::vector<float> q;       ///< r
    std::vector<float> lanes;   ///< (q_j, q_j, q_j, |q_j|), padded
    std::vector<float> turned;  ///< balls along the world's axes, 4 floats each, whole tiles
    std::vector<BoxF> boxes;    ///< of the skeleton tree's nodes, around turned balls
    bool boxesAreCurrent = false;
    double surfaceExcess;  ///< metres, at this q
    double travelled = 0.0, swung = 0.0;
    Eigen::Vector3f shift = Eigen::Vector3f::Zero();  ///< of the origin in the move that is going on
    RigidTransform worldFromBody;

    // The end of the coming step.
    bool looksAhead = false;
    std::vector<float> coordinatesAhead;    ///< r
    std::vector<float> turnedAhead;         ///< as `turned`, about the origin then
    std::vector<BoxF> aheadBoxes;           ///< as `boxes`, about the origin then
    Vector3 aheadOrigin = Vector3::Zero();  ///< world
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
    const VectorX rest = VectorX::Zero(m_cache->model->dimension());
    update(rest.data(), RigidTransform());
}
DeformedBody::~DeformedBody() = default;
DeformedBody::DeformedBody(DeformedBody&&) noexcept = default;
DeformedBody& DeformedBody::operator=(DeformedBody&&) noexcept = default;

const CollisionModel& DeformedBody::model() const {
    return *m_cache->model;
}

void DeformedBody::moveTogether(const NewState* states, int count) {
    std::array<MovingBalls, kBodiesTogether> moving;
    for (int first = 0; first < count;) {
        const CollisionModel* model = &states[first].body->model();
        int together = 0;
        while (first + together < count && together < kBodiesTogether &&
               &states[first + together].body->model() == model) {
            const NewState& state = states[first + together];
            Cache& c = *state.body->m_cache;
            c.setCoordinates(state.q);
            moving[static_cast<std::size_t>(together++)] = c.beginMove(state.worldFromBody);
        }
        const BallTiles& tiles = model->ballTiles();
        moveBalls(tiles.coefficients.data(), tiles.radii.data(), tiles.tiles, model->dimension(), together,
                  moving.data());
        for (int i = 0; i < together; ++i)
            states[first + i].body->m_cache->endMove(moving[static_cast<std::size_t>(i)]);
        first += together;
    }
}

void DeformedBody::refit() {
    m_cache->refit();
}

bool DeformedBody::boxesAreCurrent() const {
    return m_cache->boxesAreCurrent;
}

void DeformedBody::update(const double* q, const RigidTransform& worldFromBody) {
    const NewState state{this, q, worldFromBody};
    moveTogether(&state, 1);
    refit();
}

void DeformedBody::setTransform(const RigidTransform& worldFromBody) {
    MovingBalls moving = m_cache->beginMove(worldFromBody);
    const BallTiles& tiles = model().ballTiles();
    moveBalls(tiles.coefficients.data(), tiles.radii.data(), tiles.tiles, model().dimension(), 1, &moving);
    m_cache->endMove(moving);
    refit();
}

const RigidTransform& DeformedBody::worldFromBody() const {
    return m_cache->worldFromBody;
}

SphereF DeformedBody::ball(int i) const {
    return model().balls().evaluate(i, m_cache->lanes.data());
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

void DeformedBody::prepareToLookAhead() {
    m_cache->prepareToLookAhead();
}

void DeformedBody::lookAhead(const double* q, const RigidTransform& worldFromBody) {
    m_cache->lookAhead(q, worldFromBody);
}

bool DeformedBody::looksAhead() const {
    return m_cache->looksAhead;
}

MovingSegment DeformedBody::movingSegment(int index) const {
    MovingSegment moving;
    moving.now = segment(index);
    for (int end = 0; end < 2; ++end)
        moving.end[end] =
            centreOf(sphereAt(m_cache->turnedAhead, model().skeleton().segments(end, index))) + m_cache->aheadOrigin;
    return moving;
}

const float* DeformedBody::aheadBalls() const {
    return m_cache->turnedAhead.data();
}

const BoxF& DeformedBody::aheadBox(int node) const {
    return m_cache->aheadBoxes[static_cast<std::size_t>(node)];
}

const Vector3& DeformedBody::aheadOrigin() const {
    return m_cache->aheadOrigin;
}

void DeformedBody::fetchBall(int i) const {
    prefetch(turnedBalls() + 4 * static_cast<std::size_t>(i));
}

void DeformedBody::fetchSegment(int index) const {
    for (int end = 0; end < 2; ++end) fetchBall(model().skeleton().segments(end, index));
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

double DeformedBody::travelled() const {
    return m_cache->travelled;
}

double DeformedBody::swung() const {
    return m_cache->swung;
}

double DeformedBody::surfaceExcess() const {
    return m_cache->surfaceExcess;
}

Aabb DeformedBody::bounds(const RigidTransform& frame) const {
    const int count = model().balls().count();
    if (count == 0) return {frame.translation, frame.translation};
    if (frame.rotation == worldFromBody().rotation) return shifted(turnedBox(0), frame.translation);
    const Eigen::Matrix3f turn = (frame.rotation * worldFromBody().rotation.transpose()).cast<float>();
    BoxF box;
    boxAroundTurned(turnedBalls(), model().ballTiles().tiles, turn.data(), box.lower);
    // Balls that were rounded along other axes: a few roundings of their distance from the origin.
    Aabb result = shifted(box, frame.translation);
    const Vector3 slack = Vector3::Constant(1e-6 * (result.upper - result.lower).norm());
    return {result.lower - slack, result.upper + slack};
}

}  // namespace pliant
