// SPDX-License-Identifier: Zlib
// Base64 (RFC 4648), as inline arrays of VTK's XML files use it.
#pragma once

#include <string>
#include <string_view>

namespace pliant {

std::string base64Encoded(std::string_view bytes);

/// Blanks and line ends are passed over; padding may also stand inside, where parts were encoded one by one.
/// @return false for any other character or a group cut short
bool base64Decoded(std::string_view text, std::string& bytes);

}  // namespace pliant
