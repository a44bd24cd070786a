// SPDX-License-Identifier: Zlib
#pragma once

namespace pliant::program {

/// From now on Ctrl-C (or a termination signal) only raises a flag, so that work can stop tidily. Signals within a
/// second of the first say the same thing: shells and wrappers such as timeout send it to the program and again to its
/// whole group. A later one ends the program at once; files then are as they were or whole, but for temporary ones.
void watchForInterrupt();
bool interrupted();

}  // namespace pliant::program
