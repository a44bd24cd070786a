// SPDX-License-Identifier: Zlib
#pragma once

namespace pliant::program {

/// From now on the first Ctrl-C (or termination signal) only raises a flag, so that work can stop tidily; the second
/// one ends the program at once.
void watchForInterrupt();
bool interrupted();

}  // namespace pliant::program
