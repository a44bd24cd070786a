// SPDX-License-Identifier: Zlib
#include "pliant/field/FieldSamples.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <limits>

#include "pliant/field/FieldSlope.h"

namespace pliant {
namespace {

using BrickSamples = std::array<float, kSamplesStored>;

/// Samples the distance of one brick after the other; the same bits in any order.
class BrickSampler {
public:
    BrickSampler(const FieldGrid& grid, const FieldBands& bands, const OutsideRegion& outside,
                 const SurfaceDistance& surface, const VectorXf& corners)
        : m_grid(grid), m_bands(bands), m_outside(outside), m_surface(surface), m_corners(corners) {}

    /// @return whether any sample differs from what the corners say
    bool sample(int brick, BrickSamples& samples) const {
        const Eigen::Vector3i lowest = kCellsOfBrick * m_grid.brick(brick);
        std::size_t number = 0;
        bool needed = false;
        for (int z = 0; z < kSamplesOfEdge; ++z)
            for (int y = 0; y < kSamplesOfEdge; ++y) {
                double limit = std::numeric_limits<double>::max();
                for (int x = 0; x < kSamplesOfEdge; ++x) {
                    const Eigen::Vector3i offset(x, y, z), at = lowest + offset;
                    const bool outside = m_outside.isOutside(at);
                    const FieldBand& band = outside ? m_bands.outside : m_bands.inside;
                    const double farthest = band.coarse * m_grid.spacing;
                    const double bound = std::min(limit, farthest);
                    const double distance = std::sqrt(m_surface.squaredDistance(m_grid.place(at), bound * bound));
                    // The next sample is no farther than a spacing more.
                    limit = distance < farthest ? (distance + m_grid.spacing) * (1.0 + 1e-9) : limit + m_grid.spacing;
                    const double w = band.cornerWeight(distance / m_grid.spacing);
                    double value = outside ? distance : -distance;
                    if (w > 0.0) value = (1.0 - w) * value + w * ofCorners(brick, offset);
                    needed = needed || w < 1.0;
                    samples[number++] = static_cast<float>(value);
                }
            }
        return needed;
    }

private:
    /// What a brick without fine samples has there; the same from both sides of a face.
    double ofCorners(int brick, const Eigen::Vector3i& offset) const {
        double sum = 0.0;
        for (int corner = 0; corner < 8; ++corner) {
            const Eigen::Vector3i c(corner & 1, corner >> 1 & 1, corner >> 2);
            double weight = 1.0;
            for (int k = 0; k < 3; ++k)
                weight *= (c[k] ? offset[k] : kCellsOfBrick - offset[k]) / double(kCellsOfBrick);
            if (weight > 0.0) sum += weight * m_corners[m_grid.cornerNumber(m_grid.brick(brick) + c)];
        }
        return sum;
    }

    const FieldGrid& m_grid;
    const FieldBands& m_bands;
    const OutsideRegion& m_outside;
    const SurfaceDistance& m_surface;
    const VectorXf& m_corners;
};

VectorXf cornerDistances(const FieldGrid& grid, const OutsideRegion& outside, const SurfaceDistance& surface) {
    VectorXf corners(grid.cornerCount());
    tbb::parallel_for(0, grid.cornerCount(), [&](int c) {
        const Eigen::Vector3i sample = kCellsOfBrick * grid.corner(c);
        const double d2 = surface.squaredDistance(grid.place(sample), std::numeric_limits<double>::max());
        corners[c] = static_cast<float>(outside.isOutside(sample) ? std::sqrt(d2) : -std::sqrt(d2));
    });
    return corners;
}

/// Numbers the bricks that are needed and rounds their samples to multiples of one unit.
void storeSamples(const std::vector<int>& bricks, const std::vector<char>& needed,
                  const std::vector<BrickSamples>& samples, DistanceField& field) {
    float largest = 0.0f;
    int count = 0;
    field.brickSamples.assign(static_cast<std::size_t>(field.bricks.prod()), -1);
    for (std::size_t b = 0; b < bricks.size(); ++b) {
        if (!needed[b]) continue;
        field.brickSamples[static_cast<std::size_t>(bricks[b])] = count++;
        for (const float value : samples[b]) largest = std::max(largest, std::abs(value));
    }
    field.unit = static_cast<double>(largest) / std::numeric_limits<std::int16_t>::max();
    field.samples.reserve(static_cast<std::size_t>(count) * kSamplesStored);
    for (std::size_t b = 0; b < bricks.size(); ++b)
        if (needed[b])
            for (const float value : samples[b])
                field.samples.push_back(static_cast<std::int16_t>(std::lround(value / field.unit)));
}

}  // namespace

std::vector<int> bandBricks(const FieldGrid& grid, const FieldBands& bands, const OutsideRegion& outside,
                            const SurfaceDistance& surface, std::size_t& certain) {
    std::vector<char> kind(static_cast<std::size_t>(grid.brickCount()), 0);
    const Vector3 half = Vector3::Constant(0.5 * kCellsOfBrick * grid.spacing);
    tbb::parallel_for(0, grid.brickCount(), [&](int b) {
        const Vector3 middle = grid.brickMiddle(b), nearest = surface.nearest(middle);
        const Eigen::Vector3i sample = kCellsOfBrick * grid.brick(b) + Eigen::Vector3i::Constant(kCellsOfBrick / 2);
        const double band = grid.spacing * (outside.isOutside(sample) ? bands.outside : bands.inside).coarse;
        const double atMost = (((nearest - middle).cwiseAbs() - half).cwiseMax(0.0)).norm();
        const double atLeast = (nearest - middle).norm() - grid.brickRadius();
        kind[static_cast<std::size_t>(b)] = static_cast<char>((atLeast < band) + (atMost < band));
    });
    std::vector<int> bricks;
    certain = 0;
    for (int b = 0; b < grid.brickCount(); ++b) {
        if (kind[static_cast<std::size_t>(b)] == 0) continue;
        bricks.push_back(b);
        certain += kind[static_cast<std::size_t>(b)] == 2;
    }
    return bricks;
}

DistanceField sampleField(const FieldGrid& grid, const FieldBands& bands, const OutsideRegion& outside,
                          const SurfaceDistance& surface, const std::vector<int>& bricks) {
    DistanceField field;
    field.origin = grid.origin;
    field.spacing = grid.spacing;
    field.bricks = grid.bricks;
    field.corners = cornerDistances(grid, outside, surface);
    const BrickSampler sampler(grid, bands, outside, surface, field.corners);
    std::vector<BrickSamples> samples(bricks.size());
    std::vector<char> needed(bricks.size());
    tbb::parallel_for(std::size_t(0), bricks.size(),
                      [&](std::size_t b) { needed[b] = sampler.sample(bricks[b], samples[b]); });
    storeSamples(bricks, needed, samples, field);
    field.lipschitz = steepestSlope(field);
    return field;
}

}  // namespace pliant
