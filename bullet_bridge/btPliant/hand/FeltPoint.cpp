// SPDX-License-Identifier: Zlib
#include "btPliant/hand/FeltPoint.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::Vector3;

namespace {

/// Stiffness of a bristle over that of the pressure, as in worlds: of a layer of rubber, shear over Young's modulus.
constexpr double kBristleOverPressure = 1.0 / 3.0;

constexpr double kSameSlide = 0.999;  // cosine of a turn of a foot's way that need not be solved for again

struct BristleLaw {
    Vector3 normal = Vector3::Zero();
    double stiffness = 0.0, limit = 0.0;  ///< N/m and N.
};

BristleLaw bristleLaw(const FeltLaw& law, const FeltPoint& point, double pressure) {
    const double area = point.area.norm();
    BristleLaw bristle;
    if (!(area > 0.0)) return bristle;
    bristle.normal = point.area / area;
    bristle.stiffness = kBristleOverPressure * area * pliant::elasticPressure(law.pressure, point.depth) / point.depth;
    bristle.limit = law.friction * pressure * area;
    return bristle;
}

/// The bend after the slip, without what has turned out of the surface.
Vector3 bentBy(const Vector3& bend, const Vector3& slip, const Vector3& normal) {
    const Vector3 sum = bend + slip;
    return sum - normal * normal.dot(sum);
}

/// Derivative of the torque where the arm turns the force's derivative into one.
void addSlope(const FeltPoint& point, const Matrix3& slope, pliant::WrenchAndSlope& sum) {
    const Matrix3 arm = pliant::crossMatrix(point.arm);
    const Matrix3 turning = -slope * arm;  // the material at the point moves by t + w x r
    sum.slope.topLeftCorner<3, 3>() += slope;
    sum.slope.topRightCorner<3, 3>() += turning;
    sum.slope.bottomLeftCorner<3, 3>() += arm * slope;
    sum.slope.bottomRightCorner<3, 3>() += arm * turning;
}

}  // namespace

FeltForce foreseenForce(const FeltLaw& law, const FeltPoint& point, const Bristle& bristle, const Vector3& bend,
                        double dt) {
    const double elastic = pliant::elasticPressure(law.pressure, point.depth);
    const double pressure = pliant::dampedPressure(law.pressure, point.depth, point.rate);
    FeltForce force;
    force.pressure = pressure * point.area;
    if (pressure > 0.0) {
        const double factor = pressure / elastic, damper = dt > 0.0 ? law.pressure.damping * elastic / dt : 0.0;
        const double steep = pliant::pressureSlope(law.pressure, point.depth) * factor + damper;
        force.slope = steep * point.area * point.deeper.transpose();
    }
    if (!(law.friction > 0.0) || !(pressure > 0.0)) return force;
    const BristleLaw held = bristleLaw(law, point, pressure);
    const Vector3 trial = bentBy(bend, point.slip, held.normal);
    const Matrix3 alongSurface = Matrix3::Identity() - held.normal * held.normal.transpose();
    const double length = bristle.trial.norm();
    if (!bristle.slides || !(length > 0.0)) {
        force.friction = -held.stiffness * trial;
        force.slope -= held.stiffness * alongSurface;
        return force;
    }
    const Vector3 slide = bristle.trial / length;
    const Matrix3 turning = held.limit / length * (Matrix3::Identity() - slide * slide.transpose());
    force.friction = -held.limit * slide - turning * trial;
    force.slope -= turning * alongSurface;
    return force;
}

bool reviseBristle(const FeltLaw& law, const FeltPoint& point, const Vector3& bend, Bristle& bristle) {
    const double pressure = pliant::dampedPressure(law.pressure, point.depth, point.rate);
    if (!(law.friction > 0.0) || !(pressure > 0.0)) return false;
    const BristleLaw held = bristleLaw(law, point, pressure);
    const Vector3 trial = bentBy(bend, point.slip, held.normal);
    const double length = trial.norm(), last = bristle.trial.norm();
    bool slides = held.stiffness * length > held.limit;
    const double cosine =
        bristle.slides && last > 0.0 && length > 0.0 ? trial.dot(bristle.trial) / (length * last) : 1.0;
    // A step that takes the foot past its other limit says that it does not slide at all.
    if (cosine < 0.0) slides = false;
    const bool isOther = slides != bristle.slides || (slides && cosine < kSameSlide);
    bristle.slides = slides;
    bristle.trial = trial;
    return isOther;
}

FeltForce settledForce(const FeltLaw& law, const FeltPoint& point, Bristle& bristle, Vector3& bend) {
    const double pressure = pliant::dampedPressure(law.pressure, point.depth, point.rate);
    FeltForce force;
    force.pressure = pressure * point.area;
    bristle.isBent = true;
    const BristleLaw held = bristleLaw(law, point, pressure);
    bend = bentBy(bend, point.slip, held.normal);
    bristle.trial = bend;
    const double length = bend.norm();
    bristle.slides = held.stiffness * length > held.limit;
    // The foot slides as far as the limit asks, so that the way back starts at the limit.
    if (bristle.slides) bend *= held.limit / (held.stiffness * length);
    if (law.friction > 0.0) force.friction = -held.stiffness * bend;
    return force;
}

void addAtOther(const FeltPoint& point, const FeltForce& force, pliant::WrenchAndSlope& sum) {
    const Vector3 all = force.pressure + force.friction;
    sum.wrench.force += all;
    sum.wrench.torque += point.arm.cross(all);
    addSlope(point, force.slope, sum);
    sum.slope.bottomLeftCorner<3, 3>() +=
        pliant::crossMatrix(all);  // the arm gets shorter by t: -t x force = force x t
}

void addAtTool(const FeltPoint& point, const FeltForce& force, pliant::WrenchAndSlope& sum) {
    const Vector3 all = force.pressure + force.friction;
    sum.wrench.force += all;
    sum.wrench.torque += point.arm.cross(all);
    addSlope(point, force.slope, sum);
    // The arm turns, (w x r) x force, and so does the pressure with its area, w x force.
    const Matrix3 arm = pliant::crossMatrix(point.arm), turnedPressure = -pliant::crossMatrix(force.pressure);
    sum.slope.topRightCorner<3, 3>() += turnedPressure;
    sum.slope.bottomRightCorner<3, 3>() += pliant::crossMatrix(all) * arm + arm * turnedPressure;
}

}  // namespace btPliantInternal
