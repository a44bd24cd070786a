// SPDX-License-Identifier: Zlib
#include "OpenedModel.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

namespace pliant::fuzz {
namespace {

// docs/model-file.md: a header of 64 bytes, 64 bytes of table for each section, sections at multiples of 64.
constexpr std::size_t kBlock = 64, kNameBytes = 32, kChecksumAt = 56;
constexpr std::array<std::uint8_t, 8> kMagic{0x89, 'P', 'L', 'I', 'A', 'N', 'T', '\n'};

template <typename Number>
Number get(const std::uint8_t* from) {
    Number value{};
    std::memcpy(&value, from, sizeof value);
    return value;
}

template <typename Number>
void put(std::vector<std::uint8_t>& bytes, std::size_t at, Number value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

std::size_t upTo(std::size_t offset) {
    return (offset + kBlock - 1) / kBlock * kBlock;
}

std::size_t below(std::mt19937& engine, std::size_t count) {
    return count == 0 ? 0 : engine() % count;
}

/// The place of one of the doubles that are ordinary numbers; size() where there is none near.
std::size_t findDouble(const std::vector<std::uint8_t>& bytes, std::mt19937& engine) {
    for (int i = 0; i < 50 && bytes.size() >= 8; ++i) {
        const std::size_t at = below(engine, bytes.size() / 8) * 8;
        if (at + 8 > bytes.size()) continue;
        const double value = std::abs(get<double>(bytes.data() + at));
        if (value > 1e-9 && value < 1e9) return at;
    }
    return bytes.size();
}

void nudge(std::vector<std::uint8_t>& bytes, std::mt19937& engine) {
    const std::size_t at = findDouble(bytes, engine);
    if (at == bytes.size()) return;
    const double share = std::ldexp(1.0, -static_cast<int>(2 + below(engine, 50)));
    put(bytes, at, get<double>(bytes.data() + at) * (engine() % 2 ? 1.0 + share : 1.0 - share));
}

void replaceWord(std::vector<std::uint8_t>& bytes, std::mt19937& engine) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    static const std::array<double, 9> doubles{0.0, -1.0, 1e300, -1e300, 1e30, 1e-300, inf, std::nan(""), 1e12};
    static const std::array<std::uint32_t, 6> words{0, 1, 0xffffffffU, 0x7fffffffU, 0x80000000U, 0x10000U};
    if (bytes.size() < 8) return;
    if (engine() % 2)
        put(bytes, below(engine, bytes.size() / 8) * 8, doubles[below(engine, doubles.size())]);
    else
        put(bytes, below(engine, bytes.size() / 4) * 4, words[below(engine, words.size())]);
}

void scaleAll(std::vector<std::uint8_t>& bytes, std::mt19937& engine) {
    const double factor = std::exp2(static_cast<double>(below(engine, 41)) - 20.0);
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
        const double value = std::abs(get<double>(bytes.data() + at));
        if (value > 1e-9 && value < 1e9) put(bytes, at, get<double>(bytes.data() + at) * factor);
    }
}

}  // namespace

std::optional<OpenedModel> openModel(const std::uint8_t* data, std::size_t size) {
    if (size < kBlock || !std::equal(kMagic.begin(), kMagic.end(), data)) return {};
    OpenedModel model;
    model.version = get<std::uint32_t>(data + 12);
    const auto count = get<std::uint32_t>(data + 24);
    if (count > (size - kBlock) / kBlock) return {};
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint8_t* entry = data + kBlock * (i + 1);
        const auto offset = get<std::uint64_t>(entry + kNameBytes), bytes = get<std::uint64_t>(entry + kNameBytes + 8);
        if (offset > size || bytes > size - offset) return {};
        const auto* name = reinterpret_cast<const char*>(entry);
        model.sections.push_back(
            {std::string(name, std::find(name, name + kNameBytes - 1, '\0')), {data + offset, data + offset + bytes}});
    }
    return model;
}

std::vector<std::uint8_t> sealModel(const OpenedModel& model) {
    const std::size_t count = model.sections.size();
    std::vector<std::uint8_t> file(kBlock * (count + 1));
    for (std::size_t i = 0; i < count; ++i) {
        const SectionBytes& section = model.sections[i];
        const std::size_t entry = kBlock * (i + 1);
        std::copy_n(section.name.begin(), std::min(section.name.size(), kNameBytes - 1),
                    file.begin() + static_cast<std::ptrdiff_t>(entry));
        file.resize(upTo(file.size()));
        put<std::uint64_t>(file, entry + kNameBytes, file.size());
        put<std::uint64_t>(file, entry + kNameBytes + 8, section.bytes.size());
        put<std::uint64_t>(file, entry + kNameBytes + 16, XXH3_64bits(section.bytes.data(), section.bytes.size()));
        file.insert(file.end(), section.bytes.begin(), section.bytes.end());
    }
    std::copy(kMagic.begin(), kMagic.end(), file.begin());
    put<std::uint32_t>(file, 8, 0x01020304);
    put<std::uint32_t>(file, 12, model.version);
    put<std::uint64_t>(file, 16, file.size());
    put<std::uint32_t>(file, 24, static_cast<std::uint32_t>(count));
    std::vector<std::uint8_t> summed(file.begin(), file.begin() + kChecksumAt);
    summed.insert(summed.end(), file.begin() + kBlock,
                  file.begin() + static_cast<std::ptrdiff_t>(kBlock * (count + 1)));
    put<std::uint64_t>(file, kChecksumAt, XXH3_64bits(summed.data(), summed.size()));
    return file;
}

void editModel(OpenedModel& model, std::mt19937& engine) {
    if (model.sections.empty()) return;
    const std::size_t chosen = below(engine, model.sections.size());
    std::vector<std::uint8_t>& bytes = model.sections[chosen].bytes;
    const std::size_t kind = below(engine, 20);
    if (kind < 15) return nudge(bytes, engine);
    if (kind < 17) return replaceWord(bytes, engine);
    if (kind < 18) return scaleAll(bytes, engine);
    if (kind < 19 && !bytes.empty()) {
        bytes[below(engine, bytes.size())] = static_cast<std::uint8_t>(engine());
        return;
    }
    if (engine() % 2)
        model.sections.erase(model.sections.begin() + static_cast<std::ptrdiff_t>(chosen));
    else
        std::swap(model.sections[chosen], model.sections[below(engine, model.sections.size())]);
}

}  // namespace pliant::fuzz
