// SPDX-License-Identifier: Zlib
// Small reduced models, made once for all tests of a program.
#pragma once

#include <memory>

#include "pliant/model/ReducedModel.h"

namespace pliant::test {

/// An L of 20 bricks, two materials, r = 9; held at its first corners or free.
std::shared_ptr<const ReducedModel> sampleModel(bool anchored);

}  // namespace pliant::test
