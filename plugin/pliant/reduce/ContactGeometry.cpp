// SPDX-License-Identifier: Zlib
#include "pliant/reduce/ContactGeometry.h"

#include <Eigen/Core>

#include "pliant/field/MakeDistanceField.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/ClosedSurface.h"
#include "pliant/reduce/StrandShape.h"
#include "pliant/shell/MakeSurfaceContact.h"
#include "pliant/skeleton/BuildBDTree.h"
#include "pliant/skeleton/BuildSkeleton.h"

namespace pliant {
namespace {

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
        const ContactSurface& contact = model.contactSurface;
        const double area = contact.shell.areas.cast<double>().sum();
        if (!isAskedFor && isMadeOfStrands(surface, contact.thickness, area)) return false;
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
