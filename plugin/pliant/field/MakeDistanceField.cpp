// SPDX-License-Identifier: Zlib
#include "pliant/field/MakeDistanceField.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <memory>

#include "pliant/field/FieldSamples.h"
#include "pliant/field/OuterSurface.h"
#include "pliant/field/WallThickness.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/ClosedSurface.h"
#include "pliant/mesh/TextFile.h"

namespace pliant {
namespace {

const char* const kWhere = "distance field";
constexpr double kThinShare = 0.01;    // of the surface, which has to be thin for the spacing to become finer
constexpr double kFinestWall = 4.0;    // spacings in a wall that are aimed at
constexpr double kCoarsestWall = 2.0;  // and that the zero level needs: a sample at least as deep as the next is high
constexpr double kExactOutside = 1.75 / 8.0;  // of the band outside, where samples are exact
constexpr double kPadding = 2.0;              // spacings around the surface

std::string placeText(const Vector3& x) {
    const auto rounded = [](double v) { return numberText(std::round(v * 1e6) / 1e6); };
    return "(" + rounded(x[0]) + ", " + rounded(x[1]) + ", " + rounded(x[2]) + ")";
}

std::string lengthText(double metres) {
    return numberText(std::round(metres * 1e6) / 1e3) + " mm";
}

/// A surface with vertices joined.
struct JoinedMesh {
    Points points;
    Triangles triangles;
    Vector3 lower, upper;

    explicit JoinedMesh(const SurfaceMesh& surface) {
        if (surface.triangleCount() == 0 || !surface.positions.allFinite())
            throw Error(kWhere, "the surface has no triangles or a vertex that is not finite");
        points = surface.positions;
        triangles = trianglesBetweenPlaces(surface);
        if (triangles.cols() == 0) throw Error(kWhere, "no triangle of the surface has three corners");
        const OpenEdges open = openEdges(points, triangles);
        // Parts that lie against each other, as the rims of sheets that meet at an edge do, close each with its own
        // copy of a triangle that they share.
        if (open.count > 0 && openEdges(points, trianglesBetweenPlaces(surface, TriangleCopies::Kept)).count > 0)
            throw Error(kWhere,
                        "the surface is not closed: " + std::to_string(open.count) +
                            " edges have a triangle on one side only, the first at " + placeText(open.place),
                        "close the holes and join what should be one in a modelling program, or let the body collide "
                        "by capsules (--contact segments)");
        lower = upper = points.col(triangles(0, 0));
        for (const int v : triangles.reshaped()) {
            lower = lower.cwiseMin(points.col(v));
            upper = upper.cwiseMax(points.col(v));
        }
    }

    double area() const {
        double sum = 0.0;
        for (const auto& t : triangles.colwise()) {
            const Vector3 a = points.col(t[0]), b = points.col(t[1]), c = points.col(t[2]);
            sum += 0.5 * (b - a).cross(c - a).norm();
        }
        return sum;
    }
};

/// The surface on a grid of one spacing: what is outside, and what of the surface is seen from there.
struct GriddedSurface {
    FieldGrid grid;
    OutsideRegion outside;
    OuterSurface outer;
    SurfaceDistance distance;
    FieldBands bands;
    std::vector<int> bricks;
    std::size_t bytes = 0;

    GriddedSurface(const JoinedMesh& mesh, const SurfaceDistance& whole, double spacing)
        : grid(gridAround(mesh.lower, mesh.upper, spacing, kPadding * spacing)),
          outside(grid, mesh.points, mesh.triangles),
          outer(outerSurface(grid, outside, mesh.points, mesh.triangles, whole)),
          distance(outer.points, outer.triangles) {}
    GriddedSurface(const GriddedSurface&) = delete;  // `distance` refers to `outer`
    GriddedSurface& operator=(const GriddedSurface&) = delete;

    /// Takes the widest bands that fit into the memory. @return whether any do
    bool chooseBands(const DistanceFieldOptions& options) {
        for (const double width : {1.0, 0.75, 0.5}) {
            const double inside = std::max({8.0, width * options.insideBand, options.leastInside / grid.spacing});
            const double reach = std::max({3.0, width * options.outsideBand, options.leastOutside / grid.spacing});
            bands.outside = {std::max(1.75, kExactOutside * reach), reach};
            bands.inside = {0.5 * inside, inside};
            std::size_t certain = 0;
            bricks = bandBricks(grid, bands, outside, distance, certain);
            bytes = 2 * kSamplesStored * certain + grid.tableBytes();
            if (bytes <= options.memory) return true;
        }
        return false;
    }
};

void checkFieldOptions(const DistanceFieldOptions& options) {
    if (options.resolution < 16 || options.resolution > 2048)
        throw Error(kWhere, "the resolution " + std::to_string(options.resolution) + " is out of range",
                    "choose 16 to 2048 spacings along the longest side");
    if (!(options.outsideBand >= 3.0 && options.outsideBand <= 64.0 && options.insideBand >= 8.0 &&
          options.insideBand <= 64.0))
        throw Error(kWhere, "a band is out of range", "choose 3 to 64 spacings outside and 8 to 64 inside");
    if (!(options.leastOutside >= 0.0 && options.leastInside >= 0.0) ||
        !std::isfinite(options.leastOutside + options.leastInside))
        throw Error(kWhere, "the least width of a band is no length", "give it in metres");
}

/// The finest spacing that is worth a try: a surface fills area / (8 spacings)^2 bricks at least.
double finestSpacing(const JoinedMesh& mesh, const DistanceFieldOptions& options) {
    const double width2 = mesh.area() * 2.0 * kSamplesStored / static_cast<double>(options.memory);
    const double volume = (mesh.upper - mesh.lower).prod();
    const double ofTables = std::cbrt(volume * 8.0 / static_cast<double>(options.memory));
    return std::max(std::sqrt(width2), ofTables) / kCellsOfBrick;
}

/// Notes walls that are too thin for a spacing. @throws Error where most are
void reportThinWalls(const WallThickness& walls, double spacing, const DistanceFieldOptions& options,
                     std::vector<std::string>& notes) {
    const double needed = kCoarsestWall * spacing, share = walls.shareBelow(needed);
    if (share < kThinShare) return;
    const std::string thin = numberText(std::round(1000.0 * share) / 10.0) +
                             " % of the surface is of walls thinner than " + lengthText(needed) + ", down to " +
                             lengthText(walls.atShare(0.0)) + " at " + placeText(walls.thinnestPlace());
    const std::string cure = "thicken them, or make several bodies of it: the field of each has " +
                             std::to_string(options.memory >> 20) + " MB";
    if (share > 0.5) throw Error(kWhere, thin + ", which the field is too coarse for", cure);
    notes.push_back(std::string(kWhere) + ": " + thin + ": contact may miss them; " + cure);
}

}  // namespace

DistanceField makeDistanceField(const SurfaceMesh& surface, const DistanceFieldOptions& options,
                                std::vector<std::string>* notes) {
    checkFieldOptions(options);
    const JoinedMesh mesh(surface);
    const double longest = (mesh.upper - mesh.lower).maxCoeff();
    if (!(longest > 0.0)) throw Error(kWhere, "the surface has no extent");
    const SurfaceDistance whole(mesh.points, mesh.triangles);
    std::vector<std::string> own;

    const double wanted = longest / options.resolution, finest = finestSpacing(mesh, options);
    double spacing = std::max(wanted, finest);
    auto gridded = std::make_unique<GriddedSurface>(mesh, whole, spacing);
    const WallThickness walls(gridded->outer.points, gridded->outer.triangles, gridded->distance, whole);
    const double ofWalls = walls.atShare(kThinShare) / kFinestWall;
    if (std::max(ofWalls, finest) < spacing) {
        spacing = std::max(ofWalls, finest);
        gridded = std::make_unique<GriddedSurface>(mesh, whole, spacing);
    }
    while (!gridded->chooseBands(options)) {
        spacing *= 1.06;
        std::vector<std::string> early;
        reportThinWalls(walls, spacing, options, early);  // what is refused need not be tried at coarser ones
        if (longest / spacing < 16.0)
            throw Error(kWhere, "the field does not fit into " + std::to_string(options.memory >> 20) + " MB",
                        "make several bodies of the surface, or let it collide by capsules (--contact segments)");
        gridded = std::make_unique<GriddedSurface>(mesh, whole, spacing);
    }
    if (spacing > 1.001 * wanted)
        own.push_back(std::string(kWhere) + ": " + std::to_string(static_cast<int>(longest / spacing)) +
                      " spacings along the longest side instead of " + std::to_string(options.resolution) +
                      ", for more do not fit into " + std::to_string(options.memory >> 20) + " MB");
    reportThinWalls(walls, gridded->grid.spacing, options, own);

    DistanceField field =
        sampleField(gridded->grid, gridded->bands, gridded->outside, gridded->distance, gridded->bricks);
    if (std::none_of(field.samples.begin(), field.samples.end(), [](std::int16_t s) { return s < 0; }))
        throw Error(kWhere, "the surface encloses nothing that a spacing of " + lengthText(spacing) + " sees",
                    "thicken it, or let the body collide by capsules (--contact segments)");
    if (notes) notes->insert(notes->end(), own.begin(), own.end());
    return field;
}

}  // namespace pliant
