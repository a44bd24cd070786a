// SPDX-License-Identifier: Zlib
// The lines of a .veg with its *INCLUDE files in their place.
#pragma once

#include <string>
#include <vector>

namespace pliant {

struct VegLine {
    int file = 0;      ///< Index of the line's file in VegLines::files.
    int number = 0;    ///< Number of the line in its file, from 1.
    std::string text;  ///< Text without comment, trimmed, never empty.
};

struct VegLines {
    std::vector<std::string> files;
    std::vector<VegLine> lines;

    /// Place of a line, "file:line".
    std::string where(const VegLine& line) const;
};

/// @throws Error  unreadable file; an *INCLUDE that is missing, empty or leads back to itself (with file:line)
VegLines readVegLines(const std::string& path);

}  // namespace pliant
