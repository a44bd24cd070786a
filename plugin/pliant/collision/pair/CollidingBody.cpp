// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/CollidingBody.h"

#include <algorithm>

#include "pliant/collision/pair/ClusterContacts.h"
#include "pliant/collision/pair/CollideBodies.h"
#include "pliant/collision/pair/SkeletonQueries.h"

namespace pliant {

namespace {

/// The few contacts that a solver takes, and what is remembered of all of them.
void thinOut(const DeformedBody& a, ContactHistory& history, std::vector<SkeletonContact>& contacts) {
    history.remember(a, contacts);
    clusterContacts(contacts);
    history.markKept(contacts);
}

}  // namespace

std::shared_ptr<const CollisionModel> makeCollisionModel(std::shared_ptr<const ReducedModel> model) {
    return std::make_shared<const CollisionModel>(std::move(model));
}

struct CollidingBody::Data {
    explicit Data(std::shared_ptr<const CollisionModel> model) : body(std::move(model)) {}
    DeformedBody body;
};

CollidingBody::CollidingBody(std::shared_ptr<const CollisionModel> model)
    : m_data(std::make_unique<Data>(std::move(model))) {
    const VectorX rest = VectorX::Zero(m_data->body.model().dimension());
    m_data->body.update(rest.data(), RigidTransform());
}
CollidingBody::~CollidingBody() = default;
CollidingBody::CollidingBody(CollidingBody&&) noexcept = default;
CollidingBody& CollidingBody::operator=(CollidingBody&&) noexcept = default;

bool CollidingBody::move(const double* q, const RigidTransform& worldFromBody) {
    const ConstVectorView coordinates(q, m_data->body.model().dimension());
    if (!coordinates.allFinite() || !worldFromBody.rotation.allFinite() || !worldFromBody.translation.allFinite())
        return false;
    m_data->body.update(q, worldFromBody);
    return true;
}

const RigidTransform& CollidingBody::worldFromBody() const {
    return m_data->body.worldFromBody();
}

void CollidingBody::bounds(Vector3& lower, Vector3& upper) const {
    const Aabb box = m_data->body.worldBounds();
    lower = box.lower;
    upper = box.upper;
}

void CollidingBody::segmentsNear(const Vector3& lower, const Vector3& upper, double margin,
                                 std::vector<CapsuleSegment>& found) const {
    found.clear();
    visitSegmentsNear(m_data->body, Aabb{lower, upper}, margin,
                      [&found](const CapsuleSegment& segment) { found.push_back(segment); });
}

void CollidingBody::project(int segment, float parameter, const Vector3& direction, double* modal) const {
    skeletonPointProject(m_data->body.model(), segment, parameter, worldFromBody().rotation.transpose() * direction,
                         modal);
}

struct PairContacts::Data {
    ContactHistory history;
    PairCandidates candidates;
    std::vector<SkeletonContact> contacts;
};

PairContacts::PairContacts() : m_data(std::make_unique<Data>()) {}
PairContacts::~PairContacts() = default;
PairContacts::PairContacts(PairContacts&&) noexcept = default;
PairContacts& PairContacts::operator=(PairContacts&&) noexcept = default;

const std::vector<SkeletonContact>& PairContacts::find(const CollidingBody& a, const CollidingBody& b, double margin) {
    m_data->contacts.clear();
    const DeformedBody &first = a.m_data->body, &second = b.m_data->body;
    collideBodies(first, second, std::max(margin, 0.0), m_data->contacts, &m_data->history, &m_data->candidates);
    thinOut(first, m_data->history, m_data->contacts);
    return m_data->contacts;
}

struct PlaneContacts::Data {
    ContactHistory history;
    PlaneCandidates candidates;
    std::vector<SkeletonContact> contacts;
};

PlaneContacts::PlaneContacts() : m_data(std::make_unique<Data>()) {}
PlaneContacts::~PlaneContacts() = default;
PlaneContacts::PlaneContacts(PlaneContacts&&) noexcept = default;
PlaneContacts& PlaneContacts::operator=(PlaneContacts&&) noexcept = default;

const std::vector<SkeletonContact>& PlaneContacts::find(const CollidingBody& a, const Vector3& normal, double offset,
                                                        double margin) {
    m_data->contacts.clear();
    collideHalfSpace(a.m_data->body, normal, offset, std::max(margin, 0.0), m_data->contacts, &m_data->candidates);
    thinOut(a.m_data->body, m_data->history, m_data->contacts);
    return m_data->contacts;
}

SkeletonContact contactWithShape(const CapsuleSegment& segment, const Vector3& axisPoint, const Vector3& pointOnOther,
                                 const Vector3& normal) {
    return makeShapeContact(segment, axisPoint, pointOnOther, normal);
}

}  // namespace pliant
