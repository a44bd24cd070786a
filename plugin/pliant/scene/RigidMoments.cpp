// SPDX-License-Identifier: Zlib
// Moments of homogeneous solids, and the parallel axes theorem: every engineer's handbook.
#include "pliant/scene/RigidMoments.h"

#include <Eigen/Geometry>
#include <cmath>

#include "pliant/math/Error.h"

namespace pliant::scene {
namespace {

constexpr double kHalfCircle = 3.14159265358979323846;

/// About x, y and z through the centre of mass, of 1 kg; the axis is z.
SolidMoments aboutAxis(double volume, double across, double along) {
    SolidMoments moments;
    moments.volume = volume;
    moments.inertia = Vector3(across, across, along).asDiagonal();
    return moments;
}

SolidMoments capsule(double r, double h) {
    const double cylinder = kHalfCircle * r * r * h, balls = 4.0 / 3.0 * kHalfCircle * r * r * r,
                 volume = cylinder + balls;
    const double share = cylinder / volume, rest = balls / volume;
    const double along = share * 0.5 * r * r + rest * 0.4 * r * r;
    // Each half of the balls has its centre of mass 3/8 r beyond its end of the cylinder.
    const double across = share * (r * r / 4.0 + h * h / 12.0) + rest * (0.4 * r * r + h * h / 4.0 + 0.375 * h * r);
    return aboutAxis(volume, across, along);
}

/// In the part's own frame, whose origin is the middle of its height.
SolidMoments momentsOf(const RigidPart& part) {
    const double r = part.radius, h = part.height;
    switch (part.shape) {
        case RigidShape::Box: {
            SolidMoments moments;
            moments.volume = part.size.prod();
            const Vector3 s = part.size.cwiseAbs2() / 12.0;
            moments.inertia = Vector3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y()).asDiagonal();
            return moments;
        }
        case RigidShape::Capsule:
            return capsule(r, h);
        case RigidShape::Cylinder:
            return aboutAxis(kHalfCircle * r * r * h, r * r / 4.0 + h * h / 12.0, 0.5 * r * r);
        case RigidShape::Cone: {
            SolidMoments moments =
                aboutAxis(kHalfCircle * r * r * h / 3.0, 0.15 * r * r + 3.0 / 80.0 * h * h, 0.3 * r * r);
            moments.centre = Vector3(0.0, 0.0, -0.25 * h);  // of its middle
            return moments;
        }
        case RigidShape::Sphere:
            return aboutAxis(4.0 / 3.0 * kHalfCircle * r * r * r, 0.4 * r * r, 0.4 * r * r);
        case RigidShape::Mesh:
        case RigidShape::Hull:
        case RigidShape::MultiSphere:
        case RigidShape::Compound:
        case RigidShape::HeightField:
        case RigidShape::Plane:
            break;
    }
    throw Error("part of a compound", "it is none of the shapes that a compound is made of");
}

}  // namespace

SolidMoments momentsOf(const std::vector<RigidPart>& parts) {
    SolidMoments whole;
    for (const RigidPart& part : parts) {
        const SolidMoments own = momentsOf(part);
        whole.volume += own.volume;
        whole.centre += own.volume * (part.place.translation + part.place.rotation * own.centre);
    }
    whole.centre /= whole.volume;
    for (const RigidPart& part : parts) {
        const SolidMoments own = momentsOf(part);
        const Vector3 arm = part.place.translation + part.place.rotation * own.centre - whole.centre;
        const Matrix3 turned = part.place.rotation * own.inertia * part.place.rotation.transpose();
        whole.inertia +=
            own.volume / whole.volume * (turned + arm.squaredNorm() * Matrix3::Identity() - arm * arm.transpose());
    }
    return whole;
}

}  // namespace pliant::scene
