// SPDX-License-Identifier: Zlib
// Internal: small texts of scene files and of what is said about them.
#pragma once

#include <sstream>
#include <string>

namespace pliant::scene {

/// A number as sentences and tables have it, six digits at most.
inline std::string printed(double value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

/// The text without blanks before and behind it.
inline std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

}  // namespace pliant::scene
