// SPDX-License-Identifier: Zlib
#include "pliant/collision/DeformedBody.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "pliant/collision/DeformedBodyCache.h"
#include "pliant/math/Prefetch.h"

namespace pliant {

namespace {

SphereF sphereAt(const CacheLineVector<float>& spheres, int i) {
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

/// Whether slight moves can have ended with this reach where the balls' box is `exact`: the balls have come by no more
/// than the slack, and the box has grown by as much.
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

/// Bodies of one model that share passes over its coefficients.
/// @param Kind  has tiles(model), balls(cache), and end(cache, results), called after each body's pass
template <typename Kind>
class DeformedBody::Passes {
public:
    explicit Passes(Kind kind) : m_kind(kind) {}
    void add(Cache& cache) {
        if (m_count == kBodiesTogether || (m_count > 0 && m_caches[0]->model != cache.model)) run();
        m_caches[m_count] = &cache;
        m_passes[m_count++] = cache.pass(Kind::balls(cache));
    }
    void run() {
        if (m_count == 0) return;
        const CollisionModel& model = *m_caches[0]->model;
        const BallTiles& tiles = Kind::tiles(model);
        moveBalls(tiles.coefficients.data(), tiles.radii.data(), tiles.tiles, model.dimension(),
                  static_cast<int>(m_count), m_passes.data());
        const std::size_t count = m_count;
        m_count = 0;
        for (std::size_t i = 0; i < count; ++i) m_kind.end(*m_caches[i], m_passes[i]);
    }

private:
    Kind m_kind;
    std::array<MovingBalls, kBodiesTogether> m_passes;
    std::array<Cache*, kBodiesTogether> m_caches{};
    std::size_t m_count = 0;
};

struct DeformedBody::WholeMoves {
    static const BallTiles& tiles(const CollisionModel& model) { return model.ballTiles(); }
    static float* balls(Cache& cache) { return cache.turned.data(); }
    static void end(Cache& cache, const MovingBalls& moved) { cache.endMove(moved); }
};

struct DeformedBody::Evaluations {
    static const BallTiles& tiles(const CollisionModel& model) { return model.ballTiles(); }
    static float* balls(Cache& cache) { return cache.turned.data(); }
    static void end(Cache& cache, const MovingBalls&) { cache.endEvaluation(); }
};

struct DeformedBody::AnchorMoves {
    static const BallTiles& tiles(const CollisionModel& model) { return model.anchors().tiles(); }
    static float* balls(Cache& cache) { return cache.anchors.data(); }
    void end(Cache& cache, const MovingBalls& moved) {
        cache.endAnchors(moved);
        if (cache.isSlight())
            cache.endSlightMove();
        else
            whole.add(cache);
    }
    Passes<WholeMoves>& whole;
};

void DeformedBody::moveTogether(const NewState* states, int count) {
    Passes<WholeMoves> whole{WholeMoves()};
    Passes<AnchorMoves> few{AnchorMoves{whole}};
    for (int i = 0; i < count; ++i) {
        Cache& cache = *states[i].body->m_cache;
        cache.beginMove(states[i].q, states[i].worldFromBody);
        if (cache.model->anchors().exist())
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
        if (!bodies[i]->m_cache->ballsAreCurrent) passes.add(*bodies[i]->m_cache);
    passes.run();
}

bool DeformedBody::ballsAreCurrent() const {
    return m_cache->ballsAreCurrent;
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
    float twice[8];
    m_cache->turnTwo(i, i, twice);
    return {twice[0], twice[1], twice[2], twice[3]};
}

void DeformedBody::turnedEnds(int segment, float* eight) const {
    const auto& segments = model().skeleton().segments;
    m_cache->turnTwo(segments(0, segment), segments(1, segment), eight);
}

const float* DeformedBody::turnedBalls() const {
    return m_cache->turned.data();
}

const float* DeformedBody::turnedBalls(std::vector<float>& room) const {
    if (m_cache->ballsAreCurrent) return turnedBalls();
    room.resize(m_cache->turned.size());
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
    const MovingBalls pass = c.evaluateInto(c.turned.data());
    c.endEvaluation();
    BoxF exact;
    std::copy_n(pass.box, 8, exact.lower);
    const bool isPossible = isReachable(reach, exact, c.model->anchors().mostSlack());
    c.outer = isPossible ? reach.box : exact;
    c.slack = isPossible ? reach.slack : 0.0;
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
    if (ballsAreCurrent()) prefetch(turnedBalls() + 4 * static_cast<std::size_t>(i));
}

void DeformedBody::fetchSegment(int index) const {
    for (int end = 0; end < 2; ++end) fetchBall(model().skeleton().segments(end, index));
}

SweptSegment DeformedBody::segment(int index) const {
    SweptSegment swept;
    swept.index = index;
    float ends[8];
    turnedEnds(index, ends);
    for (int end = 0; end < 2; ++end) {
        const SphereF s{ends[4 * end], ends[4 * end + 1], ends[4 * end + 2], ends[4 * end + 3]};
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
    if (frame.rotation == worldFromBody().rotation) return shifted(outerBox(), frame.translation);
    const Eigen::Matrix3f turn = (frame.rotation * worldFromBody().rotation.transpose()).cast<float>();
    BoxF box;
    static thread_local std::vector<float> room;
    boxAroundTurned(turnedBalls(room), model().ballTiles().tiles, turn.data(), box.lower);
    // Balls that were rounded along other axes: a few roundings of their distance from the origin.
    Aabb result = shifted(box, frame.translation);
    const Vector3 slack = Vector3::Constant(1e-6 * (result.upper - result.lower).norm());
    return {result.lower - slack, result.upper + slack};
}

}  // namespace pliant
