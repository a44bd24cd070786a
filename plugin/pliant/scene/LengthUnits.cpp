// SPDX-License-Identifier: Zlib
// Lengths of a file that are not written in metres.
#include <array>
#include <cmath>
#include <cstdio>

#include "pliant/scene/SceneParts.h"

namespace pliant::scene {

CheckedYaml inOwnUnits(const CheckedYaml& file) {
    const auto block = file.find("units");
    if (!block) return file;
    block->expectBlock("units");
    const auto length = block->find("length");
    constexpr std::array<double, 7> metres = {1.0,  1e-2,   1e-3,  1e3,
                                              1e-6, 0.0254, 0.3048};  // of the words in their order
    return length ? file.inUnit(metres[static_cast<std::size_t>(length->word())]) : file;
}

CheckedYaml CheckedYaml::inUnit(double metres) const {
    CheckedYaml result = *this;
    result.m_metres = metres;
    return result;
}

CheckedYaml CheckedYaml::asLength(int power) const {
    static const KeyRow length = {"", "number", {}, false, 0.0, 0.0, "m", "", ""};
    CheckedYaml result = *this;
    result.m_row = &length;
    result.m_lengthPower = power;
    return result;
}

double CheckedYaml::toSi() const {
    if (m_metres == 1.0 || !m_row) return 1.0;
    const std::string& unit = m_row->unit;
    if (unit == "m" || unit == "m/s" || unit == "m/s^2") return std::pow(m_metres, m_lengthPower);
    return unit == "1/m" ? 1.0 / m_metres : 1.0;
}

std::string CheckedYaml::inSi(const std::string& expression) const {
    const double factor = toSi();
    if (factor == 1.0) return expression;
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), "%.17g", factor);
    return "(" + expression + ")*" + number.data();
}

}  // namespace pliant::scene
