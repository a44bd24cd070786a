// SPDX-License-Identifier: Zlib
// Which instruction set the kernels run with: the widest that the processor has, unless a test limits it. Kernels ask
// once, when they are used for the first time.
#pragma once

#include "pliant/math/Api.h"

namespace pliant {

enum class InstructionSet { Sse2, Avx2, Avx512 };

/// Whether the processor has the set, and fused multiply-adds where it is not the narrowest.
PLIANT_INTERNAL_API bool processorHas(InstructionSet set);
/// The widest set that the processor has and the limit allows.
PLIANT_INTERNAL_API InstructionSet widestInstructions();
/// No set wider than this is used by kernels that have not run yet. For tests, before anything else; there is no
/// environment variable that a user could meet by chance.
PLIANT_INTERNAL_API void limitInstructions(InstructionSet widest);

}  // namespace pliant
