// SPDX-License-Identifier: Zlib
#include "pliant/mesh/voxels/Voxelise.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "pliant/math/Error.h"
#include "pliant/mesh/CheckSurfaceMesh.h"
#include "pliant/mesh/CheckVolumeMesh.h"
#include "pliant/mesh/ElementShape.h"
#include "pliant/mesh/Embedding.h"
#include "pliant/mesh/MeshTopology.h"
#include "pliant/mesh/SurfaceClosure.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/voxels/BrickShares.h"
#include "pliant/mesh/voxels/CellShares.h"
#include "pliant/mesh/voxels/VoxelGrid.h"

namespace pliant {

namespace {

constexpr int maxResolution = 256, minDefaultResolution = 8;

/// Which cells become bricks, and what they count.
struct Filling {
    bool solid = false;
    std::optional<Triangles> outward;  // solid with shares: the closed surface
    double thickness = 0.0;            // shares of a sheet, m
    bool shares() const { return outward || thickness > 0.0; }
};

VoxelGrid fill(const SurfaceMesh& surface, int resolution, const Filling& filling) {
    VoxelGrid grid(surface, resolution, filling.shares() ? CellShape::Fitted : CellShape::Cubic, filling.thickness);
    grid.fillShell(surface);
    if (filling.outward) {
        const std::vector<double> shares = volumeShares(grid, surface.positions, *filling.outward);
        for (std::size_t c = 0; c < shares.size(); ++c) grid.setFilled(c, shares[c] > 0.0);
    } else if (filling.thickness > 0.0) {
        constexpr double sliver = 1e-5;
        const std::vector<CellFilling> cells = sheetFillings(grid, surface, filling.thickness);
        for (std::size_t c = 0; c < cells.size(); ++c)
            if (cells[c].share > sliver) grid.setFilled(c, true);
    } else if (filling.solid) {
        grid.fillInside();
    }
    grid.repairHinges();
    return grid;
}

void setShares(const SurfaceMesh& surface, const VoxelGrid& grid, const Filling& filling, VolumeMesh& mesh) {
    const std::vector<CellFilling> cells = filling.outward ? volumeFillings(grid, surface.positions, *filling.outward)
                                                           : sheetFillings(grid, surface, filling.thickness);
    std::vector<double> shares(cells.size());
    std::transform(cells.begin(), cells.end(), shares.begin(), [](const CellFilling& cell) { return cell.share; });
    mesh.filledBoxes = filledBoxes(grid, cells);
    mesh.elementShare = brickShares(grid, std::move(shares));
    const ElasticMaterial& material = mesh.materials.front();
    mesh.elementBending = brickBending(grid, mesh.elementShare, material.isotropic() ? material.poissonRatio : 0.3);
    if (mesh.elementBending.size() > 0) mesh.bendingFill = brickFill(grid);
    if ((mesh.elementShare.array() == 1.0).all()) mesh.elementShare.resize(0);
}

/// Number of each lattice point that a filled cell touches, -1 for the others; z fastest.
struct LatticeNumbers {
    explicit LatticeNumbers(const VoxelGrid& grid) : ny(grid.cells(1) + 1), nz(grid.cells(2) + 1) {
        number.assign(
            static_cast<std::size_t>(grid.cells(0) + 1) * static_cast<std::size_t>(ny) * static_cast<std::size_t>(nz),
            -1);
    }
    int& at(int i, int j, int k) {
        return number[(static_cast<std::size_t>(i) * static_cast<std::size_t>(ny) + static_cast<std::size_t>(j)) *
                          static_cast<std::size_t>(nz) +
                      static_cast<std::size_t>(k)];
    }
    int ny, nz;
    std::vector<int> number;
};

VolumeMesh bricksOf(const VoxelGrid& grid, const ElasticMaterial& material) {
    LatticeNumbers lattice(grid);
    forEachFilled(grid, [&](int i, int j, int k) {
        for (const auto& bit : brickCornerBit) lattice.at(i + bit[0], j + bit[1], k + bit[2]) = 0;
    });
    int vertices = 0;
    for (int& number : lattice.number)
        if (number == 0) number = vertices++;
    VolumeMesh mesh;
    mesh.kind = ElementKind::Brick;
    mesh.materials = {material};
    mesh.positions.resize(3, vertices);
    for (int i = 0; i <= grid.cells(0); ++i)
        for (int j = 0; j <= grid.cells(1); ++j)
            for (int k = 0; k <= grid.cells(2); ++k)
                if (const int v = lattice.at(i, j, k); v >= 0) mesh.positions.col(v) = grid.corner(i, j, k);
    mesh.elements.resize(8, grid.filledCount());
    mesh.elementMaterial.assign(static_cast<std::size_t>(grid.filledCount()), 0);
    int e = 0;
    forEachFilled(grid, [&](int i, int j, int k) {
        for (std::size_t c = 0; c < 8; ++c) {
            const auto& bit = brickCornerBit[c];
            mesh.elements(static_cast<Eigen::Index>(c), e) = lattice.at(i + bit[0], j + bit[1], k + bit[2]);
        }
        ++e;
    });
    return mesh;
}

/// The largest coarser resolution at which the parts grow together; 0 when there is none with bricks of at most four
/// times the size, which would weld what stands apart.
int joiningResolution(const SurfaceMesh& surface, int resolution, const Filling& filling) {
    for (int n = resolution - 1 - resolution / 16; n >= std::max(2, resolution / 4); n -= 1 + n / 16)
        if (fill(surface, n, filling).partSizes().size() == 1) return n;
    return 0;
}

/// "12 bricks around 57 of the surface's vertices, such as vertex 130 at (1, 2, 3)", for every part but the largest.
std::string smallerParts(const SurfaceMesh& surface, const VolumeMesh& bricks) {
    const ElementComponents parts = connectedComponents(bricks);
    const auto largest = std::max_element(parts.sizes.begin(), parts.sizes.end()) - parts.sizes.begin();
    std::vector<int> first(parts.sizes.size(), -1), vertices(parts.sizes.size(), 0);
    const PointLocator locator(bricks);
    for (int v = 0; v < surface.vertexCount(); ++v) {
        const int element = locator.locate(surface.positions.col(v)).element;
        const auto part = static_cast<std::size_t>(parts.component[static_cast<std::size_t>(element)]);
        if (vertices[part]++ == 0) first[part] = v;
    }
    constexpr int mostNamed = 4;
    std::string text;
    int named = 0;
    for (std::size_t p = 0; p < parts.sizes.size(); ++p) {
        if (static_cast<std::ptrdiff_t>(p) == largest) continue;
        if (named++ == mostNamed) return text + "; ...";
        text += (text.empty() ? "" : "; ") + std::to_string(parts.sizes[p]) + " bricks around " +
                std::to_string(vertices[p]) + " of the surface's vertices";
        if (first[p] < 0) continue;
        const Vector3 x = surface.positions.col(first[p]);
        text += ", such as vertex " + std::to_string(first[p]) + " at (" + numberText(x[0]) + ", " + numberText(x[1]) +
                ", " + numberText(x[2]) + ")";
    }
    return text;
}

[[noreturn]] void failForParts(const SurfaceMesh& surface, const VoxelGrid& grid, int resolution,
                               const Filling& filling) {
    const std::vector<int> sizes = grid.partSizes();
    std::string list;
    for (std::size_t i = 0; i < std::min<std::size_t>(sizes.size(), 5); ++i)
        list += (i > 0 ? ", " : "") + std::to_string(sizes[i]);
    if (sizes.size() > 5) list += ", ...";
    const int joining = joiningResolution(surface, resolution, filling);
    throw Error("voxels",
                "at resolution " + std::to_string(resolution) + " the surface falls into " +
                    std::to_string(sizes.size()) + " parts that share no face (of " + list +
                    " bricks); beside the largest: " + smallerParts(surface, bricksOf(grid, ElasticMaterial())),
                joining > 0
                    ? "resolution " + std::to_string(joining) + " joins them (--voxels " + std::to_string(joining) +
                          "), or put each into a file of its own"
                    : "they stand too far apart to be joined by larger bricks: put each into a file of its own, or "
                      "join them in the surface");
}

struct Trial {
    int resolution = 0, bricks = 0;
    bool onePart = false;
};

Trial tryResolution(const SurfaceMesh& surface, int resolution, const Filling& filling) {
    const VoxelGrid grid = fill(surface, resolution, filling);
    return {resolution, grid.filledCount(), grid.partSizes().size() == 1};
}

/// Smallest resolution that gives at least `wanted` bricks, by doubling and bisection (the count grows with it).
Trial resolutionFor(const SurfaceMesh& surface, int wanted, const Filling& filling) {
    Trial enough = tryResolution(surface, minDefaultResolution, filling);
    int below = minDefaultResolution;
    while (enough.bricks < wanted && enough.resolution < maxResolution) {
        below = enough.resolution;
        enough = tryResolution(surface, 2 * enough.resolution, filling);
    }
    while (enough.resolution - below > 1) {
        const Trial middle = tryResolution(surface, (below + enough.resolution) / 2, filling);
        if (middle.bricks >= wanted)
            enough = middle;
        else
            below = middle.resolution;
    }
    return enough;
}

int chooseResolution(const SurfaceMesh& surface, const Filling& filling) {
    constexpr int wanted = 3500, most = 6000;
    checkSurfaceMesh(surface, "surface");
    const Trial start = resolutionFor(surface, wanted, filling);
    if (start.onePart) return start.resolution;
    // Finer ones within the range first: thin gaps come and go with the grid. Then ever coarser ones.
    for (int n = start.resolution + 1; n <= std::min(maxResolution, start.resolution + 8); ++n) {
        const Trial finer = tryResolution(surface, n, filling);
        if (finer.bricks > most) break;
        if (finer.onePart) return n;
    }
    for (int n = start.resolution - 1; n >= minDefaultResolution; n -= 1 + n / 32)
        if (tryResolution(surface, n, filling).onePart) return n;
    return start.resolution;
}

Filling fillingOf(const SurfaceMesh& surface, const VoxeliseOptions& options) {
    Filling filling;
    filling.solid = options.solid;
    if (!options.filledShares) return filling;
    if (options.solid) {
        SurfaceClosure closure = examineClosure(surface);
        if (!closure.closed())
            throw Error("voxels", "the surface is not closed: " + openEdgesText(closure),
                        "close it, or ask for a shell");
        filling.outward = std::move(closure.triangles);
        return filling;
    }
    if (!(std::isfinite(options.thickness) && options.thickness > 0.0))
        throw Error("voxels", "the sheet's thickness is " + numberText(options.thickness) + " m",
                    "give a positive number");
    filling.thickness = options.thickness;
    return filling;
}

}  // namespace

int chooseVoxelResolution(const SurfaceMesh& surface, bool solid) {
    Filling filling;
    filling.solid = solid;
    return chooseResolution(surface, filling);
}

VolumeMesh voxelise(const SurfaceMesh& surface, const VoxeliseOptions& options) {
    checkSurfaceMesh(surface, "surface");
    checkMaterial(options.material, "voxel material");
    if (options.resolution < 0 || options.resolution > maxResolution)
        throw Error(
            "voxels",
            "resolution " + std::to_string(options.resolution) + " is outside 1.." + std::to_string(maxResolution),
            "0 lets the program choose");
    const Filling filling = fillingOf(surface, options);
    const int resolution = options.resolution > 0 ? options.resolution : chooseResolution(surface, filling);
    const VoxelGrid grid = fill(surface, resolution, filling);
    if (grid.filledCount() == 0)
        throw Error("voxels", "the surface encloses so little that no brick holds a part of it",
                    "ask for a shell, or for larger bricks");
    if (grid.partSizes().size() > 1) failForParts(surface, grid, resolution, filling);
    VolumeMesh mesh = bricksOf(grid, options.material);
    if (filling.shares()) setShares(surface, grid, filling, mesh);
    return mesh;
}

}  // namespace pliant
