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

/// What the files of a folder may include: folders of ours, each by itself and without those below it; engines:
/// headers of Bullet and OpenSceneGraph.
struct Law {
    std::set<std::string> folders;
    bool bullet = false;
    bool openSceneGraph = false;
};

const std::map<std::string, Law>& laws() {
    static const std::map<std::string, Law> all = {
        {"plugin/pliant/math", {{"pliant/math"}}},
        {"plugin/pliant/mesh", {{"pliant/math", "pliant/mesh"}}},
        {"plugin/pliant/mesh/voxels", {{"pliant/math", "pliant/mesh", "pliant/mesh/voxels"}}},
        {"plugin/pliant/mesh/formats", {{"pliant/math", "pliant/mesh", "pliant/mesh/formats", "pliant/rig/import"}}},
        {"plugin/pliant/fem", {{"pliant/math", "pliant/mesh", "pliant/fem"}}},
        {"plugin/pliant/basis", {{"pliant/math", "pliant/mesh", "pliant/fem", "pliant/basis"}}},
        {"plugin/pliant/polynomial",
         {{"pliant/math", "pliant/mesh", "pliant/fem", "pliant/basis", "pliant/polynomial"}}},
        {"plugin/pliant/skeleton", {{"pliant/math", "pliant/mesh", "pliant/model", "pliant/skeleton"}}},
        {"plugin/pliant/field", {{"pliant/math", "pliant/mesh", "pliant/model", "pliant/skeleton", "pliant/field"}}},
        {"plugin/pliant/lattice",
         {{"pliant/math", "pliant/mesh", "pliant/mesh/voxels", "pliant/model", "pliant/skeleton", "pliant/lattice"}}},
        {"plugin/pliant/shell",
         {{"pliant/math", "pliant/mesh", "pliant/model", "pliant/skeleton", "pliant/lattice", "pliant/shell"}}},
        {"plugin/pliant/reduce",
         {{"pliant/math", "pliant/mesh", "pliant/mesh/formats", "pliant/mesh/voxels", "pliant/fem", "pliant/basis",
           "pliant/polynomial", "pliant/reduce", "pliant/model", "pliant/skeleton", "pliant/field", "pliant/shell",
           "pliant/touch"}}},
        {"plugin/pliant/character",
         {{"pliant/math", "pliant/mesh", "pliant/mesh/voxels", "pliant/fem", "pliant/basis", "pliant/polynomial",
           "pliant/reduce", "pliant/model", "pliant/rig", "pliant/rig/gltf", "pliant/character"}}},
        {"plugin/pliant/control_lattice",
         {{"pliant/math", "pliant/mesh", "pliant/mesh/formats", "pliant/fem", "pliant/skeleton", "pliant/model",
           "pliant/rig", "pliant/character", "pliant/control_lattice"}}},
        {"plugin/pliant/exchange",
         {{"pliant/math", "pliant/mesh", "pliant/mesh/voxels", "pliant/fem", "pliant/basis", "pliant/polynomial",
           "pliant/reduce", "pliant/model", "pliant/skeleton", "pliant/exchange"}}},
        {"plugin/pliant/model", {{"pliant/math", "pliant/mesh", "pliant/rig", "pliant/model"}}},
        {"plugin/pliant/runtime",
         {{"pliant/math", "pliant/mesh", "pliant/rig", "pliant/model", "pliant/runtime", "pliant/runtime/energy",
           "pliant/runtime/integrators", "pliant/runtime/kernels", "pliant/runtime/response",
           "pliant/runtime/snapshot"}}},
        {"plugin/pliant/runtime/kernels", {{"pliant/math", "pliant/runtime/kernels"}}},
        {"plugin/pliant/runtime/integrators",
         {{"pliant/math", "pliant/mesh", "pliant/model", "pliant/runtime", "pliant/runtime/kernels",
           "pliant/runtime/snapshot", "pliant/runtime/response", "pliant/runtime/energy",
           "pliant/runtime/integrators"}}},
        {"plugin/pliant/runtime/response",
         {{"pliant/math", "pliant/mesh", "pliant/model", "pliant/runtime", "pliant/runtime/kernels",
           "pliant/runtime/snapshot", "pliant/runtime/response"}}},
        {"plugin/pliant/runtime/energy",
         {{"pliant/math", "pliant/mesh", "pliant/model", "pliant/runtime", "pliant/runtime/kernels",
           "pliant/runtime/response", "pliant/runtime/snapshot", "pliant/runtime/energy"}}},
        {"plugin/pliant/runtime/snapshot",
         {{"pliant/math", "pliant/mesh", "pliant/model", "pliant/runtime", "pliant/runtime/kernels",
           "pliant/runtime/snapshot"}}},
        {"plugin/pliant/runtime/lattice",
         {{"pliant/math", "pliant/mesh", "pliant/rig", "pliant/model", "pliant/runtime", "pliant/runtime/kernels",
           "pliant/runtime/lattice"}}},
        {"plugin/pliant/runtime/ragdoll",
         {{"pliant/math", "pliant/mesh", "pliant/rig", "pliant/model", "pliant/runtime", "pliant/runtime/kernels",
           "pliant/runtime/ragdoll"}}},
        {"plugin/pliant/collision/kernels", {{"pliant/math", "pliant/collision/kernels"}}},
        {"plugin/pliant/collision/body",
         {{"pliant/math", "pliant/mesh", "pliant/model", "pliant/rig", "pliant/collision/kernels",
           "pliant/collision/body"}}},
        {"plugin/pliant/collision/pair",
         {{"pliant/math", "pliant/mesh", "pliant/model", "pliant/collision/kernels", "pliant/collision/body",
           "pliant/collision/pair"}}},
        {"plugin/pliant/touch",
         {{"pliant/math", "pliant/mesh", "pliant/model", "pliant/collision/kernels", "pliant/collision/body",
           "pliant/collision/pair", "pliant/touch"}}},
        {"plugin/pliant/hand", {{"pliant/math", "pliant/hand"}}},
        {"plugin/pliant/rig", {{"pliant/math", "pliant/mesh", "pliant/rig"}}},
        {"plugin/pliant/rig/gltf",
         {{"pliant/math", "pliant/mesh", "pliant/mesh/formats", "pliant/rig", "pliant/rig/gltf", "pliant/rig/import"}}},
        {"plugin/pliant/rig/import", {{"pliant/math", "pliant/mesh", "pliant/rig/import"}}},
        {"plugin/pliant/rig/import/program",
         {{"pliant/math", "pliant/mesh", "pliant/rig", "pliant/rig/gltf", "pliant/rig/import",
           "pliant/rig/import/program"}}},
        {"plugin/pliant/view", {{"pliant/math", "pliant/model", "pliant/view"}}},
        {"plugin/pliant/scene",
         {{"pliant/hand", "pliant/math", "pliant/mesh", "pliant/model", "pliant/runtime", "pliant/view",
           "pliant/scene"}}},
        // The rooms of the bridge, each after those that it may include: none of them form a circle.
        {"bullet_bridge/btPliant/data",
         {{"btPliant", "btPliant/data", "pliant/collision/body", "pliant/collision/pair", "pliant/math", "pliant/model",
           "pliant/runtime", "pliant/runtime/ragdoll", "pliant/touch"},
          true}},
        {"bullet_bridge/btPliant/body",
         {{"btPliant", "btPliant/data", "btPliant/body", "pliant/math", "pliant/model", "pliant/runtime",
           "pliant/runtime/ragdoll"},
          true}},
        {"bullet_bridge/btPliant/narrowphase",
         {{"btPliant/data", "btPliant/narrowphase", "pliant/collision/body", "pliant/collision/pair", "pliant/math",
           "pliant/touch"},
          true}},
        {"bullet_bridge/btPliant/narrowphase/shapes",
         {{"btPliant/data", "btPliant/narrowphase", "btPliant/narrowphase/shapes", "pliant/collision/pair",
           "pliant/touch"},
          true}},
        {"bullet_bridge/btPliant/solver",
         {{"btPliant", "btPliant/data", "btPliant/solver", "pliant/collision/body", "pliant/math", "pliant/runtime",
           "pliant/runtime/kernels", "pliant/runtime/ragdoll"},
          true}},
        {"bullet_bridge/btPliant/joints",
         {{"btPliant", "btPliant/data", "btPliant/solver", "btPliant/joints", "btPliant/tool", "pliant/runtime"},
          true}},
        {"bullet_bridge/btPliant/tool", {{"btPliant/data", "btPliant/tool", "pliant/hand"}, true}},
        {"bullet_bridge/btPliant/hand", {{"btPliant/hand", "pliant/hand", "pliant/math", "pliant/touch"}}},
        {"bullet_bridge/btPliant/beside",
         {{"btPliant", "btPliant/beside", "btPliant/data", "btPliant/hand", "btPliant/narrowphase", "pliant/touch"},
          true}},
        {"bullet_bridge/btPliant/touch",
         {{"btPliant", "btPliant/data", "btPliant/solver", "btPliant/touch", "pliant/math", "pliant/touch"}, true}},
        {"bullet_bridge/btPliant/sensors", {{"btPliant/data", "btPliant/sensors", "pliant/math"}, true}},
        {"bullet_bridge/btPliant/step",
         {{"btPliant", "btPliant/data", "btPliant/body", "btPliant/narrowphase", "btPliant/narrowphase/shapes",
           "btPliant/solver", "btPliant/joints", "btPliant/sensors", "btPliant/touch", "btPliant/step",
           "pliant/collision/body"},
          true}},
        {"bullet_bridge/btPliant/snapshot",
         {{"btPliant", "btPliant/data", "btPliant/body", "btPliant/narrowphase", "btPliant/snapshot",
           "pliant/collision/pair", "pliant/runtime/snapshot", "pliant/touch"},
          true}},
        // The sources beside the public headers, which include no room, are Bullet's and the users' way into all rooms.
        {"bullet_bridge/btPliant",
         {{"btPliant", "btPliant/beside", "btPliant/data", "btPliant/body", "btPliant/hand", "btPliant/joints",
           "btPliant/narrowphase", "btPliant/narrowphase/shapes", "btPliant/sensors", "btPliant/step",
           "pliant/collision/body", "pliant/hand", "pliant/math", "pliant/model", "pliant/rig", "pliant/runtime",
           "pliant/touch", "pliant/view"},
          true}},
        {"bullet_bridge/btPliantScene",
         {{"btPliant", "btPliantScene", "pliant/hand", "pliant/math", "pliant/mesh", "pliant/model", "pliant/runtime",
           "pliant/view", "pliant/scene"},
          true}},
        {"osg_nodes/osgPliant",
         {{"pliant/hand", "pliant/math", "pliant/mesh", "pliant/model", "pliant/rig", "pliant/view", "osgPliant"},
          false,
          true}},
        {"osg_nodes/osgPliantScene",
         {{"pliant/math", "pliant/mesh", "pliant/model", "pliant/view", "pliant/scene", "osgPliant", "osgPliantScene"},
          false,
          true}},
        {"osg_nodes/osgdb_pliant", {{"pliant/math", "pliant/model", "osgPliant", "osgdb_pliant"}, false, true}},
    };
    return all;
}

bool startsWith(const std::string& text, const std::string& start) {
    return text.compare(0, start.size(), start) == 0;
}

/// An include as it stands in a file.
struct Include {
    std::string name;
    bool quoted = true;
};

/// What is wrong with an include under `law`; empty when nothing is.
std::string problemWith(const Include& include, const Law& law) {
    const std::string& name = include.name;
    const std::string folder = name.substr(0, name.find_last_of('/') == std::string::npos ? 0 : name.find_last_of('/'));
    if (law.folders.count(folder)) return {};
    for (const char* prefix : {"pliant/", "btPliant/", "btPliantScene/", "osgPliant/", "osgPliantScene/"})
        if (startsWith(name, prefix)) return "is not below this folder";
    static const std::regex bullet("(bt[A-Z]\\w*|Bullet\\w*|LinearMath/.*)(\\.h|/.*)");
    static const std::regex openSceneGraph("(osg\\w*|OpenThreads)/.*");
    if (std::regex_match(name, bullet)) return law.bullet ? "" : "is Bullet's";
    if (std::regex_match(name, openSceneGraph)) return law.openSceneGraph ? "" : "is OpenSceneGraph's";
    if (include.quoted && name != "ModelFile_generated.h" && name != "LatticeSection_generated.h")
        return "is in no folder of ours";
    return {};
}

std::string problemWith(const std::string& name, const Law& law) {
    return problemWith(Include{name, false}, law);
}

std::vector<Include> includes(const std::string& text) {
    static const std::regex include("(?:^|\\n)[ \\t]*#[ \\t]*include[ \\t]*([<\"])([^>\"]+)[>\"]");
    std::vector<Include> found;
    for (std::sregex_iterator match(text.begin(), text.end(), include), end; match != end; ++match)
        found.push_back({(*match)[2], (*match)[1] == "\""});
    return found;
}

std::vector<std::string> includedNames(const std::string& text) {
    std::vector<std::string> names;
    for (const Include& include : includes(text)) names.push_back(include.name);
    return names;
}

/// Whether a folder between `folder` and the file has a law of its own.
bool isUnderAnotherLaw(const std::filesystem::path& file, const std::string& folder) {
    return file.parent_path().lexically_relative(projectFolder()).generic_string() != folder;
}

TEST(IncludeRule, HoldsInEveryFile) {
    int checked = 0;
    for (const auto& [folder, law] : laws()) {
        for (const std::filesystem::path& file : sourceFiles(folder)) {
            if (isUnderAnotherLaw(file, folder)) continue;
            for (const Include& include : includes(readWhole(file))) {
                const std::string problem = problemWith(include, law);
                EXPECT_TRUE(problem.empty()) << file.string() << " includes " << include.name << ", which " << problem;
                ++checked;
            }
        }
    }
    EXPECT_GT(checked, 300) << "the test found hardly any include: it looks in the wrong place";
}

TEST(IncludeRule, EveryFolderWithSourcesHasALaw) {
    for (const char* root : {"plugin", "bullet_bridge", "osg_nodes"}) {
        for (const std::filesystem::path& file : sourceFiles(root)) {
            const std::string folder = file.parent_path().lexically_relative(projectFolder()).generic_string();
            EXPECT_TRUE(laws().count(folder)) << file << " lies in a folder without a law";
        }
    }
}

// Users include what lies directly in btPliant/.
TEST(IncludeRule, PublicHeadersOfTheBridgeIncludeNoRoom) {
    for (const auto& entry : std::filesystem::directory_iterator(projectFolder() / "bullet_bridge/btPliant")) {
        if (entry.path().extension() != ".h") continue;
        for (const std::string& name : includedNames(readWhole(entry.path())))
            EXPECT_FALSE(startsWith(name, "btPliant/") && std::count(name.begin(), name.end(), '/') > 1)
                << entry.path() << " includes " << name;
    }
}

/// The folders of our own that are reached from one by what the laws allow, over any number of others.
std::set<std::string> reached(const std::map<std::string, Law>& rooms, const std::string& from) {
    std::set<std::string> all;
    std::vector<std::string> open = {from};
    while (!open.empty()) {
        const std::string room = open.back();
        open.pop_back();
        const auto law = rooms.find(room);
        if (law == rooms.end()) continue;
        for (const std::string& next : law->second.folders)
            if (next != room && all.insert(next).second) open.push_back(next);
    }
    return all;
}

/// Rooms under the names by which they are included. @param below how their folders begin @param root what stands
/// before these names @param without a folder that is no room: headers for all of them, and sources of what users
/// see, which include them
std::map<std::string, Law> roomsBelow(const std::string& below, const std::string& root, const std::string& without) {
    std::map<std::string, Law> rooms;
    for (const auto& [folder, law] : laws())
        if (startsWith(folder, below) && folder != root + without) rooms[folder.substr(root.size())] = law;
    return rooms;
}

void expectNoCircle(const std::map<std::string, Law>& rooms) {
    for (const auto& [room, law] : rooms) EXPECT_EQ(reached(rooms, room).count(room), 0u) << room << " includes itself";
}

TEST(IncludeRule, RoomsOfTheRunTimeFormNoCircle) {
    const auto rooms = roomsBelow("plugin/pliant/runtime", "plugin/", "pliant/runtime");
    EXPECT_GE(rooms.size(), 7u);
    expectNoCircle(rooms);
}

TEST(IncludeRule, RoomsOfTheBridgeFormNoCircle) {
    const auto rooms = roomsBelow("bullet_bridge/", "bullet_bridge/", "btPliant");
    EXPECT_GE(rooms.size(), 8u);
    expectNoCircle(rooms);
    auto bent = rooms;
    bent["btPliant/data"].folders.insert("btPliant/step");
    EXPECT_EQ(reached(bent, "btPliant/data").count("btPliant/data"), 1u) << "the test sees circles";
}

TEST(IncludeRule, SeesEveryWayToBreakIt) {
    const Law& runtime = laws().at("plugin/pliant/runtime");
    const Law& nodes = laws().at("osg_nodes/osgPliant");
    const Law& bridge = laws().at("bullet_bridge/btPliant");
    EXPECT_NE(problemWith("pliant/fem/StVK.h", runtime), "");
    EXPECT_NE(problemWith("pliant/reduce/ReduceOptions.h", laws().at("plugin/pliant/scene")), "");
    EXPECT_NE(problemWith("btPliantScene/btPliantScene.h", laws().at("osg_nodes/osgPliantScene")), "");
    EXPECT_NE(problemWith("osgPliantScene/SceneNode.h", laws().at("bullet_bridge/btPliantScene")), "");
    EXPECT_NE(problemWith("pliant/scene/SceneReader.h", nodes), "") << "nodes need no scene files";
    EXPECT_NE(problemWith("pliant/reduce/Reduce.h", runtime), "");
    EXPECT_NE(problemWith("btPliant/btPliantBody.h", nodes), "");
    EXPECT_NE(problemWith("pliant/runtime/BodyBatch.h", nodes), "") << "nodes draw poses, whoever has made them";
    EXPECT_NE(problemWith("btBulletDynamicsCommon.h", nodes), "");
    EXPECT_NE(problemWith("LinearMath/btVector3.h", nodes), "");
    EXPECT_NE(problemWith("BulletDynamics/Dynamics/btRigidBody.h", runtime), "");
    EXPECT_NE(problemWith("osg/Geometry", bridge), "");
    EXPECT_NE(problemWith("osgPliant/Stage.h", bridge), "");
    EXPECT_NE(problemWith("pliant/skeleton/BuildSkeleton.h", runtime), "");
    EXPECT_NE(problemWith("pliant/skeleton/BuildBDTree.h", laws().at("plugin/pliant/collision/body")), "");
    EXPECT_NE(problemWith("pliant/collision/pair/CollideBodies.h", laws().at("plugin/pliant/collision/body")), "");
    EXPECT_NE(problemWith("pliant/runtime/integrators/BlockStep.h", bridge), "") << "a law names every folder";
    EXPECT_NE(problemWith(Include{"plaint/math/Types.h", true}, runtime), "") << "nobody's folder";
    EXPECT_NE(problemWith(Include{"Types.h", true}, runtime), "");
    EXPECT_EQ(problemWith(Include{"pliant/math/Types.h", true}, runtime), "");
    EXPECT_NE(problemWith("btPliant/snapshot/WorldState.h", laws().at("bullet_bridge/btPliant/body")), "");
    EXPECT_EQ(problemWith("btPliant/btPliantBody.h", laws().at("bullet_bridge/btPliant/body")), "");
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
