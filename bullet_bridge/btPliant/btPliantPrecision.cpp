// SPDX-License-Identifier: Zlib
#include "btPliant/btPliantPrecision.h"

#include <string>

#include "pliant/math/Error.h"

void btPliantCheckScalarSize(unsigned int bytes) {
    if (bytes == sizeof(btScalar)) return;
    const bool callerIsDouble = bytes == sizeof(double);
    throw pliant::Error("btPliantSystem",
                        std::string("the program was compiled for Bullet in ") +
                            (callerIsDouble ? "double" : "single") +
                            " precision, but this Pliant library for Bullet in " +
                            (callerIsDouble ? "single" : "double") + " precision",
                        std::string("link Pliant::") + (callerIsDouble ? "bullet64" : "bullet") + " in its place");
}
