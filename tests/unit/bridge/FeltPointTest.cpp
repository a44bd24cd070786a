// SPDX-License-Identifier: Zlib
// The slope of what one point does to the tool of a hand's own thread, against differences: of points of the tool and
// of the other body, with bristles that are new or have been bent before, that hold or whose feet slide.
//
// Three things are left out of it on purpose. Stiffness and limit of a bristle are those of the pressure before the
// step, so that what is solved stays a minimum: here the limit is held fast, and of a bristle that holds the stiffness,
// which is the secant of the pressure, changes with the depth by what is known. What turns with the tool is the
// pressure; the plane that a bristle bends in turns it by no more than its stiffness times its bend a radian. And the
// rate of the depth knows the field's normal as it stands: one that turns with the tool changes it by no more than the
// slip a radian.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "btPliant/hand/FeltPoint.h"

namespace pliant::test {
namespace {

using btPliantInternal::Bristle;
using btPliantInternal::FeltForce;
using btPliantInternal::FeltLaw;
using btPliantInternal::FeltPoint;

constexpr double kFeltCycle = 1e-3;  // s

/// A point that is pressed, and how the tool has come.
struct FeltCase {
    bool isOfTool = true;
    FeltLaw law;
    Vector3 bend = Vector3::Zero();                       ///< of the bristle, as the cycle begins, m
    Vector3 way = Vector3(2e-5, -1e-5, -3e-5);            ///< of the tool in this cycle, m
    Vector3 others = Vector3(-4e-6, 6e-6, 2e-6);          ///< of the other body's material, m
    Vector3 normal = Vector3(0.2, -0.1, 1).normalized();  ///< of the field, outward, before the tool's step
    Vector3 inward = Vector3(0.15, 0, 1).normalized();    ///< of the shell's surface, into the tool
    Vector3 arm = Vector3(0.03, 0.05, -0.02);             ///< of the point, m
    double depth = 2e-4;                                  ///< m
};

/// The state after the tool has moved by a step more, of translation and rotation vector about where it is held.
FeltPoint movedBy(const FeltCase& felt, const Vector6& step) {
    const Vector3 shift = step.head<3>(), turn = step.tail<3>();
    const Matrix3 turned =
        turn.norm() > 0.0 ? Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix() : Matrix3::Identity();
    FeltPoint point;
    const double area = 2e-5;  // m^2
    if (felt.isOfTool) {       // the field stands, and looks at the tool
        point.arm = turned * felt.arm;
        const Vector3 material = shift + point.arm - felt.arm;
        point.area = turned * felt.inward * area;
        point.deeper = -felt.normal;
        point.depth = felt.depth + point.deeper.dot(material);
        point.slip = felt.way + material - felt.others;
    } else {  // the point stands, and the field of the tool goes over it
        point.arm = felt.arm - shift;
        const Vector3 material = point.arm - turned.transpose() * point.arm + shift;
        point.area = felt.inward * area;
        point.deeper = -(turned * felt.normal);
        point.depth = felt.depth - felt.normal.dot(Vector3(felt.arm - turned.transpose() * point.arm));
        point.slip = felt.way + material - felt.others;
    }
    point.rate = point.deeper.dot(point.slip) / kFeltCycle;
    return point;
}

WrenchAndSlope feltAt(const FeltCase& felt, const Vector6& step, const Bristle& bristle, double limit) {
    const FeltPoint point = movedBy(felt, step);
    FeltLaw law = felt.law;
    const double pressure = dampedPressure(law.pressure, point.depth, point.rate);
    if (law.friction > 0.0) law.friction = limit / (pressure * point.area.norm());
    const FeltForce force = foreseenForce(law, point, bristle, felt.bend, kFeltCycle);
    WrenchAndSlope sum;
    if (felt.isOfTool)
        addAtTool(point, force, sum);
    else
        addAtOther(point, force, sum);
    return sum;
}

/// @param slides what is expected of the foot
void expectSlopeOf(const FeltCase& felt, bool slides) {
    const FeltPoint start = movedBy(felt, Vector6::Zero());
    const double pressure = dampedPressure(felt.law.pressure, start.depth, start.rate);
    ASSERT_GT(pressure, 0.0);
    const double limit = felt.law.friction * pressure * start.area.norm();
    Bristle bristle;
    bristle.isBent = felt.bend.norm() > 0.0;
    reviseBristle(felt.law, start, felt.bend, bristle);
    ASSERT_EQ(bristle.slides, slides) << "the case is another one than it says";
    const WrenchAndSlope at = feltAt(felt, Vector6::Zero(), bristle, limit);
    // A plane that turns by w changes what lies in it of a vector b by n (w x n).b + (w x n) n.b, no longer than w b.
    const double stiffness = start.area.norm() * elasticPressure(felt.law.pressure, start.depth) / start.depth / 3.0;
    const double ofBristles = felt.law.friction > 0.0 ? stiffness * (felt.bend + start.slip).norm() : 0.0;
    // The secant p / d of the pressure has the slope (p' - p / d) / d; bristles that slide have the force of the limit.
    const double secant = elasticPressure(felt.law.pressure, start.depth) / start.depth;
    const double steeper = (pressureSlope(felt.law.pressure, start.depth) - secant) / start.depth;
    const bool holds = felt.law.friction > 0.0 && !slides;
    const double ofSecant = holds ? start.area.norm() / 3.0 * std::abs(steeper) * (felt.bend + start.slip).norm() : 0.0;
    const double damper = felt.law.pressure.damping * elasticPressure(felt.law.pressure, start.depth) / kFeltCycle;
    const double ofRate = felt.isOfTool ? 0.0 : damper * start.area.norm() * start.slip.norm();
    const double small = 1e-8;  // m and rad
    for (int k = 0; k < 6; ++k) {
        Vector6 step = Vector6::Zero();
        step[k] = small;
        const Vector6 up = feltAt(felt, step, bristle, limit).wrench.vector();
        const Vector6 down = feltAt(felt, -step, bristle, limit).wrench.vector();
        const Vector6 slope = (up - down) / (2.0 * small);
        // Differences of forces of some newtons lose 1e-16 / 1e-8 of them.
        const double rounding = 1e-7 * (at.wrench.force.norm() + at.slope.col(k).norm());
        const double deepening = k < 3 ? 1.0 : felt.arm.norm();  // m of depth at most
        const double left = (k < 3 ? 0.0 : ofBristles + ofRate) + ofSecant * deepening;
        EXPECT_LT((slope - at.slope.col(k)).head<3>().norm(), rounding + left) << k;
        EXPECT_LT((slope - at.slope.col(k)).tail<3>().norm(), rounding + left * felt.arm.norm()) << k;
        if (k < 3) continue;
        EXPECT_LT(ofBristles + ofRate, 0.05 * at.slope.col(k).head<3>().norm()) << "what may be left out is little";
    }
}

FeltLaw layerWith(double friction, double damping) {
    FeltLaw law;
    law.pressure.stiffness = 1e9;
    law.pressure.damping = damping;
    law.friction = friction;
    return law;
}

// New ones bend by the way of this cycle alone; old ones by more than that, in another direction.
void expectSlopesWithBristles(PressureLaw kind) {
    for (const bool isOfTool : {true, false})
        for (const double damping : {0.0, 2e-3})
            for (const bool isOld : {false, true})
                for (const bool slides : {false, true}) {
                    FeltCase felt;
                    felt.isOfTool = isOfTool;
                    if (isOld) felt.bend = Vector3(-3e-5, 7e-5, 1e-6);
                    felt.law = layerWith(slides ? 0.02 : 5.0, damping);
                    felt.law.pressure.law = kind;
                    felt.law.pressure.maxDepth = 5e-4;
                    SCOPED_TRACE(::testing::Message() << "of the tool " << isOfTool << ", damping " << damping
                                                      << ", old " << isOld << ", slides " << slides);
                    expectSlopeOf(felt, slides);
                }
}

TEST(FeltPoint, HasItsSlopeWithBristlesNewAndOldThatHoldAndThatSlide) {
    for (const PressureLaw kind : {PressureLaw::Linear, PressureLaw::Hertz, PressureLaw::Stiffening}) {
        SCOPED_TRACE(static_cast<int>(kind));
        expectSlopesWithBristles(kind);
    }
}

// Without friction and damping nothing is left out, whatever the law is; with damping what the field's normal turns.
TEST(FeltPoint, HasItsSlopeUnderEveryLawOfPressure) {
    for (const bool isOfTool : {true, false})
        for (const PressureLaw kind : {PressureLaw::Linear, PressureLaw::Hertz, PressureLaw::Stiffening})
            for (const double damping : {0.0, 2e-3}) {
                FeltCase felt;
                felt.isOfTool = isOfTool;
                felt.law = layerWith(0.0, damping);
                felt.law.pressure.law = kind;
                felt.law.pressure.maxDepth = 5e-4;
                SCOPED_TRACE(static_cast<int>(kind));
                expectSlopeOf(felt, false);
            }
}

}  // namespace
}  // namespace pliant::test
