// SPDX-License-Identifier: Zlib
#include "pliant/collision/DeformedBodyCache.h"

#include <algorithm>
#include <cmath>

#include "pliant/collision/RelativeMotion.h"
#include "pliant/collision/SphereKernels.h"

namespace pliant {

namespace {

/// A body that comes by more of AnchorBalls::mostSlack() in a move is seldom at rest: its balls will be asked for, and
/// are measured at once.
constexpr double kSlightShare = 0.125;

MovingBalls passOver(const CacheLineVector<float>& q, const Eigen::Matrix3f& rotation, float* balls) {
    MovingBalls moving;
    moving.q = q.data();
    moving.turned = balls;
    Eigen::Map<Eigen::Matrix3f>(moving.rotation) = rotation;
    return moving;
}

}  // namespace

DeformedBody::Cache::Cache(std::shared_ptr<const CollisionModel> shared)
    : model(std::move(shared)),
      q(static_cast<std::size_t>(model->dimension()), 0.0f),
      lanes(model->laneCount(), 0.0f),
      turned(4 * static_cast<std::size_t>(kBallsPerTile * model->ballTiles().tiles)),
      anchors(4 * static_cast<std::size_t>(kBallsPerTile * model->anchors().tiles().tiles)),
      boxes(static_cast<std::size_t>(model->skeletonTree().nodeCount())),
      surfaceExcess(model->surfaceExcess(VectorX::Zero(model->dimension()).eval().data())),
      change(q.size(), 0.0f) {}

void DeformedBody::Cache::setCoordinates(const double* newQ) {
    float* lane = lanes.data();
    for (std::size_t j = 0; j < q.size(); ++j, lane += 4) {
        q[j] = lane[0] = lane[1] = lane[2] = static_cast<float>(newQ[j]);
        lane[3] = std::fabs(q[j]);
    }
    surfaceExcess = model->surfaceExcess(newQ);
}

double DeformedBody::Cache::leftOverOf(const double* newQ, const RigidTransform& newFrame) {
    const AnchorBalls& few = model->anchors();
    if (!few.exist()) return 0.0;
    for (std::size_t j = 0; j < q.size(); ++j) change[j] = newQ ? static_cast<float>(newQ[j]) - q[j] : 0.0f;
    return few.leftOver(few.size(change.data()), few.size(q.data()),
                        (newFrame.rotation - worldFromBody.rotation).norm());
}

/// Metres that balls and frames may be off, with room (1e-6 = 16 x 2^-24).
double DeformedBody::Cache::rounding() const {
    const Eigen::Map<const Eigen::Matrix<float, 8, 1>> box(outer.lower);
    return 1e-6 * static_cast<double>(box.cwiseAbs().maxCoeff() + shift.cwiseAbs().maxCoeff());
}

DeformedBody::Cache::Way DeformedBody::Cache::wayOf(const MovingBalls& moved) const {
    const Eigen::Map<const Eigen::Vector3f> ahead(moved.ahead), behind(moved.behind);
    const Eigen::Vector3f farthest = (ahead + shift).cwiseAbs().cwiseMax((behind - shift).cwiseAbs());
    return {ahead.cwiseAbs().cwiseMax(behind.cwiseAbs()).cast<double>().norm(), farthest.cast<double>().norm()};
}

void DeformedBody::Cache::beginMove(const double* newQ, const RigidTransform& newFrame) {
    leftOver = leftOverOf(newQ, newFrame);
    shift = (newFrame.translation - worldFromBody.translation).cast<float>();
    // The balls are those of the last state only if they have been evaluated for it; but whether somebody has asked for
    // them since then must not tell.
    isMeasured = slack == 0.0 || !model->anchors().exist();
    if (newQ) setCoordinates(newQ);
    worldFromBody = newFrame;
    rotation = newFrame.rotation.cast<float>();
    looksAhead = false;
}

void DeformedBody::Cache::endAnchors(const MovingBalls& moved) {
    way = wayOf(moved);
    way.swing += leftOver;
    way.travel += leftOver;
}

bool DeformedBody::Cache::isSlight() const {
    const double growth = way.swing + rounding(), most = model->anchors().mostSlack();
    return growth <= kSlightShare * most && slack + growth <= most;
}

void DeformedBody::Cache::addTravel() {
    // The differences are off by a few roundings of what they are taken of.
    travelled += atMostFar(way.travel + rounding());
    swung += atMostFar(way.swing + rounding());
}

void DeformedBody::Cache::endSlightMove() {
    const double growth = way.swing + rounding();
    slack += growth;
    for (int k = 0; k < 3; ++k) {
        outer.lower[k] -= static_cast<float>(growth);
        outer.negUpper[k] -= static_cast<float>(growth);
    }
    addTravel();
    ballsAreCurrent = boxesAreCurrent = false;
}

void DeformedBody::Cache::endMove(const MovingBalls& moved) {
    std::copy_n(moved.box, 8, outer.lower);
    slack = 0.0;
    if (isMeasured) way = wayOf(moved);
    addTravel();
    endEvaluation();
    boxesAreCurrent = boxes.size() <= 1;
    if (!boxes.empty()) boxes.front() = outer;
}

MovingBalls DeformedBody::Cache::pass(float* balls) {
    return passOver(q, rotation, balls);
}

MovingBalls DeformedBody::Cache::evaluateInto(float* balls) {
    MovingBalls whole = pass(balls);
    const BallTiles& tiles = model->ballTiles();
    moveBalls(tiles.coefficients.data(), tiles.radii.data(), tiles.tiles, model->dimension(), 1, &whole);
    return whole;
}

void DeformedBody::Cache::evaluate() {
    if (ballsAreCurrent) return;
    evaluateInto(turned.data());
    endEvaluation();
}

void DeformedBody::Cache::refit() {
    evaluate();
    if (boxesAreCurrent) return;
    boxesAreCurrent = true;
    fitBoxes(turned, boxes);
}

void DeformedBody::Cache::turnTwo(int first, int second, float* eight) const {
    if (ballsAreCurrent) {
        std::copy_n(turned.data() + 4 * static_cast<std::size_t>(first), 4, eight);
        std::copy_n(turned.data() + 4 * static_cast<std::size_t>(second), 4, eight + 4);
        return;
    }
    turnTwoBalls(model->balls().entry(first), model->balls().entry(second), model->dimension(), q.data(),
                 rotation.data(), eight);
}

void DeformedBody::Cache::fitBoxes(const CacheLineVector<float>& balls, CacheLineVector<BoxF>& around) const {
    const BDTree& tree = model->skeletonTree();
    for (int k = tree.nodeCount() - 1; k >= 0; --k) {  // children come after their parents
        float* box = around[static_cast<std::size_t>(k)].lower;
        const int child = tree.nodes[static_cast<std::size_t>(k)].firstChild;
        if (child < 0)
            boxAround(balls.data(), model->ballsUnder(k), model->ballCountUnder(k), box);
        else
            joinBoxes(around[static_cast<std::size_t>(child)].lower, around[static_cast<std::size_t>(child) + 1].lower,
                      box);
    }
}

void DeformedBody::Cache::prepareToLookAhead() {
    turnedAhead.resize(turned.size());
    coordinatesAhead.resize(q.size());
    aheadBoxes.resize(boxes.size());
}

void DeformedBody::Cache::lookAhead(const double* aheadQ, const RigidTransform& frame) {
    prepareToLookAhead();
    for (std::size_t j = 0; j < q.size(); ++j) coordinatesAhead[j] = static_cast<float>(aheadQ[j]);
    MovingBalls moving = passOver(coordinatesAhead, frame.rotation.cast<float>(), turnedAhead.data());
    const BallTiles& tiles = model->ballTiles();
    moveBalls(tiles.coefficients.data(), tiles.radii.data(), tiles.tiles, model->dimension(), 1, &moving);
    aheadOrigin = frame.translation;
    looksAhead = true;
    fitBoxes(turnedAhead, aheadBoxes);
}

}  // namespace pliant
