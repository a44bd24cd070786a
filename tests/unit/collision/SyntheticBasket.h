// SPDX-License-Identifier: Zlib
// A model made without the offline pipeline: a cup of hoops and upright strands, tubes around them as the drawn surface
// and smooth sine fields as the basis. Only what collision reads is filled in.
#pragma once

#include <memory>
#include <random>

#include "pliant/collision/body/CollisionModel.h"
#include "pliant/collision/body/DeformedBody.h"

namespace pliant::test {

struct BasketShape {
    int hoops = 6;         ///< closed rings, one above the other
    int uprights = 8;      ///< open strands, outside of the hoops
    int steps = 24;        ///< segments of one hoop
    double radius = 0.15;  ///< of the cup, metres
    double height = 0.2;
    double strand = 0.006;  ///< radius of the strands
    int dimension = 7;      ///< r
};

std::shared_ptr<const ReducedModel> basketModel(const BasketShape& shape);

/// Value of basis column j at rest position x: a unit-size sine field whose wavelength shrinks with j.
Vector3 basisField(int j, const Vector3& x);

/// A tube of `sides` corners per ring around `centres` (3 x n, closed: last joined to first; open: caps).
SurfaceMesh tube(const Points& centres, double radius, int sides, bool closed);
void append(SurfaceMesh& mesh, const SurfaceMesh& other);

/// q with |q_j| up to `size` and a rotation, both from `random`; translation within `reach` of the origin.
VectorX randomCoordinates(std::mt19937& random, int r, double size);
RigidTransform randomPose(std::mt19937& random, double reach);

/// One capsule (or sphere, when both ends are equal) as a body without deformation (r = 1, zero basis).
std::shared_ptr<const ReducedModel> polylineModel(const Points& centres, const VectorX& radii, bool closed = false);

}  // namespace pliant::test
