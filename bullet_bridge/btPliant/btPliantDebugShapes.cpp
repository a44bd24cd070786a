// SPDX-License-Identifier: Zlib
#include "btPliant/btPliantDebugShapes.h"

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "btPliant/btPliantBody.h"
#include "btPliant/btPliantHeldPoints.h"
#include "btPliant/btPliantJoint.h"
#include "btPliant/btPliantSystem.h"
#include "btPliant/btPliantTool.h"
#include "btPliant/btPliantTouch.h"
#include "btPliant/data/Convert.h"
#include "btPliant/joints/DrawnLimits.h"

using btPliantInternal::toEigen;
using pliant::DebugColour;
using pliant::DebugLayer;
using pliant::Vector3;

namespace {

const DebugColour segmentColour{0.95f, 0.55f, 0.15f, 1.0f}, sphereColour{0.3f, 0.7f, 1.0f, 0.12f},
    normalColour{1.0f, 0.9f, 0.2f, 1.0f}, impulseColour{1.0f, 0.2f, 0.1f, 1.0f}, boxColour{0.6f, 0.6f, 0.6f, 1.0f},
    awakeColour{0.3f, 0.9f, 0.3f, 1.0f}, sleepyColour{0.9f, 0.8f, 0.2f, 1.0f}, asleepColour{0.3f, 0.4f, 0.9f, 1.0f},
    textColour{1.0f, 1.0f, 1.0f, 1.0f};

/// Longest line of an impulse, in lengths of the line of its normal: impacts are not to cross the picture.
constexpr double kLongest = 20.0;
/// Length of a contact's normal in sizes of the smaller body.
constexpr double kNormal = 0.08;
constexpr double kPi = 3.14159265358979323846;
/// Radius of a disc against that of a circle of its point's area: discs of neighbours meet although circles do not
/// tile.
constexpr double kCover = 1.2;

double largestPressure(const btPliantContactPatch& patch) {
    double largest = 0.0;
    for (const btPliantContactPatch::Point& point : patch.m_points) largest = std::max(largest, point.m_pressure);
    return largest;
}

double sizeOf(const btCollisionObject& object) {
    const btBroadphaseProxy* proxy = object.getBroadphaseHandle();
    if (!proxy) return 0.0;
    return static_cast<double>((proxy->m_aabbMax - proxy->m_aabbMin).length());
}

double massOf(const btCollisionObject& object) {
    const btRigidBody* body = btRigidBody::upcast(&object);
    return body && body->getInvMass() > btScalar(0) ? 1.0 / static_cast<double>(body->getInvMass()) : 1e30;
}

/// Rows 3i..3i+2 of a basis times q, added to a point at rest; body frame.
Vector3 displaced(const pliant::PointsF& rest, const pliant::MatrixXf& basis, Eigen::Index i,
                  const Eigen::VectorXf& q) {
    return (rest.col(i) + basis.middleRows<3>(3 * i) * q).cast<double>();
}

/// The nodes of a tree at a depth, and the leaves above.
std::vector<int> nodesAt(const pliant::BDTree& tree, int depth) {
    std::vector<int> nodes;
    if (tree.nodeCount() > 0) nodes.push_back(0);
    for (int level = 0; level < depth; ++level) {
        std::vector<int> below;
        for (const int node : nodes) {
            const int child = tree.nodes[static_cast<std::size_t>(node)].firstChild;
            below.push_back(child < 0 ? node : child);
            if (child >= 0) below.push_back(child + 1);
        }
        if (below.size() == nodes.size()) break;
        nodes = below;
    }
    return nodes;
}

/// Puts a world's own debug drawer back.
class DrawerOf {
public:
    DrawerOf(btDiscreteDynamicsWorld& world, btIDebugDraw& drawer) : m_world(world), m_before(world.getDebugDrawer()) {
        world.setDebugDrawer(&drawer);
    }
    ~DrawerOf() { m_world.setDebugDrawer(m_before); }
    DrawerOf(const DrawerOf&) = delete;
    DrawerOf& operator=(const DrawerOf&) = delete;

private:
    btDiscreteDynamicsWorld& m_world;
    btIDebugDraw* m_before;
};

/// Calls use(where a point is, where it is held, m, the impulse on it, N s) for each point that a joint holds.
template <class Use>
void forHeldPoints(const btPliantJoint& joint, const Use& use) {
    if (const auto* points = dynamic_cast<const btPliantHeldPoints*>(&joint)) {
        for (int i = 0; i < points->getNumPoints(); ++i)
            use(toEigen(points->getPosition(i)), toEigen(points->getTarget(i)), points->getPointImpulse(i));
    } else if (const auto* tool = dynamic_cast<const btPliantTool*>(&joint)) {
        use(tool->getGripPose().position, tool->getFollowedPose().position, joint.getLinearImpulse());
    } else {
        use(toEigen(joint.getPivotPosition(0)), toEigen(joint.getPivotPosition(1)), joint.getLinearImpulse());
    }
}

}  // namespace

btPliantDebugShapes::btPliantDebugShapes(pliant::DebugShapes& shapes, const btPliantDebugInfo& info)
    : m_shapes(shapes), m_info(info) {}

void btPliantDebugShapes::drawLine(const btVector3& from, const btVector3& to, const btVector3& colour) {
    if (!m_shapes.wants(m_layer)) return;
    m_shapes.addLine(
        m_layer, toEigen(from), toEigen(to),
        {static_cast<float>(colour.x()), static_cast<float>(colour.y()), static_cast<float>(colour.z()), 1.0f});
}

void btPliantDebugShapes::drawContactPoint(const btVector3& pointOnB, const btVector3& normalOnB, btScalar distance,
                                           int, const btVector3& colour) {
    drawLine(pointOnB, pointOnB + normalOnB * distance, colour);
}

void btPliantDebugShapes::reportErrorWarning(const char*) {}

void btPliantDebugShapes::draw3dText(const btVector3& location, const char* text) {
    if (m_shapes.wants(m_layer)) m_shapes.addText(m_layer, toEigen(location), text, textColour);
}

void btPliantDebugShapes::collect(const btPliantSystem& system) {
    btDiscreteDynamicsWorld& world = *system.getWorld();
    {
        const DrawerOf drawer(world, *this);
        if (m_shapes.wants(DebugLayer::Objects)) addObjects(world);
        if (m_shapes.wants(DebugLayer::Joints)) addJoints(world);
    }
    addSystem(system);
}

void btPliantDebugShapes::addObjects(btDiscreteDynamicsWorld& world) {
    const DefaultColors colours = getDefaultColors();
    for (int i = 0; i < world.getNumCollisionObjects(); ++i) {
        const btCollisionObject& object = *world.getCollisionObjectArray()[i];
        if (btPliantBody::upcast(&object)) continue;  // their segments tell more than their triangles
        if (object.getCollisionFlags() & btCollisionObject::CF_DISABLE_VISUALIZE_OBJECT) continue;
        const bool sleeps = object.getActivationState() == ISLAND_SLEEPING;
        world.debugDrawObject(object.getWorldTransform(), object.getCollisionShape(),
                              sleeps ? colours.m_deactivatedObject : colours.m_activeObject);
    }
}

void btPliantDebugShapes::addJoints(btDiscreteDynamicsWorld& world) {
    const int mode = m_mode;
    m_layer = DebugLayer::Joints;
    for (int i = 0; i < world.getNumConstraints(); ++i) {
        btTypedConstraint* constraint = world.getConstraint(i);
        if (!constraint->isEnabled()) continue;  // it holds nothing: broken, or let go
        const bool isFree = btPliantInternal::hasFreeAxis(*constraint);
        m_mode = isFree ? mode & ~DBG_DrawConstraintLimits : mode;
        world.debugDrawConstraint(constraint);
        if (isFree && (mode & DBG_DrawConstraintLimits)) btPliantInternal::drawLimitsOfOtherAxes(*constraint, *this);
        const btPliantJoint* joint = btPliantJoint::upcast(constraint);
        if (!joint) continue;
        const double mass = std::min(massOf(constraint->getRigidBodyA()), massOf(constraint->getRigidBodyB()));
        const double wayOfImpulse = static_cast<double>(m_info.m_impulseSeconds) / mass;
        forHeldPoints(*joint, [&](const Vector3& held, const Vector3& at, const btVector3& impulse) {
            m_shapes.addLine(m_layer, held, at, normalColour);
            m_shapes.addLine(m_layer, held, held + toEigen(impulse) * wayOfImpulse, impulseColour);
        });
    }
    m_mode = mode;
    m_layer = DebugLayer::Objects;
}

void btPliantDebugShapes::addSystem(const btPliantSystem& system) {
    for (int i = 0; i < system.getNumBodies(); ++i)
        if (system.getBody(i)->getBroadphaseHandle()) addBody(*system.getBody(i));
    if (m_shapes.wants(DebugLayer::Contacts)) {
        btDispatcher& dispatcher = *system.getWorld()->getDispatcher();
        for (int i = 0; i < dispatcher.getNumManifolds(); ++i) addContacts(*dispatcher.getManifoldByIndexInternal(i));
    }
    if (m_shapes.wants(DebugLayer::Pressure)) addPressures(system);
}

void btPliantDebugShapes::addPressures(const btPliantSystem& system) {
    const btCollisionObjectArray& objects = system.getWorld()->getCollisionObjectArray();
    const auto isFirst = [](const btPliantBody& body, const btCollisionObject& other) {
        const btPliantBody* second = btPliantBody::upcast(&other);
        return !second || &body < second;  // a pair of reduced bodies once
    };
    std::vector<std::pair<const btPliantBody*, btPliantContactPatch>> patches;
    btPliantContactPatch patch;
    for (int i = 0; i < system.getNumBodies(); ++i) {
        const btPliantBody& body = *system.getBody(i);
        for (int o = 0; body.getBroadphaseHandle() && o < objects.size(); ++o)
            if (objects[o] != &body && isFirst(body, *objects[o]) && system.getContactPatch(body, *objects[o], patch))
                patches.emplace_back(&body, patch);
    }
    double largest = m_info.m_largestPressure;
    if (!(largest > 0.0))
        for (const auto& pair : patches) largest = std::max(largest, largestPressure(pair.second));
    for (const auto& [body, shown] : patches) addPatch(*body, shown, largest);
}

void btPliantDebugShapes::addPatch(const btPliantBody& body, const btPliantContactPatch& patch, double largest) {
    const double own = largestPressure(patch);
    if (!(own > 0.0)) return;
    const double length = kNormal * sizeOf(body);
    for (const btPliantContactPatch::Point& point : patch.m_points) {
        const double share = std::min(point.m_pressure / largest, 1.0);
        const Vector3 at = toEigen(point.m_position), normal = toEigen(point.m_normal);
        const DebugColour colour = pliant::colourOnScale(share);
        m_shapes.addDisc(DebugLayer::Pressure, at, normal, kCover * std::sqrt(point.m_area / kPi), colour);
        m_shapes.addLine(DebugLayer::Pressure, at, at + share * length * normal, colour);
    }
    Vector3 way =
        toEigen(patch.m_force) * static_cast<double>(m_info.m_impulseSeconds * m_info.m_impulseSeconds) / massOf(body);
    if (way.norm() > kLongest * length) way *= kLongest * length / way.norm();
    const Vector3 centroid = toEigen(patch.m_centroid);
    m_shapes.addLine(DebugLayer::Pressure, centroid, centroid + way, impulseColour);
    char text[64];
    std::snprintf(text, sizeof text, "%.3g Pa, %.3g N", own, static_cast<double>(patch.m_force.length()));
    m_shapes.addText(DebugLayer::Pressure, centroid, text, normalColour);
}

void btPliantDebugShapes::addContacts(const btPersistentManifold& manifold) {
    const btCollisionObject &A = *manifold.getBody0(), &B = *manifold.getBody1();
    const double mass = std::min(massOf(A), massOf(B));
    const double length = kNormal * std::min(sizeOf(A), sizeOf(B));
    for (int i = 0; i < manifold.getNumContacts(); ++i) {
        const btManifoldPoint& point = manifold.getContactPoint(i);
        const Vector3 at = toEigen(point.m_positionWorldOnB), normal = toEigen(point.m_normalWorldOnB);
        m_shapes.addSphere(DebugLayer::Contacts, at, 0.12 * length, normalColour);
        m_shapes.addLine(DebugLayer::Contacts, at, at + length * normal, normalColour);
        const Vector3 impulse =
            static_cast<double>(point.m_appliedImpulse) * normal +
            static_cast<double>(point.m_appliedImpulseLateral1) * toEigen(point.m_lateralFrictionDir1) +
            static_cast<double>(point.m_appliedImpulseLateral2) * toEigen(point.m_lateralFrictionDir2);
        Vector3 way = impulse * static_cast<double>(m_info.m_impulseSeconds) / mass;
        if (way.norm() > kLongest * length) way *= kLongest * length / way.norm();
        m_shapes.addLine(DebugLayer::Contacts, at, at + way, impulseColour);
    }
}

void btPliantDebugShapes::addBody(const btPliantBody& body) {
    if (m_shapes.wants(DebugLayer::Segments)) addSegments(body);
    if (m_shapes.wants(DebugLayer::Spheres)) addSpheres(body);
    btVector3 least, most;
    body.getAabb(least, most);
    const Vector3 lower = toEigen(least), upper = toEigen(most);
    const double axis = static_cast<double>(m_info.m_axisLength) * (upper - lower).norm();
    if (m_shapes.wants(DebugLayer::Frames)) {
        m_shapes.addFrame(DebugLayer::Frames, toEigen(body.getCenterOfMassTransform()), axis);
        m_shapes.addFrame(DebugLayer::Frames, toEigen(body.getMeshTransform()), 0.5 * axis);
        m_shapes.addBox(DebugLayer::Frames, {}, lower, upper, boxColour);
    }
    if (m_shapes.wants(DebugLayer::Activity)) addActivity(body, lower, upper);
    if (m_shapes.wants(DebugLayer::Energies) && &body == m_info.m_pickedBody)
        addEnergies(body, Vector3(upper.x(), upper.y(), upper.z()));
}

void btPliantDebugShapes::addSegments(const btPliantBody& body) {
    const pliant::ContactSkeleton& skeleton = body.getModel().skeleton;
    const pliant::RigidTransform frame = toEigen(body.getCenterOfMassTransform());
    const Eigen::VectorXf q = body.getReducedCoordinates().cast<float>();
    for (Eigen::Index s = 0; s < skeleton.segments.cols(); ++s) {
        pliant::DebugShapes::Capsule capsule;
        capsule.layer = DebugLayer::Segments;
        capsule.colour = segmentColour;
        for (int end = 0; end < 2; ++end) {
            const int sphere = skeleton.segments(end, s);
            capsule.end[end] = frame.point(displaced(skeleton.restCentres, skeleton.basis, sphere, q));
            capsule.radius[end] = static_cast<double>(skeleton.radii[sphere]);
        }
        if (capsule.radius[0] == 0.0) {  // a point of a solid's surface, which has no size
            const double size = 0.004 * sizeOf(body);
            capsule.radius[0] = capsule.radius[1] = size;
        }
        m_shapes.capsules.push_back(capsule);
    }
}

void btPliantDebugShapes::addSpheres(const btPliantBody& body) {
    const pliant::ReducedModel& model = body.getModel();
    const pliant::BDTree& tree = model.skeletonTree.nodeCount() > 0 ? model.skeletonTree : model.triangleTree;
    const pliant::RigidTransform frame = toEigen(body.getCenterOfMassTransform());
    const Eigen::VectorXf q = body.getReducedCoordinates().cast<float>();
    for (const int node : nodesAt(tree, m_info.m_sphereLevel)) {
        const float radius = tree.restRadii[node] + tree.radiusCoefficients.col(node).dot(q.cwiseAbs());
        m_shapes.addSphere(DebugLayer::Spheres, frame.point(displaced(tree.restCentres, tree.centreBasis, node, q)),
                           static_cast<double>(radius), sphereColour);
    }
}

void btPliantDebugShapes::addActivity(const btPliantBody& body, const Vector3& lower, const Vector3& upper) {
    const int state = body.getActivationState();
    const DebugColour& colour = state == ISLAND_SLEEPING      ? asleepColour
                                : state == WANTS_DEACTIVATION ? sleepyColour
                                                              : awakeColour;
    const Vector3 margin = 0.02 * (upper - lower);
    m_shapes.addBox(DebugLayer::Activity, {}, lower - margin, upper + margin, colour);
    if (body.getDetail() == body.getModel().dimension()) return;
    m_shapes.addText(DebugLayer::Activity, upper,
                     std::to_string(body.getDetail()) + "/" + std::to_string(body.getModel().dimension()), colour);
}

void btPliantDebugShapes::addEnergies(const btPliantBody& body, const Vector3& at) {
    pliant::VectorX energies;
    body.getModalEnergies(energies);
    const pliant::VectorX& frequencies = body.getModalFrequencies();
    const double largest = energies.size() > 0 ? energies.maxCoeff() : 0.0;
    constexpr double twoPi = 6.283185307179586;
    std::string text = "shape      Hz         J\n";
    for (Eigen::Index i = 0; i < std::min<Eigen::Index>(energies.size(), m_info.m_mostModes); ++i) {
        char line[80];
        std::snprintf(line, sizeof line, "%5d %8.2f %10.2e ", static_cast<int>(i) + 1,
                      i < frequencies.size() ? frequencies[i] / twoPi : 0.0, energies[i]);
        const double share = largest > 0.0 ? std::clamp(energies[i] / largest, 0.0, 1.0) : 0.0;
        text += line + std::string(static_cast<std::size_t>(20.0 * share + 0.5), '#') + "\n";
    }
    m_shapes.addText(DebugLayer::Energies, at, text, textColour);
}
