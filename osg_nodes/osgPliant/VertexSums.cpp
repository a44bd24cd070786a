// SPDX-License-Identifier: Zlib
#include "osgPliant/VertexSums.h"

#include <algorithm>

#include "osgPliant/Deformation.h"
#include "osgPliant/TexelLayout.h"
#include "pliant/math/Lanes.h"

namespace osgPliant {

namespace {

constexpr std::size_t tileBodies = 4;     ///< Bodies whose sums are in registers together.
constexpr std::size_t tileRegisters = 2;  ///< Registers of each of them: a panel.

/// One panel of four bodies. @param q of the four side by side, coordinate after coordinate
template <int lanes>
PLIANT_INLINE void sumTileOn(const float* panel, std::size_t r, const float* q, float* const* to) {
    using Vector = pliant::Floats<lanes>;
    Vector sums[tileBodies][tileRegisters] = {};
    for (std::size_t j = 0; j < r; ++j, panel += tileRegisters * lanes, q += tileBodies) {
        Vector row[tileRegisters];
        for (std::size_t v = 0; v < tileRegisters; ++v) pliant::loadLanes(row[v], panel + lanes * v);
        for (std::size_t b = 0; b < tileBodies; ++b)
            for (std::size_t v = 0; v < tileRegisters; ++v) sums[b][v] += row[v] * q[b];
    }
    for (std::size_t b = 0; b < tileBodies; ++b)
        for (std::size_t v = 0; v < tileRegisters; ++v) pliant::storeLanes(to[b] + lanes * v, sums[b][v]);
}

#define PLIANT_SUM_TILE(Target, name, lanes)                                                         \
    Target void sumTile##name(const float* panel, std::size_t r, const float* q, float* const* to) { \
        sumTileOn<lanes>(panel, r, q, to);                                                           \
    }
PLIANT_SUM_TILE(, Baseline, pliant::kLanesBaseline)
#if defined(__x86_64__)
PLIANT_SUM_TILE(PLIANT_TARGET_AVX2, Avx2, pliant::kLanesAvx2)
PLIANT_SUM_TILE(PLIANT_TARGET_AVX512, Avx512, pliant::kLanesAvx512)
#endif
#undef PLIANT_SUM_TILE

using SumTile = void (*)(const float*, std::size_t, const float*, float* const*);

SumTile sumTileBy(int lanes) {
#if defined(__x86_64__)
    if (lanes == pliant::kLanesAvx512) return sumTileAvx512;
    if (lanes == pliant::kLanesAvx2) return sumTileAvx2;
#endif
    return lanes == pliant::kLanesBaseline ? sumTileBaseline : nullptr;
}

/// Coordinates of four bodies side by side; those of bodies that are not there are 0.
std::vector<float> sideBySide(const std::vector<VertexSums::Body>& bodies, std::size_t r) {
    const std::size_t tiles = (bodies.size() + tileBodies - 1) / tileBodies;
    std::vector<float> all(tiles * tileBodies * r, 0.0f);
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = 0; j < r; ++j)
            all[(i / tileBodies * r + j) * tileBodies + i % tileBodies] = bodies[i].q[j];
    return all;
}

}  // namespace

std::size_t VertexSums::getPanelWidth() const {
    return tileRegisters * static_cast<std::size_t>(_lanes);
}

VertexSums::VertexSums(const Deformation& deformation, int lanes)
    : _count(static_cast<std::size_t>(SumTexels::numbers) * static_cast<std::size_t>(deformation.getVertexCount())),
      _dimension(static_cast<std::size_t>(deformation.getDimension())),
      _lanes(sumTileBy(lanes) ? lanes : pliant::kLanesBaseline) {
    const std::size_t width = getPanelWidth(), panels = (_count + width - 1) / width;
    _basis.assign(panels * width * _dimension, 0.0f);
    for (std::size_t row = 0; row < _count; ++row) {
        const std::size_t vertex = row / SumTexels::numbers, number = row % SumTexels::numbers;
        float* panel = _basis.data() + row / width * width * _dimension + row % width;
        for (std::size_t j = 0; j < _dimension; ++j)
            panel[j * width] =
                deformation.getTexelNumber(static_cast<int>(vertex), static_cast<int>(number), static_cast<int>(j));
    }
}

void VertexSums::sumPanel(std::size_t panel, const std::vector<float>& q, const std::vector<Body>& bodies) const {
    const SumTile kernel = sumTileBy(_lanes);
    const std::size_t width = getPanelWidth(), from = panel * width, count = std::min(width, _count - from);
    float aside[tileBodies][tileRegisters * pliant::kLanesAvx512];  // of bodies, and rows, that are not there
    for (std::size_t first = 0; first < bodies.size(); first += tileBodies) {
        float* to[tileBodies];
        const std::size_t there = std::min(tileBodies, bodies.size() - first);
        for (std::size_t b = 0; b < tileBodies; ++b)
            to[b] = b < there && count == width ? bodies[first + b].sums + from : aside[b];
        kernel(_basis.data() + from * _dimension, _dimension, q.data() + first * _dimension, to);
        for (std::size_t b = 0; b < there && count < width; ++b)
            std::copy_n(aside[b], count, bodies[first + b].sums + from);
    }
}

void VertexSums::sum(const std::vector<Body>& bodies) const {
    const std::vector<float> q = sideBySide(bodies, _dimension);
    for (std::size_t panel = 0; panel * getPanelWidth() < _count; ++panel) sumPanel(panel, q, bodies);
    _summed += bodies.size();
}

}  // namespace osgPliant
