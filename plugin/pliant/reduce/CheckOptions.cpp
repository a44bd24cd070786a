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

void requireCount(int value, int least, int most, const char* name) {
    if (value < least || value > most)
        throw Error("", std::string(name) + " is " + std::to_string(value),
                    "ask for " + std::to_string(least) + " to " + std::to_string(most));
}

void checkCounts(const ReduceOptions& o) {
    const bool modesNeeded = o.sketch.empty() && !o.snapshots;
    if (o.modes < (modesNeeded ? 1 : 0))
        throw Error("", "the number of modes is " + std::to_string(o.modes),
                    "ask for at least one (--modes), or give a sketch or snapshots");
    requireCount(o.dimension, 1, maxDimension, "the dimension");
    const long long shapes = o.shapesOfModes();
    if (o.dimension > shapes && !o.hasOtherShapes() && o.energyTolerance == 0.0)
        throw Error("",
                    "dimension " + std::to_string(o.dimension) + " is more than " + std::to_string(o.modes) +
                        (o.derivatives == DerivativeForm::None ? " modes" : " modes and their derivatives") +
                        " span (" + std::to_string(shapes) + ")",
                    "ask for more modes or a smaller dimension");
}

void checkBasis(const ReduceOptions& o) {
    if (!(o.energyTolerance >= 0.0 && o.energyTolerance < 1.0))
        throw Error("", "the tolerance on the discarded energy is " + std::to_string(o.energyTolerance),
                    "give a share between 0 and 1, such as 1e-6");
    if (o.energyTolerance > 0.0 && o.orthogonalisation == Orthogonalisation::GramSchmidt)
        throw Error("", "Gram-Schmidt knows no energies, so a tolerance cannot choose the dimension",
                    "use mass-PCA or give the dimension");
    const VisibilityRule& rule = o.visibility;
    for (const double number : {rule.largestForce, rule.smallestMotion, rule.highestFrequency})
        if (!(std::isfinite(number) && number >= 0.0))
            throw Error("", "a number of the visibility rule is " + std::to_string(number), "give positive numbers");
    if ((rule.largestForce > 0.0) != (rule.smallestMotion > 0.0))
        throw Error("", "the visibility rule has only one of largest force and smallest motion", "give both");
    const bool shifted = o.derivatives == DerivativeForm::Shifted || o.derivatives == DerivativeForm::ShiftedMinres;
    if (shifted && o.holdsVertices())
        throw Error("", "the shifted form of modal derivatives is for free bodies", "use the static form");
}

void checkRecordings(const ReduceOptions& o) {
    if (!(o.sketchOptions.separation >= 0.0 && o.sketchOptions.separation < 1.0))
        throw Error("", "the separation of the sketch is " + std::to_string(o.sketchOptions.separation),
                    "give a share between 0 and 1");
    requireCount(o.sketchOptions.loadSteps, 1, 1000, "the number of load steps");
    if (!o.snapshots) return;
    requirePositive(o.snapshots->duration, "the simulated time", "s");
    requirePositive(o.snapshots->timeStep, "the time step", "s");
    requireCount(o.snapshots->count, 1, 10000, "the number of snapshots");
    if (o.snapshots->massDamping < 0.0 || o.snapshots->stiffnessDamping < 0.0)
        throw Error("", "the damping of the snapshots is negative", "give 0 or more");
}

}  // namespace

void checkOptions(const ReduceOptions& options) {
    checkCounts(options);
    checkBasis(options);
    checkRecordings(options);
    for (const BodyRegion& region : options.hold) region.check();
    for (const MaterialRegion& region : options.regions) region.check();
    if (options.voxels < 0 || options.voxels > 512)
        throw Error("", "the number of voxels is " + std::to_string(options.voxels), "ask for 0 (chosen) to 512");
    if (!(options.creaseAngle >= 0.0 && options.creaseAngle <= 180.0))
        throw Error("", "the crease angle is " + std::to_string(options.creaseAngle) + " degrees",
                    "give 0 (flat) to 180 (smooth everywhere)");
    if (!(options.refine >= 0.0 && options.refine < 1.0))
        throw Error("", "the share at which triangles are refined is " + std::to_string(options.refine),
                    "give 0 (triangles stay as they are) or a share below 1, such as 0.03");
    if (options.threads < 0)
        throw Error("", "the number of threads is " + std::to_string(options.threads), "ask for 0 (all) or more");
    if (!(std::isfinite(options.thickness) && options.thickness >= 0.0))
        throw Error("", "the thickness is " + std::to_string(options.thickness) + " m", "give a positive number");
    if (!(options.offset >= 0.0 && options.offset <= 0.25))
        throw Error("", "the offset is " + std::to_string(options.offset) + " of the surface's longest side",
                    "give 0 (the surface itself) to 0.25");
    if (options.solid.value_or(false) && options.thickness > 0.0)
        throw Error("", "a filled body has no thickness", "leave --thickness or --solid out");
    requirePositive(options.metresPerUnit, "the unit of length", "m");
    requirePositive(options.youngsModulus, "Young's modulus", "Pa");
    requirePositive(options.density, "the density", "kg/m^3");
    if (options.poissonRatio && !(*options.poissonRatio > -1.0 && *options.poissonRatio < 0.5))
        throw Error("", "Poisson's ratio is " + std::to_string(*options.poissonRatio),
                    "give a number between -1 and 0.5, both excluded (0.5 would be incompressible)");
}

}  // namespace pliant
