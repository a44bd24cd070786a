// SPDX-License-Identifier: Zlib
#include "pliant/lattice/MakeContactLattice.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>

#include "pliant/lattice/FitToSurface.h"
#include "pliant/lattice/LatticeCells.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/Embedding.h"
#include "pliant/skeleton/CheckBodyInput.h"

namespace pliant {

namespace {

/// Cells of a grid that is larger are not counted; it becomes coarser at once.
constexpr double mostGridCells = 4e6;

void checkInput(const SurfaceMesh& surface, const VolumeMesh& mesh, const MatrixX& basis,
                const ContactLatticeOptions& options) {
    const std::string where = "contact lattice";
    checkBodyInput(surface, mesh, basis, where);
    if (options.maximumVertices < 343)  // the least that any surface needs: six cells an axis
        throw Error(where, std::to_string(options.maximumVertices) + " vertices are too few", "allow at least 343");
    if (!std::isfinite(options.spacing) || options.spacing < 0.0) throw Error(where, "the spacing is not a length");
}

/// Edge of a cube of the elements' mean volume, m.
double meanSize(const VolumeMesh& mesh) {
    double volume = 0.0;
    for (int e = 0; e < mesh.elementCount(); ++e) {
        const auto corner = [&](int c) -> Vector3 { return mesh.positions.col(mesh.elements(c, e)); };
        const bool brick = mesh.kind == ElementKind::Brick;  // corners 1, 3 and 4 are the neighbours of corner 0
        const Vector3 x = corner(1) - corner(0), y = corner(brick ? 3 : 2) - corner(0),
                      z = corner(brick ? 4 : 3) - corner(0);
        // A cube has about the edge of the regular tetrahedron of sqrt(2) / 12 of its volume.
        volume += (brick ? 1.0 : std::sqrt(2.0)) * std::abs(x.cross(y).dot(z));
    }
    return std::cbrt(volume / mesh.elementCount());
}

/// Whether every element is a cube with edge `size`, axis-aligned, on the grid that the first one starts.
bool isCubicGrid(const VolumeMesh& mesh, double size) {
    if (mesh.kind != ElementKind::Brick) return false;
    const Vector3 anchor = mesh.positions.col(mesh.elements(0, 0));
    for (int e = 0; e < mesh.elementCount(); ++e)
        for (int c = 0; c < 8; ++c) {
            const Vector3 at = (mesh.positions.col(mesh.elements(c, e)) - anchor) / size;
            if ((at - at.array().round().matrix()).cwiseAbs().maxCoeff() > 1e-3) return false;
        }
    return true;
}

/// Sets places, vertices and numbers of the cells. @return numbers of the grid's vertices that they have
std::vector<int> addCells(const CellGrid& grid, const std::vector<int>& cells, ContactLattice& lattice) {
    lattice.origin = grid.origin;
    lattice.spacing = grid.spacing;
    lattice.cells = grid.cells;
    lattice.cellNumbers = nearestCells(grid, cells);
    lattice.cellPlaces.resize(3, static_cast<Eigen::Index>(cells.size()));
    for (std::size_t i = 0; i < cells.size(); ++i)
        lattice.cellPlaces.col(static_cast<Eigen::Index>(i)) = grid.place(cells[i]);
    return cellVertices(grid, cells, lattice.cellVertices);
}

Points vertexPositions(const CellGrid& grid, const std::vector<int>& vertices) {
    Points positions(3, static_cast<Eigen::Index>(vertices.size()));
    const int X = grid.cells[0] + 1, Y = grid.cells[1] + 1;
    for (std::size_t i = 0; i < vertices.size(); ++i)
        positions.col(static_cast<Eigen::Index>(i)) =
            grid.origin +
            grid.spacing * Vector3(vertices[i] % X, vertices[i] / X % Y, static_cast<double>(vertices[i] / X / Y));
    return positions;
}

std::vector<MaterialPoint> locateAll(const PointLocator& locator, const Points& points) {
    std::vector<MaterialPoint> result;
    for (Eigen::Index i = 0; i < points.cols(); ++i) result.push_back(locator.locate(points.col(i)));
    return result;
}

}  // namespace

ContactLattice makeContactLattice(const SurfaceMesh& surface, const VolumeMesh& mesh, const MatrixX& meshBasis,
                                  const ContactLatticeOptions& options) {
    checkInput(surface, mesh, meshBasis, options);
    const double size = meanSize(mesh);
    const Vector3 extent = surface.positions.rowwise().maxCoeff() - surface.positions.rowwise().minCoeff();
    double spacing = options.spacing > 0.0 ? options.spacing : size;
    if (!(spacing > 0.0)) throw Error("contact lattice", "the elements of the simulation mesh have no volume");
    const Vector3 anchor = isCubicGrid(mesh, size) ? Vector3(mesh.positions.col(mesh.elements(0, 0)))
                                                   : Vector3(surface.positions.rowwise().minCoeff());
    for (;; spacing *= 2.0) {
        if ((extent.array() / spacing + 6.0).prod() > mostGridCells) continue;
        const CellGrid grid = gridAround(surface, anchor, spacing);
        const std::vector<int> cells = cellsNearSurface(surface, grid);
        ContactLattice lattice;
        Matrix<int, 8, Eigen::Dynamic> corners;
        const bool smallest = grid.cells.maxCoeff() <= 6;  // the surface lies in two cells an axis: it is no coarser
        if (static_cast<int>(cellVertices(grid, cells, corners).size()) > options.maximumVertices && !smallest)
            continue;
        const std::vector<int> vertices = addCells(grid, cells, lattice);
        const PointLocator locator(mesh);
        MatrixX rows = interpolateBasis(locateAll(locator, vertexPositions(grid, vertices)), meshBasis);
        fitToSurface(surface, locator, meshBasis, lattice, rows);
        lattice.basis = rows.cast<float>();
        return lattice;
    }
}

}  // namespace pliant
