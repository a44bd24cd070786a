// SPDX-License-Identifier: Zlib
#pragma once

#include "pliant/math/Error.h"

namespace pliant::program {

/// Thrown where an interrupted run has kept what it had made; the text says what.
class KeptSoFar : public Cancelled {
public:
    explicit KeptSoFar(const std::string& text) : Cancelled(Whole{}, text) {}
};

/// From now on Ctrl-C (or a termination signal) only raises a flag, so that work can stop tidily. Signals within a
/// second of the first say the same thing: shells and wrappers such as timeout send it to the program and again to its
/// whole group. A later one ends the program at once; files then are as they were or whole, but for temporary ones.
/// The first one, too, ends it where nobody asks interrupted() within five seconds, while a large file is read for
/// instance.
void watchForInterrupt();
/// @param patience s, in place of five
void watchForInterrupt(unsigned patience);
bool interrupted();

}  // namespace pliant::program
