// SPDX-License-Identifier: Zlib
// Text of a file on its way to a terminal.
#pragma once

#include <string>

namespace pliant {

/// The text with a question mark for every control character (ASCII's, and those of ISO 6429 in UTF-8): a terminal
/// would obey them.
inline std::string printable(std::string text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
        const bool isWide = byte == 0xc2 && next >= 0x80 && next < 0xa0;
        if (byte >= 0x20 && byte != 0x7f && !isWide) continue;
        text[i] = '?';
        if (isWide) text.erase(i + 1, 1);
    }
    return text;
}

}  // namespace pliant
