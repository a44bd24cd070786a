// SPDX-License-Identifier: Zlib
// Which samples of a grid are outside of a closed surface. Internal to makeDistanceField.
#pragma once

#include <cstdint>
#include <vector>

#include "pliant/field/FieldGrid.h"

namespace pliant {

/// The samples that a flood from the border of the grid reaches along edges between neighbours that no triangle
/// crosses. The orientation of triangles has no say, nor have parts inside others and surfaces that cross themselves;
/// gaps and openings that are narrower than the spacing are filled.
///
/// Samples are kept only in bricks near the surface; every other brick lies on one side as a whole.
class OutsideRegion {
public:
    /// @param grid leaves at least one spacing around the surface  @param points 3 x n, m  @param triangles closed
    OutsideRegion(const FieldGrid& grid, const Points& points, const Triangles& triangles);

    /// @param sample 0 .. 8 bricks along each axis
    bool isOutside(const Eigen::Vector3i& sample) const;

private:
    using Sample = Eigen::Vector3i;
    void findNearBricks(const Points& points, const Triangles& triangles);
    void blockEdges(const Matrix3& corners, int axis);
    void block(const Sample& sample, int axis);
    bool isBlocked(const Sample& sample, int axis) const;
    void floodFrom(const Sample& sample);
    void floodAll();
    void leaveSample(const Sample& sample);
    void leaveBrick(int number);

    /// Where the sample's flags are; -1: its brick has none. Each sample belongs to the brick above it.
    std::ptrdiff_t flagsAt(const Sample& sample) const;
    std::uint8_t& flags(std::ptrdiff_t at) { return m_flags[static_cast<std::size_t>(at)]; }
    std::uint8_t flags(std::ptrdiff_t at) const { return m_flags[static_cast<std::size_t>(at)]; }

    FieldGrid m_grid;
    std::vector<int> m_number;           ///< of each brick among those near the surface, or -1
    std::vector<std::uint8_t> m_flags;   ///< 512 a near brick: bit k: blocked along axis k; bit 3: outside
    std::vector<char> m_brickIsOutside;  ///< of bricks that are not near
    std::vector<Sample> m_openSamples;   ///< the flood's front
    std::vector<int> m_openBricks;
};

}  // namespace pliant
