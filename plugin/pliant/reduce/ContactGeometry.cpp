// SPDX-License-Identifier: Zlib
#include "pliant/reduce/ContactGeometry.h"

#include <Eigen/Geometry>
#include <cmath>

#include "pliant/field/MakeDistanceField.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/ClosedSurface.h"
#include "pliant/shell/MakeSurfaceContact.h"
#include "pliant/skeleton/BuildBDTree.h"
#include "pliant/skeleton/BuildSkeleton.h"

namespace pliant {
namespace {

/// Of strands: t A / V between these two, and t below this share of the diagonal of the body's box.
constexpr double kThinnestTube = 1.6, kThickestTube = 2.4, kLargestShare = 0.04;

double enclosedVolume(const SurfaceMesh& surface) {
    double six = 0.0;
    for (Eigen::Index t = 0; t < surface.triangles.cols(); ++t) {
        const Eigen::Vector3i v = surface.triangles.col(t);
        six += surface.positions.col(v[0]).dot(surface.positions.col(v[1]).cross(surface.positions.col(v[2])));
    }
    return std::abs(six) / 6.0;
}

bool isMadeOfStrands(const SurfaceMesh& surface, const ContactSurface& contact) {
    const double volume = enclosedVolume(surface);
    if (!(volume > 0.0)) return false;
    const double area = contact.shell.areas.cast<double>().sum();
    const double diagonal = (surface.positions.rowwise().maxCoeff() - surface.positions.rowwise().minCoeff()).norm();
    const double shape = contact.thickness * area / volume;
    return shape > kThinnestTube && shape < kThickestTube && contact.thickness < kLargestShare * diagonal;
}

void makeSegments(const SurfaceMesh& surface, const MatrixX& meshBasis, const ProgressCallback& progress,
                  ReducedModel& model) {
    SkeletonOptions options;
    options.bodyFromMesh.rotation = model.meshFromBody.rotation.transpose();
    options.bodyFromMesh.translation = model.meshFromBody.inversePoint(Vector3::Zero());
    model.contactSurface = ContactSurface();
    model.skeleton = buildSkeleton(surface, model.mesh, meshBasis, options, progress);
}

/// @return whether the surface is what collides
bool makeSurface(const SurfaceMesh& surface, const SurfaceMesh& drawn, const MatrixX& meshBasis, bool isAskedFor,
                 ReducedModel& model, std::vector<std::string>& notes) {
    try {
        makeSurfaceContact(drawn, meshBasis, ShellOptions(), ContactLatticeOptions(), model);
        if (!isAskedFor && isMadeOfStrands(surface, model.contactSurface)) return false;
        model.contactSurface.field = makeDistanceField(surface, DistanceFieldOptions(), &notes);
        return true;
    } catch (const Error& problem) {
        if (isAskedFor) throw;
        notes.push_back(std::string("collides with capsule segments inside of it, not with its surface: ") +
                        problem.what());
        return false;
    }
}

}  // namespace

void makeContactGeometry(const SurfaceMesh& surface, const SurfaceMesh& drawn, const MatrixX& meshBasis,
                         ContactGeometry choice, bool isFilled, const ProgressCallback& progress,
                         std::vector<std::string>& notes, ReducedModel& model) {
    const bool isAskedFor = choice == ContactGeometry::Surface;
    const bool isSolid = isAskedFor || (choice == ContactGeometry::Automatic && isFilled && isClosed(surface));
    if (!isSolid || !makeSurface(surface, drawn, meshBasis, isAskedFor, model, notes))
        makeSegments(surface, meshBasis, progress, model);
    reportProgress(progress, "trees", 0.0);
    model.skeletonTree = buildSkeletonTree(model.skeleton);
    reportProgress(progress, "trees", 0.5);
    model.triangleTree =
        buildTriangleTree(model.surface.positions.cast<float>(), model.surfaceBasis, model.surface.triangles);
    reportProgress(progress, "trees", 1.0);
}

}  // namespace pliant
