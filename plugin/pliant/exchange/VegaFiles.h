// SPDX-License-Identifier: Zlib
// Vega's files of a reduced model (docs/formats.md): polynomials .cub, matrices .U, .URendering.float and .freq.
#pragma once

#include <string>

#include "pliant/math/StrainEnergyPolynomial.h"
#include "pliant/math/Types.h"

namespace pliant {

/// A .cub holds the force R(q), component by component, each monomial once. The energy whose derivative it is: the
/// coefficient of a monomial is the mean, over its indices, of what the force's components say.
/// @throws Error for a file of another size than its header tells, sizes that disagree with r (with both numbers), or a
/// force that is no derivative of an energy (components disagree by more than 1e-6 of the largest coefficient)
StrainEnergyPolynomial readCub(const std::string& path);

/// Written beside and renamed. @throws Error
void writeCub(const StrainEnergyPolynomial& energy, const std::string& path);

/// Reads a .U (doubles) or .URendering.float (floats): int32 rows, int32 columns, the numbers column by column. Which
/// of the two is told by the file's size. @throws Error
MatrixX readVegaMatrix(const std::string& path);

void writeVegaMatrix(const MatrixX& matrix, const std::string& path);  ///< Writes a .U (doubles). @throws Error
/// Writes a .URendering.float (floats). @throws Error
void writeVegaMatrixFloat(const MatrixX& matrix, const std::string& path);

}  // namespace pliant
