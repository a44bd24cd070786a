// SPDX-License-Identifier: Zlib
// What the tool of a hand's own thread is held against: points of its surface, and the slopes of what they feel.
#include <btBulletDynamicsCommon.h>
#include <gtest/gtest.h>

#include <cmath>

#include "btPliant/beside/ToolShape.h"
#include "btPliant/hand/NearPoints.h"
#include "btPliant/hand/NearShapes.h"

namespace pliant::test {
namespace {

using btPliantInternal::NearPoints;
using btPliantInternal::NearShapes;
using btPliantInternal::ToolPoints;
using btPliantInternal::toolPoints;

constexpr double kPi = 3.14159265358979323846;
constexpr double kCycle = 1e-3;  // s

/// The area of the pieces, the sum of their area vectors, and the volume inside by Gauss' theorem.
struct Measured {
    double area = 0.0, volume = 0.0;
    Vector3 sum = Vector3::Zero();
};

Measured measure(const btCollisionShape& shape, int count) {
    const ToolPoints points = toolPoints(shape, count);
    Measured found;
    for (std::size_t i = 0; i < points.positions.size(); ++i) {
        found.area += points.areas[i].norm();
        found.volume -= points.positions[i].dot(points.areas[i]) / 3.0;
        found.sum += points.areas[i];
    }
    EXPECT_NEAR(static_cast<double>(points.positions.size()), count, 0.1 * count + 20.0);
    return found;
}

// Pieces are as flat as their width w over the radius says: area and volume are off by w^2 / R^2 at most.
TEST(ToolPoints, HaveTheAreaAndTheVolumeOfTheirShape) {
    const double r = 0.05, h = 0.08;
    const btSphereShape sphere{btScalar(r)};
    const btBoxShape box(btVector3(btScalar(0.03), btScalar(0.05), btScalar(0.02)));
    const btCapsuleShapeX capsule(btScalar(r), btScalar(2 * h));
    const btCylinderShapeZ cylinder{btVector3(btScalar(r), btScalar(r), btScalar(h))};
    const struct {
        const btCollisionShape& shape;
        double area, volume;
    } expected[] = {{sphere, 4 * kPi * r * r, 4.0 / 3.0 * kPi * r * r * r},
                    {box, 8 * (0.03 * 0.05 + 0.05 * 0.02 + 0.02 * 0.03), 8 * 0.03 * 0.05 * 0.02},
                    {capsule, 4 * kPi * r * (r + h), 4.0 / 3.0 * kPi * r * r * r + 2 * kPi * r * r * h},
                    {cylinder, 2 * kPi * r * (r + 2 * h), 2 * kPi * r * r * h}};
    for (const auto& one : expected) {
        const Measured found = measure(one.shape, 2000);
        const double flatness = one.area / 2000 / (r * r);
        EXPECT_NEAR(found.area, one.area, flatness * one.area) << one.shape.getName();
        EXPECT_NEAR(found.volume, one.volume, flatness * one.volume) << one.shape.getName();
        EXPECT_LT(found.sum.norm(), 1e-6 * one.area) << one.shape.getName();
    }
}

/// A patch of points that faces up, some of them within a box that stands obliquely on it.
NearPoints patch(const DistributedLaw& law, double friction) {
    RigidTransform beside;
    beside.rotation = Eigen::AngleAxisd(0.2, Vector3(1, 2, 0).normalized()).toRotationMatrix();
    beside.translation = Vector3(0.004, -0.003, 0.01);
    NearPoints near(AnalyticField::box({0.03, 0.02, 0.03}), beside);
    for (int i = 0; i < 20; ++i)
        for (int j = 0; j < 20; ++j) {
            const double x = 0.004 * (i - 9.3), y = 0.004 * (j - 9.6);
            near.points.push_back({20 * i + j, {x, y, 0.3 * x * x}, {1e-5 * x, 0, -1.6e-5}, {0.1, 0, 0.2}});
        }
    near.parts.push_back({0, {law, friction}, 0, near.points.size()});
    near.begin();
    return near;
}

/// A capsule on top of a ball that turns.
NearShapes ball(const DistributedLaw& law, double friction) {
    NearShapes near(0.2);
    NearShapes::Shape shape;
    shape.body = 3;
    shape.law = {law, friction};
    shape.field = AnalyticField::sphere(0.1);
    shape.worldFromField.translation = Vector3(0.01, 0.0, -0.1);
    shape.centre = Vector3(0.02, 0.0, -0.1);
    shape.velocity = Vector3(0.1, 0.0, 0.05);
    shape.angularVelocity = Vector3(0.0, 1.0, 0.5);
    const btCapsuleShapeX capsule(btScalar(0.03), btScalar(0.1));
    shape.points = std::make_shared<ToolPoints>(toolPoints(capsule, 3000));
    near.shapes.push_back(shape);
    near.begin();
    return near;
}

template <class Near>
WrenchAndSlope touchOf(Near& near, const ToolPose& pose, double ahead) {
    WrenchAndSlope sum;
    near.touch(pose, ahead, sum);
    return sum;
}

/// @param turning of the normal that the slope leaves out, of the whole
template <class Near>
void expectSlope(Near near, const ToolPose& pose, double turning) {
    near.beginCycle(pose, kCycle);
    const WrenchAndSlope at = touchOf(near, pose, 0.005);
    ASSERT_GT(at.wrench.force.z(), 1.0) << "N";
    const double small = 1e-8;  // m and rad: no point enters or leaves
    for (int k = 0; k < 6; ++k) {
        Vector6 step = Vector6::Zero();
        step[k] = small;
        const Vector6 up = touchOf(near, moved(pose, step), 0.005).wrench.vector();
        const Vector6 down = touchOf(near, moved(pose, -step), 0.005).wrench.vector();
        const Vector6 slope = (up - down) / (2.0 * small);
        EXPECT_LT((slope - at.slope.col(k)).norm(), (1e-5 + turning) * at.slope.norm()) << k;
    }
}

DistributedLaw lawWith(PressureLaw law, double damping) {
    DistributedLaw pressure;
    pressure.law = law;
    pressure.stiffness = 1e8;
    pressure.maxDepth = 0.05;
    pressure.damping = damping;
    return pressure;
}

TEST(NearPoints, HaveTheSlopeOfTheirWrench) {
    ToolPose pose;
    pose.position.z() = 0.012;
    pose.rotation = Rotation(Eigen::AngleAxisd(0.3, Vector3(0, 1, 1).normalized()));
    for (const PressureLaw law : {PressureLaw::Linear, PressureLaw::Stiffening})
        for (const double damping : {0.0, 0.01}) expectSlope(patch(lawWith(law, damping), 0.0), pose, 0.0);
}

TEST(NearShapes, HaveTheSlopeOfTheirWrench) {
    ToolPose pose;
    pose.position.z() = 0.028;
    pose.rotation = Rotation(Eigen::AngleAxisd(0.2, Vector3(1, 1, 0).normalized()));
    for (const PressureLaw law : {PressureLaw::Linear, PressureLaw::Stiffening})
        for (const double damping : {0.0, 0.01}) {
            // As the normal turns over the ball, the rate of the depth changes by v / R: against the slope of the
            // pressure that is damping v D / R, for v up to 0.25 m/s, D = 2 mm and R = 0.1 m.
            expectSlope(ball(lawWith(law, damping), 0.0), pose, damping * 0.25 * 0.02);
        }
}

// Straight bristles that nothing has slid over yet: what the tool's own way bends is their stiffness, a third of that
// of the pressure, along the surface.
TEST(NearShapes, HaveBristlesOfAThirdOfTheStiffnessOfTheirPressure) {
    NearShapes near(0.2);
    NearShapes::Shape shape;
    shape.body = 0;
    shape.law = {lawWith(PressureLaw::Linear, 0.0), 0.5};
    shape.field = AnalyticField::plane(Vector3::UnitZ(), 0.0);
    const btBoxShape box(btVector3(btScalar(0.03), btScalar(0.02), btScalar(0.01)));
    shape.points = std::make_shared<ToolPoints>(toolPoints(box, 1000));
    near.shapes.push_back(shape);
    near.begin();
    ToolPose pose;
    pose.position.z() = 0.01 - 1e-4;
    near.beginCycle(pose, kCycle);
    const WrenchAndSlope at = touchOf(near, pose, 0.0);
    const double stiffness = 1e8 * 0.06 * 0.04;
    EXPECT_NEAR(at.wrench.force.z(), stiffness * 1e-4, 1e-5 * stiffness * 1e-4);
    EXPECT_NEAR(at.slope(2, 2), -stiffness, 1e-5 * stiffness);
    EXPECT_NEAR(at.slope(0, 0), -stiffness / 3.0, 1e-5 * stiffness);
    EXPECT_NEAR(at.slope(1, 1), -stiffness / 3.0, 1e-5 * stiffness);
    // Slid by ten times as far as it holds, it holds by the limit, against the slide.
    Vector6 step = Vector6::Zero();
    step.x() = 10.0 * 0.5 * 1e-4 * 3.0;
    Wrench settled;
    near.settle(moved(pose, step), 0.0, settled);
    EXPECT_NEAR(settled.force.x(), -0.5 * stiffness * 1e-4, 1e-5 * stiffness * 1e-4);
    EXPECT_NEAR(settled.force.y(), 0.0, 1e-9);
    // The way back starts at the limit: half of what it holds on either side is gone after half of that way.
    const ToolPose slid = moved(pose, step);
    near.beginCycle(slid, kCycle);
    step.x() = -0.5 * 1e-4 * 3.0;
    Wrench back;
    near.settle(moved(slid, step), 0.0, back);
    EXPECT_NEAR(back.force.x(), 0.0, 1e-5 * stiffness * 1e-4);
}

}  // namespace
}  // namespace pliant::test
