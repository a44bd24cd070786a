// SPDX-License-Identifier: Zlib
#include "pliant/field/OutsideRegion.h"

#include <algorithm>

#include "pliant/skeleton/SurfaceDistance.h"

namespace pliant {
namespace {

constexpr int kOwnSamples = 512;  // of a near brick, without those of its upper neighbours
constexpr std::uint8_t kOutsideFlag = 1 << 3;

/// Samples and lines this near to a triangle, in spacings, are on it: far above rounding, far below what matters.
constexpr double kOnSurface = 1e-6;

int ownSample(const Eigen::Vector3i& sample) {
    const Eigen::Vector3i s(sample[0] % kCellsOfBrick, sample[1] % kCellsOfBrick, sample[2] % kCellsOfBrick);
    return s[0] + kCellsOfBrick * (s[1] + kCellsOfBrick * s[2]);
}

}  // namespace

OutsideRegion::OutsideRegion(const FieldGrid& grid, const Points& points, const Triangles& triangles)
    : m_grid(grid),
      m_number(static_cast<std::size_t>(grid.brickCount()), -1),
      m_brickIsOutside(static_cast<std::size_t>(grid.brickCount()), 0) {
    findNearBricks(points, triangles);
    for (Eigen::Index t = 0; t < triangles.cols(); ++t) {
        Matrix3 corners;
        for (int c = 0; c < 3; ++c) corners.col(c) = (points.col(triangles(c, t)) - grid.origin) / grid.spacing;
        for (int axis = 0; axis < 3; ++axis) blockEdges(corners, axis);
    }
    floodAll();
}

/// Every edge that a triangle crosses begins in a near brick.
void OutsideRegion::findNearBricks(const Points& points, const Triangles& triangles) {
    const double near = m_grid.brickRadius() + 1.1 * m_grid.spacing, width = kCellsOfBrick * m_grid.spacing;
    for (Eigen::Index t = 0; t < triangles.cols(); ++t) {
        const Vector3 a = points.col(triangles(0, t)), b = points.col(triangles(1, t)), c = points.col(triangles(2, t));
        const Vector3 lower = a.cwiseMin(b).cwiseMin(c) - m_grid.origin,
                      upper = a.cwiseMax(b).cwiseMax(c) - m_grid.origin;
        Eigen::Vector3i from, to;
        for (int k = 0; k < 3; ++k) {
            from[k] = std::max(0, static_cast<int>(std::floor((lower[k] - 1.1 * m_grid.spacing) / width)));
            to[k] =
                std::min(m_grid.bricks[k] - 1, static_cast<int>(std::floor((upper[k] + 1.1 * m_grid.spacing) / width)));
        }
        for (int z = from[2]; z <= to[2]; ++z)
            for (int y = from[1]; y <= to[1]; ++y)
                for (int x = from[0]; x <= to[0]; ++x) {
                    const int brick = m_grid.brickNumber({x, y, z});
                    const Vector3 middle = m_grid.brickMiddle(brick);
                    if ((nearestOnTriangle(a, b, c, middle) - middle).norm() <= near)
                        m_number[static_cast<std::size_t>(brick)] = 0;
                }
    }
    int count = 0;
    for (int& number : m_number)
        if (number == 0) number = count++;
    m_flags.assign(static_cast<std::size_t>(count) * kOwnSamples, 0);
}

/// Blocks the edges along `axis` that cross the triangle, borders included. @param corners a column each, in spacings
void OutsideRegion::blockEdges(const Matrix3& corners, int axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const auto cross = [&](const Vector3& a, const Vector3& b) { return a[u] * b[v] - a[v] * b[u]; };
    const double area2 = cross(corners.col(1) - corners.col(0), corners.col(2) - corners.col(0));
    // A line in the triangle's plane only meets samples on the surface, which the other axes fence in.
    if (area2 == 0.0) return;
    const Vector3 lower = corners.rowwise().minCoeff().array() - kOnSurface;
    const Vector3 upper = corners.rowwise().maxCoeff().array() + kOnSurface;
    Sample s;
    for (s[v] = static_cast<int>(std::ceil(lower[v])); s[v] <= upper[v]; ++s[v])
        for (s[u] = static_cast<int>(std::ceil(lower[u])); s[u] <= upper[u]; ++s[u]) {
            Vector3 line = Vector3::Zero(), weights;
            line[u] = s[u];
            line[v] = s[v];
            bool meets = true;
            for (int c = 0; c < 3 && meets; ++c) {
                const Vector3 from = corners.col((c + 1) % 3), edge = corners.col((c + 2) % 3) - from;
                weights[c] = cross(edge, line - from) / area2;
                meets = weights[c] * std::abs(area2) >= -kOnSurface * std::hypot(edge[u], edge[v]);
            }
            if (!meets) continue;
            const double at = std::clamp(weights.dot(corners.row(axis)), lower[axis], upper[axis]);
            for (const double end : {at - kOnSurface, at + kOnSurface}) {
                s[axis] = static_cast<int>(std::floor(end));
                block(s, axis);
            }
        }
}

std::ptrdiff_t OutsideRegion::flagsAt(const Sample& sample) const {
    const int number = m_number[static_cast<std::size_t>(m_grid.brickNumber(sample / kCellsOfBrick))];
    return number < 0 ? -1 : std::ptrdiff_t(number) * kOwnSamples + ownSample(sample);
}

void OutsideRegion::block(const Sample& sample, int axis) {
    if ((sample.array() < 0).any() || !m_grid.hasBrick(sample / kCellsOfBrick)) return;
    const std::ptrdiff_t at = flagsAt(sample);
    if (at >= 0) flags(at) = static_cast<std::uint8_t>(flags(at) | 1 << axis);
}

bool OutsideRegion::isBlocked(const Sample& sample, int axis) const {
    const std::ptrdiff_t at = flagsAt(sample);
    return at >= 0 && (flags(at) >> axis & 1) != 0;
}

bool OutsideRegion::isOutside(const Sample& sample) const {
    const Sample brick = sample / kCellsOfBrick;
    if (!m_grid.hasBrick(brick)) return true;  // the grid's upper faces
    const std::ptrdiff_t at = flagsAt(sample);
    if (at >= 0) return (flags(at) & kOutsideFlag) != 0;
    return m_brickIsOutside[static_cast<std::size_t>(m_grid.brickNumber(brick))] != 0;
}

void OutsideRegion::floodAll() {
    const Sample last = kCellsOfBrick * m_grid.bricks - Sample::Ones();
    for (int k = 0; k < 3; ++k) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        Sample s;
        for (s[v] = 0; s[v] <= last[v]; ++s[v])
            for (s[u] = 0; s[u] <= last[u]; ++s[u])
                for (const int side : {0, last[k]}) {
                    s[k] = side;
                    floodFrom(s);
                }
    }
    while (!m_openSamples.empty() || !m_openBricks.empty()) {
        if (!m_openSamples.empty()) {
            const Sample s = m_openSamples.back();
            m_openSamples.pop_back();
            leaveSample(s);
        } else {
            const int brick = m_openBricks.back();
            m_openBricks.pop_back();
            leaveBrick(brick);
        }
    }
}

/// The sample is outside; its neighbours will be looked at.
void OutsideRegion::floodFrom(const Sample& sample) {
    const std::ptrdiff_t at = flagsAt(sample);
    if (at >= 0) {
        if (flags(at) & kOutsideFlag) return;
        flags(at) |= kOutsideFlag;
        m_openSamples.push_back(sample);
        return;
    }
    const int brick = m_grid.brickNumber(sample / kCellsOfBrick);
    if (m_brickIsOutside[static_cast<std::size_t>(brick)]) return;
    m_brickIsOutside[static_cast<std::size_t>(brick)] = 1;
    m_openBricks.push_back(brick);
}

void OutsideRegion::leaveSample(const Sample& sample) {
    for (int axis = 0; axis < 3; ++axis) {
        Sample other = sample;
        other[axis] = sample[axis] + 1;
        if (other[axis] < kCellsOfBrick * m_grid.bricks[axis] && !isBlocked(sample, axis)) floodFrom(other);
        other[axis] = sample[axis] - 1;
        if (other[axis] >= 0 && !isBlocked(other, axis)) floodFrom(other);
    }
}

void OutsideRegion::leaveBrick(int number) {
    const Eigen::Vector3i brick = m_grid.brick(number);
    for (int axis = 0; axis < 3; ++axis)
        for (const int step : {-1, 1}) {
            Eigen::Vector3i next = brick;
            next[axis] += step;
            if (!m_grid.hasBrick(next)) continue;
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            Sample s = kCellsOfBrick * next;
            if (step < 0) s[axis] += kCellsOfBrick - 1;
            const bool wholeBrick = flagsAt(s) < 0;
            const Sample first = s;
            for (s[v] = first[v]; s[v] < first[v] + (wholeBrick ? 1 : kCellsOfBrick); ++s[v])
                for (s[u] = first[u]; s[u] < first[u] + (wholeBrick ? 1 : kCellsOfBrick); ++s[u])
                    if (step > 0 || !isBlocked(s, axis)) floodFrom(s);
        }
}

}  // namespace pliant
