// SPDX-License-Identifier: Zlib
// What the pipeline tells about itself, what it keeps for the next time, and how it leaves no ruins.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "InputMeshes.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/model/EncodeModel.h"
#include "pliant/reduce/CacheFile.h"
#include "pliant/reduce/Reduce.h"

namespace {

using namespace pliant;

class Pipeline : public ::testing::Test {
protected:
    void SetUp() override {
        writeVeg(test::lopsidedBricks(), m_input);
        m_options.modes = 5;
        m_options.dimension = 9;
    }
    void expectSameModel(const ReducedModel& a, const ReducedModel& b) {
        const auto left = encodeModel(a, "/x.pliant"), right = encodeModel(b, "/x.pliant");
        for (std::size_t i = 0; i < left.size(); ++i) EXPECT_EQ(left[i].bytes, right[i].bytes) << left[i].name;
    }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(m_folder.file(".")))
            names.push_back(entry.path().filename().string());
        std::sort(names.begin(), names.end());
        return names;
    }
    test::InputFolder m_folder;
    std::string m_input = m_folder.file("a.veg"), m_cache = m_folder.file("a.cache");
    ReduceOptions m_options;
};

TEST_F(Pipeline, ReportTellsStagesTimesAndMemory) {
    ReductionReport report;
    bool estimated = false;
    reduceFile(
        m_input, m_options,
        [&](const std::string& stage, double) {
            if (stage != "mesh") estimated = report.estimate.elements == test::lopsidedBricks().elementCount();
            return true;
        },
        &report);
    EXPECT_TRUE(estimated) << "the estimate is there before the work";
    EXPECT_GT(report.estimate.seconds, 0.0);
    EXPECT_GT(report.estimate.bytes, 1u << 20);
    EXPECT_EQ(report.estimate.unknowns, 3 * test::lopsidedBricks().vertexCount());
    std::vector<std::string> names;
    for (const StageCost& stage : report.stages) {
        names.push_back(stage.name);
        EXPECT_GE(stage.seconds, 0.0);
        EXPECT_GT(stage.peakBytes, 1u << 20);
    }
    EXPECT_EQ(names.front(), "mesh");
    EXPECT_EQ(std::count(names.begin(), names.end(), "modal derivatives"), 1);
    EXPECT_EQ(report.dimension, 9);
    EXPECT_EQ(report.shapes, 5 + 15);
    EXPECT_GT(report.discardedEnergy, 0.0);
    EXPECT_LT(report.discardedEnergy, 0.5);
    EXPECT_TRUE(report.cached.empty());
}

// Another process may take its turn between two stages: the best of some runs.
TEST_F(Pipeline, TimesOfStagesAddUp) {
    double leastMissing = 1.0;
    for (int run = 0; run < 8; ++run) {
        ReductionReport report;
        reduceFile(m_input, m_options, {}, &report);
        double sum = 0.0;
        for (const StageCost& stage : report.stages) sum += stage.seconds;
        EXPECT_LT(sum, report.seconds + 1e-3);
        leastMissing = std::min(leastMissing, (report.seconds - sum - 1e-3) / report.seconds);
    }
    EXPECT_LT(leastMissing, 0.1);
}

TEST_F(Pipeline, CacheServesLaterOptionsWithTheSameBits) {
    ReduceOptions cached = m_options;
    cached.cacheFile = m_cache;
    expectSameModel(*reduceFile(m_input, cached), *reduceFile(m_input, m_options));
    cached.dimension = m_options.dimension = 7;
    cached.orthogonalisation = m_options.orthogonalisation = Orthogonalisation::GramSchmidt;
    ReductionReport report;
    expectSameModel(*reduceFile(m_input, cached, {}, &report), *reduceFile(m_input, m_options));
    EXPECT_EQ(report.cached, (std::vector<std::string>{"linear modes", "modal derivatives"}));

    cached.density = m_options.density = 700.0;  // another body: nothing fits any more
    ReductionReport other;
    expectSameModel(*reduceFile(m_input, cached, {}, &other), *reduceFile(m_input, m_options));
    EXPECT_TRUE(other.cached.empty());
    cached.lumpedMass = m_options.lumpedMass = true;
    expectSameModel(*reduceFile(m_input, cached, {}, &other), *reduceFile(m_input, m_options));
    EXPECT_TRUE(other.cached.empty());
}

// C_v = C times one second: at rest D is the stiffness.
TEST_F(Pipeline, StrainRateDampingIsThatOfTheMaterial) {
    EXPECT_TRUE(reduceFile(m_input, m_options)->damping.empty());
    m_options.strainRateDamping = true;
    const auto model = reduceFile(m_input, m_options);
    ASSERT_FALSE(model->damping.empty());
    const MatrixX& K = model->energy.linearStiffness;
    EXPECT_LT((model->damping.matrix(VectorX::Zero(model->dimension())) - K).norm(), 1e-6 * K.norm());
    EXPECT_NE(model->provenance.options.find(";strain_rate=1;"), std::string::npos);
}

TEST_F(Pipeline, DamagedCachesAreAsIfTheyWereNotThere) {
    ReduceOptions cached = m_options;
    cached.cacheFile = m_cache;
    const auto model = reduceFile(m_input, cached);
    std::ifstream in(m_cache, std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    in.close();
    ASSERT_GT(whole.size(), 10000u);
    std::string flipped = whole;
    flipped[whole.size() - 100] ^= 1;
    for (const std::string& bytes : {std::string("PLIANT"), whole.substr(0, 200), whole.substr(0, whole.size() / 2),
                                     flipped, std::string(whole.size(), '\xff')}) {
        std::ofstream(m_cache, std::ios::binary | std::ios::trunc) << bytes;
        ReductionReport report;
        expectSameModel(*reduceFile(m_input, cached, {}, &report), *model);
        EXPECT_LT(report.cached.size(), 2u) << bytes.size();
    }
    ReductionReport repaired;
    reduceFile(m_input, cached, {}, &repaired);
    EXPECT_EQ(repaired.cached.size(), 2u);
}

TEST_F(Pipeline, CacheThatCannotBeWrittenIsANoteOnly) {
    m_options.cacheFile = m_folder.file("missing/a.cache");
    ReductionReport report;
    EXPECT_NO_THROW(reduceFile(m_input, m_options, {}, &report));
    ASSERT_EQ(report.notes.size(), 1u);
    EXPECT_EQ(report.notes[0].rfind("the cache could not be written: ", 0), 0u) << report.notes[0];
}

TEST_F(Pipeline, InterruptedRunsLeaveNoPartialFile) {
    ReduceOptions cached = m_options;
    cached.cacheFile = m_cache;
    int calls = 0;
    reduceFile(m_input, m_options, [&](const std::string&, double) { return ++calls > 0; });
    for (int stop = 1; stop < calls; stop += 7) {
        std::filesystem::remove(m_cache);
        int left = stop;
        EXPECT_THROW(reduceFile(m_input, cached, [&](const std::string&, double) { return --left > 0; }), Cancelled);
        for (const std::string& name : files()) EXPECT_TRUE(name == "a.veg" || name == "a.cache") << name;
        if (!std::filesystem::exists(m_cache)) continue;
        ReductionReport report;  // what was cached before the interruption is whole
        reduceFile(m_input, cached, {}, &report);
        EXPECT_FALSE(report.cached.empty());
    }
}

TEST_F(Pipeline, FullDiskIsToldAndLeavesNothing) {
    const auto model = reduceFile(m_input, m_options);
    struct rlimit before = {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit then fails, as on a full disk
    struct rlimit small = before;
    small.rlim_cur = 20000;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    std::string message = "nothing was told";
    try {
        saveModel(*model, m_folder.file("a.pliant"));
    } catch (const Error& error) {
        message = error.what();
    }
    ReductionReport report;
    m_options.cacheFile = m_cache;
    EXPECT_NO_THROW(reduceFile(m_input, m_options, {}, &report));
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_NE(message.find("a.pliant: cannot be written"), std::string::npos) << message;
    EXPECT_FALSE(report.notes.empty());
    for (const std::string& name : files()) EXPECT_TRUE(name == "a.veg" || name == "a.cache") << name;
}

TEST_F(Pipeline, ImplausibleFrequenciesAreNoted) {
    ReductionReport report;
    reduceFile(m_input, m_options, {}, &report);
    EXPECT_TRUE(report.notes.empty());
    m_options.youngsModulus = 1e15;
    reduceFile(m_input, m_options, {}, &report);
    ASSERT_EQ(report.notes.size(), 1u);
    EXPECT_NE(report.notes[0].find("kHz, above 20 kHz"), std::string::npos) << report.notes[0];
    m_options.metresPerUnit = 1e-3;  // a body of less than a millimetre
    reduceFile(m_input, m_options, {}, &report);
    ASSERT_EQ(report.notes.size(), 2u);
    EXPECT_NE((report.notes[0] + report.notes[1]).find("mm"), std::string::npos);
}

TEST_F(Pipeline, SketchAndSnapshotsReachTheBasisInTheUnitsOfTheInput) {
    PointForce f;
    f.position = Vector3(650.0, 40.0, 70.0);  // millimetres
    f.force = Vector3(0.0, 0.0, 20.0);
    m_options.modes = 0;
    m_options.dimension = 3;
    m_options.sketch = {f};
    const auto metres = [&] {
        ReduceOptions o = m_options;
        o.sketch[0].position *= 1e-3;
        return reduceFile(m_input, o);
    }();
    VolumeMesh large = test::lopsidedBricks();
    large.positions *= 1000.0;
    writeVeg(large, m_folder.file("mm.veg"));
    m_options.metresPerUnit = 1e-3;
    const auto millimetres = reduceFile(m_folder.file("mm.veg"), m_options);
    EXPECT_LT((metres->basis - millimetres->basis).norm(), 1e-6 * metres->basis.norm());
    EXPECT_EQ(metres->elasticEigenvalues.size(), 0);
    saveModel(*metres, m_folder.file("sketch.pliant"));
    EXPECT_EQ(loadModel(m_folder.file("sketch.pliant"))->dimension(), 3);

    m_options.sketch[0].vertex = 100000;
    try {
        reduceFile(m_folder.file("mm.veg"), m_options);
        FAIL() << "a vertex that is not there";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("sketch, force 1: vertex 100001 does not exist"), std::string::npos)
            << error.what();
    }
}

TEST_F(Pipeline, ImpossibleChoicesAreRefused) {
    const auto message = [&](auto change) {
        ReduceOptions o = m_options;
        change(o);
        try {
            reduceFile(m_input, o);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("nothing was refused");
    };
    const auto expect = [](const std::string& found, const char* part) {
        EXPECT_NE(found.find(part), std::string::npos) << found;
    };
    expect(message([](ReduceOptions& o) { o.modes = 0; }), "the number of modes is 0");
    expect(message([](ReduceOptions& o) { o.derivatives = DerivativeForm::None; }),
           "dimension 9 is more than 5 modes span (5)");
    expect(message([](ReduceOptions& o) { o.energyTolerance = 1.5; }), "discarded energy is 1.5");
    expect(message([](ReduceOptions& o) {
               o.energyTolerance = 0.1;
               o.orthogonalisation = Orthogonalisation::GramSchmidt;
           }),
           "Gram-Schmidt knows no energies");
    expect(message([](ReduceOptions& o) { o.visibility.largestForce = 10.0; }), "only one of largest force");
    expect(message([](ReduceOptions& o) { o.visibility.highestFrequency = 1e-9; }), "no mode is visible");
    expect(message([](ReduceOptions& o) { o.metresPerUnit = 0.0; }), "unit of length is 0.0");
    expect(message([](ReduceOptions& o) { o.sketchOptions.loadSteps = 0; }), "the number of load steps is 0");
    expect(message([](ReduceOptions& o) {
               o.snapshots.emplace();
               o.snapshots->duration = -1.0;
           }),
           "the simulated time is -1.0");
}

}  // namespace
