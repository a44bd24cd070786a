// SPDX-License-Identifier: Zlib
#define PLIANT_SIDE wide
#include "AlignmentPair.inl"
