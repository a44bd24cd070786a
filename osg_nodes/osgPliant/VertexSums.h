// SPDX-License-Identifier: Zlib
// The sums U q and dN q of many bodies, made by the processor.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "pliant/math/CacheAligned.h"

namespace osgPliant {

class Deformation;

/// The numbers of a deformation's texture buffer, as the kernels of the processor take them, and their products with
/// the coordinates of bodies. Immutable after construction. Products and sums are separate and have one order, so all
/// instruction sets give the same bits.
class VertexSums {
public:
    /// A body: r coordinates times the scales of their columns, and where its sums go: for every vertex Ux q, Uy q,
    /// Uz q (m), dNx q, dNy q, dNz q.
    struct Body {
        const float* q;
        float* sums;
    };

    /// @param deformation without bones; not kept
    /// @param lanes numbers side by side, as pliant::lanesInUse() tells them: 4, 8 or 16, which the processor has to
    /// have
    VertexSums(const Deformation& deformation, int lanes);

    /// Numbers of a body's sums.
    std::size_t getNumberCount() const { return _count; }
    /// Makes the sums of bodies. All of them read each row of the basis together, while it is in the first cache.
    void sum(const std::vector<Body>& bodies) const;
    /// Bodies whose sums have been made so far: what shall not be made again can be seen not to be.
    std::uint64_t getSummedCount() const { return _summed; }

private:
    void sumPanel(std::size_t panel, const std::vector<float>& q, const std::vector<Body>& bodies) const;
    std::size_t getPanelWidth() const;

    std::size_t _count, _dimension;
    int _lanes;
    /// Rows in panels as wide as the registers of a tile, column by column.
    pliant::CacheAlignedVector<float> _basis;
    mutable std::atomic<std::uint64_t> _summed{0};
};

}  // namespace osgPliant
