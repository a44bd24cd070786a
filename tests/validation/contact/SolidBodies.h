// SPDX-License-Identifier: Zlib
// Solids as a newcomer makes them: a surface file and `pliant reduce` with its own contact geometry, nothing laid by
// hand.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pliant/model/ReducedModel.h"
#include "pliant/reduce/ReduceOptions.h"

namespace pliant::test {

/// What the surfaces of solids have in common: a stiff or soft material and few coordinates.
struct SolidMaterial {
    double young = 2e7;    ///< Pa
    double density = 500;  ///< kg/m^3
    int modes = 6, dimension = 10;
    int voxels = 0;  ///< 0: as the reduction chooses
    ContactGeometry contact = ContactGeometry::Automatic;
};

/// A closed surface in any format.
std::shared_ptr<const ReducedModel> solidOfFile(const std::string& path, const SolidMaterial& material = {});
/// @param longest of the squares that its faces are cut into, m; 0: two triangles a face
std::shared_ptr<const ReducedModel> solidBox(const Vector3& size, const SolidMaterial& material = {},
                                             double longest = 0);
/// An icosphere of 1,280 triangles.
std::shared_ptr<const ReducedModel> solidSphere(double radius, const SolidMaterial& material = {});
/// A profile turned about the axis z, from one place on the axis to another, with 40 sides.
/// @param profile radius and height of its points, upwards outside, m
std::shared_ptr<const ReducedModel> solidOfRevolution(const std::vector<std::pair<double, double>>& profile,
                                                      const SolidMaterial& material = {});
/// Its axis is y; every side is two triangles from end to end.
std::shared_ptr<const ReducedModel> solidCylinder(double radius, double length, const SolidMaterial& material = {},
                                                  int sides = 48);

}  // namespace pliant::test
