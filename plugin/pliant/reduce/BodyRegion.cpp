// SPDX-License-Identifier: Zlib
#include "pliant/reduce/BodyRegion.h"

#include <cmath>

#include "pliant/math/Error.h"
#include "pliant/mesh/TextFile.h"

namespace pliant {
namespace {

struct KindWord {
    RegionKind kind;
    const char* word;
    int numbers;
    const char* form;
};

constexpr std::array<KindWord, 5> kindWords{{{RegionKind::Box, "box", 6, "x0,y0,z0,x1,y1,z1"},
                                             {RegionKind::Sphere, "sphere", 4, "x,y,z,radius"},
                                             {RegionKind::HalfSpace, "halfspace", 4, "nx,ny,nz,d"},
                                             {RegionKind::Material, "material", 0, "NAME"},
                                             {RegionKind::Group, "group", 0, "NAME"}}};

const KindWord& wordOf(RegionKind kind) {
    return kindWords[static_cast<std::size_t>(kind)];
}

const KindWord& wordOf(const std::string& text, const std::string& word) {
    for (const KindWord& known : kindWords)
        if (word == known.word) return known;
    throw Error("region \"" + text + "\"", "it says neither where nor what it is",
                "write box=x0,y0,z0,x1,y1,z1, sphere=x,y,z,radius, halfspace=nx,ny,nz,d, material=NAME or group=NAME");
}

double numberIn(const std::string& region, std::string_view word) {
    double value = 0.0;
    if (!parseNumber(word, value))
        throw Error("region \"" + region + "\"", "\"" + std::string(word) + "\" is not a number");
    return value;
}

void appendConstant(std::string& text, const char* name, const std::optional<double>& value) {
    if (value) text += (text.back() == ':' ? "" : ",") + std::string(name) + "=" + numberText(*value);
}

/// "young=2e5", a constant of a material.
void readConstant(MaterialRegion& region, const std::string& text, std::string_view word) {
    const std::size_t equals = word.find('=');
    const std::string_view key = word.substr(0, equals);
    std::optional<double>* constant = key == "young"     ? &region.youngsModulus
                                      : key == "poisson" ? &region.poissonRatio
                                      : key == "density" ? &region.density
                                                         : nullptr;
    if (!constant || equals == std::string_view::npos)
        throw Error("region \"" + text + "\"", "\"" + std::string(word) + "\" is no constant of a material",
                    "write young=..., poisson=... or density=..., separated by commas");
    *constant = numberIn(text, word.substr(equals + 1));
}

}  // namespace

int numberCount(RegionKind kind) {
    return wordOf(kind).numbers;
}

std::string BodyRegion::text() const {
    const KindWord& word = wordOf(kind);
    std::string text = std::string(word.word) + "=";
    if (word.numbers == 0) return text + name;
    for (int i = 0; i < word.numbers; ++i)
        text += (i > 0 ? "," : "") + numberText(numbers[static_cast<std::size_t>(i)]);
    return text;
}

BodyRegion BodyRegion::parse(const std::string& text) {
    const std::size_t equals = text.find('=');
    const KindWord& word = wordOf(text, text.substr(0, equals));
    BodyRegion region;
    region.kind = word.kind;
    const std::string rest = equals == std::string::npos ? "" : text.substr(equals + 1);
    if (word.numbers == 0) {
        region.name = rest;
    } else {
        const std::vector<std::string_view> words = splitWords(rest, ",");
        if (words.size() != static_cast<std::size_t>(word.numbers))
            throw Error("region \"" + text + "\"",
                        "a " + std::string(word.word) + " needs " + std::to_string(word.numbers) + " numbers, it has " +
                            std::to_string(words.size()),
                        "write " + std::string(word.word) + "=" + word.form);
        for (std::size_t i = 0; i < words.size(); ++i) region.numbers[i] = numberIn(text, words[i]);
    }
    region.check();
    return region;
}

void BodyRegion::check() const {
    const std::string where = "region \"" + text() + "\"";
    if (numberCount(kind) == 0 && name.empty())
        throw Error(where, "the name is missing", "write " + std::string(wordOf(kind).word) + "=NAME");
    for (const double number : numbers)
        if (!std::isfinite(number)) throw Error(where, "a number is NaN or infinite");
    if (kind == RegionKind::Box)
        for (std::size_t k = 0; k < 3; ++k)
            if (numbers[k] > numbers[k + 3])
                throw Error(where, "the first corner is above the second", "write the lower corner first");
    if (kind == RegionKind::Sphere && !(numbers[3] > 0.0)) throw Error(where, "the radius must be above zero");
    if (kind == RegionKind::HalfSpace && !(Vector3(numbers[0], numbers[1], numbers[2]).norm() > 0.0))
        throw Error(where, "the normal has no length", "write the direction that leads out of the half space");
}

bool BodyRegion::holds(const Vector3& x, double slack) const {
    const Vector3 first(numbers[0], numbers[1], numbers[2]), second(numbers[3], numbers[4], numbers[5]);
    switch (kind) {
        case RegionKind::Box:
            return ((x - first).array() >= -slack).all() && ((second - x).array() >= -slack).all();
        case RegionKind::Sphere:
            return (x - first).norm() <= numbers[3] + slack;
        case RegionKind::HalfSpace:
            return first.dot(x) - numbers[3] <= slack * first.norm();
        case RegionKind::Material:
        case RegionKind::Group:
            break;
    }
    return false;
}

std::string MaterialRegion::text() const {
    std::string text = name + ":";
    appendConstant(text, "young", youngsModulus);
    appendConstant(text, "poisson", poissonRatio);
    appendConstant(text, "density", density);
    return text + ":" + where.text();
}

MaterialRegion MaterialRegion::parse(const std::string& text) {
    const std::size_t first = text.find(':');
    const std::size_t second = first == std::string::npos ? first : text.find(':', first + 1);
    if (second == std::string::npos)
        throw Error("region \"" + text + "\"", "it is not NAME:CONSTANTS:WHERE",
                    "write for example steel:young=2e11,density=7800:box=0,0,0,1,1,0.1");
    MaterialRegion region;
    region.name = text.substr(0, first);
    const std::string constants = text.substr(first + 1, second - first - 1);
    for (const std::string_view word : splitWords(constants, ",")) readConstant(region, text, word);
    region.where = BodyRegion::parse(text.substr(second + 1));
    region.check();
    return region;
}

void MaterialRegion::check() const {
    const std::string label = "region \"" + text() + "\"";
    if (name.empty()) throw Error(label, "the material has no name", "write NAME:CONSTANTS:WHERE");
    if (!youngsModulus && !poissonRatio && !density)
        throw Error(label, "no constant differs from the body's", "give it young, poisson or density");
    const auto positive = [](const std::optional<double>& value) {
        return !value || (std::isfinite(*value) && *value > 0.0);
    };
    if (!positive(youngsModulus)) throw Error(label, "Young's modulus must be above zero");
    if (!positive(density)) throw Error(label, "the density must be above zero");
    if (poissonRatio && !(*poissonRatio > -1.0 && *poissonRatio < 0.5))
        throw Error(label, "Poisson's ratio must lie between -1 and 0.5, both excluded");
    where.check();
}

}  // namespace pliant
