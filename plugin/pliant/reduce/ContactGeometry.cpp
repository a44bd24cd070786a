// SPDX-License-Identifier: Zlib
#include "pliant/reduce/ContactGeometry.h"

#include <Eigen/Core>
#include <cmath>
#include <utility>

#include "pliant/field/MakeDistanceField.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/ClosedSurface.h"
#include "pliant/reduce/FourDigits.h"
#include "pliant/reduce/SheetSurface.h"
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
    model.skeleton = buildSkeleton(surface, model.mesh, meshBasis, options, progress);
}

/// What collides of a body that is no strand: closed, with the places of its vertices in the model's mesh.
struct Outside {
    const SurfaceMesh& surface;    ///< For the distance field.
    const SurfaceMesh& triangles;  ///< The same, as the embedding has its vertices.
    const std::vector<MaterialPoint>& embedding;
    ShellOptions shell;
    DistanceFieldOptions field;
};

/// @return whether the surface is what collides; of strands its points are there then, and no distance field
bool makeSurface(const Outside& outside, const MatrixX& meshBasis, bool isAskedFor, ReducedModel& model,
                 std::vector<std::string>& notes) {
    makeSurfaceContact(outside.triangles, outside.embedding, meshBasis, outside.shell, ContactLatticeOptions(), model);
    const ContactSurface& contact = model.contactSurface;
    const double area = contact.shell.areas.cast<double>().sum();
    if (!isAskedFor && isMadeOfStrands(outside.surface, contact.thickness, area)) return false;
    model.contactSurface.field = makeDistanceField(outside.surface, outside.field, &notes);
    return true;
}

/// @param sheet closed, of this thickness
bool makeThin(const SurfaceMesh& sheet, double thickness, const MatrixX& meshBasis, bool isAskedFor,
              ReducedModel& model, std::vector<std::string>& notes) {
    const std::vector<MaterialPoint> embedding = embed(model.mesh, sheet.positions);
    ShellOptions shell;
    shell.edgeSpacing = thickness;  // or two edges that cross pass each other between their points
    DistanceFieldOptions field;
    field.outsideBand = 3.0;  // of a sheet all is near the surface: memory is for the spacing
    field.memory *= 2;
    return makeSurface({sheet, sheet, embedding, shell, field}, meshBasis, isAskedFor, model, notes);
}

bool makeSheet(const SurfaceMesh& surface, double thickness, const MatrixX& meshBasis, bool isAskedFor,
               ReducedModel& model, std::vector<std::string>& notes) {
    if (!makeThin(sheetSurface(surface, thickness), thickness, meshBasis, isAskedFor, model, notes)) return false;
    notes.push_back("the surface is open: what collides is a sheet of " + fourDigits(1e3 * thickness) +
                    " mm around it (--thickness says how thick its wall is)");
    return true;
}

/// A sheet as thick as the wall, or, where the distance field of a large one has no room for that, as thick as it may
/// be.
bool makeSheet(const SurfaceMesh& surface, const MatrixX& meshBasis, const SurfaceChoice& choice, ReducedModel& model,
               std::vector<std::string>& notes) {
    const bool isAskedFor = choice.geometry == ContactGeometry::Surface;
    const double wanted = sheetThickness(surface, choice.wall), most = sheetThickness(surface, 0.0);
    if (wanted == most) return makeSheet(surface, most, meshBasis, isAskedFor, model, notes);
    std::vector<std::string> ownNotes;
    try {
        const bool isMade = makeSheet(surface, wanted, meshBasis, isAskedFor, model, ownNotes);
        notes.insert(notes.end(), ownNotes.begin(), ownNotes.end());
        return isMade;
    } catch (const Error&) {
        notes.push_back("the distance field has no room for a sheet of " + fourDigits(1e3 * wanted) +
                        " mm around the surface");
        return makeSheet(surface, most, meshBasis, isAskedFor, model, notes);
    }
}

/// A closed surface whose walls the field is too coarse for, moved out until they are as thick as a sheet has to be:
/// capsules inside of a plate leave gaps between them that the plates of a pile fall through.
bool makeThickened(const SurfaceMesh& surface, const MatrixX& meshBasis, ReducedModel& model,
                   std::vector<std::string>& notes) {
    const double wall = wallOf(surface), least = sheetThickness(surface, 1e-9 * wall),
                 most = sheetThickness(surface, 0.0);
    for (const double wanted : {least, 0.5 * (least + most), most}) {
        const double distance = 0.5 * (wanted - wall);
        if (!(distance > 0.0)) continue;
        std::vector<std::string> ownNotes;
        try {
            if (!makeThin(thickenedSurface(surface, distance), wanted, meshBasis, false, model, ownNotes)) return false;
        } catch (const Error&) {
            continue;  // thicker
        }
        notes.insert(notes.end(), ownNotes.begin(), ownNotes.end());
        notes.push_back("walls of " + fourDigits(1e3 * wall) +
                        " mm are too thin for the distance field: what collides lies " + fourDigits(1e3 * distance) +
                        " mm outside of the surface");
        return true;
    }
    return false;
}

/// Whether an open surface is a sheet, and not a body with a hole or a tube with open ends.
bool isSheet(const SurfaceMesh& surface, const SurfaceChoice& choice) {
    constexpr double leastOpen = 0.1;
    return choice.geometry == ContactGeometry::Surface || (!choice.isFilled && openShare(surface) >= leastOpen);
}

/// Whether the surface, or a sheet around it, is what collides.
bool makeSolid(const SurfaceMesh& surface, const SurfaceMesh& drawn, const MatrixX& meshBasis,
               const SurfaceChoice& choice, ReducedModel& model, std::vector<std::string>& notes) {
    const bool isAskedFor = choice.geometry == ContactGeometry::Surface, isOpen = !isClosed(surface);
    if (choice.geometry == ContactGeometry::Segments) return false;
    if (isOpen ? !isSheet(surface, choice) : !(isAskedFor || choice.isFilled)) return false;
    try {
        return isOpen
                   ? makeSheet(drawn, meshBasis, choice, model, notes)
                   : makeSurface({surface, drawn, model.surfaceEmbedding, {}, {}}, meshBasis, isAskedFor, model, notes);
    } catch (const Error& problem) {
        if (isAskedFor) throw;
        if (!isOpen && makeThickened(drawn, meshBasis, model, notes)) return true;
        model.contactSurface = ContactSurface();
        notes.push_back(std::string("collides with capsule segments inside of it, not with its surface: ") +
                        problem.what());
        return false;
    }
}

/// Whether a surface whose points these are is better than this many segments: they are fewer, and close enough that
/// a strand across another does not sink between them. With points s apart round rods of radius r come nearer by
/// r - sqrt(r^2 - s^2 / 4) at most, a quarter of the radius.
bool isBetter(const ContactSurface& points, Eigen::Index segments) {
    constexpr double widest = 1.3;  // radii
    const auto count = static_cast<double>(points.shell.areas.size());
    const double spacing = std::sqrt(points.shell.areas.cast<double>().sum() / count);
    return static_cast<double>(segments) > count && spacing <= widest * points.thickness;
}

/// Segments for a body that is not to collide with its surface; where its shape was all that spoke for them, and the
/// surface is better, the surface all the same: along a single strand whose section no circle stands for as closely as
/// the bricks tell.
void makeSegmentsOrSurface(const SurfaceMesh& surface, const MatrixX& meshBasis, const ProgressCallback& progress,
                           std::vector<std::string>& notes, ReducedModel& model) {
    ContactSurface contact = std::move(model.contactSurface);
    ContactSkeleton points = std::move(model.skeleton);
    model.contactSurface = ContactSurface();
    makeSegments(surface, meshBasis, progress, model);
    const Eigen::Index count = contact.shell.areas.size(), segments = model.skeleton.segments.cols();
    if (count == 0 || !isBetter(contact, segments)) return;
    if (!isClosed(surface) || isWoven(surface, contact.thickness)) return;
    const std::string needs = "its strand needs " + std::to_string(segments) + " capsule segments";
    try {
        contact.field = makeDistanceField(surface, DistanceFieldOptions(), &notes);
    } catch (const Error& problem) {
        notes.push_back(needs + ", and it cannot collide with its surface: " + problem.what());
        return;
    }
    notes.push_back(needs + ": it collides with " + std::to_string(count) +
                    " points of its surface (contact: segments overrules that)");
    model.contactSurface = std::move(contact);
    model.skeleton = std::move(points);
}

}  // namespace

void makeContactGeometry(const SurfaceMesh& surface, const SurfaceMesh& drawn, const MatrixX& meshBasis,
                         const SurfaceChoice& choice, const ProgressCallback& progress, std::vector<std::string>& notes,
                         ReducedModel& model) {
    if (!makeSolid(surface, drawn, meshBasis, choice, model, notes))
        makeSegmentsOrSurface(surface, meshBasis, progress, notes, model);
    reportProgress(progress, "trees", 0.0);
    model.skeletonTree = buildSkeletonTree(model.skeleton);
    reportProgress(progress, "trees", 0.5);
    model.triangleTree =
        buildTriangleTree(model.surface.positions.cast<float>(), model.surfaceBasis, model.surface.triangles);
    reportProgress(progress, "trees", 1.0);
}

}  // namespace pliant
