// SPDX-License-Identifier: Zlib
/// @file
/// Single or double precision.
///
/// Bullet is compiled either with float or with double scalars, and mangled names do not tell the two apart. Pliant is
/// therefore built twice, and this header refuses a mixture: at compile time where the CMake targets were used, and in
/// the constructor of btPliantSystem in every other case.
#pragma once

#include <LinearMath/btScalar.h>

#include "pliant/math/Api.h"

#if defined(PLIANT_BULLET_DOUBLE) && !defined(BT_USE_DOUBLE_PRECISION)
#error \
    "Pliant::bullet64 needs the double precision Bullet: define BT_USE_DOUBLE_PRECISION (pkg-config bullet-float64), or link Pliant::bullet."
#endif
#if defined(PLIANT_BULLET_SINGLE) && defined(BT_USE_DOUBLE_PRECISION)
#error \
    "Pliant::bullet needs the single precision Bullet: do not define BT_USE_DOUBLE_PRECISION (pkg-config bullet), or link Pliant::bullet64."
#endif
#if defined(PLIANT_BULLET_SINGLE) && defined(PLIANT_BULLET_DOUBLE)
#error "Link either Pliant::bullet (single precision) or Pliant::bullet64 (double precision), not both."
#endif

/// Refuses a caller that was compiled against a Bullet of another precision.
/// @param bytes the caller's sizeof(btScalar)
/// @throws pliant::Error when it differs from that of this library
PLIANT_API void btPliantCheckScalarSize(unsigned int bytes);
