// SPDX-License-Identifier: Zlib
// Who may include whom: the order of the house, which keeps run time free of the offline side and nodes free of Bullet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "SourceTree.h"

namespace pliant::test {
namespace {

/// What the files of a folder may include; engines: folders of Bullet and OpenSceneGraph.
struct Law {
    std::set<std::string> folders;
    bool bullet = false;
    bool openSceneGraph = false;
};

const std::map<std::string, Law>& laws() {
    static const std::map<std::string, Law> all = {
        {"plugin/pliant/math", {{"pliant/math"}}},
        {"plugin/pliant/mesh", {{"pliant/math", "pliant/mesh"}}},
        {"plugin/pliant/fem", {{"pliant/math", "pliant/mesh", "pliant/fem"}}},
        {"plugin/pliant/basis", {{"pliant/math", "pliant/mesh", "pliant/fem", "pliant/basis"}}},
        {"plugin/pliant/polynomial",
         {{"pliant/math", "pliant/mesh", "pliant/fem", "pliant/basis", "pliant/polynomial"}}},
        {"plugin/pliant/reduce",
         {{"pliant/math", "pliant/mesh", "pliant/fem", "pliant/basis", "pliant/polynomial", "pliant/reduce",
           "pliant/model", "pliant/collision"}}},
        {"plugin/pliant/exchange",
         {{"pliant/math", "pliant/mesh", "pliant/fem", "pliant/basis", "pliant/polynomial", "pliant/reduce",
           "pliant/model", "pliant/collision", "pliant/exchange"}}},
        {"plugin/pliant/model", {{"pliant/math", "pliant/mesh", "pliant/model"}}},
        {"plugin/pliant/runtime", {{"pliant/math", "pliant/mesh", "pliant/model", "pliant/runtime"}}},
        {"plugin/pliant/collision", {{"pliant/math", "pliant/mesh", "pliant/model", "pliant/collision"}}},
        {"bullet_bridge/btPliant",
         {{"pliant/math", "pliant/mesh", "pliant/model", "pliant/runtime", "pliant/collision", "btPliant"}, true}},
        {"osg_nodes/osgPliant",
         {{"pliant/math", "pliant/mesh", "pliant/model", "pliant/runtime", "osgPliant"}, false, true}},
    };
    return all;
}

bool startsWith(const std::string& text, const std::string& start) {
    return text.compare(0, start.size(), start) == 0;
}

/// What is wrong with including `name` under `law`; empty when nothing is.
std::string problemWith(const std::string& name, const Law& law) {
    const auto inside = [&](const std::string& folder) { return startsWith(name, folder + "/"); };
    const bool ours = inside("pliant") || inside("btPliant") || inside("osgPliant");
    if (ours && std::none_of(law.folders.begin(), law.folders.end(), inside)) return "is not below this folder";
    static const std::regex bullet("(bt[A-Z]\\w*|Bullet\\w*|LinearMath/.*)(\\.h|/.*)");
    static const std::regex openSceneGraph("(osg\\w*|OpenThreads)/.*");
    if (!ours && !law.bullet && std::regex_match(name, bullet)) return "is Bullet's";
    if (!ours && !law.openSceneGraph && std::regex_match(name, openSceneGraph)) return "is OpenSceneGraph's";
    return {};
}

std::vector<std::string> includedNames(const std::string& text) {
    static const std::regex include("(?:^|\\n)[ \\t]*#[ \\t]*include[ \\t]*[<\"]([^>\"]+)[>\"]");
    std::vector<std::string> names;
    for (std::sregex_iterator match(text.begin(), text.end(), include), end; match != end; ++match)
        names.push_back((*match)[1]);
    return names;
}

TEST(IncludeRule, HoldsInEveryFile) {
    int checked = 0;
    for (const auto& [folder, law] : laws()) {
        for (const std::filesystem::path& file : sourceFiles(folder)) {
            for (const std::string& name : includedNames(readWhole(file))) {
                const std::string problem = problemWith(name, law);
                EXPECT_TRUE(problem.empty()) << file.string() << " includes " << name << ", which " << problem;
                ++checked;
            }
        }
    }
    EXPECT_GT(checked, 300) << "the test found hardly any include: it looks in the wrong place";
}

TEST(IncludeRule, EveryFolderOfThePluginHasALaw) {
    for (const auto& entry : std::filesystem::directory_iterator(projectFolder() / "plugin/pliant")) {
        if (!entry.is_directory()) continue;
        EXPECT_TRUE(laws().count("plugin/pliant/" + entry.path().filename().string())) << entry.path();
    }
}

TEST(IncludeRule, SeesEveryWayToBreakIt) {
    const Law& runtime = laws().at("plugin/pliant/runtime");
    const Law& nodes = laws().at("osg_nodes/osgPliant");
    const Law& bridge = laws().at("bullet_bridge/btPliant");
    EXPECT_NE(problemWith("pliant/fem/StVK.h", runtime), "");
    EXPECT_NE(problemWith("pliant/reduce/Reduce.h", runtime), "");
    EXPECT_NE(problemWith("btPliant/btPliantBody.h", nodes), "");
    EXPECT_NE(problemWith("btBulletDynamicsCommon.h", nodes), "");
    EXPECT_NE(problemWith("LinearMath/btVector3.h", nodes), "");
    EXPECT_NE(problemWith("BulletDynamics/Dynamics/btRigidBody.h", runtime), "");
    EXPECT_NE(problemWith("osg/Geometry", bridge), "");
    EXPECT_NE(problemWith("osgPliant/Stage.h", bridge), "");
    EXPECT_EQ(problemWith("osg/Geometry", nodes), "");
    EXPECT_EQ(problemWith("LinearMath/btVector3.h", bridge), "");
    EXPECT_EQ(problemWith("vector", runtime), "");
    EXPECT_THAT(includedNames("#pragma once\n#include <osg/Node>\n  #  include \"a/b.h\"\n// include \"c.h\"\n"),
                ::testing::ElementsAre("osg/Node", "a/b.h"));
}

TEST(SourceFiles, BeginWithTheLicence) {
    for (const char* folder : {"plugin", "bullet_bridge", "osg_nodes", "examples", "tests", "media"})
        for (const std::filesystem::path& file : sourceFiles(folder))
            EXPECT_TRUE(startsWith(readWhole(file), "// SPDX-License-Identifier: Zlib\n")) << file;
}

// A member or by-value parameter of these types changes its alignment with the compiler's -m flags.
TEST(PublicHeaders, CarryNoTypeWhoseAlignmentDependsOnFlags) {
    const std::regex byValue(
        "Eigen::(VectorXd|MatrixXd|Vector4d|Quaterniond|Matrix4d|Vector2d)\\s+[a-z]\\w*\\s*[;,)=]");
    for (const auto& [folder, law] : laws()) {
        for (const std::filesystem::path& file : sourceFiles(folder)) {
            if (file.extension() != ".h") continue;
            EXPECT_FALSE(std::regex_search(readWhole(file), byValue)) << file;
        }
    }
}

}  // namespace
}  // namespace pliant::test
