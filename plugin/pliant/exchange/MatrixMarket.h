// SPDX-License-Identifier: Zlib
// Matrix Market files (.mtx), which SciPy, MATLAB, Abaqus and CalculiX write.
#pragma once

#include <string>

#include "pliant/math/Types.h"

namespace pliant {

/// A real or integer matrix, array or coordinate, general, symmetric or skew-symmetric, as a dense one; entries that a
/// coordinate file names twice are summed.
/// @throws Error naming file and line for other kinds, numbers that are missing, too many or not finite, indices out of
/// range, and a coordinate file with so few entries that the dense matrix would take far more memory than the file
MatrixX readMatrixMarket(const std::string& path);

/// Writes a dense matrix as an array whose numbers are read back to the same bits; beside the target, and renamed.
/// @throws Error when the file cannot be written
void writeMatrixMarket(const MatrixX& matrix, const std::string& path);

}  // namespace pliant
