// SPDX-License-Identifier: Zlib
#pragma once

#include "pliant/math/Api.h"
#include "pliant/model/ReducedModel.h"

namespace pliant {

/// Sets restEigenvectors and restEigenvalues from energy.linearStiffness, each vector with its largest component
/// positive.
PLIANT_INTERNAL_API void diagonaliseRest(ReducedModel& model);

}  // namespace pliant
