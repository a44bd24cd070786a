// SPDX-License-Identifier: Zlib
// The name under which a model of a test body is kept: the same for the same model alone, so that no test gets what
// other options, other bytes or other libraries have made.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "InputMeshes.h"
#include "ReducedOnce.h"
#include "pliant/mesh/ReadVeg.h"

namespace pliant::test {
namespace {

constexpr const char* kMaker = "these libraries";

/// A mesh of bricks, and a list of vertices that are held.
struct Input {
    Input() : mesh(folder.file("body.veg")), held(folder.write("held.bou", "1,2,3,4")) {
        writeVeg(bricks(2, 1, 1, Vector3(0.1, 0.1, 0.1), [](int, int, int) { return true; }), mesh);
        options.modes = 3;
        options.dimension = 5;
        options.fixedVertices = held;
    }
    std::string kept() const { return keptModel(mesh, options, kMaker); }

    InputFolder folder;
    std::string mesh, held;
    ReduceOptions options;
};

TEST(ReducedOnce, KeepsAModelByItsBytesAndNotByItsName) {
    const Input one, other;
    EXPECT_NE(one.mesh, other.mesh);
    EXPECT_EQ(one.kept(), other.kept());
    std::ofstream(other.mesh, std::ios::app) << "# one more line\n";
    EXPECT_NE(one.kept(), other.kept());
    const Input third;
    std::ofstream(third.held) << "1,2,3,5";
    EXPECT_NE(one.kept(), third.kept()) << "what is held";
}

TEST(ReducedOnce, KeepsOtherOptionsApart) {
    const Input input;
    std::set<std::string> all = {input.kept()};
    const std::vector<std::function<void(ReduceOptions&)>> changes = {
        [](ReduceOptions& o) { o.modes = 4; },
        [](ReduceOptions& o) { o.dimension = 4; },
        [](ReduceOptions& o) { o.derivatives = DerivativeForm::None; },
        [](ReduceOptions& o) { o.orthogonalisation = Orthogonalisation::GramSchmidt; },
        [](ReduceOptions& o) { o.youngsModulus = 2e6; },
        [](ReduceOptions& o) { o.density = 400.0; },
        [](ReduceOptions& o) { o.contact = ContactGeometry::Segments; },
        [](ReduceOptions& o) { o.metresPerUnit = 0.01; },
        [](ReduceOptions& o) { o.fixedVertices.clear(); }};
    for (std::size_t i = 0; i < changes.size(); ++i) {
        ReduceOptions options = input.options;
        changes[i](options);
        EXPECT_TRUE(all.insert(keptModel(input.mesh, options, kMaker)).second) << "change " << i;
    }
    ReduceOptions said = input.options;
    said.solid = said.decidedFor(input.mesh).solid;
    said.threads = 3;
    EXPECT_EQ(keptModel(input.mesh, said, kMaker), input.kept()) << "the same model";
}

/// Sets a variable of the environment, and puts it back.
class ForcedVariable {
public:
    explicit ForcedVariable(const char* name) : m_name(name), m_before(std::getenv(name) ? std::getenv(name) : "") {}
    ~ForcedVariable() { set(m_before); }
    ForcedVariable(const ForcedVariable&) = delete;
    ForcedVariable& operator=(const ForcedVariable&) = delete;
    void set(const std::string& value) const {
        if (value.empty())
            unsetenv(m_name);
        else
            setenv(m_name, value.c_str(), 1);
    }

private:
    const char* m_name;
    std::string m_before;
};

// Of another build a model is taken that its own libraries have made, and none that was left by others.
TEST(ReducedOnce, TakesWhatAnotherBuildHasMade) {
    const Input input;
    const std::string folder = input.folder.file("");
    EXPECT_EQ(reducedByOf(folder), "") << "no models";
    input.folder.write("ReducedBy.h", "#define PLIANT_REDUCED_BY \"theirs\"\n");
    ASSERT_EQ(reducedByOf(folder), "theirs");
    const std::string theirs = keptModel(input.mesh, input.options, "theirs", folder);
    const ForcedVariable of("PLIANT_TEST_MODELS_OF");
    of.set(folder);
    const auto own = reducedOnce(input.mesh, input.options);
    ReduceOptions softer = input.options;
    softer.youngsModulus = 1e3;
    saveModel(*reduceFile(input.mesh, softer), theirs);  // seen by its stiffness, whatever its name says
    const auto taken = reducedOnce(input.mesh, input.options);
    EXPECT_LT(taken->elasticEigenvalues[0], 0.5 * own->elasticEigenvalues[0]);
}

TEST(ReducedOnce, KeepsLibrariesAndInstructionSetsApart) {
    const Input input;
    EXPECT_NE(keptModel(input.mesh, input.options, "others"), input.kept());
    const ForcedVariable forced("PLIANT_TEST_INSTRUCTIONS");
    forced.set("");
    const std::string free = input.kept();
    forced.set("portable");
    EXPECT_NE(input.kept(), free);
    EXPECT_EQ(reducedBy().size(), 64u) << "a SHA-256";
}

// The script of the build: other bytes of a library are another checksum, and what they have made goes.
TEST(ReducedOnce, ModelsGoWithTheLibrariesThatHaveMadeThem) {
    const InputFolder folder;
    const std::string first = folder.write("first.so", "first"), second = folder.write("second.so", "second");
    const std::string models = folder.file("models");
    const auto make = [&] {
        const std::string command = std::string(PLIANT_CMAKE) + " -DLIBRARIES=" + first + "," + second +
                                    " -DFOLDER=" + models + " -P " + PLIANT_SOURCE_DIR + "/tests/MakeReducedBy.cmake";
        EXPECT_EQ(std::system(command.c_str()), 0);
        std::ifstream in(models + "/ReducedBy.h");
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    const std::string before = make();
    EXPECT_NE(before.find("#define PLIANT_REDUCED_BY \""), std::string::npos);
    EXPECT_EQ(make(), before);
    std::ofstream(models + "/old.pliant") << "old";
    std::ofstream(second) << "Second";
    EXPECT_NE(make(), before);
    EXPECT_FALSE(std::filesystem::exists(models + "/old.pliant"));
}

}  // namespace
}  // namespace pliant::test
