// SPDX-License-Identifier: Zlib
#include "pliant/model/FieldSection.h"

#include <algorithm>
#include <cmath>

#include "ModelFile_generated.h"
#include "pliant/math/Error.h"
#include "pliant/model/SectionReader.h"

namespace pliant {
namespace {

constexpr int kMostBricksAlong = 4096;            // of an axis: 8 x 4096 samples are exact in single precision
constexpr std::int64_t kMostBricks = 1 << 24;     // in all; tables of 64 MB
constexpr std::size_t kSamplesOfFineBrick = 729;  // 9 x 9 x 9

bool possibleBricks(const Eigen::Vector3i& bricks) {
    return (bricks.array() >= 1).all() && (bricks.array() <= kMostBricksAlong).all() &&
           bricks.cast<std::int64_t>().prod() <= kMostBricks;
}

/// Number of corners where the bricks are possible.
Eigen::Index cornersOf(const Eigen::Vector3i& bricks) {
    return (bricks.cast<Eigen::Index>().array() + 1).prod();
}

}  // namespace

SectionBytes encodeField(const DistanceField& field) {
    flatbuffers::FlatBufferBuilder b;
    const auto size = [](auto count) { return static_cast<std::uint32_t>(count); };
    const auto origin = schema::CreateDoubles(b, 3, 1, b.CreateVector(field.origin.data(), 3));
    const auto bricks = schema::CreateIntegers(b, 3, 1, b.CreateVector(field.bricks.data(), 3));
    const auto cornerCount = static_cast<std::size_t>(field.corners.size());
    const auto corners =
        schema::CreateFloats(b, size(cornerCount), 1, b.CreateVector(field.corners.data(), cornerCount));
    const auto numbers =
        schema::CreateIntegers(b, size(field.brickSamples.size()), 1, b.CreateVector(field.brickSamples));
    const auto samples = b.CreateVector(field.samples);
    b.Finish(schema::CreateField(b, origin, field.spacing, bricks, corners, numbers, samples, field.unit,
                                 field.lipschitz, field.offset),
             "PLNT");
    return {"field", {b.GetBufferPointer(), b.GetBufferPointer() + b.GetSize()}};
}

void decodeField(const ModelContainer& container, DistanceField& field) {
    field = {};
    if (!container.has("field")) return;
    const SectionReader<schema::Field> section(container, "field");
    section.read(section->origin(), 3, 1, "the origin", field.origin);
    section.read(section->bricks(), 3, 1, "the number of bricks", field.bricks);
    section.require(possibleBricks(field.bricks), "the number of bricks is out of range");
    section.read(section->corners(), cornersOf(field.bricks), 1, "the corners", field.corners);
    Matrix<int, Eigen::Dynamic, 1> numbers;
    section.read(section->brick_samples(), field.bricks.prod(), 1, "the numbers of the bricks", numbers);
    field.brickSamples.assign(numbers.data(), numbers.data() + numbers.size());
    section.require(section->samples() != nullptr, "the samples are missing");
    field.samples.assign(section->samples()->begin(), section->samples()->end());
    field.spacing = section->spacing();
    field.unit = section->unit();
    field.lipschitz = section->lipschitz();
    field.offset = section->offset();
}

void checkField(const DistanceField& field, const std::string& where) {
    if (field.empty()) return;
    const auto require = [&](bool condition, const char* reason) {
        if (!condition) throw Error(where, std::string("section 'field': ") + reason, "reduce the input again");
    };
    require(possibleBricks(field.bricks), "the number of bricks is out of range");
    require(field.corners.size() == cornersOf(field.bricks), "not one corner distance per corner");
    require(field.brickSamples.size() == static_cast<std::size_t>(field.bricks.prod()), "not one number per brick");
    require(field.samples.size() % kSamplesOfFineBrick == 0, "a brick has a wrong number of samples");
    const auto fine = static_cast<std::int64_t>(field.samples.size() / kSamplesOfFineBrick);
    require(fine <= field.bricks.prod(), "there are more samples than bricks");
    require(std::all_of(field.brickSamples.begin(), field.brickSamples.end(),
                        [fine](int number) { return number >= -1 && number < fine; }),
            "the number of a brick is out of range");
    require(field.origin.allFinite() && field.corners.allFinite(), "a number is not finite");
    // Look-ups divide by the spacing and multiply by the unit, in single precision too.
    require(field.spacing >= 1e-12 && field.spacing <= 1e12, "the spacing is out of range");
    require(field.unit >= 0.0 && field.unit <= 1e12, "the unit is out of range");
    require(field.lipschitz >= 1.0 && std::isfinite(field.lipschitz), "the Lipschitz number is out of range");
    require(field.offset >= 0.0 && std::isfinite(field.offset), "the offset is out of range");
}

}  // namespace pliant
