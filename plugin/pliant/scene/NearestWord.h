// SPDX-License-Identifier: Zlib
#pragma once

#include <string>
#include <vector>

namespace pliant::scene {

/// The known word nearest to `wrong` by edit distance, whatever the case; empty where none is near, and where `wrong`
/// is longer than words are, or the known words are too many and too much alike to look at all of them.
std::string nearestWord(const std::string& wrong, const std::vector<std::string>& known);
/// The names of parts of `whole`, `whole` and a point before them, in a list; empty where no known name begins so.
std::string partsOf(const std::string& whole, const std::vector<std::string>& known);

}  // namespace pliant::scene
