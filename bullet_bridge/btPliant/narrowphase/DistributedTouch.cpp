// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/DistributedTouch.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "btPliant/data/BodyCollision.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/SystemData.h"
#include "pliant/collision/pair/ReserveRounded.h"
#include "pliant/touch/TouchCost.h"

namespace btPliantInternal {

using pliant::RigidTransform;
using pliant::SkeletonContact;
using pliant::Vector3;

namespace {

constexpr double kReachOfSteps = 1.5;      ///< of the way of the last step, that points may come in this one
constexpr double kFlatnessWay = 1.0 / 16;  ///< of the shortest side of a field's body, which it has to be flat over
constexpr double kMostWay = 1.0;           ///< m, of what has no end
constexpr double kLeastWay = 2.0;          ///< spacings of a sampled field, at least
constexpr double kFlat = 0.005;            ///< change of the distance over that way, up to which it is
constexpr double kEdge = 0.025;            ///< and from which on it is not: a ball has 0.06, an edge more
constexpr double kLeastTilt = 1e-6;        ///< squared sine of the angle between normals that count as one
constexpr int kMostContacts = 4;           ///< of a pair, in its manifold

/// The last request that is about the pair, one for this pair before one for any. @param body whose; null: of either
const TouchRequest* requestFor(const ContactPair& pair, const btPliantBody* body = nullptr) {
    const TouchRequest* found = nullptr;
    for (const TouchRequest& request : pair.system.touchRequests) {
        if (request.body != &pair.a && request.body != pair.b) continue;
        if (body && request.body != body) continue;
        const btCollisionObject* other = request.body == &pair.a ? pair.other : &pair.a;
        const bool isBefore = !found || !found->other || request.other;
        if ((request.other == other || !request.other) && isBefore) found = &request;
    }
    return found;
}

void addRole(bool shellIsA, const BodyData& shell, const TouchRequest& request, double share, TouchPair& touch) {
    TouchRole role;
    role.shellIsA = shellIsA;
    role.model = shell.originalModel;
    role.share = share;
    role.query = std::make_unique<pliant::DistributedQuery>(request.shell, &role.model->contactSurface.lattice);
    touch.roles.push_back(std::move(role));
}

RigidTransform between(const RigidTransform& worldFromA, const RigidTransform& worldFromB) {
    RigidTransform t;
    t.rotation = worldFromA.rotation.transpose() * worldFromB.rotation;
    t.translation = worldFromA.inversePoint(worldFromB.translation);
    return t;
}

/// Metres that the surface of a body may have come in its own frame, since the last substep.
double deformationOf(const BodyData& data, pliant::VectorX& last) {
    const pliant::ConstVectorView q = data.batch().q(data.slot);
    const double motion = q.size() == last.size() ? data.group->collision->largestGain() * (q - last).norm()
                                                  : pliant::DistributedQuery::kAnywhere;
    last = q;
    return motion;
}

/// The same of a shape: nothing, as long as its user has not given it another size.
double growthOf(const btCollisionShape& shape, TouchRole& role) {
    const btCollisionShape* before = role.shape;
    const btVector3 lower = role.shapeLower, upper = role.shapeUpper;
    rememberShape(shape, role);
    const bool isSame = before == &shape && lower == role.shapeLower && upper == role.shapeUpper;
    return isSame ? 0.0 : pliant::DistributedQuery::kAnywhere;
}

double largestStep(const pliant::DistributedQuery& query) {
    double most = 0.0;
    for (int cell = 0; cell < static_cast<int>(query.placed().shell().cells().size()); ++cell)
        most = std::max(most, query.placed().lastStep(cell));
    return most;
}

/// Metres from which on points may touch within the step.
double reachOf(const ContactPair& pair, const TouchRole& role, double step) {
    btVector3 apart = pair.a.getLinearVelocity();
    if (const btRigidBody* other = btRigidBody::upcast(pair.other)) apart -= other->getLinearVelocity();
    const auto gravity = static_cast<double>(pair.system.world->getGravity().length());
    const double reach = std::max(kReachOfSteps * largestStep(*role.query), step * static_cast<double>(apart.length()));
    return reach + 2.0 * step * step * gravity;
}

/// Unknowns of the pair's element.
int unknownsOf(const ContactPair& pair) {
    const auto ofBody = [](const BodyData& data) { return (data.frameIsFree ? 6 : 0) + data.model().dimension(); };
    if (pair.b) return ofBody(dataOf(pair.a)) + ofBody(dataOf(*pair.b));
    const btRigidBody* rigid = btRigidBody::upcast(pair.other);
    return ofBody(dataOf(pair.a)) + (rigid && rigid->getInvMass() > 0 ? 6 : 0);
}

/// The body whose field the points of a role feel; null: of a shape.
const BodyData* solidOf(const ContactPair& pair, const TouchRole& role) {
    return !role.shellIsA ? &dataOf(pair.a) : pair.b ? &dataOf(*pair.b) : nullptr;
}

/// What the pair's points in a role are booked at.
pliant::TouchCost costOf(const ContactPair& pair, const TouchRole& role) {
    pliant::TouchCost cost;
    cost.isBent = solidOf(pair, role) != nullptr;
    cost.cells = static_cast<int>(role.query->placed().shell().cells().size());
    cost.unknowns = unknownsOf(pair);
    cost.roles = static_cast<int>(pair.touch->roles.size());
    return cost;
}

int pointsWithinBudget(const ContactPair& pair, const TouchRole& role) {
    const auto roles = static_cast<double>(pair.touch->roles.size());
    return costOf(pair, role).pointsWithin(pair.touch->settings.m_budgetMicroseconds / roles);
}

/// Says that a budget is below what the cells of a shell are booked at, where it is: whatever is near, the coarsest
/// points are taken then, and nothing else would show why.
void sayWhereCellsTakeTheBudget(const ContactPair& pair) {
    const double budget = pair.touch->settings.m_budgetMicroseconds;
    double least = 0.0;
    for (const TouchRole& role : pair.touch->roles) least = std::max(least, costOf(pair, role).least());
    least *= static_cast<double>(pair.touch->roles.size());
    if (!(budget > 0.0) || budget >= least) return;
    std::ostringstream sentence;
    sentence
        << "A budget of " << budget << " us is less than the " << std::ceil(least)
        << " us that the cells of a pair of distributed contact, a solve and its first point are booked at: it has "
           "its coarsest points, whatever is near. ";
    pair.system.say(sentence.str());
}

/// Ways over which a field tells whether it is flat, m: of a body's field, and of a shape whose box is remembered.
double flatnessWay(const pliant::DistanceField& field) {
    constexpr int spacingsOfBrick = 8;  // see DistanceField
    return field.spacing * std::max(kLeastWay, kFlatnessWay * spacingsOfBrick * field.bricks.minCoeff());
}

double flatnessWay(const TouchRole& role) {
    const btVector3 size = role.shapeUpper - role.shapeLower;
    return std::min(kMostWay, kFlatnessWay * static_cast<double>(size[size.minAxis()]));
}

/// Fills TouchRole::flatness of points whose normal is tilted against that of a sampled field, by the field's distances
/// at a way to both sides, in the direction of the tilt. On a ball of radius R those change by way^2 / 2 R; where an
/// edge lies between, by a share of the way.
void findFlatness(const pliant::TouchField& field, double way, TouchRole& role) {
    static thread_local std::vector<std::size_t> tilted;
    static thread_local std::vector<Vector3> places;
    static thread_local std::vector<double> distances;
    role.flatness.assign(role.found.size(), 0.0);
    tilted.clear();
    places.clear();
    for (std::size_t i = 0; i < role.found.size(); ++i) {
        const pliant::DistributedPoint& point = role.found[i];
        const Vector3& normal = role.fieldNormal[i];
        const double along = normal.dot(point.area);
        const Vector3 tilt = point.area - along * normal;
        if (point.passed || !(along > 0.0) || !(tilt.squaredNorm() > kLeastTilt * point.area.squaredNorm())) continue;
        tilted.push_back(i);
        for (const double sign : {-1.0, 1.0}) places.push_back(point.place + sign * way * tilt.normalized());
    }
    distances.resize(places.size());
    field.distances(places.data(), static_cast<int>(places.size()), distances.data());
    for (std::size_t k = 0; k < tilted.size(); ++k) {
        const double here = role.found[tilted[k]].distance;
        const double one = std::abs(distances[2 * k] - here), other = std::abs(distances[2 * k + 1] - here);
        if (!(one < kEdge * way && other < kEdge * way)) continue;  // nor where there is no number
        const double t = std::min((kEdge - std::max(one, other) / way) / (kEdge - kFlat), 1.0);
        role.flatness[tilted[k]] = t * t * (3.0 - 2.0 * t);
    }
}

void findPoints(ContactPair& pair, const PlacedShape& placed, double step, TouchRole& role) {
    const BodyData& shell = role.shellIsA ? dataOf(pair.a) : dataOf(*pair.b);
    const BodyData* solid = solidOf(pair, role);
    pliant::DistributedQueryOptions options;
    options.step = step;
    options.budget = pointsWithinBudget(pair, role);
    const auto find = [&](const pliant::TouchField& field) {
        role.query->placed().place(
            {between(role.worldFromField, worldFromMesh(shell)), shell.field->latticeDisplacements()});
        options.reach = reachOf(pair, role, step);
        role.found.clear();
        role.query->find(field, options, role.found);
        std::sort(role.found.begin(), role.found.end(), [](const auto& x, const auto& y) { return x.point < y.point; });
        role.fieldRest.resize(role.found.size());
        role.fieldNormal.resize(role.found.size());
        for (std::size_t i = 0; i < role.found.size(); ++i)
            role.fieldNormal[i] = field.normal(role.found[i].place, role.fieldRest[i]);
    };
    if (!solid) {
        ShapeField shape;
        pair.collider.field(placed, shape);
        role.worldFromField = shape.worldFromField;
        options.fieldMotion = growthOf(*pair.shape, role);
        find(shape.field);
        findFlatness(shape.field, flatnessWay(role), role);
        return;
    }
    const pliant::BentField field(*solid->field, *solid->deformed);
    role.worldFromField = field.worldFromField();
    options.fieldMotion = deformationOf(*solid, role.fieldCoordinates);
    find(field);
    findFlatness(field, flatnessWay(solid->model().contactSurface.field), role);
}

/// A point of a role as a contact of the pair.
SkeletonContact contactOf(const ContactPair& pair, const TouchRole& role, const pliant::DistributedPoint& point) {
    SkeletonContact c;
    const Vector3 place = role.worldFromField.point(point.place);
    c.normal = (role.shellIsA ? 1.0 : -1.0) * role.worldFromField.direction(point.area).normalized();
    c.distance = point.distance;
    c.pointA = role.shellIsA ? place : Vector3(place + point.distance * c.normal);
    c.pointB = c.pointA - point.distance * c.normal;
    const auto segmentNear = [](const BodyData& data, const Vector3& world) {
        const int sphere = data.field->nearestPoint(*data.deformed, world).sphere;
        return data.deformed->model().ownerSegment(std::max(0, sphere));
    };
    c.segmentA = segmentNear(dataOf(pair.a), c.pointA);
    if (pair.b) c.segmentB = segmentNear(dataOf(*pair.b), c.pointB);
    c.radiusA = dataOf(pair.a).largestRadius;
    c.radiusB = pair.b ? dataOf(*pair.b).largestRadius : c.radiusA;
    c.feature = pliant::contactFeature(c.segmentA, pair.b ? c.segmentB : 0, role.shellIsA ? 0 : 1);
    return c;
}

/// The deepest point, and those that are farthest from the ones before.
void chooseContacts(ContactPair& pair) {
    struct Candidate {
        const TouchRole* role;
        const pliant::DistributedPoint* point;
        Vector3 place;
        double away;  ///< m^2, from the nearest one that is chosen
    };
    static thread_local std::vector<Candidate> all;
    all.clear();
    bool isDeep = false;
    for (const TouchRole& role : pair.touch->roles)
        for (const pliant::DistributedPoint& point : role.found) {
            all.push_back({&role, &point, role.worldFromField.point(point.place), 1e30});
            isDeep |= point.distance < 0.0;
        }
    pair.contacts.clear();
    pliant::reserveRounded(pair.contacts, kMostContacts, kMostContacts);
    const auto isWorse = [](const Candidate& x, const Candidate& y) { return x.point->distance > y.point->distance; };
    auto next = std::max_element(all.begin(), all.end(), isWorse);
    for (int i = 0; i < kMostContacts && next != all.end() && next->away > 0.0; ++i) {
        pair.contacts.push_back(contactOf(pair, *next->role, *next->point));
        const Vector3 chosen = next->place;
        next = all.end();
        for (auto candidate = all.begin(); candidate != all.end(); ++candidate) {
            candidate->away = std::min(candidate->away, (candidate->place - chosen).squaredNorm());
            if (isDeep && candidate->point->distance >= 0.0) continue;
            if (next == all.end() || candidate->away > next->away) next = candidate;
        }
    }
    std::sort(pair.contacts.begin(), pair.contacts.end(),
              [](const SkeletonContact& x, const SkeletonContact& y) { return x.feature < y.feature; });
}

}  // namespace

void rememberShape(const btCollisionShape& shape, TouchRole& role) {
    role.shape = &shape;
    shape.getAabb(btTransform::getIdentity(), role.shapeLower, role.shapeUpper);
}

void updateTouch(ContactPair& pair) {
    if (pair.touchVersion == pair.system.touchVersion) return;
    pair.touchVersion = pair.system.touchVersion;
    pair.touch.reset();
    const bool isChild = pair.shape != pair.other->getCollisionShape();
    const TouchRequest* request = requestFor(pair);
    if (!request || pair.query || pair.isSelf()) return;
    const bool hasCharacter = dataOf(pair.a).character || (pair.b && dataOf(*pair.b).character);
    const bool hasField = hasCharacter ? false
                          : pair.b     ? dataOf(pair.a).field && dataOf(*pair.b).field
                                       : pair.collider.field && !isChild;
    if (!hasField) {
        const std::string sentence =
            std::string("Distributed contact knows solids, planes, spheres, boxes, capsules and cylinders: a ") +
            (isChild        ? "part of a compound"
             : hasCharacter ? "character"
             : pair.b       ? "strand"
                            : pair.collider.name) +
            " is touched as without setTouch(). ";
        if (pair.system.status.find(sentence) == std::string::npos) pair.system.status += sentence;
        return;
    }
    auto touch = std::make_unique<TouchPair>();
    touch->settings = request->settings;
    const bool first = request->body == &pair.a;
    const BodyData& shell = first ? dataOf(pair.a) : dataOf(*pair.b);
    const BodyData* solid = !first ? &dataOf(pair.a) : pair.b ? &dataOf(*pair.b) : nullptr;
    const TouchRequest* back =
        request->settings.m_twoWay && solid ? requestFor(pair, first ? pair.b : &pair.a) : nullptr;
    // Made known on one thread, before the pairs are looked at side by side.
    if (solid) dataOf(*(first ? pair.b : &pair.a)).needsFieldBounds = true;
    if (back) dataOf(*(first ? &pair.a : pair.b)).needsFieldBounds = true;
    addRole(first, shell, *request, back ? 0.5 : 1.0, *touch);
    if (back) addRole(!first, *solid, *back, 0.5, *touch);
    pair.touch = std::move(touch);
    sayWhereCellsTakeTheBudget(pair);
}

void findTouch(ContactPair& pair, const PlacedShape& placed, double step) {
    for (TouchRole& role : pair.touch->roles) findPoints(pair, placed, step, role);
    chooseContacts(pair);
    // The solver writes the patch of what touches. A pair that falls asleep in this very step is not solved, and keeps
    // its own.
    const bool isSolved = pair.a.hasContactResponse() && pair.other->hasContactResponse();
    if (pair.contacts.empty() || !isSolved) pair.touch->clearPatch();
}

}  // namespace btPliantInternal
