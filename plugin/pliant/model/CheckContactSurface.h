// SPDX-License-Identifier: Zlib
#pragma once

#include <string>

#include "pliant/model/ReducedModel.h"

namespace pliant {

/// Shell (none, or one entry per sphere of the skeleton) and lattice (none, or cells that all have their vertices).
/// @throws Error as checkModel
void checkContactSurface(const ReducedModel& model, const std::string& where);

/// Whether a sphere of the skeleton stands for a point of the surface: only then may its radius be 0.
bool isSurfacePoint(const ReducedModel& model, Eigen::Index sphere);

}  // namespace pliant
