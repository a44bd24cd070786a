// SPDX-License-Identifier: Zlib
// The pipeline from file to model file.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <fstream>
#include <iterator>
#include <set>

#include "InputMeshes.h"
#include "pliant/basis/StaticCompliance.h"
#include "pliant/fem/FullModel.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/model/CheckModel.h"
#include "pliant/model/EncodeModel.h"
#include "pliant/reduce/InputHash.h"
#include "pliant/reduce/ReadInput.h"
#include "pliant/reduce/Reduce.h"

namespace {

using namespace pliant;

ReduceOptions smallOptions() {
    ReduceOptions options;
    options.modes = 5;
    options.dimension = 9;
    return options;
}

void expectSameBits(const ReducedModel& a, const ReducedModel& b) {
    const auto left = encodeModel(a, "/x.pliant"), right = encodeModel(b, "/x.pliant");
    for (std::size_t i = 0; i < left.size(); ++i) EXPECT_EQ(left[i].bytes, right[i].bytes) << left[i].name;
}

/// The basis in the mesh frame.
class ReduceFile : public ::testing::TestWithParam<ElementKind> {
protected:
    void SetUp() override {
        m_mesh = test::lopsidedBricks();
        if (GetParam() == ElementKind::Tetrahedron) m_mesh = test::tetrahedra(m_mesh);
        writeVeg(m_mesh, m_folder.file("shape.veg"));
    }
    std::shared_ptr<const ReducedModel> reduced(const ReduceOptions& options = smallOptions()) {
        return reduceFile(m_folder.file("shape.veg"), options);
    }
    test::InputFolder m_folder;
    VolumeMesh m_mesh;
};

TEST_P(ReduceFile, SavesLoadsAndIsTheProjectedFullModel) {
    const auto model = reduced();
    checkModel(*model, "shape");
    saveModel(*model, m_folder.file("shape.pliant"));
    expectSameBits(*model, *loadModel(m_folder.file("shape.pliant")));

    const FullModel full(m_mesh);
    const MatrixX U = test::meshBasis(*model);
    EXPECT_EQ(model->dimension(), 9);
    EXPECT_EQ(model->name, "shape");
    EXPECT_EQ(model->provenance.inputName, "shape.veg");
    EXPECT_EQ(model->provenance.inputHash.size(), 32u);
    EXPECT_LT((U.transpose() * MatrixX(full.massMatrix() * U) - MatrixX::Identity(9, 9)).norm(), 1e-10);
    VectorX q = VectorX::LinSpaced(9, -1.0, 0.7);
    q *= 0.1 / (U * q).cwiseAbs().maxCoeff();
    const VectorX projected = U.transpose() * full.internalForce(U * q);
    EXPECT_LT((model->energy.force(q) - projected).norm(), 1e-9 * projected.norm());
    const MatrixX V = model->restEigenvectors;
    EXPECT_LT((V.transpose() * model->energy.linearStiffness * V - MatrixX(model->restEigenvalues.asDiagonal())).norm(),
              1e-9 * model->restEigenvalues.maxCoeff());
    EXPECT_NEAR(model->totalMass(), full.totalMass(), 1e-12 * full.totalMass());
}

TEST_P(ReduceFile, TheModelFileNamesNoFolderOfTheMachine) {
    ReduceOptions options = smallOptions();
    options.fixedVertices = m_folder.write("held.bou", "1,2,3,4\n");
    m_folder.write("drawn.mtl", "newmtl red\nKd 1 0 0\n");
    options.surface =
        m_folder.write("drawn.obj", "mtllib drawn.mtl\nv 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nusemtl red\nf 1 2 3\n");
    const auto model = reduced(options);
    EXPECT_NE(model->provenance.options.find(";fixed=held.bou;"), std::string::npos) << model->provenance.options;
    EXPECT_NE(model->provenance.options.find(";surface=drawn.obj"), std::string::npos);
    const std::string path = m_folder.file("it.pliant"), folder = m_folder.file("");
    saveModel(*model, path);
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    EXPECT_GT(bytes.size(), 1000u);
    EXPECT_EQ(bytes.find(folder.substr(0, folder.size() - 1)), std::string::npos);
    // Models of another version of the reduction are told by it, too: files alone have another hash.
    EXPECT_NE(model->provenance.inputHash,
              filesHash({m_folder.file("shape.veg"), options.fixedVertices, options.surface}));
    // The same names with other contents are another input.
    m_folder.write("held.bou", "1,2,3,5\n");
    EXPECT_NE(reduced(options)->provenance.inputHash, model->provenance.inputHash);
}

// Uniform gravity: the reduced force is D' g, the torque about the origin of the frame zero (mean-axis conditions).
TEST_P(ReduceFile, GravityNeverExcitesAFreeBody) {
    const auto model = reduced();
    const double scale = std::sqrt(model->totalMass());
    EXPECT_LT(model->inertia.translation.norm(), 1e-10 * scale);
    EXPECT_LT(model->inertia.rotation.norm(), 1e-10 * scale);
    EXPECT_GT(model->inertia.first[0].norm(), 1e-6 * scale) << "S_j of an elastic shape is not zero";
}

TEST_P(ReduceFile, SameBitsForAnyNumberOfThreads) {
    ReduceOptions one = smallOptions(), many = smallOptions();
    one.threads = 1;
    many.threads = 3;
    expectSameBits(*reduced(one), *reduced(many));
}

TEST_P(ReduceFile, AnchoredBodyKeepsItsVertices) {
    ReduceOptions options = smallOptions();
    options.fixedVertices = m_folder.write("shape.bou", "1, 2,3, 4\n");
    const auto model = reduced(options);
    EXPECT_TRUE(model->anchored);
    EXPECT_EQ(model->fixedVertices, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(model->basis.topRows<12>().norm(), 0.0);
    EXPECT_GT(model->inertia.translation.norm(), 1e-3 * std::sqrt(model->totalMass()));
    const auto free = reduced();
    EXPECT_EQ(model->meshFromBody.rotation, free->meshFromBody.rotation);
    EXPECT_EQ(model->meshFromBody.translation, free->meshFromBody.translation);
}

TEST_P(ReduceFile, MaterialOptionsReplaceThoseOfTheFile) {
    ReduceOptions options = smallOptions();
    options.density = 500.0;
    options.youngsModulus = 2e5;
    options.poissonRatio = 0.25;
    const auto model = reduced(options);
    for (const ElasticMaterial& material : model->mesh.materials) {
        EXPECT_EQ(material.density, 500.0);
        EXPECT_EQ(material.youngsModulus, 2e5);
        EXPECT_EQ(material.poissonRatio, 0.25);
    }
    VolumeMesh mesh = m_mesh;
    for (ElasticMaterial& material : mesh.materials) material.density = 500.0;
    EXPECT_NEAR(model->totalMass(), FullModel(mesh).totalMass(), 1e-12);
}

TEST_P(ReduceFile, ReportsStagesAndStopsAtAnyOfThem) {
    std::vector<std::string> stages;
    int calls = 0;
    reduceFile(m_folder.file("shape.veg"), smallOptions(), [&](const std::string& stage, double fraction) {
        EXPECT_GE(fraction, 0.0);
        EXPECT_LE(fraction, 1.0);
        if (stages.empty() || stages.back() != stage) stages.push_back(stage);
        ++calls;
        return true;
    });
    const std::set<std::string> unique(stages.begin(), stages.end());
    for (const char* stage : {"mesh", "linear modes", "modal derivatives", "basis", "polynomials", "surface", "trees"})
        EXPECT_EQ(unique.count(stage), 1u) << stage;
    for (const int stop : {1, calls / 3, calls / 2, calls - 1}) {
        int left = stop;
        EXPECT_THROW(reduceFile(m_folder.file("shape.veg"), smallOptions(),
                                [&](const std::string&, double) { return --left > 0; }),
                     Cancelled);
    }
}

INSTANTIATE_TEST_SUITE_P(Elements, ReduceFile, ::testing::Values(ElementKind::Brick, ElementKind::Tetrahedron),
                         [](const auto& kind) { return kind.param == ElementKind::Brick ? "Bricks" : "Tetrahedra"; });

// Large enough for the sparse solver to have choices: threaded orderings take them differently every time.
TEST(ReduceFileTwice, ABasketIsSolvedWithTheSameBits) {
    const FullModel full(readInput(PLIANT_MEDIA_DIR "/basket/basket.obj", {}).mesh);
    VectorX load = VectorX::Zero(full.degreesOfFreedom());
    load[7] = 1.0;
    load[3001] = -2.0;
    const MatrixX first = StaticCompliance(full, {}).apply(load);
    const MatrixX second = StaticCompliance(full, {}).apply(load);
    EXPECT_EQ(first, second);
}

// The reduction does not know where the mesh stands. (Turned bricks are no bricks, so tetrahedra.)
TEST(ReduceFileFrame, TurnedAndMovedMeshGivesTheSameModel) {
    const test::InputFolder folder;
    VolumeMesh mesh = test::tetrahedra(test::lopsidedBricks());
    writeVeg(mesh, folder.file("a.veg"));
    RigidTransform move;
    move.rotation = Eigen::AngleAxisd(0.3, Vector3(1.0, 2.0, -1.0).normalized()).toRotationMatrix();
    move.translation = Vector3(5.0, -3.0, 2.0);
    mesh.positions = (move.rotation * mesh.positions).colwise() + move.translation;
    writeVeg(mesh, folder.file("b.veg"));
    const auto a = reduceFile(folder.file("a.veg"), smallOptions()),
               b = reduceFile(folder.file("b.veg"), smallOptions());
    for (int i = 0; i < 9; ++i)
        EXPECT_NEAR(a->restEigenvalues[i], b->restEigenvalues[i], 1e-8 * a->restEigenvalues[i]) << i;
    for (int i = 0; i < 5; ++i)
        EXPECT_NEAR(a->elasticEigenvalues[i], b->elasticEigenvalues[i], 1e-8 * a->elasticEigenvalues[i]) << i;
    EXPECT_LT((b->meshFromBody.translation - move.point(a->meshFromBody.translation)).norm(), 1e-10);
    EXPECT_LT((a->inertia.principalInertia - b->inertia.principalInertia).norm(), 1e-9);
    EXPECT_LT((b->meshFromBody.rotation - move.rotation * a->meshFromBody.rotation).norm(), 1e-8);
}

TEST(ReduceFileSurface, CubeOfTrianglesIsVoxelised) {
    const test::InputFolder folder;
    const std::string cube = folder.write("cube.obj",
                                          "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                                          "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    ReduceOptions options = smallOptions();
    options.voxels = 3;
    options.solid = true;
    options.refine = 0.0;
    const auto model = reduceFile(cube, options);
    EXPECT_EQ(model->mesh.kind, ElementKind::Brick);
    EXPECT_EQ(model->mesh.elementCount(), 27);
    EXPECT_EQ(model->surface.triangleCount(), 12);
    EXPECT_LT((model->meshFromBody.rotation - Matrix3::Identity()).norm(), 1e-9) << "a cube keeps the axes of its file";
    EXPECT_LT((model->meshFromBody.translation - Vector3::Constant(0.5)).norm(), 1e-9);
    saveModel(*model, folder.file("cube.pliant"));
    expectSameBits(*model, *loadModel(folder.file("cube.pliant")));
}

TEST(ReduceFileSurface, DrawnSurfaceOfASimulationMesh) {
    const test::InputFolder folder;
    writeVeg(test::lopsidedBricks(), folder.file("a.veg"));
    ReduceOptions options = smallOptions();
    options.surface = folder.write("drawn.obj", "v 0.1 0.02 0.03\nv 0.3 0.02 0.03\nv 0.2 0.05 0.1\nf 1 2 3\n");
    options.refine = 0.0;
    const auto model = reduceFile(folder.file("a.veg"), options);
    EXPECT_EQ(model->surfaceVertexCount(), 3);
    EXPECT_LT((model->meshFromBody.point(model->surface.positions.col(1)) - Vector3(0.3, 0.02, 0.03)).norm(), 1e-12);
}

}  // namespace
