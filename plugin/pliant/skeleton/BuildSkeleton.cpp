// SPDX-License-Identifier: Zlib
#include "pliant/skeleton/BuildSkeleton.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/math/Error.h"
#include "pliant/mesh/Embedding.h"
#include "pliant/skeleton/CheckBodyInput.h"
#include "pliant/skeleton/SphereCover.h"

namespace pliant {

namespace {

/// Edge length of a cube or regular tetrahedron of the median element's volume.
double elementSize(const VolumeMesh& mesh) {
    std::vector<double> volumes;
    for (int e = 0; e < mesh.elementCount(); ++e) {
        const auto corner = [&](int c) -> Vector3 { return mesh.positions.col(mesh.elements(c, e)); };
        const bool brick = mesh.kind == ElementKind::Brick;  // corners 1, 3 and 4 are the neighbours of corner 0
        const Vector3 x = corner(1) - corner(0), y = corner(brick ? 3 : 2) - corner(0),
                      z = corner(brick ? 4 : 3) - corner(0);
        volumes.push_back(std::abs(x.cross(y).dot(z)));
    }
    const auto middle = volumes.begin() + static_cast<std::ptrdiff_t>(volumes.size() / 2);
    std::nth_element(volumes.begin(), middle, volumes.end());
    return std::cbrt(mesh.kind == ElementKind::Brick ? *middle : std::sqrt(2.0) * *middle);
}

double surfaceArea(const SurfaceMesh& surface) {
    double area = 0.0;
    for (int t = 0; t < surface.triangleCount(); ++t) {
        const Vector3 a = surface.positions.col(surface.triangles(0, t));
        area += 0.5 * (surface.positions.col(surface.triangles(1, t)) - a)
                          .cross(Vector3(surface.positions.col(surface.triangles(2, t)) - a))
                          .norm();
    }
    return area;
}

ContactSkeleton toSkeleton(const SphereCover& cover, const PointLocator& locator, const MatrixX& basis,
                           const RigidTransform& bodyFromMesh) {
    ContactSkeleton skeleton;
    const int b = static_cast<int>(cover.spheres.size());
    std::vector<MaterialPoint> points;
    skeleton.restCentres.resize(3, b);
    skeleton.radii.resize(b);
    for (int i = 0; i < b; ++i) {
        const InscribedSphere& sphere = cover.spheres[static_cast<std::size_t>(i)];
        skeleton.restCentres.col(i) = bodyFromMesh.point(sphere.centre).cast<float>();
        skeleton.radii[i] = static_cast<float>(sphere.radius);
        points.push_back(locator.locate(sphere.centre));
    }
    const MatrixX atSpheres = interpolateBasis(points, basis);
    skeleton.basis.resize(3 * b, basis.cols());
    for (int i = 0; i < b; ++i)
        skeleton.basis.middleRows<3>(3 * i) = (bodyFromMesh.rotation * atSpheres.middleRows<3>(3 * i)).cast<float>();
    skeleton.segments.resize(2, static_cast<Eigen::Index>(cover.segments.size()));
    for (std::size_t s = 0; s < cover.segments.size(); ++s)
        skeleton.segments.col(static_cast<Eigen::Index>(s)) << cover.segments[s].first, cover.segments[s].second;
    return skeleton;
}

}  // namespace

ContactSkeleton buildSkeleton(const SurfaceMesh& surface, const VolumeMesh& mesh, const MatrixX& basis,
                              const SkeletonOptions& options, const ProgressCallback& progress) {
    checkBodyInput(surface, mesh, basis, "contact skeleton");
    if (options.maximumSpheres < 1)
        throw Error("contact skeleton", "at most 0 spheres are allowed", "allow at least 1");
    const std::string stage = "contact skeleton";
    reportProgress(progress, stage, 0.0);
    const double element = elementSize(mesh);
    // An element is what the simulation mesh can tell apart; the area keeps the number of samples in bounds.
    const double spacing = options.sampleSpacing > 0.0 ? options.sampleSpacing
                                                       : std::max(element, std::sqrt(surfaceArea(surface) / 3000.0));
    const SampledSurface samples = sampleSurface(surface, spacing);
    const PointLocator locator(mesh);
    const Vector3 size = surface.positions.rowwise().maxCoeff() - surface.positions.rowwise().minCoeff();
    InscribedSpheres::Limits limits;
    limits.element = element;
    limits.open = options.maximumRadius > 0.0 ? options.maximumRadius : 0.5 * element;
    limits.closed = options.maximumRadius > 0.0 ? options.maximumRadius : std::max(size.minCoeff(), limits.open);
    InscribedSpheres candidates(samples, locator, limits);
    for (int i = 0; i < samples.vertexCount; ++i) {
        candidates.at(i);
        if (i % 256 == 0) reportProgress(progress, stage, 0.8 * i / samples.vertexCount);
    }
    const PointTree tree(samples.points);
    double tolerance = options.tolerance;
    SphereCover cover = coverSurface(samples, candidates, tree, element, tolerance);
    while (static_cast<int>(cover.spheres.size()) > options.maximumSpheres) {
        reportProgress(progress, stage, 0.9);
        tolerance *= 1.3;
        cover = coverSurface(samples, candidates, tree, element, tolerance);
    }
    cover = cutLongSegments(cover, options.maximumSpheres);
    const ContactSkeleton skeleton = toSkeleton(cover, locator, basis, options.bodyFromMesh);
    reportProgress(progress, stage, 1.0);
    return skeleton;
}

}  // namespace pliant
