// SPDX-License-Identifier: Zlib
#include "pliant/collision/body/DeformedBodyCache.h"

#include <algorithm>
#include <cmath>

#include "pliant/collision/body/RelativeMotion.h"
#include "pliant/collision/kernels/BoundingSphereKernels.h"

namespace pliant {

namespace {

/// A body that comes by more of MotionBoundSpheres::mostSlack() in a move is seldom at rest: its spheres will be asked
/// for, and are measured at once.
constexpr double kSlightShare = 0.125;

MovingSpheres passOver(const CacheAlignedVector<float>& q, const Eigen::Matrix3f& rotation, float* spheres) {
    MovingSpheres moving;
    moving.q = q.data();
    moving.rotated = spheres;
    Eigen::Map<Eigen::Matrix3f>(moving.rotation) = rotation;
    return moving;
}

}  // namespace

DeformedBody::Cache::Cache(std::shared_ptr<const CollisionModel> shared, std::shared_ptr<const CollisionSkin> bones)
    : model(std::move(shared)),
      skin(std::move(bones)),
      q(static_cast<std::size_t>(model->dimension()), 0.0f),
      packedCoordinates(model->packedCoordinateCount(), 0.0f),
      rotated(4 * static_cast<std::size_t>(kSpheresPerTile * model->sphereTiles().tiles)),
      boundSpheres(4 * static_cast<std::size_t>(kSpheresPerTile * model->motionBoundSpheres().tiles().tiles)),
      boxes(static_cast<std::size_t>(model->skeletonTree().nodeCount())),
      surfaceExcess(skin ? 0.0 : model->surfaceExcess(VectorX::Zero(model->dimension()).eval().data())),
      change(q.size(), 0.0f) {
    if (!skin) return;
    const auto count = static_cast<std::size_t>(skin->boneCount());
    const std::vector<AffineMap> bound(count, AffineMap(AffineMap::Identity()));
    places.set(bound.data(), skin->boneCount(), Vector3::Zero());
    reaches.assign(3 * count, 0.0);
    changes.assign(3 * count, 0.0);
}

void DeformedBody::Cache::setCoordinates(const double* newQ) {
    float* packed = packedCoordinates.data();
    for (std::size_t j = 0; j < q.size(); ++j, packed += 4) {
        q[j] = packed[0] = packed[1] = packed[2] = static_cast<float>(newQ[j]);
        packed[3] = std::fabs(q[j]);
    }
    if (skin) return;  // its box holds the drawn vertices
    surfaceExcess = model->surfaceExcess(newQ);
}

double DeformedBody::Cache::residualMotionOf(const double* newQ, const RigidTransform& newFrame) {
    const MotionBoundSpheres& few = model->motionBoundSpheres();
    if (!few.exist()) return 0.0;
    for (std::size_t j = 0; j < q.size(); ++j) change[j] = newQ ? static_cast<float>(newQ[j]) - q[j] : 0.0f;
    return few.residualMotion(few.size(change.data()), few.size(q.data()),
                              (newFrame.rotation - worldFromBody.rotation).norm());
}

/// Metres that spheres and frames may be off, with room (1e-6 = 16 x 2^-24).
double DeformedBody::Cache::rounding() const {
    const Eigen::Map<const Eigen::Matrix<float, 8, 1>> box(outer.lower);
    return 1e-6 * static_cast<double>(box.cwiseAbs().maxCoeff() + shift.cwiseAbs().maxCoeff());
}

DeformedBody::Cache::MoveBound DeformedBody::Cache::moveBoundOf(const MovingSpheres& moved) const {
    const Eigen::Map<const Eigen::Vector3f> forward(moved.forward), backward(moved.backward);
    const Eigen::Vector3f farthest = (forward + shift).cwiseAbs().cwiseMax((backward - shift).cwiseAbs());
    return {forward.cwiseAbs().cwiseMax(backward.cwiseAbs()).cast<double>().norm(), farthest.cast<double>().norm()};
}

void DeformedBody::Cache::beginMove(const double* newQ, const RigidTransform& newFrame) {
    residualMotion = residualMotionOf(newQ, newFrame);
    shift = (newFrame.translation - worldFromBody.translation).cast<float>();
    // The spheres are those of the last state only if they have been evaluated for it; but whether somebody has asked
    // for them since then must not tell.
    isMeasured = slack == 0.0 || !model->motionBoundSpheres().exist();
    if (newQ) setCoordinates(newQ);
    worldFromBody = newFrame;
    rotation = newFrame.rotation.cast<float>();
    hasPrediction = false;
}

void DeformedBody::Cache::endBoundSpheres(const MovingSpheres& moved) {
    moveBound = moveBoundOf(moved);
    moveBound.relative += residualMotion;
    moveBound.total += residualMotion;
}

bool DeformedBody::Cache::isSlight() const {
    const double growth = moveBound.relative + rounding(), most = model->motionBoundSpheres().mostSlack();
    return growth <= kSlightShare * most && slack + growth <= most;
}

void DeformedBody::Cache::addTravel() {
    // The differences are off by a few roundings of what they are taken of.
    motionBound += clampMotion(moveBound.total + rounding());
    relativeMotionBound += clampMotion(moveBound.relative + rounding());
}

void DeformedBody::Cache::endSlightMove() {
    const double growth = moveBound.relative + rounding();
    slack += growth;
    for (int k = 0; k < 3; ++k) {
        outer.lower[k] -= static_cast<float>(growth);
        outer.negUpper[k] -= static_cast<float>(growth);
    }
    addTravel();
    spheresAreCurrent = boxesAreCurrent = false;
}

void DeformedBody::Cache::endMove(const MovingSpheres& moved) {
    std::copy_n(moved.box, 8, outer.lower);
    slack = 0.0;
    if (isMeasured) moveBound = moveBoundOf(moved);
    addTravel();
    endEvaluation();
    boxesAreCurrent = boxes.size() <= 1;
    if (!boxes.empty()) boxes.front() = outer;
}

MovingSpheres DeformedBody::Cache::pass(float* spheres) {
    return passOver(q, rotation, spheres);
}

MovingSpheres DeformedBody::Cache::evaluateInto(float* spheres) {
    MovingSpheres whole = pass(spheres);
    const SphereTiles& tiles = model->sphereTiles();
    moveSpheres(tiles.coefficients.data(), tiles.radii.data(), tiles.tiles, model->dimension(), 1, &whole);
    if (skin && spheres != rotated.data()) skinAll(places, spheres);
    return whole;
}

void DeformedBody::Cache::endEvaluation() {
    if (skin) skinAll(places, rotated.data());
    spheresAreCurrent = true;
}

void DeformedBody::Cache::evaluate() {
    if (spheresAreCurrent) return;
    evaluateInto(rotated.data());
    endEvaluation();
}

void DeformedBody::Cache::refit() {
    evaluate();
    if (boxesAreCurrent) return;
    boxesAreCurrent = true;
    fitBoxes(rotated, boxes);
}

void DeformedBody::Cache::rotateTwo(int first, int second, float* eight) const {
    if (spheresAreCurrent) {
        std::copy_n(rotated.data() + 4 * static_cast<std::size_t>(first), 4, eight);
        std::copy_n(rotated.data() + 4 * static_cast<std::size_t>(second), 4, eight + 4);
        return;
    }
    rotateTwoSpheres(model->spheres().entry(first), model->spheres().entry(second), model->dimension(), q.data(),
                     rotation.data(), eight);
    if (!skin) return;
    for (int i = 0; i < 2; ++i) {
        const auto at = 4 * static_cast<std::size_t>(i == 0 ? first : second);
        skinSpheres(places.columns.data(), skin->spheres().bones.data() + at, skin->spheres().weights.data() + at, 1,
                    eight + 4 * i, places.restFor(skin->sphereRests() + at));
    }
}

void DeformedBody::Cache::fitBoxes(const CacheAlignedVector<float>& spheres, CacheAlignedVector<BoxF>& around) const {
    const BDTree& tree = model->skeletonTree();
    for (int k = tree.nodeCount() - 1; k >= 0; --k) {  // children come after their parents
        float* box = around[static_cast<std::size_t>(k)].lower;
        const int child = tree.nodes[static_cast<std::size_t>(k)].firstChild;
        if (child < 0)
            boxAround(spheres.data(), model->spheresUnder(k), model->sphereCountUnder(k), box);
        else
            joinBoxes(around[static_cast<std::size_t>(child)].lower, around[static_cast<std::size_t>(child) + 1].lower,
                      box);
    }
}

void DeformedBody::Cache::prepareForPrediction() {
    predictedSpheres.resize(rotated.size());
    predictedCoordinates.resize(q.size());
    predictedBoxes.resize(boxes.size());
}

void DeformedBody::Cache::predictMotion(const double* predictedQ, const RigidTransform& frame, const AffineMap* bones) {
    prepareForPrediction();
    for (std::size_t j = 0; j < q.size(); ++j) predictedCoordinates[j] = static_cast<float>(predictedQ[j]);
    const Eigen::Matrix3f turn = skin ? rotation : Eigen::Matrix3f(frame.rotation.cast<float>());
    MovingSpheres moving = passOver(predictedCoordinates, turn, predictedSpheres.data());
    const SphereTiles& tiles = model->sphereTiles();
    moveSpheres(tiles.coefficients.data(), tiles.radii.data(), tiles.tiles, model->dimension(), 1, &moving);
    if (skin) {
        static thread_local BonePlaces then;
        then.set(bones ? bones : places.maps.data(), skin->boneCount(), frame.translation);
        skinAll(then, predictedSpheres.data());
    }
    predictedOrigin = frame.translation;
    hasPrediction = true;
    fitBoxes(predictedSpheres, predictedBoxes);
}

void DeformedBody::Cache::skinAll(const BonePlaces& at, float* spheres) const {
    skinSpheres(at.columns.data(), skin->spheres().bones.data(), skin->spheres().weights.data(),
                skin->spheres().count(), spheres, at.restFor(skin->sphereRests()));
}

SphereF DeformedBody::Cache::skinned(const SphereF& at, const float* rest, const PackedSkin& points, int i) const {
    float sphere[4] = {at.x, at.y, at.z, at.radius};
    const auto first = 4 * static_cast<std::size_t>(i);
    skinSpheres(places.columns.data(), points.bones.data() + first, points.weights.data() + first, 1, sphere,
                places.restFor(rest));
    return {sphere[0], sphere[1], sphere[2], sphere[3]};
}

SphereF DeformedBody::Cache::skinnedNode(const SphereF& bent, const float* rest, const BoneLists& lists,
                                         int node) const {
    const float before[4] = {bent.x, bent.y, bent.z, bent.radius};
    float sphere[4];
    CollisionSkin::nodeSphere(lists, node, places, before, rest, sphere);
    return {sphere[0], sphere[1], sphere[2], sphere[3]};
}

void DeformedBody::Cache::moveSkinned(const NewState& state) {
    const auto r = static_cast<int>(q.size());
    for (std::size_t j = 0; j < q.size(); ++j) change[j] = state.q ? static_cast<float>(state.q[j]) - q[j] : 0.0f;
    if (state.q) setCoordinates(state.q);
    skin->reach(q.data(), change.data(), r, reaches.data(), changes.data());
    const Vector3 origin = state.worldFromBody.translation, moved = origin - worldFromBody.translation;
    const CollisionSkin::Ways ways =
        skin->moveTo(places, state.bones ? state.bones : places.maps.data(), origin, reaches.data(), changes.data());
    worldFromBody.translation = origin;
    skin->bounds(places, reaches.data(), outer.lower);
    shift = moved.cast<float>();
    moveBound.total = ways.whole;
    moveBound.relative = ways.relative;
    addTravel();
    slack = 0.0;
    ++poseNumber;
    hasPrediction = spheresAreCurrent = boxesAreCurrent = false;
}

}  // namespace pliant
