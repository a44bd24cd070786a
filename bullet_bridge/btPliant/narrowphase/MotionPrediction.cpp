// SPDX-License-Identifier: Zlib
// How far the two objects of a pair move in a step, and what follows for finding their contacts.
#include "btPliant/narrowphase/MotionPrediction.h"

#include <LinearMath/btTransformUtil.h>

#include <algorithm>
#include <cmath>

#include "btPliant/data/Convert.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/narrowphase/ShapeAxis.h"
#include "btPliant/narrowphase/ShapeCollider.h"

namespace btPliantInternal {

bool movesInStep(const btRigidBody& body) {
    return body.isKinematicObject() || !body.isStaticObject();
}

btVector3 freeVelocity(const btRigidBody& body, double step) {
    if (body.isStaticOrKinematicObject()) return body.getLinearVelocity();
    return body.getLinearVelocity() + body.getTotalForce() * (body.getInvMass() * static_cast<btScalar>(step));
}

btTransform predictedTransform(const btRigidBody& body, double step) {
    btTransform ahead;
    btTransformUtil::integrateTransform(body.getWorldTransform(), freeVelocity(body, step), body.getAngularVelocity(),
                                        static_cast<btScalar>(step), ahead);
    return ahead;
}

pliant::RigidTransform wayBack(const btCollisionObject& object, double step) {
    const btRigidBody* rigid = btRigidBody::upcast(&object);
    if (!rigid || !movesInStep(*rigid)) return pliant::RigidTransform();
    return toEigen(rigid->getWorldTransform() * predictedTransform(*rigid, step).inverse());
}

namespace {

/// Of the farthest that a body has turned or bent in the last substep, what its segments are taken to come nearer by in
/// the next one, and radii that this may be at most. All of it would make collision in impacts three times as dear,
/// most of it for segments that swing past each other; without any, segments pass through each other unseen in steps of
/// 1/60 s.
constexpr double kRelativeMotionShare = 0.25, kLargestRelativeMotion = 1.0;
/// What comes by more radii of the thinner body in a step is fast: within them, the distance of the present tells which
/// segments will touch, beyond them the way does.
constexpr double kFastRadii = 3.0;
/// How many times what turning and deforming can carry segments by in a step the outermost boxes of what passes by
/// keep: contacts with others change both within the step.
constexpr double kRelativeMotionRoom = 2.0;

/// Metres that turning carries a body's segments in a step.
double deformedTurningMotion(const btPliantBody& body, double step) {
    const double turn = step * static_cast<double>(body.getAngularVelocity().length());
    if (turn <= 0) return 0;
    const pliant::BoxF& box = dataOf(body).deformed->outerBox();
    double squared = 0;
    for (int k = 0; k < 3; ++k) {
        const auto farthest = static_cast<double>(std::max(std::fabs(box.lower[k]), std::fabs(box.negUpper[k])));
        squared += farthest * farthest;
    }
    return turn * std::sqrt(squared);
}

/// Metres that its bones carry a character's segments about its frame's origin in the step that has begun.
double boneMotion(const btPliantBody& body) {
    const CharacterData& c = *dataOf(body).character;
    return c.begunStep > 0.0 ? c.relativeWay : 0.0;
}

/// Metres that turning and deforming carry a body's segments in a step: as in the last one, or as it turns now.
double relativeMotion(const btPliantBody& body, double step) {
    if (dataOf(body).character) return std::max(dataOf(body).substepRelativeMotionBound, boneMotion(body));
    return std::max(dataOf(body).substepRelativeMotionBound, deformedTurningMotion(body, step));
}

double relativeMotionMargin(const btPliantBody& body, double radius) {
    return std::min(kRelativeMotionShare * dataOf(body).substepRelativeMotionBound, kLargestRelativeMotion * radius);
}

constexpr double kLargestApproach = 20.0;  ///< radii of the thickest segment, in a step

/// Half of continuousReach() that knows no margins.
double continuousMargin(const ContactPair& pair) {
    const double radius = std::max(dataOf(pair.a).contactScale, pair.b ? dataOf(*pair.b).contactScale : 0.0);
    return static_cast<double>(pair.system.info.m_speculativeRadii) * radius + relativeMotionMargin(pair.a, radius) +
           (pair.b ? relativeMotionMargin(*pair.b, radius) : 0.0);
}

}  // namespace

// What turns about its own axis of revolution, as a roller does, fills the same space all the time: its points move,
// its surface does not.
double turningMotion(const btRigidBody& body, double step) {
    const btCollisionShape& shape = *body.getCollisionShape();
    if (body.getAngularVelocity().length2() <= 0 || shape.getShapeType() == SPHERE_SHAPE_PROXYTYPE) return 0;
    btVector3 turning = body.getAngularVelocity();
    const int axis = axisOfRevolution(shape);
    if (axis >= 0) {
        const btVector3 along = body.getWorldTransform().getBasis().getColumn(axis);
        turning -= along * along.dot(turning);
    }
    return step * static_cast<double>(turning.length() * shape.getAngularMotionDisc());
}

double predictedRelativeMotion(const btPliantBody& body, double step) {
    const BodyData& data = dataOf(body);
    return kRelativeMotionRoom *
           ((data.character ? boneMotion(body) : deformedTurningMotion(body, step)) +
            data.group->collision->largestGain() * data.batch().predictedChangeBound(data.slot, step));
}

namespace {

/// Of two objects that come towards each other by a speed, m/s.
double marginAt(const ContactPair& pair, double step, double speed) {
    const double radius = std::max(dataOf(pair.a).contactScale, pair.b ? dataOf(*pair.b).contactScale : 0.0);
    const double largest = std::max(dataOf(pair.a).largestRadius, pair.b ? dataOf(*pair.b).largestRadius : 0.0);
    const btRigidBody* rigid = btRigidBody::upcast(pair.other);
    double approach = step * speed;
    approach += relativeMotionMargin(pair.a, radius) + (pair.b ? relativeMotionMargin(*pair.b, radius) : 0.0);
    if (rigid && !pair.b) approach += turningMotion(*rigid, step);
    approach = std::min(approach, kLargestApproach * largest);
    const double base = static_cast<double>(pair.system.info.m_speculativeRadii) * radius;
    // In a pile at rest most of these contacts would be segments that stay apart: in a substep nothing comes much
    // farther than four times what it came in the last one. What loses its hold sinks in by g h^2 at most before that
    // tells.
    const bool mayBeQuiet = pair.b || pair.other->isStaticOrKinematicObject();
    const double travel =
        mayBeQuiet ? dataOf(pair.a).substepTravel + (pair.b ? dataOf(*pair.b).substepTravel : approach) : 1e30;
    return 0.2 * base + std::min(4.0 * travel, 0.8 * base + approach);
}

btVector3 relativeVelocity(const ContactPair& pair) {
    const btRigidBody* rigid = btRigidBody::upcast(pair.other);
    return rigid ? btVector3(pair.a.getLinearVelocity() - rigid->getLinearVelocity()) : pair.a.getLinearVelocity();
}

}  // namespace

bool mayStrikeAside(const ContactPair& pair) {
    const BodyData& data = dataOf(pair.a);
    return !pair.b && !pair.query && data.field && !data.character && data.field->model().isAngular();
}

bool hasFlatSides(const btCollisionShape& shape) {
    const int type = shape.getShapeType();
    return shape.isPolyhedral() || type == STATIC_PLANE_PROXYTYPE || type == CYLINDER_SHAPE_PROXYTYPE;
}

double surfaceMotion(const ContactPair& pair, const btCollisionShape& shape, double step) {
    if (!mayStrikeAside(pair) || !hasFlatSides(shape)) return 0.0;
    const double motion = relativeMotion(pair.a, step);
    return motion > kFarOfSolids * dataOf(pair.a).field->model().pointSpacing() ? motion : 0.0;
}

double speculativeMargin(const ContactPair& pair, double step) {
    if (pair.isSelf()) return selfMargin(pair, step);
    return marginAt(pair, step, static_cast<double>(relativeVelocity(pair).length()));
}

double marginAcross(const ContactPair& pair, double step) {
    const btVector3 relative = relativeVelocity(pair),
                    between = pair.other->getWorldTransform().getOrigin() - pair.a.getWorldTransform().getOrigin();
    const auto apart = static_cast<double>(between.length()), speed = static_cast<double>(relative.length());
    if (!(apart > 0.0)) return 0.0;
    const double closing = std::max(0.0, static_cast<double>(relative.dot(between)) / apart);
    return closing < speed ? marginAt(pair, step, speed) - marginAt(pair, step, closing) : 0.0;
}

double frameSpeed(const ContactPair& pair, double step) {
    const btRigidBody* rigid = btRigidBody::upcast(pair.other);
    btVector3 relative = freeVelocity(pair.a, step);
    if (rigid) relative -= freeVelocity(*rigid, step);
    return static_cast<double>(relative.length());
}

double approachInStep(const ContactPair& pair, double step) {
    return step * std::max(frameSpeed(pair, step), pair.struckSpeed) + relativeMotion(pair.a, step) +
           (pair.b ? relativeMotion(*pair.b, step) : 0.0);
}

double approachOfShapes(const ContactPair& pair, double step) {
    const btRigidBody* rigid = pair.b ? nullptr : btRigidBody::upcast(pair.other);
    return approachInStep(pair, step) + (rigid ? turningMotion(*rigid, step) : 0.0);
}

// A substep moves frames by the velocities that it ends with, and by split impulses, which part them by a share of
// their depth: sheets are no farther behind each other than their points are apart.
double wayInLastStep(const ContactPair& pair) {
    constexpr double room = 1.5;
    double parting = 0.0;
    for (btPliantBody* body : {&pair.a, pair.b})
        if (dataOf(*body).field) parting = std::max(parting, dataOf(*body).field->model().pointSpacing());
    const btVector3 relative = pair.a.getLinearVelocity() - pair.b->getLinearVelocity();
    const double step = std::max(pair.system.stepLength, pair.system.lastSolvedStep);  // the one that is over counts
    return room * step * static_cast<double>(relative.length()) + parting;
}

double continuousReach(const ContactPair& pair, const btCollisionShape& otherShape) {
    const auto ours = static_cast<double>(pair.system.info.m_margin);
    const double theirs = pair.collider.margin ? pair.collider.margin(pair, otherShape) : 0.0;
    return continuousMargin(pair) + ours + theirs;
}

namespace {

/// Metres in a step from which on a pair is fast.
double fastMotion(const ContactPair& pair) {
    const double thinner =
        pair.b ? std::min(dataOf(pair.a).largestRadius, dataOf(*pair.b).largestRadius) : dataOf(pair.a).largestRadius;
    return kFastRadii * thinner;
}

}  // namespace

bool isFast(const ContactPair& pair, double step) {
    if (pair.query || pair.isSelf()) return false;
    const btRigidBody* rigid = btRigidBody::upcast(pair.other);
    double motion = step * std::max(frameSpeed(pair, step), pair.struckSpeed) + relativeMotion(pair.a, step);
    if (pair.b)
        motion += relativeMotion(*pair.b, step);
    else if (rigid)
        motion += turningMotion(*rigid, step);
    return motion > fastMotion(pair);
}

bool framesAreFast(const ContactPair& pair, double step) {
    return step * frameSpeed(pair, step) > fastMotion(pair);
}

btVector3 predictedFastMotion(const btPliantBody& body, double step) {
    const btVector3 none(0, 0, 0);
    const btVector3 way = freeVelocity(body, step) * static_cast<btScalar>(step);
    const auto length = static_cast<double>(way.length());
    // Solids look ahead for what comes by more than a part of the distance between their points.
    if (dataOf(body).field) return length > kFarOfSolids * dataOf(body).field->model().pointSpacing() ? way : none;
    return length + relativeMotion(body, step) > kFastRadii * dataOf(body).largestRadius ? way : none;
}

void predictMotion(BodyData& data, double step) {
    const unsigned substep = dataOf(*data.system).substep;  // a body that has not moved may have got a velocity since
    if (data.deformed->hasPrediction() && data.predictedSubstep == substep) return;
    data.predictedSubstep = substep;
    static thread_local pliant::VectorX q;
    q.resize(data.batch().model().dimension());
    data.batch().predict(data.slot, step, q.data());
    const bool hasBegun = data.character && data.character->begunStep > 0.0;
    data.deformed->predictMotion(q.data(), toEigen(predictedTransform(*data.body, step)),
                                 hasBegun ? data.character->nextBones.data() : nullptr);
}

// Frames move segments of one body together; what brings them nearer to each other is the deformation alone.
double selfMargin(const ContactPair& pair, double step) {
    static thread_local pliant::VectorXf bending;
    const pliant::ContactSkeleton& skeleton = pair.a.getModel().skeleton;
    bending.noalias() = skeleton.basis * pair.a.getReducedVelocities().cast<float>();
    double fastest = 0;
    for (Eigen::Index sphere = 0; sphere < bending.size() / 3; ++sphere)
        fastest = std::max(fastest, static_cast<double>(bending.segment<3>(3 * sphere).norm()));
    const double radius = dataOf(pair.a).largestRadius;
    return static_cast<double>(pair.system.info.m_speculativeRadii) * radius +
           std::min(2.0 * step * fastest, kLargestApproach * radius);
}

}  // namespace btPliantInternal
