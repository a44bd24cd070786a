// SPDX-License-Identifier: Zlib
#include "pliant/mesh/MeshSize.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "pliant/math/Error.h"
#include "pliant/mesh/TextFile.h"

namespace pliant {

BoundingBox boundingBox(const Points& positions) {
    return {positions.rowwise().minCoeff(), positions.rowwise().maxCoeff()};
}

std::string sizeWarning(const Points& positions, const std::string& where) {
    constexpr double largest = 20.0, smallest = 1e-3, millimetre = 1e-3;
    const BoundingBox box = boundingBox(positions);
    const double side = box.longestSide();
    if (side <= largest && side >= smallest) return {};
    const Vector3 size = box.upper - box.lower;
    const auto shortText = [](double metres) {
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), "%.4g", metres);
        return std::string(text.data());
    };
    return where + ": the body measures " + shortText(size[0]) + " x " + shortText(size[1]) + " x " +
           shortText(size[2]) + " m, " + (side > largest ? "more than 20 m" : "less than 1 mm") +
           (side > largest && millimetre * side < largest
                ? "; if its numbers are millimetres, say so with --units mm (or cm, in, ...)"
                : "; if its numbers are no metres, say so with --units (mm, cm, in, ...)");
}

double metresPerUnit(const std::string& unit) {
    static const std::array<std::pair<const char*, double>, 7> known{
        {{"m", 1.0}, {"cm", 0.01}, {"mm", 0.001}, {"km", 1000.0}, {"um", 1e-6}, {"in", 0.0254}, {"ft", 0.3048}}};
    for (const auto& [name, metres] : known)
        if (unit == name) return metres;
    double value = 0.0;
    if (parseNumber(unit, value) && std::isfinite(value) && value > 0.0) return value;
    throw Error("units", "\"" + unit + "\" is no unit of length",
                "known are m, cm, mm, km, um, in, ft, or a number of metres such as 0.001");
}

}  // namespace pliant
