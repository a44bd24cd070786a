// SPDX-License-Identifier: Zlib
// Inputs whose up axis is not z are turned: scenes are z-up.
#pragma once

#include <string>

#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/mesh/VolumeMesh.h"
#include "pliant/reduce/ReduceOptions.h"

namespace pliant {

/// The rotation that makes `up` z: of y about x by a quarter turn, (x, y, z) -> (x, -z, y); of x all axes move on,
/// (x, y, z) -> (y, z, x).
Matrix3 zUpFrom(UpAxis up);

void turn(const Matrix3& rotation, SurfaceMesh& surface);
/// @param rotation of zUpFrom(): axis-aligned bricks stay so. Materials turn with their elements.
void turn(const Matrix3& rotation, VolumeMesh& mesh);

/// A sentence where the kind of file says which axis is up and `options` do not; empty otherwise.
std::string upNote(const std::string& input, const ReduceOptions& options);

}  // namespace pliant
