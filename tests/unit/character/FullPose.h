// SPDX-License-Identifier: Zlib
// Reduced flesh beside the full model.
#pragma once

#include "BarCharacter.h"
#include "pliant/character/FullFlesh.h"
#include "pliant/model/CharacterShape.h"

namespace pliant::test {

/// Root of the mean square distance of vertices.
inline double distance(const Points& a, const Points& b) {
    return std::sqrt((a - b).squaredNorm() / static_cast<double>(a.cols()));
}

}  // namespace pliant::test
