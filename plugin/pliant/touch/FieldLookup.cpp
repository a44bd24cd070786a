// SPDX-License-Identifier: Zlib
#include "pliant/touch/FieldLookup.h"

#include <cmath>
#include <cstring>

#include "pliant/math/Lanes.h"

namespace pliant {
namespace {

constexpr int kBrickCells = 8;                      // along an edge of a brick
constexpr int kBrickSamples = kBrickCells + 1;      // both ends
constexpr std::size_t kSamplesOfBrick = 9 * 9 * 9;  // kBrickSamples cubed

using Four = Lanes<float, 4>::Vector;
typedef std::int32_t FourPairs __attribute__((vector_size(16)));

/// The eight samples around a point and the point's place between them. Lane y + 2 z: the corners (., y, z).
struct Cell {
    Four low, high;  ///< at x = 0 and x = 1
    float place[3];  ///< 0..1
    double width;    ///< m
};

/// A point as the grid sees it.
struct GridPoint {
    double place[3];       ///< in samples from the origin, kept inside the box
    double beyond[3];      ///< what was cut off, m
    double outside2 = 0.;  ///< squared length of it
};

PLIANT_INLINE GridPoint gridPoint(const DistanceField& field, const Vector3& x) {
    GridPoint p;
    const double perMetre = 1.0 / field.spacing;
    for (int k = 0; k < 3; ++k) {
        const double at = (x[k] - field.origin[k]) * perMetre, end = kBrickCells * field.bricks[k];
        p.place[k] = at > 0.0 ? (at < end ? at : end) : 0.0;  // what is no number lands at 0
        p.beyond[k] = (at - p.place[k]) * field.spacing;
        p.outside2 += p.beyond[k] * p.beyond[k];
    }
    return p;
}

PLIANT_INLINE std::int32_t pairAt(const std::int16_t* first) {
    std::int32_t pair;
    std::memcpy(&pair, first, sizeof pair);
    return pair;
}

/// Neighbours in x come in one load.
PLIANT_INLINE void gatherFine(const std::int16_t* first, std::size_t row, std::size_t layer, float unit, Cell& c) {
    const FourPairs both = {pairAt(first), pairAt(first + row), pairAt(first + layer), pairAt(first + layer + row)};
    const Four first16 = __builtin_convertvector((both << 16) >> 16, Four) * unit;  // shifts keep the sign
    const Four last16 = __builtin_convertvector(both >> 16, Four) * unit;
    const bool littleEndian = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    c.low = littleEndian ? first16 : last16;
    c.high = littleEndian ? last16 : first16;
}

PLIANT_INLINE void gatherCoarse(const float* first, std::size_t row, std::size_t layer, Cell& c) {
    c.low = Four{first[0], first[row], first[layer], first[layer + row]};
    c.high = Four{first[1], first[row + 1], first[layer + 1], first[layer + row + 1]};
}

/// Where the samples around a point are kept.
struct CellPlace {
    std::size_t brick[3], cell[3];
    float inCell[3];  ///< 0..1
    int number;       ///< of the brick's fine samples, -1: it has none
};

PLIANT_INLINE CellPlace cellPlace(const DistanceField& field, const double (&place)[3]) {
    CellPlace at;
    for (int k = 0; k < 3; ++k) {
        int i = static_cast<int>(place[k]);
        i -= i == kBrickCells * field.bricks[k];  // the upper face of the box belongs to its last cell
        at.brick[k] = static_cast<unsigned>(i) / kBrickCells;
        at.cell[k] = static_cast<unsigned>(i) % kBrickCells;
        at.inCell[k] = static_cast<float>(place[k] - i);
    }
    const auto bx = static_cast<std::size_t>(field.bricks.x()), by = static_cast<std::size_t>(field.bricks.y());
    at.number = field.brickSamples[at.brick[0] + bx * (at.brick[1] + by * at.brick[2])];
    return at;
}

constexpr std::size_t kFineRow = kBrickSamples, kFineLayer = kFineRow * kFineRow;

PLIANT_INLINE const std::int16_t* fineSamples(const DistanceField& field, const CellPlace& at) {
    return field.samples.data() + kSamplesOfBrick * static_cast<std::size_t>(at.number) + at.cell[0] +
           kFineRow * at.cell[1] + kFineLayer * at.cell[2];
}

PLIANT_INLINE Cell cellAt(const DistanceField& field, const double (&place)[3]) {
    const CellPlace at = cellPlace(field, place);
    Cell c;
    if (at.number < 0) {
        const auto bx = static_cast<std::size_t>(field.bricks.x()), by = static_cast<std::size_t>(field.bricks.y());
        const std::size_t row = bx + 1, layer = row * (by + 1);
        gatherCoarse(field.corners.data() + (at.brick[0] + row * at.brick[1] + layer * at.brick[2]), row, layer, c);
        for (int k = 0; k < 3; ++k) c.place[k] = (static_cast<float>(at.cell[k]) + at.inCell[k]) / kBrickCells;
        c.width = kBrickCells * field.spacing;
    } else {
        gatherFine(fineSamples(field, at), kFineRow, kFineLayer, static_cast<float>(field.unit), c);
        for (int k = 0; k < 3; ++k) c.place[k] = at.inCell[k];
        c.width = field.spacing;
    }
    return c;
}

PLIANT_INLINE float between(float a, float b, float place) {
    return a + place * (b - a);
}

/// Bilinear between four corners of a face, the first direction in neighbouring lanes.
PLIANT_INLINE float between(const Four& v, float first, float second) {
    return between(between(v[0], v[1], first), between(v[2], v[3], first), second);
}

PLIANT_INLINE double valueIn(const Cell& c) {
    const Four alongX = c.low + c.place[0] * (c.high - c.low);
    return between(alongX, c.place[1], c.place[2]);
}

PLIANT_INLINE Vector3 gradientIn(const Cell& c) {
    const Four alongX = c.low + c.place[0] * (c.high - c.low);
    const float x = between(c.high - c.low, c.place[1], c.place[2]);
    const float y = between(alongX[1] - alongX[0], alongX[3] - alongX[2], c.place[2]);
    const float z = between(alongX[2] - alongX[0], alongX[3] - alongX[1], c.place[1]);
    return Vector3(x, y, z) / c.width;
}

}  // namespace

double fieldDistance(const DistanceField& field, const Vector3& x) {
    const GridPoint p = gridPoint(field, x);
    const double inside = valueIn(cellAt(field, p.place));
    if (p.outside2 == 0.0) return inside;
    // A field whose box cuts the body is continued steadily all the same.
    return inside > 0.0 ? std::sqrt(inside * inside + p.outside2) : inside + std::sqrt(p.outside2);
}

double fieldDistance(const DistanceField& field, const Vector3& x, Vector3& gradient) {
    const GridPoint p = gridPoint(field, x);
    const Cell cell = cellAt(field, p.place);
    const double inside = valueIn(cell);
    gradient = gradientIn(cell);
    if (p.outside2 == 0.0) return inside;
    const double away = std::sqrt(p.outside2);
    const double distance = inside > 0.0 ? std::sqrt(inside * inside + p.outside2) : inside + away;
    const double ofField = inside > 0.0 ? inside / distance : 1.0;
    const double ofBox = inside > 0.0 ? 1.0 / distance : 1.0 / away;
    // The nearest point of the box stays where it is when x moves along a direction that was cut off.
    for (int k = 0; k < 3; ++k) gradient[k] = p.beyond[k] == 0.0 ? ofField * gradient[k] : ofBox * p.beyond[k];
    return distance;
}

void prefetchField(const DistanceField& field, const Vector3& x) {
    const CellPlace at = cellPlace(field, gridPoint(field, x).place);
    if (at.number < 0) return;
    const std::int16_t* first = fineSamples(field, at);
    __builtin_prefetch(first);
    __builtin_prefetch(first + kFineLayer + kFineRow + 1);
}

}  // namespace pliant
