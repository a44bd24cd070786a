// SPDX-License-Identifier: Zlib
#pragma once

#include "pliant/model/ReducedModel.h"

namespace pliant {

/// Sets restEigenvectors and restEigenvalues from energy.linearStiffness, each vector with its largest component
/// positive.
void diagonaliseRest(ReducedModel& model);

}  // namespace pliant
