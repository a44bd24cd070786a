// SPDX-License-Identifier: Zlib
// The signed distance of a point from a body at rest, out of its sampled field.
#pragma once

#include "pliant/model/ContactSurface.h"

namespace pliant {

/// Gradients of distances are of length 1, but where several places of the surface are nearest. What is shorter than
/// this there is the rounding of samples and tells no direction: fine ones are whole numbers of field.unit, 5e-4 of a
/// spacing and less.
constexpr double kNoDirection = 1e-3;

/// Signed distance d(x), m, < 0 inside: trilinear between the fine samples where the surface is near, between the
/// corners of a brick elsewhere. In single precision between samples; every instruction set gives the same bits.
///
/// Outside the grid's box, with the box' nearest point n: sqrt(d(n)^2 + |x - n|^2). No point y of a surface inside the
/// box is nearer, as |x - y|^2 >= |x - n|^2 + |n - y|^2 for a convex box: like sphere tracing and pruning need it, the
/// value is above the truth by no more than the error of d(n), and too small by less than the smaller of the two.
/// |d(x) - d(y)| <= field.lipschitz |x - y| holds there too.
/// @param field not empty  @param x in the mesh frame, m; where it is not finite the result is not either
double fieldDistance(const DistanceField& field, const Vector3& x);

/// The same with the gradient of that function: not of unit length, and one-sided where it has kinks (between cells).
double fieldDistance(const DistanceField& field, const Vector3& x, Vector3& gradient);

/// Has the samples around a point brought near, and does not wait for them: where points are scattered, what memory
/// takes to answer is most of a look-up.
void prefetchField(const DistanceField& field, const Vector3& x);

}  // namespace pliant
