// SPDX-License-Identifier: Zlib
// The functions of a source and how long they are, told by its braces.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pliant::test {

struct Function {
    std::size_t length = 0;  ///< Lines, from the first one of its declaration to the last one of its body.
    std::string head;        ///< The first line of its declaration.
};

/// The functions of a source, in the order of their ends. Fails the test where braces do not match.
std::vector<Function> functionsOf(const std::string& text);

}  // namespace pliant::test
