// SPDX-License-Identifier: Zlib
/// @file
/// Fewer coordinates for a model: the first ones, in mass-PCA order.
#pragma once

#include <memory>

#include "pliant/math/Api.h"
#include "pliant/model/ReducedModel.h"

namespace pliant {

/// What a reduction with the first columns of the basis gives: exact, since polynomials and integrals of a prefix are
/// parts of the whole. Call it after loading to spend less time per step.
/// @param model with r coordinates
/// @param dimension r' in [1, r]
/// @throws Error for another dimension
PLIANT_API std::shared_ptr<ReducedModel> truncated(const ReducedModel& model, int dimension);

}  // namespace pliant
