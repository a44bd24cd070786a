// SPDX-License-Identifier: Zlib
// How well a contact skeleton covers a surface, and what a test needs to build one.
#pragma once

#include "pliant/math/SegmentDistance.h"
#include "pliant/mesh/voxels/Voxelise.h"
#include "pliant/skeleton/BuildSkeleton.h"

namespace pliant::test {

inline VolumeMesh voxels(const SurfaceMesh& surface, int resolution, bool solid) {
    VoxeliseOptions options;
    options.resolution = resolution;
    options.solid = solid;
    return voxelise(surface, options);
}

/// Two columns whose interpolation is exact: a shift along x and a stretch along y.
inline MatrixX linearBasis(const VolumeMesh& mesh) {
    MatrixX basis = MatrixX::Zero(3 * mesh.vertexCount(), 2);
    for (int v = 0; v < mesh.vertexCount(); ++v) {
        basis(3 * v, 0) = 1.0;
        basis(3 * v + 1, 1) = mesh.positions(1, v);
    }
    return basis;
}

/// Signed distance of x from the union of the swept segments.
inline double distanceToUnion(const ContactSkeleton& s, const Vector3& x, double* localRadius = nullptr) {
    double least = 1e300;
    for (int i = 0; i < s.segmentCount(); ++i) {
        TaperedSegment segment;
        segment.start = s.restCentres.col(s.segments(0, i)).cast<double>();
        segment.extent = s.restCentres.col(s.segments(1, i)).cast<double>() - segment.start;
        segment.radius = static_cast<double>(s.radii[s.segments(0, i)]);
        segment.taper = static_cast<double>(s.radii[s.segments(1, i)]) - segment.radius;
        const double at = closestOnTapered(segment, x),
                     distance = (x - segment.point(at)).norm() - segment.radiusAt(at);
        if (distance >= least) continue;
        least = distance;
        if (localRadius) *localRadius = segment.radiusAt(at);
    }
    return least;
}

/// Share of the drawn vertices farther outside of the union than 10 % of the local radius or of the element.
inline double uncovered(const ContactSkeleton& s, const SurfaceMesh& surface, double element) {
    int bad = 0, count = 0;
    for (int v = 0; v < surface.vertexCount(); v += 1 + surface.vertexCount() / 3000) {
        double radius = 0.0;
        const double distance = distanceToUnion(s, surface.positions.col(v), &radius);
        ++count;
        if (distance > 0.1 * std::max(radius, element) + 1e-6) ++bad;
    }
    return static_cast<double>(bad) / count;
}

inline double elementEdge(const VolumeMesh& mesh) {
    return (mesh.positions.col(mesh.elements(1, 0)) - mesh.positions.col(mesh.elements(0, 0))).norm();
}

}  // namespace pliant::test
