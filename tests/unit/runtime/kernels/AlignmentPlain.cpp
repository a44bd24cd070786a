// SPDX-License-Identifier: Zlib
#define PLIANT_SIDE plain
#include "AlignmentPair.inl"
