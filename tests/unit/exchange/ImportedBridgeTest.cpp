// SPDX-License-Identifier: Zlib
// The published reduced bridge (r = 20) of another program, imported, through a .pliant file: force, stiffness and
// motion are those that an independent implementation computed.
#include <cmath>

#include "../mesh/TemporaryFolder.h"
#include "ReferenceData.h"
#include "pliant/exchange/ImportBullet.h"
#include "pliant/exchange/ImportVega.h"
#include "pliant/runtime/BodyBatch.h"

namespace {

using namespace pliant;
using pliant::test::TemporaryFolder;

const char* const oracleFile = "oracles/simpleBridge_cub.json";

VectorX vectorOf(const nlohmann::json& values) {
    const std::vector<double> numbers = values.get<std::vector<double>>();
    return ConstVectorView(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

/// The bridge through a file of its own, imported once.
std::shared_ptr<const ReducedModel> importedBridge(std::string& notes) {
    VegaImport files;
    files.cub = test::referencePath("vega/simpleBridge.cub");
    findVegaFiles(files);  // finds the rendering basis and the surface beside it
    files.mesh = test::referencePath("meshes/simpleBridge_voxel.veg");
    files.fixedVertices = test::referencePath("meshes/simpleBridge_voxel.bou");
    files.stiffnessScale = test::readReferenceJson(oracleFile)["coefficient_scale"].get<double>();
    const ImportedModel imported = importVega(files);
    for (const std::string& note : imported.notes) notes += note + "\n";
    const TemporaryFolder folder;
    saveModel(*imported.model, folder.path("bridge.pliant"));
    return loadModel(folder.path("bridge.pliant"));
}

class ImportedBridge : public testing::Test {
protected:
    static std::shared_ptr<const ReducedModel> model() {
        static const std::shared_ptr<const ReducedModel> once = importedBridge(notes());
        return once;
    }
    static std::string& notes() {
        static std::string text;
        return text;
    }

    void expectMotion(int iterations, bool doublePrecision, double tolerance) const {
        const nlohmann::json oracle = test::readReferenceJson(oracleFile);
        BatchSettings settings;
        settings.newmark.iterations = iterations;
        settings.newmark.tolerance = 1e-12;
        settings.damping.stiffness = 0.002;
        settings.damping.form = DampingForm::CurrentStiffness;
        settings.doublePrecision = doublePrecision;
        BodyBatch batch(model(), settings);
        const int body = batch.add();
        const Workers workers(1);
        VectorX force(20);
        for (int j = 0; j < 20; ++j) force[j] = 300.0 / (1 + j % 5);
        for (int step = 0; step < 120; ++step) {
            if (step < 10) batch.addForce(body, force.data());
            batch.step(1.0 / 300.0, {body}, workers);
        }
        const std::string suffix = iterations == 1 ? "1" : "20";
        const VectorX q = vectorOf(oracle["newmark_q_after_120_steps_newton_" + suffix]);
        const VectorX v = vectorOf(oracle["newmark_v_after_120_steps_newton_" + suffix]);
        EXPECT_LT((batch.q(body) - q).norm(), tolerance * q.norm());
        EXPECT_LT((batch.velocity(body) - v).norm(), tolerance * v.norm());
    }
};

#define NEEDS_BRIDGE()                                            \
    PLIANT_NEEDS_REFERENCE("vega/simpleBridge.cub");              \
    PLIANT_NEEDS_REFERENCE("vega/simpleBridge.URendering.float"); \
    PLIANT_NEEDS_REFERENCE("meshes/simpleBridge_voxel.veg");      \
    PLIANT_NEEDS_REFERENCE("oracles/simpleBridge_cub.json")

TEST_F(ImportedBridge, ForceAndStiffnessAreTheOracles) {
    NEEDS_BRIDGE();
    const nlohmann::json oracle = test::readReferenceJson(oracleFile);
    const VectorX q = vectorOf(oracle["q"]), force = vectorOf(oracle["force"]);
    EXPECT_LT((model()->energy.force(q) - force).norm(), 1e-9 * force.norm()) << notes();
    const MatrixX K = model()->energy.stiffness(q);
    // Rows one after another, as a matrix or as a list of numbers.
    const nlohmann::json& rows = oracle["stiffness"];
    const VectorX flat = [&] {
        if (!rows[0].is_array()) return vectorOf(rows);
        VectorX all(400);
        for (std::size_t i = 0; i < 20; ++i) all.segment<20>(static_cast<Eigen::Index>(20 * i)) = vectorOf(rows[i]);
        return all;
    }();
    EXPECT_LT((Eigen::Map<const VectorX>(K.data(), 400) - flat).norm(), 1e-9 * flat.norm());
}

TEST_F(ImportedBridge, BothNewmarkTrajectoriesAreTheOracles) {
    NEEDS_BRIDGE();
    expectMotion(1, true, 1e-6);
    expectMotion(20, true, 1e-6);
}

TEST_F(ImportedBridge, StandsOnTheMeshOfItsBasis) {
    NEEDS_BRIDGE();
    EXPECT_TRUE(model()->anchored);  // imports, which is what notes are made by
    EXPECT_NE(notes().find("the basis of the simulation mesh is fitted to it"), std::string::npos) << notes();
    EXPECT_EQ(model()->simulationVertexCount(), 3923);
    EXPECT_GT(model()->inertia.translation.norm(), 1e-2 * std::sqrt(model()->totalMass()));
}

TEST(ImportedTorus, IsALinearFreeBody) {
    PLIANT_NEEDS_REFERENCE("bullet/reduced_torus/modes.bin");
    BulletImport files;
    files.folder = test::referencePath("bullet/reduced_torus");
    files.surface = test::referencePath("bullet/reduced_torus/torus_textured.obj");
    const ImportedModel imported = importBullet(files);
    const ReducedModel& model = *imported.model;
    EXPECT_EQ(model.dimension(), 40);
    EXPECT_EQ(model.simulationVertexCount(), 1036);
    EXPECT_FALSE(model.anchored);
    EXPECT_NEAR(model.restEigenvalues[0], 13.976086981011141, 1e-12);
    // Its basis was made with the masses of the file, and free: no momentum, no angular momentum.
    EXPECT_NEAR(model.totalMass(), 65.647, 1e-3);
    EXPECT_LT(model.inertia.translation.norm(), 1e-10);
    EXPECT_LT(model.inertia.rotation.norm(), 1e-10);
}

}  // namespace
