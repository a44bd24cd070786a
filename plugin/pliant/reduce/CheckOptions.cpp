// SPDX-License-Identifier: Zlib
#include "pliant/reduce/CheckOptions.h"

#include <cmath>

#include "pliant/math/Error.h"

namespace pliant {
namespace {

constexpr int maxDimension = 200;  // a quartic polynomial in 200 coordinates has 70 million coefficients

void requirePositive(const std::optional<double>& value, const char* name, const char* unit) {
    if (value && !(std::isfinite(*value) && *value > 0.0))
        throw Error("", std::string(name) + " is " + std::to_string(*value) + " " + unit, "give a positive number");
}

}  // namespace

void checkOptions(const ReduceOptions& options) {
    if (options.modes < 1)
        throw Error("", "the number of modes is " + std::to_string(options.modes), "ask for at least one");
    if (options.dimension < 1 || options.dimension > maxDimension)
        throw Error("", "the dimension is " + std::to_string(options.dimension),
                    "ask for 1 to " + std::to_string(maxDimension));
    const long long shapes = options.modes + options.modes * (options.modes + 1LL) / 2;
    if (options.dimension > shapes)
        throw Error("",
                    "dimension " + std::to_string(options.dimension) + " is more than " +
                        std::to_string(options.modes) + " modes and their derivatives span (" + std::to_string(shapes) +
                        ")",
                    "ask for more modes or a smaller dimension");
    if (options.voxels < 0 || options.voxels > 512)
        throw Error("", "the number of voxels is " + std::to_string(options.voxels), "ask for 0 (chosen) to 512");
    if (options.threads < 0)
        throw Error("", "the number of threads is " + std::to_string(options.threads), "ask for 0 (all) or more");
    requirePositive(options.youngsModulus, "Young's modulus", "Pa");
    requirePositive(options.density, "the density", "kg/m^3");
    if (options.poissonRatio && !(*options.poissonRatio > -1.0 && *options.poissonRatio < 0.5))
        throw Error("", "Poisson's ratio is " + std::to_string(*options.poissonRatio),
                    "give a number between -1 and 0.5, both excluded (0.5 would be incompressible)");
}

}  // namespace pliant
