// SPDX-License-Identifier: Zlib
// The lattice that carries a distance field: which cells it has, and that it moves as the surface moves.
#include "LatticeError.h"
#include "pliant/lattice/MakeContactLattice.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/voxels/Voxelise.h"
#include "unit/reduce/InputMeshes.h"
#include "unit/shell/ShellShapes.h"

namespace pliant {
namespace {

VolumeMesh voxels(const SurfaceMesh& surface, int resolution) {
    VoxeliseOptions options;
    options.resolution = resolution;
    options.solid = true;
    return voxelise(surface, options);
}

/// Waves of half a wave length and more over the extent of a mesh: shapes as modes have them.
MatrixX waves(const VolumeMesh& mesh, int columns) {
    const Vector3 lower = mesh.positions.rowwise().minCoeff();
    const double size = (mesh.positions.rowwise().maxCoeff() - lower).maxCoeff();
    MatrixX basis(3 * mesh.vertexCount(), columns);
    for (int v = 0; v < mesh.vertexCount(); ++v)
        for (int j = 0; j < columns; ++j) {
            const Vector3 x = (mesh.positions.col(v) - lower) / size;
            for (int k = 0; k < 3; ++k)
                basis(3 * v + k, j) = std::cos(3.14159 * (1 + j / 4) * x[(j + k) % 3] + 0.7 * j + k);
        }
    return basis;
}

/// Size, numbers and places agree; every triangle's corner lies in a cell of its own.
void expectWellFormed(const ContactLattice& lattice, const SurfaceMesh& surface) {
    ASSERT_EQ(static_cast<int>(lattice.cellNumbers.size()), lattice.cells.prod());
    ASSERT_EQ(lattice.cellPlaces.cols(), lattice.cellCount());
    const auto boxCell = [&](const Eigen::Vector3i& at) {
        return static_cast<std::size_t>(at[0] + lattice.cells[0] * (at[1] + lattice.cells[1] * at[2]));
    };
    for (int c = 0; c < lattice.cellCount(); ++c) EXPECT_EQ(lattice.cellNumbers[boxCell(lattice.cellPlaces.col(c))], c);
    for (int cell = 0; cell < lattice.cells.prod(); ++cell) {
        const Eigen::Vector3i at(cell % lattice.cells[0], cell / lattice.cells[0] % lattice.cells[1],
                                 cell / lattice.cells[0] / lattice.cells[1]);
        int nearest = 1 << 30;
        for (int c = 0; c < lattice.cellCount(); ++c)
            nearest = std::min(nearest, (lattice.cellPlaces.col(c) - at).squaredNorm());
        const int chosen = lattice.cellNumbers[static_cast<std::size_t>(cell)];
        EXPECT_EQ((lattice.cellPlaces.col(chosen) - at).squaredNorm(), nearest);
    }
    EXPECT_GE(lattice.cellVertices.minCoeff(), 0);
    EXPECT_LT(lattice.cellVertices.maxCoeff(), lattice.vertexCount());
    for (int v = 0; v < surface.vertexCount(); ++v) {
        const Vector3 t = (surface.positions.col(v) - lattice.origin) / lattice.spacing;
        EXPECT_GE(t.minCoeff(), 2.0 - 1e-6);
        EXPECT_LE((t - lattice.cells.cast<double>()).maxCoeff(), -2.0 + 1e-6);
        for (int corner = 0; corner < 27; ++corner) {  // the neighbours of the vertex' cell have cells of their own
            const Eigen::Vector3i at = (t.array() - 1e-9).floor().cast<int>().matrix() +
                                       Eigen::Vector3i(corner % 3 - 1, corner / 3 % 3 - 1, corner / 9 - 1);
            EXPECT_EQ(lattice.cellPlaces.col(lattice.cellNumbers[boxCell(at)]), at);
        }
    }
}

TEST(ContactLattice, OfBricksMovesTheSurfaceExactly) {
    for (const SurfaceMesh& surface : {test::box(Vector3(0.1, 0.2, 0.3), Vector3(1.1, 0.45, 0.5)),
                                       test::spheroid(0.5, 0.3, 16), test::torus(1.0, 0.25, 32, 16)}) {
        const VolumeMesh mesh = voxels(surface, 16);
        const MatrixX basis = waves(mesh, 10);
        ContactLatticeOptions options;
        options.maximumVertices = 20000;
        const ContactLattice lattice = makeContactLattice(surface, mesh, basis, options);
        expectWellFormed(lattice, surface);
        const double edge = (mesh.positions.col(mesh.elements(1, 0)) - mesh.positions.col(mesh.elements(0, 0))).norm();
        EXPECT_NEAR(lattice.spacing, edge, 1e-9);
        const Vector3 offset = (Vector3(mesh.positions.col(0)) - lattice.origin) / lattice.spacing;
        EXPECT_LT((offset - offset.array().round().matrix()).norm(), 1e-6) << "aligned with the bricks";
        EXPECT_LT(test::latticeError(lattice, surface, mesh, basis, 10).largest, 1e-6);
    }
}

// Half of the bricks' displacements are lost in cells twice as wide: the least squares fit leaves a few hundredths.
TEST(ContactLattice, IsCoarserWhereVerticesAreFew) {
    const SurfaceMesh surface = test::torus(1.0, 0.25, 48, 24);
    const VolumeMesh mesh = voxels(surface, 24);
    const MatrixX basis = waves(mesh, 10);
    ContactLatticeOptions options;
    options.maximumVertices = 2000;
    const ContactLattice lattice = makeContactLattice(surface, mesh, basis, options);
    expectWellFormed(lattice, surface);
    EXPECT_LE(lattice.vertexCount(), 2000);
    const double edge = (mesh.positions.col(mesh.elements(1, 0)) - mesh.positions.col(mesh.elements(0, 0))).norm();
    EXPECT_NEAR(lattice.spacing, 2.0 * edge, 1e-9);
    const test::LatticeError error = test::latticeError(lattice, surface, mesh, basis, 10);
    RecordProperty("percentile99", std::to_string(error.percentile99));
    RecordProperty("largest", std::to_string(error.largest));
    EXPECT_LT(error.percentile99, 0.03);
    EXPECT_LT(error.largest, 0.06);
}

TEST(ContactLattice, OfTetrahedraMovesTheSurfaceClosely) {
    const VolumeMesh mesh = test::tetrahedra(test::brickBlock(12, 3, 3, Vector3::Constant(0.1)));
    const SurfaceMesh surface = test::box(Vector3::Zero(), Vector3(1.2, 0.3, 0.3));
    const MatrixX basis = waves(mesh, 10);
    const ContactLattice lattice = makeContactLattice(surface, mesh, basis);
    expectWellFormed(lattice, surface);
    EXPECT_LT(test::latticeError(lattice, surface, mesh, basis, 10).largest, 0.05);
}

TEST(ContactLattice, HasTheSameBitsTwice) {
    const SurfaceMesh surface = test::spheroid(0.5, 0.3, 16);
    const VolumeMesh mesh = voxels(surface, 16);
    ContactLatticeOptions options;
    options.maximumVertices = 500;
    const ContactLattice a = makeContactLattice(surface, mesh, waves(mesh, 4), options),
                         b = makeContactLattice(surface, mesh, waves(mesh, 4), options);
    EXPECT_EQ(a.basis, b.basis);
    EXPECT_EQ(a.cellNumbers, b.cellNumbers);
    EXPECT_EQ(a.cellVertices, b.cellVertices);
}

TEST(ContactLattice, RefusesWhatCannotBeCarried) {
    const SurfaceMesh surface = test::box(Vector3::Zero(), Vector3::Ones());
    const VolumeMesh mesh = voxels(surface, 8);
    const MatrixX basis = waves(mesh, 2);
    SurfaceMesh bad = surface;
    bad.triangles.resize(3, 0);
    EXPECT_THROW(makeContactLattice(bad, mesh, basis), Error);
    bad = surface;
    bad.triangles(1, 1) = 8;
    EXPECT_THROW(makeContactLattice(bad, mesh, basis), Error);
    bad = surface;
    bad.positions(1, 1) = std::nan("");
    EXPECT_THROW(makeContactLattice(bad, mesh, basis), Error);
    EXPECT_THROW(makeContactLattice(surface, mesh, basis.topRows(6)), Error);
    ContactLatticeOptions options;
    options.maximumVertices = 100;
    EXPECT_THROW(makeContactLattice(surface, mesh, basis, options), Error);
    options.maximumVertices = 343;
    EXPECT_LE(makeContactLattice(surface, mesh, basis, options).vertexCount(), 343);
}

}  // namespace
}  // namespace pliant
