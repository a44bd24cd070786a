// SPDX-License-Identifier: Zlib
// Reduced models of other programs, imported, through a .pliant file: force, stiffness and motion are those that
// independent implementations computed; the folder of a linear body has its masses and frequencies.
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "../mesh/TemporaryFolder.h"
#include "ReferenceData.h"
#include "pliant/exchange/ImportBullet.h"
#include "pliant/exchange/ImportVega.h"
#include "pliant/runtime/BodyBatch.h"

namespace {

using namespace pliant;
using pliant::test::TemporaryFolder;

/// A reduced model with the mesh that it was made on, r and the simulation vertices.
struct VegaFiles {
    std::string oracle, stem, mesh, fixed;
    Eigen::Index r;
    int vertices;
};

std::string oracleOf(const VegaFiles& files) {
    return "oracles/" + files.oracle + ".json";
}

VectorX vectorOf(const nlohmann::json& values) {
    const std::vector<double> numbers = values.get<std::vector<double>>();
    return ConstVectorView(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

/// The model through a file of its own.
std::shared_ptr<const ReducedModel> imported(const VegaFiles& given, std::string& notes) {
    VegaImport files;
    files.cub = test::referencePath("vega/" + given.stem + ".cub");
    findVegaFiles(files);  // finds the rendering basis and the surface beside it
    files.mesh = test::referencePath("meshes/" + given.mesh);
    files.fixedVertices = test::referencePath("meshes/" + given.fixed);
    files.stiffnessScale = test::readReferenceJson(oracleOf(given))["coefficient_scale"].get<double>();
    const ImportedModel model = importVega(files);
    for (const std::string& note : model.notes) notes += note + "\n";
    const TemporaryFolder folder;
    saveModel(*model.model, folder.path("again.pliant"));
    return loadModel(folder.path("again.pliant"));
}

class ImportedVega : public testing::TestWithParam<VegaFiles> {
protected:
    struct Imported {
        std::string notes;
        std::shared_ptr<const ReducedModel> model;
    };

    /// Each model is imported once, since the bridge takes half a minute.
    static const Imported& once(const VegaFiles& files) {
        static std::map<std::string, Imported> all;
        Imported& entry = all[files.oracle];
        if (!entry.model) entry.model = imported(files, entry.notes);
        return entry;
    }

    void SetUp() override { m_imported = &once(GetParam()); }

    const std::shared_ptr<const ReducedModel>& model() const { return m_imported->model; }
    const std::string& notes() const { return m_imported->notes; }

    void expectMotion(int iterations, bool doublePrecision, double tolerance) const {
        const nlohmann::json oracle = test::readReferenceJson(oracleOf(GetParam()));
        BatchSettings settings;
        settings.newmark.iterations = iterations;
        settings.newmark.tolerance = 1e-12;
        settings.damping.stiffness = 0.002;
        settings.damping.form = DampingForm::CurrentStiffness;
        settings.doublePrecision = doublePrecision;
        BodyBatch batch(model(), settings);
        const int body = batch.add();
        const Workers workers(1);
        VectorX force(model()->dimension());
        for (int j = 0; j < force.size(); ++j) force[j] = oracle.value("push", 300.0) / (1 + j % 5);
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

private:
    const Imported* m_imported = nullptr;
};

TEST_P(ImportedVega, ForceAndStiffnessAreTheOracles) {
    const nlohmann::json oracle = test::readReferenceJson(oracleOf(GetParam()));
    const VectorX q = vectorOf(oracle["q"]), force = vectorOf(oracle["force"]);
    EXPECT_LT((model()->energy.force(q) - force).norm(), 1e-9 * force.norm()) << notes();
    const MatrixX K = model()->energy.stiffness(q);
    // Rows one after another, as a matrix or as a list of numbers.
    const nlohmann::json& rows = oracle["stiffness"];
    const VectorX flat = [&] {
        if (!rows[0].is_array()) return vectorOf(rows);
        VectorX all(K.size());
        for (std::size_t i = 0; i < rows.size(); ++i)
            all.segment(static_cast<Eigen::Index>(i) * K.cols(), K.cols()) = vectorOf(rows[i]);
        return all;
    }();
    EXPECT_LT((Eigen::Map<const VectorX>(K.data(), K.size()) - flat).norm(), 1e-9 * flat.norm());
}

TEST_P(ImportedVega, BothNewmarkTrajectoriesAreTheOracles) {
    expectMotion(1, true, 1e-6);
    expectMotion(20, true, 1e-6);
}

TEST_P(ImportedVega, StandsOnTheMeshOfItsBasis) {
    EXPECT_TRUE(model()->anchored);  // imports, which is what notes are made by
    EXPECT_NE(notes().find("the basis of the simulation mesh is fitted to it"), std::string::npos) << notes();
    EXPECT_EQ(model()->dimension(), GetParam().r);
    EXPECT_EQ(model()->simulationVertexCount(), GetParam().vertices);
    EXPECT_GT(model()->inertia.translation.norm(), 1e-2 * std::sqrt(model()->totalMass()));
}

const VegaFiles kBar{"bar_modes", "bar_modes", "bar.veg", "bar.bou", 6, 108};
const VegaFiles kBridge{
    "simpleBridge_cub", "simpleBridge", "simpleBridge_voxel.veg", "simpleBridge_voxel.bou", 20, 3923};
INSTANTIATE_TEST_SUITE_P(Models, ImportedVega, testing::Values(kBar));
INSTANTIATE_TEST_SUITE_P(OutsideModels, ImportedVega, testing::ValuesIn(test::outsideCases({kBridge}, oracleOf)));

/// The folder of a free linear body, its surface ("": that of the mesh), and what it holds.
struct BulletFiles {
    std::string folder, surface, oracle;  ///< oracle: a file of the numbers behind it; "": they are here
    Eigen::Index r;
    int vertices;
    double firstEigenvalue, mass, massTolerance;
};

class ImportedBullet : public testing::TestWithParam<BulletFiles> {};

/// With the numbers of its file, which is read in the test: what fails before `main` has no name.
BulletFiles withNumbers(BulletFiles files) {
    if (files.oracle.empty()) return files;
    const nlohmann::json numbers = test::readReferenceJson(files.oracle);
    files.r = numbers["r"];
    files.vertices = numbers["vertices"];
    files.firstEigenvalue = numbers["eigenvalues"][0];
    files.mass = numbers["total_mass"];
    files.massTolerance = 1e-12 * files.mass;
    return files;
}

TEST_P(ImportedBullet, IsALinearFreeBody) {
    const BulletFiles given = withNumbers(GetParam());
    BulletImport files;
    files.folder = test::referencePath(given.folder);
    if (!given.surface.empty()) files.surface = test::referencePath(given.folder + "/" + given.surface);
    const ImportedModel result = importBullet(files);
    const ReducedModel& model = *result.model;
    EXPECT_EQ(model.dimension(), given.r);
    EXPECT_EQ(model.simulationVertexCount(), given.vertices);
    EXPECT_FALSE(model.anchored);
    EXPECT_NEAR(model.restEigenvalues[0], given.firstEigenvalue, 1e-12 * given.firstEigenvalue);
    // Its basis was made with the masses of the file, and free: no momentum, no angular momentum.
    EXPECT_NEAR(model.totalMass(), given.mass, given.massTolerance);
    EXPECT_LT(model.inertia.translation.norm(), 1e-10);
    EXPECT_LT(model.inertia.rotation.norm(), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Models, ImportedBullet,
                         testing::Values(BulletFiles{"bullet/arch", "", "oracles/arch_bullet.json", 0, 0, 0, 0, 0}));
INSTANTIATE_TEST_SUITE_P(
    OutsideModels, ImportedBullet,
    testing::ValuesIn(test::outsideCases({BulletFiles{"bullet/reduced_torus", "torus_textured.obj", "", 40, 1036,
                                                      13.976086981011141, 65.647, 1e-3}},
                                         [](const BulletFiles& files) { return files.folder + "/modes.bin"; })));

}  // namespace
