// SPDX-License-Identifier: Zlib
// Which modes can be seen at all [HSO03 section 3]: a mode so stiff that the largest expected force moves no point of
// it by the smallest visible distance, or so fast that the display cannot show its frequency, is left out.
#pragma once

#include <vector>

#include "pliant/basis/BasisOptions.h"
#include "pliant/basis/LinearModes.h"

namespace pliant {

/// Modes (0-based, ascending) that the rule keeps. The static answer of mode psi to a force F at the point where it
/// moves most is largest there too: |psi|^2 F / lambda, with |psi| the largest displacement of any vertex.
/// @throws Error naming the numbers where no mode is left
std::vector<int> visibleModes(const LinearModes& modes, const VisibilityRule& rule);

}  // namespace pliant
