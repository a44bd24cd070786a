// SPDX-License-Identifier: Zlib
#include "pliant/touch/SampleShell.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "pliant/math/Error.h"
#include "pliant/touch/FieldLookup.h"

namespace pliant {

namespace {

constexpr double kInner = 2.0;  ///< spacings of the field that a sample of the outer surface lies inside at most

using Corners = std::array<Vector3, 3>;

Vector3 areaOf(const Corners& c) {
    return 0.5 * (c[1] - c[0]).cross(c[2] - c[0]);
}

/// Halves along the longest side.
void halve(const Corners& c, Corners& first, Corners& second) {
    int longest = 0;
    double most = -1.0;
    for (int k = 0; k < 3; ++k) {
        const double length = (c[static_cast<std::size_t>((k + 1) % 3)] - c[static_cast<std::size_t>(k)]).squaredNorm();
        if (length <= most) continue;
        most = length;
        longest = k;
    }
    const auto a = static_cast<std::size_t>(longest), b = static_cast<std::size_t>((longest + 1) % 3);
    const Vector3 middle = 0.5 * (c[a] + c[b]);
    first = second = c;
    first[b] = middle;
    second[a] = middle;
}

void addPieces(const Corners& c, double largest, std::vector<Corners>& out) {
    std::vector<Corners> open{c};
    while (!open.empty()) {
        const Corners piece = open.back();
        open.pop_back();
        if (!(areaOf(piece).norm() > largest)) {
            out.push_back(piece);
            continue;
        }
        Corners first, second;
        halve(piece, first, second);
        open.push_back(second);
        open.push_back(first);
    }
}

}  // namespace

ShellSamples sampleShell(const SurfaceMesh& surface, const RigidTransform& shellFrame, int points,
                         const DistanceField* field) {
    std::vector<Corners> triangles;
    double area = 0.0;
    for (int t = 0; t < surface.triangleCount(); ++t) {
        Corners c;
        for (int k = 0; k < 3; ++k)
            c[static_cast<std::size_t>(k)] = shellFrame.point(surface.positions.col(surface.triangles(k, t)));
        const double size = areaOf(c).norm();
        if (!(size > 0.0)) continue;
        area += size;
        triangles.push_back(c);
    }
    if (!(area > 0.0)) throw Error("shell", "the surface has no triangle with an area", "give it one");
    // Halving leaves pieces of half to all of the largest size: 3/4 of it in the mean.
    const double largest = area / (0.75 * std::max(1, points));
    std::vector<Corners> pieces;
    for (const Corners& c : triangles) addPieces(c, largest, pieces);
    ShellSamples out;
    out.positions.resize(3, static_cast<Eigen::Index>(pieces.size()));
    out.areas.resize(3, out.positions.cols());
    Eigen::Index n = 0;
    for (const Corners& c : pieces) {
        const Vector3 place = (c[0] + c[1] + c[2]) / 3.0;
        Vector3 inward = -areaOf(c);
        if (field) {
            if (fieldDistance(*field, place) - field->offset < -kInner * field->spacing) continue;
            const Vector3 way = field->spacing * inward.normalized();
            if (fieldDistance(*field, place + way) > fieldDistance(*field, place - way)) inward = -inward;
        }
        out.positions.col(n) = place;
        out.areas.col(n++) = inward;
    }
    out.positions.conservativeResize(3, n);
    out.areas.conservativeResize(3, n);
    return out;
}

}  // namespace pliant
