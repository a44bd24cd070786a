// SPDX-License-Identifier: Zlib
#pragma once

#include <cstddef>
#include <cstdint>

namespace pliant::fuzz {

/// Loads the bytes as a character where they are of one, else as a model. An accepted one is saved and loaded again to
/// the same bytes, and two bodies of it step and its bones move: their numbers have to stay finite. @return whether it
/// was accepted
bool loadAndStep(const std::uint8_t* data, std::size_t size);

}  // namespace pliant::fuzz
