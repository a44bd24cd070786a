// SPDX-License-Identifier: Zlib
#include "pliant/mesh/formats/Base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace pliant {

namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64Encoded(std::string_view bytes) {
    std::string text;
    text.reserve(4 * ((bytes.size() + 2) / 3));
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        for (std::size_t b = 0; b < 3; ++b)
            group = group << 8 | (b < count ? static_cast<unsigned char>(bytes[i + b]) : 0U);
        for (std::size_t d = 0; d < 4; ++d) text += d <= count ? digits[group >> (18 - 6 * d) & 63U] : '=';
    }
    return text;
}

bool base64Decoded(std::string_view text, std::string& bytes) {
    static const std::array<int, 256> values = [] {
        std::array<int, 256> table{};
        table.fill(-1);
        for (std::size_t d = 0; d < digits.size(); ++d)
            table[static_cast<unsigned char>(digits[d])] = static_cast<int>(d);
        return table;
    }();
    bytes.clear();
    std::uint32_t group = 0;
    int taken = 0, padding = 0;
    for (const char c : text) {
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
        const int value = values[static_cast<unsigned char>(c)];
        if (c == '=' ? taken < 2 : (value < 0 || padding > 0)) return false;
        if (c == '=') ++padding;
        group = group << 6 | static_cast<std::uint32_t>(c == '=' ? 0 : value);
        if (++taken < 4) continue;
        for (int b = 0; b < 3 - padding; ++b) bytes += static_cast<char>(group >> (16 - 8 * b) & 255U);
        group = 0;
        taken = padding = 0;
    }
    return taken == 0;
}

}  // namespace pliant
