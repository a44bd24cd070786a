// SPDX-License-Identifier: Zlib
// Blocks of zlib (RFC 1950), as VTK's compressed arrays are made of.
#pragma once

#include <string>

namespace pliant {

/// Whether a block of so many bytes can hold so many: deflate makes 1032 bytes of one at most, so that what is
/// announced is paid for by the file before memory is taken for it.
bool canInflateTo(std::size_t compressed, std::size_t size);

/// Appends the block to `out`. @param size what it holds  @throws Error(where, ...) for damaged data
void inflateBlock(const std::string& compressed, std::size_t size, std::string& out, const std::string& where);

}  // namespace pliant
