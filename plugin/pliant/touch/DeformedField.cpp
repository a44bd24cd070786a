// SPDX-License-Identifier: Zlib
#include "pliant/touch/DeformedField.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <thread>

#include "pliant/collision/body/CollisionSkin.h"
#include "pliant/collision/kernels/SkinKernels.h"
#include "pliant/collision/kernels/SphereKernels.h"
#include "pliant/touch/FieldLookup.h"
#include "pliant/touch/FieldWay.h"
#include "pliant/touch/LatticeMap.h"
#include "pliant/touch/RestPlace.h"

namespace pliant {

namespace {

constexpr double kConverged = 1e-5;   ///< of a cell
constexpr double kNearly = 1e-3;      ///< of a cell: the error after one more step is of the size of its square
constexpr double kLongestStep = 1.0;  ///< cells in an iteration, so that a folded cell throws nothing far away
/// Of a cell, that a lattice is displaced by: from there on Newton's method begins at the nearest surface point.
constexpr double kMuch = 0.5;

Vector3 unpackedAt(const float* x) {
    return {static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(x[2])};
}

}  // namespace

DeformedField::DeformedField(std::shared_ptr<const SurfaceModel> model)
    : m_model(std::move(model)),
      m_q(VectorX::Zero(m_model->collision().dimension())),
      m_roundedQ(VectorXf::Zero(m_q.size())),
      m_displacements(4 * static_cast<std::size_t>(kSpheresPerTile * m_model->latticeTiles().tiles), 0.0f),
      m_points(m_model->clusters()) {}

bool DeformedField::isCurrent(const DeformedBody& body, const double* q) const {
    return m_pointsRotation == body.worldFromBody().rotation && m_pose == body.poseNumber() &&
           std::equal(m_q.data(), m_q.data() + m_q.size(), q);
}

void DeformedField::update(const DeformedBody& body, const double* q) {
    const NewState state{this, &body, q};
    updateTogether(&state, 1);
}

void DeformedField::updateTogether(const NewState* states, int count) {
    std::array<MovingSpheres, kBodiesTogether> moving;
    std::array<DeformedField*, kBodiesTogether> fields{};
    int open = 0;
    const auto move = [&] {
        if (open == 0) return;
        const SphereTiles& tiles = fields[0]->m_model->latticeTiles();
        const auto r = static_cast<int>(fields[0]->m_q.size());
        moveSpheres(tiles.coefficients.data(), tiles.radii.data(), tiles.tiles, r, open, moving.data());
        for (std::size_t i = 0; i < static_cast<std::size_t>(open); ++i) fields[i]->moveLattice(moving[i].box);
        open = 0;
    };
    for (int i = 0; i < count; ++i) {
        DeformedField& field = *states[i].field;
        if (field.isCurrent(*states[i].body, states[i].q)) continue;
        field.placePoints(*states[i].body);
        field.m_hasBounds = false;
        if (states[i].body->skin()) {
            field.beginSkinned(states[i].q);
            continue;
        }
        if (std::equal(field.m_q.data(), field.m_q.data() + field.m_q.size(), states[i].q)) continue;
        if (open == kBodiesTogether || (open > 0 && fields[0]->m_model != field.m_model)) move();
        std::copy_n(states[i].q, field.m_q.size(), field.m_q.data());
        field.m_roundedQ = field.m_q.cast<float>();
        MovingSpheres& lattice = moving[static_cast<std::size_t>(open)];
        lattice.q = field.m_roundedQ.data();
        Eigen::Map<Eigen::Matrix3f>(lattice.rotation).setIdentity();
        lattice.rotated = field.m_displacements.data();
        fields[static_cast<std::size_t>(open++)] = &field;
    }
    move();
}

void DeformedField::updateBounds() {
    if (m_hasBounds || m_largest >= 1e30) return;  // of a character few vertices are there
    m_bounds.update(m_model->surface().lattice, m_displacements.data());
    m_hasBounds = true;
}

/// @param box MovingSpheres::box, around the displacements
void DeformedField::moveLattice(const float* box) {
    m_largest = 0.0;
    for (const int k : {0, 1, 2, 4, 5, 6}) m_largest = std::max(m_largest, -static_cast<double>(box[k]));
}

void DeformedField::placePoints(const DeformedBody& body) {
    static thread_local std::vector<float> room;
    m_points.place(body.rotatedSpheres(room));
    m_pointsRotation = body.worldFromBody().rotation;
    m_pose = body.poseNumber();
}

void DeformedField::beginSkinned(const double* q) {
    std::copy_n(q, m_q.size(), m_q.data());
    m_largest = 1e30;
    const auto count = m_displacements.size() / 4;
    if (!m_vertexStates || m_turn > 0xfffffff0u) {
        m_vertexStates = std::make_unique<std::atomic<unsigned>[]>(count);
        for (std::size_t v = 0; v < count; ++v) m_vertexStates[v].store(0, std::memory_order_relaxed);
        m_turn = 0;
    }
    m_turn += 2;
}

// Queries see a character along the world's axes about its origin. In the mesh frame of that, a vertex that rests at X
// is where its bones have carried X and U q: the difference is its displacement.
void DeformedField::skinVertex(const DeformedBody& body, int vertex) const {
    const RigidTransform& mesh = m_model->meshFromBody();
    const CollisionSkin& bones = *body.skin();
    const PackedSkin& skin = bones.lattice();
    const auto at = 4 * static_cast<std::size_t>(vertex);
    const float* rest = bones.latticeVertices().entry(vertex);
    const SphereF bent =
        bones.latticeVertices().evaluate(vertex, body.packedCoordinates(), body.model().packedCoordinateCount());
    float place[4] = {bent.x, bent.y, bent.z, 0.0f};
    skinSpheres(body.bones()->columns.data(), skin.bones.data() + at, skin.weights.data() + at, 1, place,
                body.bones()->restFor(rest));
    const Vector3 moved = mesh.rotation * (unpackedAt(place) - unpackedAt(rest));
    for (int k = 0; k < 3; ++k) m_displacements[at + static_cast<std::size_t>(k)] = static_cast<float>(moved[k]);
}

void DeformedField::makeVertex(const DeformedBody& body, int vertex) const {
    std::atomic<unsigned>& state = m_vertexStates[static_cast<std::size_t>(vertex)];
    const unsigned done = m_turn + 1, busy = m_turn;
    unsigned seen = state.load(std::memory_order_acquire);
    if (seen == done) return;
    if (seen != busy && state.compare_exchange_strong(seen, busy, std::memory_order_acquire)) {
        skinVertex(body, vertex);
        state.store(done, std::memory_order_release);
        return;
    }
    while (state.load(std::memory_order_acquire) != done) std::this_thread::yield();
}

void DeformedField::makeCell(const DeformedBody& body, int cell) const {
    if (!body.skin()) return;
    for (int c = 0; c < 8; ++c) makeVertex(body, m_model->surface().lattice.cellVertices(c, cell));
}

Vector3 DeformedField::carryAt(const DeformedBody& body, const Vector3& rest, DeformationGradient& F) const {
    const ContactLattice& lattice = m_model->surface().lattice;
    const LatticePlace place = latticePlace(lattice, rest);
    makeCell(body, place.cell);
    Packed3 u;
    carry(lattice, m_displacements.data(), place, u, F);
    return unpacked(u);
}

DeformationGradient DeformedField::gradientAt(const DeformedBody& body, int sphere) const {
    const LatticePlace& place = m_model->latticePlaceOf(sphere);
    makeCell(body, place.cell);
    Packed3 u;
    DeformationGradient F;
    carry(m_model->surface().lattice, m_displacements.data(), place, u, F);
    return F;
}

Vector3 DeformedField::toMesh(const DeformedBody& body, const Vector3& world) const {
    return m_model->meshFromBody().point(body.worldFromBody().inversePoint(world));
}

Vector3 DeformedField::startFor(const DeformedBody& body, const Vector3& world, const Vector3& mesh,
                                const NearestPoint* known) const {
    if (asksForNearest()) {
        const NearestPoint nearest = known ? *known : nearestPoint(body, world);
        if (nearest.sphere >= 0) return m_model->restPoint(nearest.sphere);
    }
    return mesh;
}

bool DeformedField::asksForNearest() const {
    return m_largest > kMuch * m_model->surface().lattice.spacing;
}

// Newton's method for X + u(X) = x. @param squared receives the square of how far the image of the place before the
// step is from x, m^2 @return whether there is another step to be made
bool DeformedField::stepBack(const DeformedBody& body, const Vector3& mesh, RestPlace& place, double& squared) const {
    const double cell2 = m_model->surface().lattice.spacing * m_model->surface().lattice.spacing;
    const Vector3 residual = place.rest + carryAt(body, place.rest, place.F) - mesh;
    squared = residual.squaredNorm();
    if (!(squared > kConverged * kConverged * cell2)) return false;
    Vector3 step = unpacked(InverseGradient(place.F).times(packed(residual)));
    const double length2 = step.squaredNorm();
    const double longest2 = std::max(kLongestStep * kLongestStep * cell2, 0.25 * squared);
    if (length2 > longest2) step *= std::sqrt(longest2 / length2);
    place.rest -= step;
    return !(squared < kNearly * kNearly * cell2);
}

// A step waits for what it looks up; those of several points wait side by side. @param count up to kTogether
void DeformedField::pullBack(const DeformedBody& body, const Vector3* mesh, int count, RestPlace* places) const {
    std::array<int, RestPlace::kTogether> open;
    int opened = count;
    double squared = 0.0;
    for (int i = 0; i < count; ++i) open[static_cast<std::size_t>(i)] = i;
    for (int iteration = 0; iteration < RestPlace::kMostIterations && opened > 0; ++iteration) {
        int left = 0;
        for (int k = 0; k < opened; ++k) {
            const int i = open[static_cast<std::size_t>(k)];
            if (stepBack(body, mesh[i], places[i], squared)) open[static_cast<std::size_t>(left++)] = i;
        }
        opened = left;
    }
}

DeformedField::RestPlace DeformedField::restPlaceOf(const DeformedBody& body, const Vector3& world,
                                                    const NearestPoint* nearest) const {
    const Vector3 mesh = toMesh(body, world);
    RestPlace place;
    place.rest = isBent() ? startFor(body, world, mesh, nearest) : mesh;
    if (isBent()) pullBack(body, &mesh, 1, &place);
    return place;
}

/// @param gradient receives that of the bent field, mesh frame @param outward unit, at rest
double DeformedField::distanceAt(const RestPlace& place, Vector3& gradient, Vector3& outward) const {
    const DistanceField& field = m_model->surface().field;
    double distance = fieldDistance(field, place.rest, gradient);
    const double before = gradient.norm();
    outward = before > kNoDirection ? Vector3(gradient / before) : Vector3(Vector3::Zero());
    if (isBent()) {
        // The level sets move with the material: the distance is that at rest over the stretch along the normal.
        gradient = unpacked(InverseGradient(place.F).transposedTimes(packed(gradient)));
        const double after = gradient.norm();
        if (after > 0.0) distance *= before / after;
    }
    return distance - field.offset;
}

FieldSample DeformedField::sampleAt(const DeformedBody& body, const RestPlace& place) const {
    FieldSample sample;
    Vector3 gradient;
    sample.rest = place.rest;
    sample.distance = distanceAt(place, gradient, sample.outward);
    const double length = gradient.norm();
    if (length > kNoDirection)
        sample.normal =
            body.worldFromBody().rotation * (m_model->meshFromBody().rotation.transpose() * (gradient / length));
    return sample;
}

FieldSample DeformedField::sample(const DeformedBody& body, const Vector3& world) const {
    return sampleAt(body, restPlaceOf(body, world, nullptr));
}

/// @param count up to kTogether @param places where Newton's method begins; taken to where the points rest
void DeformedField::sampleFrom(const DeformedBody& body, const Vector3* mesh, int count, RestPlace* places,
                               FieldSample* out) const {
    if (isBent()) pullBack(body, mesh, count, places);
    for (int i = 0; i < count; ++i) prefetchField(m_model->surface().field, places[i].rest);
    for (int i = 0; i < count; ++i) out[i] = sampleAt(body, places[i]);
}

void DeformedField::sampleTogether(const DeformedBody& body, const Vector3* world, const NearestPoint* nearest,
                                   int count, FieldSample* out) const {
    std::array<RestPlace, RestPlace::kTogether> places;
    std::array<Vector3, RestPlace::kTogether> mesh;
    for (int first = 0; first < count; first += RestPlace::kTogether) {
        const int n = std::min(RestPlace::kTogether, count - first);
        for (int i = 0; i < n; ++i) {
            const auto k = static_cast<std::size_t>(i);
            mesh[k] = toMesh(body, world[first + i]);
            const NearestPoint* known = nearest ? nearest + first + i : nullptr;
            places[k].rest = isBent() ? startFor(body, world[first + i], mesh[k], known) : mesh[k];
        }
        sampleFrom(body, mesh.data(), n, places.data(), out + first);
    }
}

void DeformedField::sampleBeside(const DeformedBody& body, const Vector3* world, const FieldSample* beside,
                                 const Vector3* ways, int count, FieldSample* out) const {
    const Matrix3 back = m_model->meshFromBody().rotation * body.worldFromBody().rotation.transpose();
    std::array<RestPlace, RestPlace::kTogether> places;
    std::array<Vector3, RestPlace::kTogether> mesh;
    for (int first = 0; first < count; first += RestPlace::kTogether) {
        const int n = std::min(RestPlace::kTogether, count - first);
        for (int i = 0; i < n; ++i) {
            const auto k = static_cast<std::size_t>(i);
            mesh[k] = toMesh(body, world[first + i]);
            places[k].rest = isBent() ? beside[first + i].rest + back * ways[first + i] : mesh[k];
        }
        sampleFrom(body, mesh.data(), n, places.data(), out + first);
    }
}

bool DeformedField::sampleFromSide(const DeformedBody& body, const Vector3& world, const Vector3& back, double most,
                                   FieldSample& at) const {
    RestPlace place;
    if (!findWayOut(m_model->surface().field, at.rest, back, most, place.rest)) return false;
    Vector3 u = Vector3::Zero();
    if (isBent()) u = carryAt(body, place.rest, place.F);
    FieldSample surface = sampleAt(body, place);
    if (surface.normal.isZero(0.0)) return false;
    const Vector3 onSurface = body.worldFromBody().point(m_model->meshFromBody().inversePoint(Vector3(place.rest + u)));
    surface.distance = surface.normal.dot(world - onSurface);
    at = surface;
    return true;
}

NearestPoint DeformedField::nearestPoint(const DeformedBody& body, const Vector3& world) const {
    return m_points.nearest(world - body.worldFromBody().translation);
}

int DeformedField::segmentBelow(const DeformedBody& body, const FieldSample& sample, float& parameter) const {
    const DistanceField& field = m_model->surface().field;
    const Vector3 foot = sample.rest - (fieldDistance(field, sample.rest) - field.offset) * sample.outward;
    const int sphere = m_model->nearestPoint(foot);
    parameter = body.model().surfacePlaces().encode(sphere, foot - m_model->restPoint(sphere));
    return body.model().ownerSegment(sphere);
}

float DeformedField::placeBeside(const DeformedBody& body, int sphere, const Vector3& way) const {
    if (way.isZero(0.0)) return 0.0f;
    Vector3 offset = m_model->meshFromBody().rotation * (body.worldFromBody().rotation.transpose() * way);
    if (isBent()) {
        offset = unpacked(InverseGradient(gradientAt(body, sphere)).times(packed(offset)));
    }
    return body.model().surfacePlaces().encode(sphere, offset);
}

Vector3 DeformedField::surfaceNormal(const DeformedBody& body, int sphere) const {
    return carriedNormal(body, sphere, m_model->surface().shell.normals.col(sphere).cast<double>());
}

Vector3 DeformedField::carriedNormal(const DeformedBody& body, int sphere, const Vector3& atRest) const {
    Vector3 normal = atRest;
    if (isBent()) {
        const Matrix3& meshFromBody = m_model->meshFromBody().rotation;
        const Packed3 rest = packed(meshFromBody * normal);
        normal = meshFromBody.transpose() * unpacked(InverseGradient(gradientAt(body, sphere)).transposedTimes(rest));
        const double length = normal.norm();
        if (length > 0.0) normal /= length;
    }
    return body.worldFromBody().rotation * normal;
}

}  // namespace pliant
