// SPDX-License-Identifier: Zlib
#include "pliant/reduce/BodyMass.h"

#include <cmath>
#include <cstdio>

#include "pliant/mesh/Quadrature.h"
#include "pliant/reduce/FourDigits.h"

namespace pliant {
namespace {

constexpr double tolerated = 0.02;

std::string kilograms(double mass) {
    return fourDigits(mass) + " kg";
}

std::string cureOf(const SurfaceClosure& closure, const ReduceOptions& options) {
    if (options.solid.value_or(false))
        return closure.parts > 1 ? "parts of the surface that overlap count once in the body: unite them in the surface"
                                 : "the surface passes through itself: repair it";
    if (options.thickness > 0.0)
        return "walls that lie in each other, where the surface is closer to itself than they are thick, count once: "
               "give a thinner wall, or a closed surface of the wall as it is";
    return "leave --shell out to fill it, or say how thick its wall is with --thickness";
}

/// "the bricks weigh as much as a sheet of 6 mm": what a shell of whole bricks amounts to.
std::string sheetText(double volume, double area) {
    return "as much as a sheet of " + fourDigits(1e3 * volume / area) + " mm over its area of " + fourDigits(area) +
           " m^2";
}

}  // namespace

double massOf(const VolumeMesh& mesh) {
    double mass = 0.0;
    for (int e = 0; e < mesh.elementCount(); ++e)
        mass += mesh.materials[static_cast<std::size_t>(mesh.elementMaterial[static_cast<std::size_t>(e)])].density *
                elementVolume(mesh, e);
    return mass;
}

BodyMass bodyMass(const VolumeMesh& mesh, const SurfaceClosure& closure, const ReduceOptions& options) {
    double volume = 0.0;
    for (int e = 0; e < mesh.elementCount(); ++e) volume += elementVolume(mesh, e);
    BodyMass result;
    result.body = massOf(mesh);
    const double density = result.body / volume;
    const std::string bricks = std::to_string(mesh.elementCount()) + " bricks";
    const std::string kind =
        closure.closed() ? "The surface is closed" : "The surface is open (" + openEdgesText(closure) + ")";
    if (options.solid.value_or(false)) {
        result.surface = closure.volume * density;
        result.filling = kind + " and filled with " + bricks +
                         " (--shell leaves it hollow): " + kilograms(result.body) + "; its volume times density is " +
                         kilograms(result.surface) + ".";
    } else if (options.thickness > 0.0) {
        result.surface = closure.area * options.thickness * density;
        result.filling = kind + "; a shell of " + bricks + " and " + fourDigits(1e3 * options.thickness) +
                         " mm: " + kilograms(result.body) + "; its area times thickness times density is " +
                         kilograms(result.surface) + ".";
    } else {
        result.filling = kind + "; a shell of " + bricks + " that count whole: " + kilograms(result.body) + ", " +
                         sheetText(volume, closure.area) + " (--thickness says how thick it is).";
        if (closure.closed()) {
            result.surface = closure.volume * density;
            result.filling += " Its volume times density is " + kilograms(result.surface) + ".";
        }
    }
    const double off = result.surface > 0.0 ? result.body / result.surface - 1.0 : 0.0;
    if (std::abs(off) > tolerated)
        result.warning = "the body weighs " + kilograms(result.body) + ", the surface says " +
                         kilograms(result.surface) + " (" + (off > 0.0 ? "+" : "") + fourDigits(100.0 * off) +
                         " %): " + cureOf(closure, options);
    else if (options.thickness > 0.0 && closure.closed() && closure.area * options.thickness > 1.99 * closure.volume)
        result.warning = "the walls of the closed surface leave no room inside: they weigh " + kilograms(result.body) +
                         " on both sides of it, and what it encloses " + kilograms(closure.volume * density) +
                         ": leave --thickness and --shell out to fill it";
    return result;
}

}  // namespace pliant
