// SPDX-License-Identifier: Zlib
// What a btPliantDebugShapes tells of a world, against what the bodies say themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "BarModel.h"
#include "TestWorld.h"
#include "btPliant/btPliantDebugShapes.h"
#include "btPliant/btPliantHeldPoints.h"
#include "btPliant/btPliantJoints.h"
#include "btPliant/btPliantTouch.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

Vector3 vectorOf(const btVector3& v) {
    return Vector3(v.x(), v.y(), v.z());
}

template <typename Shape>
std::vector<Shape> ofLayer(const std::vector<Shape>& shapes, DebugLayer layer) {
    std::vector<Shape> found;
    std::copy_if(shapes.begin(), shapes.end(), std::back_inserter(found),
                 [&](const Shape& shape) { return shape.layer == layer; });
    return found;
}

constexpr double near = sizeof(btScalar) == 4 ? 1e-5 : 1e-6;  // sphere data are floats in both

TEST(DebugShapesOfAWorld, SegmentsAndSpheresFollowTheDeformation) {
    TestWorld world;
    const auto model = makeBar();
    btPliantBody* bar =
        world.addBar(model, btVector3(1, 2, 3), btPliantBodyInfo(), btQuaternion(btVector3(0, 1, 0), btScalar(0.7)));
    VectorX q(3);
    q << 0.3, -0.2, 0.1;
    bar->setReducedCoordinates(q);
    DebugShapes shapes;
    btPliantDebugShapes collector(shapes);
    collector.collect(*world.system);
    const auto segments = ofLayer(shapes.capsules, DebugLayer::Segments);
    ASSERT_EQ(static_cast<int>(segments.size()), model->skeleton.segmentCount());
    const btTransform frame = bar->getCenterOfMassTransform();
    double moved = 0.0;
    for (std::size_t s = 0; s < segments.size(); ++s) {
        for (int end = 0; end < 2; ++end) {
            const int sphere = model->skeleton.segments(end, static_cast<Eigen::Index>(s));
            const Vector3 u = model->skeleton.basis.middleRows<3>(3 * sphere).cast<double>() * q;
            const Vector3 x = model->skeleton.restCentres.col(sphere).cast<double>() + u;
            const btVector3 expected = frame * btVector3(static_cast<btScalar>(x.x()), static_cast<btScalar>(x.y()),
                                                         static_cast<btScalar>(x.z()));
            EXPECT_LT((segments[s].end[end] - vectorOf(expected)).norm(), near);
            EXPECT_EQ(segments[s].radius[end], static_cast<double>(model->skeleton.radii[sphere]));
            moved = std::max(moved, u.norm());
        }
    }
    EXPECT_GT(moved, 0.01) << "the deformation would show";

    // The spheres of any level hold every segment.
    std::size_t before = 0;
    for (const int level : {0, 1, 2}) {
        shapes.clear();
        collector.info().m_sphereLevel = level;
        collector.collect(*world.system);
        const auto spheres = ofLayer(shapes.capsules, DebugLayer::Spheres);
        EXPECT_GT(spheres.size(), before);
        before = spheres.size();
        for (const auto& segment : segments) {
            EXPECT_TRUE(std::any_of(spheres.begin(), spheres.end(), [&](const DebugShapes::Capsule& sphere) {
                return (segment.end[0] - sphere.end[0]).norm() <= sphere.radius[0] + near &&
                       (segment.end[1] - sphere.end[0]).norm() <= sphere.radius[0] + near;
            }));
        }
    }
    shapes.clear();
    collector.info().m_sphereLevel = 99;
    collector.collect(*world.system);
    const std::vector<BDTreeNode>& nodes = model->skeletonTree.nodes;
    const auto leaves = std::count_if(nodes.begin(), nodes.end(), [](const BDTreeNode& n) { return n.firstChild < 0; });
    EXPECT_EQ(static_cast<long>(ofLayer(shapes.capsules, DebugLayer::Spheres).size()), leaves);
}

TEST(DebugShapesOfAWorld, ContactsCarryTheWeight) {
    TestWorld world;
    world.addGround();
    const auto model = makeBar(stiffBar());
    btPliantBody* bar = world.addBar(model, btVector3(0, btScalar(0.05), 0));
    world.step(240);
    DebugShapes shapes;
    btPliantDebugInfo info;
    info.m_impulseSeconds = btScalar(1);
    btPliantDebugShapes collector(shapes, info);
    collector.collect(*world.system);
    const auto lines = ofLayer(shapes.lines, DebugLayer::Contacts);
    const auto points = ofLayer(shapes.capsules, DebugLayer::Contacts);
    ASSERT_FALSE(points.empty());
    ASSERT_EQ(lines.size(), 2 * points.size()) << "a normal and an impulse each";
    Vector3 sum = Vector3::Zero();
    for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_NEAR(std::abs((lines[2 * i].to - lines[2 * i].from).normalized().y()), 1.0, 1e-3);
        EXPECT_LT(std::abs(points[i].end[0].y()), 0.02);
        sum += lines[2 * i + 1].to - lines[2 * i + 1].from;
    }
    // Together they carry the weight through a step: m g h / m in a second.
    EXPECT_NEAR(std::abs(sum.y()), 9.81 / 120.0, 0.05 * 9.81 / 120.0);
    EXPECT_NE(bar->getActivationState(), DISABLE_DEACTIVATION);
}

TEST(DebugShapesOfAWorld, JointsObjectsAndActivityShowWhatIsThere) {
    TestWorld world;
    const auto model = makeBar();
    btRigidBody* box = world.addRigid(new btBoxShape(btVector3(1, 2, 3)), 1.0, btVector3(10, 0, 0));
    btPliantBody* bar = world.addBar(model, btVector3(0, 5, 0));
    btPliantPoint2PointConstraint hook(*bar, btVector3(btScalar(0.3), btScalar(-0.2), btScalar(0.1)));
    world.world.addConstraint(&hook);
    world.step(30);
    bar->setActivationState(ISLAND_SLEEPING);
    bar->setDetail(2);
    DebugShapes shapes;
    btPliantDebugShapes collector(shapes);
    collector.info().m_pickedBody = bar;
    collector.collect(*world.system);
    EXPECT_EQ(world.world.getDebugDrawer(), nullptr) << "put back";

    const auto objects = ofLayer(shapes.lines, DebugLayer::Objects);
    EXPECT_EQ(objects.size(), 12u) << "the box, and no triangle of the bar";
    for (const auto& line : objects)
        EXPECT_NEAR((line.from - vectorOf(box->getWorldTransform().getOrigin())).norm(), std::sqrt(14.0), 1e-4);

    const auto joints = ofLayer(shapes.lines, DebugLayer::Joints);
    const Vector3 pivot = vectorOf(hook.getPivotPosition(0));
    EXPECT_TRUE(
        std::any_of(joints.begin(), joints.end(), [&](const auto& line) { return (line.from - pivot).norm() < 1e-5; }));

    const auto activity = ofLayer(shapes.lines, DebugLayer::Activity);
    ASSERT_EQ(activity.size(), 12u);
    EXPECT_GT(activity[0].colour.blue, activity[0].colour.green) << "asleep";
    EXPECT_EQ(ofLayer(shapes.texts, DebugLayer::Activity).front().text, "2/3");
    const auto energies = ofLayer(shapes.texts, DebugLayer::Energies);
    ASSERT_EQ(energies.size(), 1u);
    EXPECT_EQ(std::count(energies[0].text.begin(), energies[0].text.end(), '\n'), 4) << "a head and three shapes";
    EXPECT_EQ(ofLayer(shapes.lines, DebugLayer::Frames).size(), 3u + 3u + 12u);

    // What nobody wants costs nothing.
    shapes.clear();
    shapes.wanted = 0;
    collector.collect(*world.system);
    EXPECT_TRUE(shapes.lines.empty() && shapes.capsules.empty() && shapes.texts.empty());

    // As a world's drawer: Bullet's own way to the same.
    shapes.wanted = ~0u;
    world.world.setDebugDrawer(&collector);
    world.world.debugDrawWorld();
    EXPECT_EQ(static_cast<int>(ofLayer(shapes.capsules, DebugLayer::Segments).size()), model->skeleton.segmentCount());
    EXPECT_GT(ofLayer(shapes.lines, DebugLayer::Objects).size(), 12u);
    world.world.setDebugDrawer(nullptr);
    world.world.removeConstraint(&hook);
}

// A joint of many points has no pivot of its own, and one that has let go holds nothing: lines had gone from the middle
// of the world to their bodies.
TEST(DebugShapesOfAWorld, JointsShowWhatTheyHold) {
    TestWorld world;
    btPliantBody* bar = world.addBar(makeBar(), btVector3(3, 5, 4));
    btPliantHeldPoints hands(*bar);
    for (const btScalar x : {btScalar(-0.3), btScalar(0.3)}) hands.addPoint(btVector3(x, 0, 0));
    world.world.addConstraint(&hands);
    btPliantPoint2PointConstraint broken(*bar, btVector3(0, 0, 0));
    broken.setEnabled(false);
    world.world.addConstraint(&broken);
    world.step(10);
    DebugShapes shapes;
    btPliantDebugShapes collector(shapes);
    collector.collect(*world.system);
    const auto lines = ofLayer(shapes.lines, DebugLayer::Joints);
    ASSERT_EQ(lines.size(), 4u) << "to where each point is held, and its impulse";
    for (int i = 0; i < 2; ++i) {
        const auto& held = lines[static_cast<std::size_t>(2 * i)];
        EXPECT_LT((held.from - vectorOf(hands.getPosition(i))).norm(), 1e-5);
        EXPECT_LT((held.to - vectorOf(hands.getTarget(i))).norm(), 1e-5);
    }
    world.world.removeConstraint(&hands);
    world.world.removeConstraint(&broken);
}

// Of a joint that is free along one axis or about one the limits of the others are shown, and no line from 1 to -1.
TEST(DebugShapesOfAWorld, FreeAxesOfJointsHideNoLimitsOfOthers) {
    const auto farthestAlong = [](btTypedConstraint& joint, TestWorld& world, int axis) {
        world.world.addConstraint(&joint);
        DebugShapes shapes;
        btPliantDebugShapes collector(shapes);
        collector.collect(*world.system);
        double farthest = 0.0;
        for (const auto& line : ofLayer(shapes.lines, DebugLayer::Joints))
            farthest = std::max({farthest, std::abs(line.from[axis]), std::abs(line.to[axis])});
        world.world.removeConstraint(&joint);
        return farthest;
    };
    TestWorld world;
    btRigidBody* box = world.addRigid(new btBoxShape(btVector3(1, 1, 1)), 1.0, btVector3(0, 0, 0));
    const btTransform frame = btTransform::getIdentity();
    btSliderConstraint slider(*box, frame, true);
    btGeneric6DofConstraint six(*box, frame, true);
    btGeneric6DofSpring2Constraint spring(*box, frame);
    for (btTypedConstraint* joint : {static_cast<btTypedConstraint*>(&slider), static_cast<btTypedConstraint*>(&six),
                                     static_cast<btTypedConstraint*>(&spring)})
        joint->setDbgDrawSize(btScalar(0.1));
    slider.setLowerLinLimit(1);
    slider.setUpperLinLimit(-1);
    EXPECT_LT(farthestAlong(slider, world, 0), 0.2) << "it slides freely";
    slider.setLowerLinLimit(-3);
    slider.setUpperLinLimit(3);
    slider.setLowerAngLimit(1);
    slider.setUpperAngLimit(-1);
    EXPECT_NEAR(farthestAlong(slider, world, 0), 3.0, 1e-5) << "it turns freely, and slides within limits";
    const auto setAll = [](auto& joint) {
        for (int axis = 0; axis < 6; ++axis) joint.setLimit(axis, 0, 0);
        joint.setLimit(0, 1, -1);
        joint.setLimit(1, -3, 3);
        joint.setLimit(4, 1, -1);
    };
    setAll(six);
    setAll(spring);
    for (btTypedConstraint* joint : {static_cast<btTypedConstraint*>(&six), static_cast<btTypedConstraint*>(&spring)}) {
        EXPECT_LT(farthestAlong(*joint, world, 0), 0.2) << "it is free along x";
        EXPECT_NEAR(farthestAlong(*joint, world, 1), 3.0, 1e-5) << "and has limits along y";
    }
}

// Bullet draws a box from the least to the most of every axis, of those without limits, too: 2 m of a spring's.
TEST(DebugShapesOfAWorld, SpringsHaveNoLimitsToShow) {
    for (const bool isLimited : {false, true}) {
        TestWorld world;
        btRigidBody* box = world.addRigid(new btBoxShape(btVector3(1, 1, 1)), 1.0, btVector3(0, 0, 0));
        btGeneric6DofSpring2Constraint spring(*box, btTransform::getIdentity());
        for (int axis = 0; axis < 6; ++axis) spring.setLimit(axis, isLimited ? -1 : 1, isLimited ? 1 : -1);
        world.world.addConstraint(&spring);
        DebugShapes shapes;
        btPliantDebugShapes collector(shapes);
        for (int again = 0; again < 2; ++again) {
            shapes.clear();
            collector.collect(*world.system);
            const auto lines = ofLayer(shapes.lines, DebugLayer::Joints);
            EXPECT_FALSE(lines.empty()) << "its frames";
            EXPECT_EQ(std::any_of(lines.begin(), lines.end(), [](const auto& l) { return l.from.norm() > 1.2; }),
                      isLimited);
        }
        world.world.removeConstraint(&spring);
    }
}

// The manifold of distributed contact has a few points for the whole patch; pressure is shown at each of the patch.
TEST(DebugShapesOfAWorld, PressuresOfDistributedContactAreShownPointByPoint) {
    constexpr double edge = 0.2;
    SolidMaterial material;
    material.young = 1e9;
    TestWorld scene;
    btRigidBody* ground = scene.addGround();
    btPliantBody* body = scene.addBar(solidBox({edge, edge, edge}, material, 0.1), btVector3(0, btScalar(edge / 2), 0));
    btPliantTouchSettings settings;
    settings.m_stiffness = 2e6;
    settings.m_damping = 0.02;
    settings.m_points = 500;
    scene.system->setTouch(*body, nullptr, settings);
    scene.step(100, 1.0 / 240.0);
    btPliantContactPatch patch;
    ASSERT_TRUE(scene.system->getContactPatch(*body, *ground, patch));
    ASSERT_FALSE(patch.m_points.empty());
    DebugShapes shapes;
    btPliantDebugShapes collector(shapes);
    collector.collect(*scene.system);
    const auto lines = ofLayer(shapes.lines, DebugLayer::Pressure);
    EXPECT_EQ(lines.size(), patch.m_points.size() + 1) << "one a point, and the force";
    double longest = 0.0, largest = 0.0;
    for (const btPliantContactPatch::Point& point : patch.m_points) largest = std::max(largest, point.m_pressure);
    for (const auto& line : lines) {
        EXPECT_GT(line.to.y(), line.from.y()) << "into the body";
        longest = std::max(longest, (line.to - line.from).norm());
    }
    EXPECT_GT(longest, 0.05 * edge);
    // Discs cover what the points stand for: 1.2^2 times their areas, which are the face of the cube.
    const auto discs = ofLayer(shapes.discs, DebugLayer::Pressure);
    ASSERT_EQ(discs.size(), patch.m_points.size());
    double area = 0.0;
    for (std::size_t i = 0; i < discs.size(); ++i) {
        area += 3.14159265 * discs[i].radius * discs[i].radius;
        const DebugColour colour = colourOnScale(patch.m_points[i].m_pressure / largest);
        EXPECT_EQ(discs[i].colour.green, colour.green) << i;
    }
    EXPECT_NEAR(area, 1.44 * edge * edge, 0.02 * edge * edge);
    const auto texts = ofLayer(shapes.texts, DebugLayer::Pressure);
    ASSERT_EQ(texts.size(), 1u);
    EXPECT_NEAR(std::atof(texts[0].text.c_str()), largest, 0.01 * largest) << texts[0].text;
    shapes.clear();
    collector.info().m_largestPressure = 3.0 * largest;
    collector.collect(*scene.system);
    for (const auto& disc : shapes.discs)
        EXPECT_LE(disc.colour.green, colourOnScale(1.0 / 3.0).green + 1e-6f) << "a scale that was given";
    shapes.clear();
    shapes.wanted = ~(1u << static_cast<unsigned int>(DebugLayer::Pressure));
    collector.collect(*scene.system);
    EXPECT_TRUE(shapes.discs.empty() && ofLayer(shapes.lines, DebugLayer::Pressure).empty());
}

}  // namespace
}  // namespace pliant::test
