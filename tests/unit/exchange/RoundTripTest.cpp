// SPDX-License-Identifier: Zlib
// Models to the files of others and back, through the .pliant file: equal to the precision of the format.
#include <Eigen/LU>

#include "../mesh/TemporaryFolder.h"
#include "SampleModels.h"
#include "pliant/exchange/BulletFiles.h"
#include "pliant/exchange/ExportModel.h"
#include "pliant/exchange/ImportBullet.h"
#include "pliant/exchange/ImportVega.h"
#include "pliant/exchange/VegaFiles.h"
#include "pliant/mesh/BinaryFile.h"
#include "pliant/mesh/ReadVolume.h"

namespace {

using namespace pliant;
using pliant::test::errorOf;
using pliant::test::sampleModel;
using pliant::test::TemporaryFolder;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

template <typename A, typename B>
double difference(const A& a, const B& b) {
    return (a - b).norm() / std::max(1e-300, static_cast<double>(a.norm()));
}

std::shared_ptr<const ReducedModel> throughFile(const ReducedModel& model, const TemporaryFolder& folder) {
    saveModel(model, folder.path("again.pliant"));
    return loadModel(folder.path("again.pliant"));
}

/// @param precision of the basis in the files
void expectSameBody(const ReducedModel& a, const ReducedModel& b, double precision = 1e-13) {
    ASSERT_EQ(a.dimension(), b.dimension());
    EXPECT_EQ(a.anchored, b.anchored);
    EXPECT_EQ(a.fixedVertices, b.fixedVertices);
    EXPECT_LT(difference(meshBasis(a), meshBasis(b)), precision);
    EXPECT_LT(difference(a.energy.linearStiffness, b.energy.linearStiffness), 1e-14);
    EXPECT_LT(difference(a.energy.cubic, b.energy.cubic), 1e-14);
    EXPECT_LT(difference(a.energy.quartic, b.energy.quartic), 1e-14);
    EXPECT_NEAR(a.totalMass(), b.totalMass(), 1e-12 * a.totalMass());
    EXPECT_LT((a.inertia.translation - b.inertia.translation).norm(), 100.0 * precision);
    EXPECT_LT((a.inertia.rotation - b.inertia.rotation).norm(), 100.0 * precision);
    EXPECT_EQ(a.surface.triangles.cols(), b.surface.triangles.cols());
}

TEST(VegaRoundTrip, EveryPartComesBack) {
    for (const bool anchored : {true, false}) {
        const TemporaryFolder folder;
        const ReducedModel& model = *sampleModel(anchored);
        const std::vector<std::string> written = exportVega(model, folder.path("vega"));
        EXPECT_EQ(written.size(), anchored ? 7U : 6U);
        VegaImport files;
        files.cub = folder.path("vega/lopsided.cub");
        findVegaFiles(files);
        EXPECT_EQ(files.basis, folder.path("vega/lopsided.U"));
        const ImportedModel imported = importVega(files);
        EXPECT_THAT(imported.notes, IsEmpty());
        const auto again = throughFile(*imported.model, folder);
        expectSameBody(model, *again);
        EXPECT_EQ(model.mesh.positions, again->mesh.positions);
        EXPECT_LT(difference(model.elasticEigenvalues, again->elasticEigenvalues), 1e-13);
        // The drawn surface moves as before: at the format's single precision.
        const VectorX q = VectorX::LinSpaced(model.dimension(), -1.0, 1.0);
        EXPECT_NEAR((model.surfaceBasis.cast<double>() * q).norm(), (again->surfaceBasis.cast<double>() * q).norm(),
                    1e-6 * (model.surfaceBasis.cast<double>() * q).norm());
        EXPECT_EQ(again->provenance.options.substr(0, 11), "import=vega");
    }
}

TEST(VegaRoundTrip, RenderingBasisAloneIsEnough) {
    const TemporaryFolder folder;
    const ReducedModel& model = *sampleModel(true);
    exportVega(model, folder.path("vega"));
    VegaImport files;
    files.cub = folder.path("vega/lopsided.cub");
    findVegaFiles(files);
    files.basis.clear();
    const ImportedModel imported = importVega(files);
    EXPECT_THAT(imported.notes, Contains(HasSubstr("the basis of the simulation mesh is fitted to it")));
    expectSameBody(model, *imported.model, 1e-6);  // every vertex of this mesh is on its surface
}

TEST(VegaRoundTrip, WithoutMeshBricksAndMaterialAreFound) {
    const TemporaryFolder folder;
    exportVega(*sampleModel(true), folder.path("vega"));
    VegaImport files;
    files.cub = folder.path("vega/lopsided.cub");
    files.renderingBasis = folder.path("vega/lopsided.URendering.float");
    files.surface = folder.path("vega/lopsided.obj");
    files.voxels = 12;
    const ImportedModel imported = importVega(files);
    EXPECT_THAT(imported.notes, Contains(HasSubstr("density ")));
    const ReducedModel& model = *imported.model;
    EXPECT_EQ(model.dimension(), 9);
    EXPECT_TRUE(model.anchored);
    EXPECT_GT(model.mesh.materials.at(0).density, 100.0);
    EXPECT_LT(model.mesh.materials.at(0).density, 20000.0);
}

TEST(VegaRoundTrip, HeldVerticesAreFoundInTheBasis) {
    const TemporaryFolder folder;
    const ReducedModel& model = *sampleModel(true);
    exportVega(model, folder.path("vega"));
    VegaImport files;
    files.cub = folder.path("vega/lopsided.cub");
    findVegaFiles(files);
    files.fixedVertices.clear();
    const ImportedModel imported = importVega(files);
    EXPECT_EQ(imported.model->fixedVertices, model.fixedVertices);
    EXPECT_THAT(imported.notes, ElementsAre(HasSubstr("4 vertices that the basis hardly moves are taken as held")));
}

TEST(VegaRoundTrip, StiffnessIsScaled) {
    const TemporaryFolder folder;
    const ReducedModel& model = *sampleModel(true);
    exportVega(model, folder.path("vega"));
    VegaImport files;
    files.cub = folder.path("vega/lopsided.cub");
    findVegaFiles(files);
    files.stiffnessScale = 0.0625;
    const ImportedModel imported = importVega(files);
    const VectorX q = VectorX::LinSpaced(model.dimension(), -0.02, 0.03);
    EXPECT_LT(difference(VectorX(0.0625 * model.energy.force(q)), imported.model->energy.force(q)), 1e-13);
}

TEST(VegaRoundTrip, FilesThatDisagreeAreRefusedWithBothNumbers) {
    const TemporaryFolder folder;
    exportVega(*sampleModel(true), folder.path("vega"));
    VegaImport good;
    good.cub = folder.path("vega/lopsided.cub");
    findVegaFiles(good);
    const MatrixX U = readVegaMatrix(good.basis), R = readVegaMatrix(good.renderingBasis);
    const auto problem = [](const VegaImport& files) { return errorOf([&] { importVega(files); }); };

    VegaImport files = good;
    files.basis = folder.path("less.U");
    writeVegaMatrix(U.leftCols(8), files.basis);
    EXPECT_THAT(problem(files), HasSubstr("less.U: its basis has r = 8, " + good.cub + " has r = 9"));
    writeVegaMatrix(U.topRows(U.rows() - 3), files.basis);
    EXPECT_THAT(problem(files), HasSubstr("less.U: the basis has " + std::to_string(U.rows() - 3) + " rows, the mesh " +
                                          std::to_string(U.rows() / 3) + " vertices"));
    files = good;
    files.basis.clear();
    files.renderingBasis = folder.path("less.URendering.float");
    writeVegaMatrixFloat(R.topRows(R.rows() - 6), files.renderingBasis);
    EXPECT_THAT(problem(files), HasSubstr("that is " + std::to_string(R.rows() / 3 - 2) + " vertices, " + good.surface +
                                          " has " + std::to_string(R.rows() / 3)));
    files.renderingBasis.clear();
    EXPECT_THAT(problem(files), HasSubstr("there is no basis with it"));
    files = good;
    files.mesh.clear();
    EXPECT_THAT(problem(files), HasSubstr("a .U belongs to a simulation mesh"));
}

TEST(VegaRoundTrip, AForeignDensityIsTold) {
    const TemporaryFolder folder;
    exportVega(*sampleModel(true), folder.path("vega"));
    VegaImport files;
    files.cub = folder.path("vega/lopsided.cub");
    findVegaFiles(files);
    std::string veg = readBytes(files.mesh);
    veg.replace(veg.find("1000,"), 5, "2000,");
    files.mesh = folder.write("heavier.veg", veg);
    EXPECT_THAT(importVega(files).notes, Contains(HasSubstr("U'MU differs from 1 by up to")));
}

TEST(BulletRoundTrip, LinearPartComesBack) {
    for (const bool anchored : {true, false}) {
        const TemporaryFolder folder;
        const ReducedModel& model = *sampleModel(anchored);
        EXPECT_EQ(exportBullet(model, folder.path("bullet")).size(), 6U);
        BulletImport files;
        files.folder = folder.path("bullet");
        ASSERT_TRUE(isBulletFolder(files.folder));
        const ImportedModel imported = importBullet(files);
        const auto again = throughFile(*imported.model, folder);
        EXPECT_EQ(again->anchored, anchored);
        EXPECT_EQ(again->fixedVertices, model.fixedVertices);
        EXPECT_EQ(again->energy.linearStiffness.diagonal(), model.restEigenvalues);
        EXPECT_EQ(again->energy.linearStiffness, MatrixX(model.restEigenvalues.asDiagonal()));
        EXPECT_EQ(again->energy.quartic.norm(), 0.0);
        EXPECT_LT(difference(MatrixX(meshBasis(model) * model.restEigenvectors), meshBasis(*again)), 1e-13);
        EXPECT_EQ(again->mesh.positions, model.mesh.positions);
        EXPECT_EQ(again->mesh.elementCount(), 6 * model.mesh.elementCount());
        EXPECT_NEAR(again->totalMass(), model.totalMass(), 1e-12 * model.totalMass());
        // Row sums keep the momentum of every mode; the consistent mass matrix has the same.
        const MatrixX momentum = model.inertia.translation * model.restEigenvectors;
        EXPECT_LT(
            (model.meshFromBody.rotation * momentum - again->meshFromBody.rotation * again->inertia.translation).norm(),
            1e-12);
        EXPECT_THAT(imported.notes, Contains(HasSubstr("a linear body of ")));
    }
}

TEST(BulletRoundTrip, FirstModesAndScales) {
    const TemporaryFolder folder;
    const ReducedModel& model = *sampleModel(false);
    exportBullet(model, folder.path("bullet"));
    BulletImport files;
    files.folder = folder.path("bullet");
    files.modes = 3;
    files.stiffnessScale = 8.0;
    files.massScale = 2.0;
    const auto imported = importBullet(files).model;
    EXPECT_EQ(imported->dimension(), 3);
    EXPECT_LT(difference(VectorX(4.0 * model.restEigenvalues.head(3)), imported->restEigenvalues), 1e-14);
    EXPECT_NEAR(imported->totalMass(), 2.0 * model.totalMass(), 1e-12 * model.totalMass());
    const MatrixX modes = meshBasis(model) * model.restEigenvectors.leftCols(3) / std::sqrt(2.0);
    EXPECT_LT(difference(modes, meshBasis(*imported)), 1e-13) << "unit mass of twice the masses";
    files.modes = 10;
    EXPECT_THAT(errorOf([&] { importBullet(files); }), HasSubstr("has 9 modes, 10 are asked for"));
}

TEST(BulletRoundTrip, FilesThatDisagreeAreRefusedWithBothNumbers) {
    const TemporaryFolder folder;
    const ReducedModel& model = *sampleModel(false);
    const int n = model.simulationVertexCount();
    BulletImport files;
    files.folder = folder.path("bullet");
    const auto problemWith = [&](const std::string& name, std::size_t count) {
        exportBullet(model, files.folder);
        const VectorX numbers = VectorX::Ones(static_cast<Eigen::Index>(count));
        writeBulletNumbers(numbers.data(), count, files.folder + "/" + name);
        return errorOf([&] { importBullet(files); });
    };
    EXPECT_THAT(problemWith("K_r_diag_mat.bin", 8), HasSubstr("K_r_diag_mat.bin: it has r = 8"));
    EXPECT_THAT(problemWith("K_r_diag_mat.bin", 8), HasSubstr("eigenvalues.bin has r = 9"));
    EXPECT_THAT(problemWith("modes.bin", static_cast<std::size_t>(27 * (n - 1))),
                HasSubstr("the basis has " + std::to_string(3 * (n - 1)) + " rows, the mesh " + std::to_string(n)));
    EXPECT_THAT(problemWith("modes.bin", 28), HasSubstr("28 numbers are no 9 modes"));
    EXPECT_THAT(problemWith("M_diag_mat.bin", static_cast<std::size_t>(n + 2)),
                HasSubstr("it has n = " + std::to_string(n + 2) + " masses"));
    exportBullet(model, files.folder);
    const std::string bytes = readBytes(files.folder + "/eigenvalues.bin");
    folder.write("bullet/eigenvalues.bin", bytes.substr(0, 20));
    EXPECT_THAT(errorOf([&] { importBullet(files); }), HasSubstr("eigenvalues.bin: 9 numbers announced, 2 are there"));
    std::filesystem::remove(files.folder + "/lopsided.vtk");
    exportBullet(model, files.folder);
    std::filesystem::remove(files.folder + "/lopsided.vtk");
    EXPECT_THAT(errorOf([&] { importBullet(files); }), HasSubstr("there is no .vtk in this folder"));
}

TEST(ExportVtu, HoldsMeshModesAndBasis) {
    const TemporaryFolder folder;
    const ReducedModel& model = *sampleModel(true);
    exportVtu(model, folder.path("a.vtu"));
    const std::string text = readBytes(folder.path("a.vtu"));
    EXPECT_THAT(text, HasSubstr("Name=\"basis_09\""));
    char first[64];
    std::snprintf(first, sizeof first, "Name=\"mode_01 %.4g Hz\"",
                  std::sqrt(model.restEigenvalues[0]) / 6.283185307179586);
    EXPECT_THAT(text, HasSubstr(first));
    EXPECT_THAT(text, HasSubstr("NumberOfPoints=\"" + std::to_string(model.simulationVertexCount()) + "\""));
}

TEST(Export, FoldersThatCannotBeMadeAreNamed) {
    const TemporaryFolder folder;
    folder.write("taken", "a file");
    EXPECT_THAT(errorOf([&] { exportVega(*sampleModel(true), folder.path("taken/in")); }),
                HasSubstr("taken/in: this folder cannot be made"));
    EXPECT_THAT(errorOf([&] { exportVtu(*sampleModel(true), folder.path("absent/a.vtu")); }),
                HasSubstr("absent/a.vtu: cannot be written"));
}

}  // namespace
