// SPDX-License-Identifier: Zlib
/// @file
/// Reduced models for other programs (docs/formats.md). Everything is written in the mesh frame, in SI units.
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/model/ReducedModel.h"

namespace pliant {

/// Writes Vega's files: NAME.veg, .cub, .U, .URendering.float, .obj (its v lines are the rows of the rendering basis),
/// .freq (Hz of the linear modes) and, for an anchored body, .bou; NAME is the model's. The folder is made where it is
/// missing.
/// @return the paths written
/// @throws Error when a file cannot be written
PLIANT_API std::vector<std::string> exportVega(const ReducedModel& model, const std::string& folder);

/// Writes a .vtu for ParaView: the simulation mesh with, at each vertex, the modes of the reduced body at rest
/// ("mode_01 3.42 Hz") and the columns of the basis ("basis_01"); units m / (m sqrt(kg)).
/// @throws Error when the file cannot be written
PLIANT_API void exportVtu(const ReducedModel& model, const std::string& path);

/// Writes the files of Bullet's btReducedDeformableBody: eigenvalues.bin, K_r_diag_mat.bin, M_r_diag_mat.bin,
/// modes.bin, M_diag_mat.bin and NAME.vtk; bricks become six tetrahedra each. The modes are those of the reduced body
/// at rest, so the body that Bullet makes is the linear part of the model. Masses are the row sums of the consistent
/// mass matrix.
/// @return the paths written
/// @throws Error when a file cannot be written
PLIANT_API std::vector<std::string> exportBullet(const ReducedModel& model, const std::string& folder);

/// The basis with components in the mesh frame, 3n x r.
PLIANT_API MatrixX meshBasis(const ReducedModel& model);

}  // namespace pliant
