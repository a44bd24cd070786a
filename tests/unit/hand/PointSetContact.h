// SPDX-License-Identifier: Zlib
// The simplest contact of a tool: points with areas and inward normals against a distance field that stands.
#pragma once

#include <functional>
#include <vector>

#include "pliant/hand/StaticTool.h"

namespace pliant::test {

constexpr double pi = 3.14159265358979323846;

/// Signed distance of a point and its gradient, < 0 inside.
using Field = std::function<double(const Vector3& x, Vector3& gradient)>;

/// A sample of a tool's surface, in the tool's frame.
struct SurfaceSample {
    Vector3 position;
    Vector3 inward;     ///< Unit normal into the tool.
    double area = 0.0;  ///< m^2.
};

/// Pressure k |d| along the inward normals of the points inside the field, with the true slope: normals turn with the
/// tool, the field stands.  @param stiffness k, Pa/m  @param band points closer than this count as touching, m
inline WrenchAndSlope pointSetContact(const std::vector<SurfaceSample>& samples, const Field& field, double stiffness,
                                      const ToolPose& pose, double band = 0.0) {
    WrenchAndSlope result;
    const Matrix3 turn = pose.rotation.toRotationMatrix();
    for (const SurfaceSample& sample : samples) {
        const Vector3 r = turn * sample.position, normal = turn * sample.inward;
        Vector3 gradient;
        const double depth = -field(pose.position + r, gradient);
        if (depth < -band) continue;
        const double k = stiffness * sample.area;
        const Vector3 force = k * std::max(depth, 0.0) * normal;
        Matrix<double, 3, 6> motion, slope;
        motion << Matrix3::Identity(), -crossMatrix(r);
        slope = -k * normal * (gradient.transpose() * motion);
        slope.rightCols<3>() -= crossMatrix(force);
        result.wrench.force += force;
        result.wrench.torque += r.cross(force);
        result.slope.topRows<3>() += slope;
        result.slope.bottomRows<3>() += crossMatrix(r) * slope;
        result.slope.bottomRightCorner<3, 3>() += crossMatrix(force) * crossMatrix(r);
    }
    return result;
}

}  // namespace pliant::test
