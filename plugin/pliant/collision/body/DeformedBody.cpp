// SPDX-License-Identifier: Zlib
#include "pliant/collision/body/DeformedBody.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "pliant/collision/body/DeformedBodyCache.h"

namespace pliant {

namespace {

SphereF sphereAt(const CacheAlignedVector<float>& spheres, int i) {
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

/// Whether slight moves can have ended with this reach where the spheres' box is `exact`: the spheres have come by no
/// more than the slack, and the box has grown by as much.
bool isReachable(const DeformedBody::OuterReach& reach, const BoxF& exact, double mostSlack) {
    if (!(reach.slack <= mostSlack)) return false;
    const auto fits = [&reach](const float* corner, const float* inner) {
        for (int k = 0; k < 3; ++k) {
            const double above = static_cast<double>(inner[k]) - static_cast<double>(corner[k]);
            const double rounding = 1e-4 * std::fabs(static_cast<double>(inner[k]));
            if (!(above >= 0.0 && above <= 2.0 * reach.slack + rounding)) return false;
        }
        return true;
    };
    return fits(reach.box.lower, exact.lower) && fits(reach.box.negUpper, exact.negUpper);
}

}  // namespace

static_assert(sizeof(BoxF) == 8 * sizeof(float), "a box is read as eight consecutive floats");

DeformedBody::DeformedBody(std::shared_ptr<const CollisionModel> model) : DeformedBody(std::move(model), nullptr) {}

DeformedBody::DeformedBody(std::shared_ptr<const CollisionModel> model, std::shared_ptr<const CollisionSkin> skin)
    : m_cache(std::make_unique<Cache>(std::move(model), std::move(skin))) {
    const VectorX rest = VectorX::Zero(m_cache->model->dimension());
    update(rest.data(), RigidTransform());
}
DeformedBody::~DeformedBody() = default;
DeformedBody::DeformedBody(DeformedBody&&) noexcept = default;
DeformedBody& DeformedBody::operator=(DeformedBody&&) noexcept = default;

const CollisionModel& DeformedBody::model() const {
    return *m_cache->model;
}

const CollisionSkin* DeformedBody::skin() const {
    return m_cache->skin.get();
}

const BonePlaces* DeformedBody::bones() const {
    return m_cache->skin ? &m_cache->places : nullptr;
}

unsigned DeformedBody::poseNumber() const {
    return m_cache->poseNumber;
}

/// Bodies of one model that share passes over its coefficients.
/// @param Kind  has tiles(model), spheres(cache), and end(cache, results), called after each body's pass
template <typename Kind>
class DeformedBody::Passes {
public:
    explicit Passes(Kind kind) : m_kind(kind) {}
    void add(Cache& cache) {
        if (m_count == kBodiesTogether || (m_count > 0 && m_caches[0]->model != cache.model)) run();
        m_caches[m_count] = &cache;
        m_passes[m_count++] = cache.pass(Kind::spheres(cache));
    }
    void run() {
        if (m_count == 0) return;
        const CollisionModel& model = *m_caches[0]->model;
        const SphereTiles& tiles = Kind::tiles(model);
        moveSpheres(tiles.coefficients.data(), tiles.radii.data(), tiles.tiles, model.dimension(),
                    static_cast<int>(m_count), m_passes.data());
        const std::size_t count = m_count;
        m_count = 0;
        for (std::size_t i = 0; i < count; ++i) m_kind.end(*m_caches[i], m_passes[i]);
    }

private:
    Kind m_kind;
    std::array<MovingSpheres, kBodiesTogether> m_passes;
    std::array<Cache*, kBodiesTogether> m_caches{};
    std::size_t m_count = 0;
};

struct DeformedBody::WholeMoves {
    static const SphereTiles& tiles(const CollisionModel& model) { return model.sphereTiles(); }
    static float* spheres(Cache& cache) { return cache.rotated.data(); }
    static void end(Cache& cache, const MovingSpheres& moved) { cache.endMove(moved); }
};

struct DeformedBody::Evaluations {
    static const SphereTiles& tiles(const CollisionModel& model) { return model.sphereTiles(); }
    static float* spheres(Cache& cache) { return cache.rotated.data(); }
    static void end(Cache& cache, const MovingSpheres&) { cache.endEvaluation(); }
};

struct DeformedBody::BoundSphereMoves {
    static const SphereTiles& tiles(const CollisionModel& model) { return model.motionBoundSpheres().tiles(); }
    static float* spheres(Cache& cache) { return cache.boundSpheres.data(); }
    void end(Cache& cache, const MovingSpheres& moved) {
        cache.endBoundSpheres(moved);
        if (cache.isSlight())
            cache.endSlightMove();
        else
            whole.add(cache);
    }
    Passes<WholeMoves>& whole;
};

void DeformedBody::moveTogether(const NewState* states, int count) {
    Passes<WholeMoves> whole{WholeMoves()};
    Passes<BoundSphereMoves> few{BoundSphereMoves{whole}};
    for (int i = 0; i < count; ++i) {
        Cache& cache = *states[i].body->m_cache;
        if (cache.skin) {
            cache.moveSkinned(states[i]);
            continue;
        }
        cache.beginMove(states[i].q, states[i].worldFromBody);
        if (cache.model->motionBoundSpheres().exist())
            few.add(cache);
        else
            whole.add(cache);
    }
    few.run();
    whole.run();
}

void DeformedBody::evaluateTogether(DeformedBody* const* bodies, int count) {
    Passes<Evaluations> passes{Evaluations()};
    for (int i = 0; i < count; ++i)
        if (!bodies[i]->m_cache->spheresAreCurrent) passes.add(*bodies[i]->m_cache);
    passes.run();
}

bool DeformedBody::spheresAreCurrent() const {
    return m_cache->spheresAreCurrent;
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
    const NewState state{this, nullptr, worldFromBody};
    moveTogether(&state, 1);
    refit();
}

const RigidTransform& DeformedBody::worldFromBody() const {
    return m_cache->worldFromBody;
}

SphereF DeformedBody::sphere(int i) const {
    const SphereF bent = model().spheres().evaluate(i, m_cache->packedCoordinates.data());
    return skin() ? m_cache->skinned(bent, model().spheres().entry(i), skin()->spheres(), i) : bent;
}

SphereF DeformedBody::skeletonNode(int i) const {
    const SphereF bent = model().skeletonNodes().evaluate(i, m_cache->packedCoordinates.data());
    return skin() ? m_cache->skinnedNode(bent, model().skeletonNodes().entry(i), skin()->segmentNodes(), i) : bent;
}

SphereF DeformedBody::triangleNode(int i) const {
    const SphereF bent = model().triangleNodes().evaluate(i, m_cache->packedCoordinates.data());
    return skin() ? m_cache->skinnedNode(bent, model().triangleNodes().entry(i), skin()->triangleNodes(), i) : bent;
}

SphereF DeformedBody::vertex(int i) const {
    const SphereF bent = model().vertices().evaluate(i, m_cache->packedCoordinates.data());
    return skin() ? m_cache->skinned(bent, model().vertices().entry(i), skin()->vertices(), i) : bent;
}

Vector3 DeformedBody::unskinned(int i) const {
    return centreOf(model().spheres().evaluate(i, m_cache->packedCoordinates.data()));
}

const float* DeformedBody::packedCoordinates() const {
    return m_cache->packedCoordinates.data();
}

bool DeformedBody::mayMeet(const Aabb& box) const {
    const Cache& c = *m_cache;
    if (!c.skin) return true;
    const Vector3& origin = c.places.origin;
    return c.skin->mayMeet(c.places, c.reaches.data(), box.lower - origin, box.upper - origin);
}

Matrix3 DeformedBody::sphereTurn(int i) const {
    const PackedSkin& points = skin()->spheres();
    Matrix3 turn = Matrix3::Zero();
    for (auto k = 4 * static_cast<std::size_t>(i); k < 4 * static_cast<std::size_t>(i) + 4; ++k)
        if (points.weights[k] > 0.0f)
            turn += static_cast<double>(points.weights[k]) * m_cache->places.rotation(points.bones[k]);
    return turn;
}

SphereF DeformedBody::rotatedSphere(int i) const {
    float twice[8];
    m_cache->rotateTwo(i, i, twice);
    return {twice[0], twice[1], twice[2], twice[3]};
}

void DeformedBody::rotatedEnds(int segment, float* eight) const {
    const auto& segments = model().skeleton().segments;
    m_cache->rotateTwo(segments(0, segment), segments(1, segment), eight);
}

const float* DeformedBody::rotatedSpheres() const {
    return m_cache->rotated.data();
}

const float* DeformedBody::rotatedSpheres(std::vector<float>& room) const {
    if (m_cache->spheresAreCurrent) return rotatedSpheres();
    room.resize(m_cache->rotated.size());
    m_cache->evaluateInto(room.data());
    return room.data();
}

const BoxF& DeformedBody::outerBox() const {
    return m_cache->outer;
}

DeformedBody::OuterReach DeformedBody::outerReach() const {
    return {m_cache->outer, m_cache->slack};
}

void DeformedBody::setOuterReach(const OuterReach& reach) {
    Cache& c = *m_cache;
    if (c.skin) return;  // it depends on the present alone
    const MovingSpheres pass = c.evaluateInto(c.rotated.data());
    c.endEvaluation();
    BoxF exact;
    std::copy_n(pass.box, 8, exact.lower);
    const bool isPossible = isReachable(reach, exact, c.model->motionBoundSpheres().mostSlack());
    c.outer = isPossible ? reach.box : exact;
    c.slack = isPossible ? reach.slack : 0.0;
}

const BoxF& DeformedBody::rotatedBox(int node) const {
    return m_cache->boxes[static_cast<std::size_t>(node)];
}

void DeformedBody::prepareForPrediction() {
    m_cache->prepareForPrediction();
}

void DeformedBody::predictMotion(const double* q, const RigidTransform& worldFromBody, const AffineMap* bones) {
    m_cache->predictMotion(q, worldFromBody, bones);
}

bool DeformedBody::hasPrediction() const {
    return m_cache->hasPrediction;
}

MovingSegment DeformedBody::movingSegment(int index) const {
    MovingSegment moving;
    moving.now = segment(index);
    for (int end = 0; end < 2; ++end)
        moving.end[end] = centreOf(sphereAt(m_cache->predictedSpheres, model().skeleton().segments(end, index))) +
                          m_cache->predictedOrigin;
    return moving;
}

const float* DeformedBody::predictedSpheres() const {
    return m_cache->predictedSpheres.data();
}

const BoxF& DeformedBody::predictedBox(int node) const {
    return m_cache->predictedBoxes[static_cast<std::size_t>(node)];
}

const Vector3& DeformedBody::predictedOrigin() const {
    return m_cache->predictedOrigin;
}

CapsuleSegment DeformedBody::segment(int index) const {
    CapsuleSegment capsule;
    capsule.index = index;
    float ends[8];
    rotatedEnds(index, ends);
    for (int end = 0; end < 2; ++end) {
        const SphereF s{ends[4 * end], ends[4 * end + 1], ends[4 * end + 2], ends[4 * end + 3]};
        capsule.end[end] = centreOf(s) + worldFromBody().translation;
        capsule.radius[end] = static_cast<double>(s.radius);
    }
    return capsule;
}

Vector3 DeformedBody::segmentPoint(int index, double parameter) const {
    const CapsuleSegment capsule = segment(index);
    return (1.0 - parameter) * capsule.end[0] + parameter * capsule.end[1];
}

Aabb DeformedBody::worldBounds() const {
    return bounds(worldFromBody());
}

double DeformedBody::motionBound() const {
    return m_cache->motionBound;
}

double DeformedBody::relativeMotionBound() const {
    return m_cache->relativeMotionBound;
}

double DeformedBody::surfaceExcess() const {
    return m_cache->surfaceExcess;
}

Aabb DeformedBody::bounds(const RigidTransform& frame) const {
    const int count = model().spheres().count();
    if (count == 0) return {frame.translation, frame.translation};
    if (frame.rotation == worldFromBody().rotation) return shifted(outerBox(), frame.translation);
    const Eigen::Matrix3f turn = (frame.rotation * worldFromBody().rotation.transpose()).cast<float>();
    BoxF box;
    static thread_local std::vector<float> room;
    boxAroundRotated(rotatedSpheres(room), model().sphereTiles().tiles, turn.data(), box.lower);
    // Spheres that were rounded along other axes: a few roundings of their distance from the origin.
    Aabb result = shifted(box, frame.translation);
    const Vector3 slack = Vector3::Constant(1e-6 * (result.upper - result.lower).norm());
    return {result.lower - slack, result.upper + slack};
}

}  // namespace pliant
