// SPDX-License-Identifier: Zlib
// The line under *MATERIAL of a .veg file.
//
//     ENU, density, E, nu
//     ORTHOTROPIC, density, E1, E2, E3, nu12, nu23, nu31, G12, G23, G31, R00, R01, ..., R22     also ORTHOTROPIC_N3G3R9
//     ORTHOTROPIC_N3G3   without R                    ORTHOTROPIC_N1G1R9   density, E1, E2, E3, nu, g, R
//     ORTHOTROPIC_N1G1   without R                    ORTHOTROPIC_N1R9, ORTHOTROPIC_N1   without g, which is 1
//     STIFFNESS, density, C11, C12, ..., C16, C22, ..., C66
//
// The first two are Vega's: R is a rotation, row by row, whose columns are the material's axes; one nu and g stand for
// the stable law of ElasticMaterial.h. STIFFNESS, the upper triangle of C row by row (xx, yy, zz, yz, xz, xy,
// engineering shear, Pa), is ours: Vega has no general material.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pliant/mesh/ElasticMaterial.h"

namespace pliant {

/// @param words the line, cut at commas  @param where file:line for errors. Values are not judged: see checkMaterial.
/// @throws Error for an unknown kind, a wrong number of numbers, or what is no number
ElasticMaterial parseVegMaterial(const std::vector<std::string_view>& words, const std::string& where);

/// The line that parseVegMaterial reads back with the same bits.
std::string vegMaterialLine(const ElasticMaterial& material);

}  // namespace pliant
