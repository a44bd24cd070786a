// SPDX-License-Identifier: Zlib
// The law of distributed contact: pressure by depth acts on the area vectors of the points of one surface, and with
// the opposite sign on the body of the other, at the same place in the world.
#pragma once

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"

namespace pliant {

/// How pressure grows with depth.
enum class PressureLaw {
    Linear,     ///< Pressure stiffness * depth: an elastic layer.
    Hertz,      ///< Pressure stiffness * sqrt(depth): with E* / (pi sqrt(R)) a sphere of radius R has Hertz' force.
    Stiffening  ///< Pressure stiffness * depth / (1 - depth / maxDepth), from nine tenths of maxDepth on its tangent.
};

struct DistributedLaw {
    PressureLaw law = PressureLaw::Linear;
    double stiffness = 0.0;  ///< Stiffness, Pa/m, of a layer E / thickness; for Hertz Pa/m^(1/2); not negative.
    double maxDepth = 1.0;   ///< Depth where Stiffening, which alone uses it, would be rigid, m; positive.
    double damping = 0.0;    ///< Damping, s: the pressure is times 1 + damping * rate of depth; not negative.
};

/// Pressure, Pa; zero where depth (m) is not positive. Continuous in depth; Hertz' slope at zero is infinite.
PLIANT_INTERNAL_API double elasticPressure(const DistributedLaw& law, double depth);
/// Slope of the elastic pressure, Pa/m: zero outside, and finite at any positive depth.
PLIANT_INTERNAL_API double pressureSlope(const DistributedLaw& law, double depth);
/// Integral of the elastic pressure from zero to depth (m), J/m^2.
PLIANT_INTERNAL_API double pressurePotential(const DistributedLaw& law, double depth);
/// Pressure with damping, Pa, never negative: surfaces do not stick. @param depthRate m/s, positive on the way in
PLIANT_INTERNAL_API double dampedPressure(const DistributedLaw& law, double depth, double depthRate);

/// Deformed area times its unit normal, cof(deformationGradient) * restArea * restNormal (Nanson), m^2. Exact for
/// singular gradients too, for the cofactors are made without the inverse.
/// @param restNormal of unit length; m^2 @param restArea
PLIANT_INTERNAL_API Vector3 areaVector(const Matrix3& deformationGradient, const Vector3& restNormal, double restArea);

/// What points in contact do to both bodies: force, N, and torque, N m, about the body's own reference point.
struct PLIANT_INTERNAL_API DistributedWrenches {
    Vector3 force = Vector3::Zero();  ///< Force on the shell's body, N; that on the field's is its exact opposite.
    Vector3 shellTorque = Vector3::Zero();  ///< Torque about the shell's centre, N m.
    Vector3 fieldTorque = Vector3::Zero();  ///< Torque about the field's centre, N m.

    /// All along the axes of the world. @param place m, of the point @param shellCentre, fieldCentre m
    /// @param inwardArea m^2, area vector into the shell's body @param pressure Pa
    void add(const Vector3& place, const Vector3& inwardArea, double pressure, const Vector3& shellCentre,
             const Vector3& fieldCentre);
};

}  // namespace pliant
