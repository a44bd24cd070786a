// SPDX-License-Identifier: Zlib
// The tables of the language against what is made of them: documentation, schema, and what the reader takes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "models/Recordings.h"
#include "pliant/math/Error.h"
#include "pliant/runtime/Settings.h"
#include "pliant/scene/LivePaths.h"
#include "pliant/scene/SceneKeys.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::scene {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

/// As much of JSON Schema as the schema of scenes uses, for YAML.
class Validator {
public:
    explicit Validator(const json& schema) : m_root(schema) {}

    /// @return empty, or where it does not fit
    std::string problem(const YAML::Node& node) const { return problemAt(node, m_root, "scene"); }

private:
    std::string problemAt(const YAML::Node& node, const json& schema, const std::string& place) const {
        if (schema.is_boolean()) return schema.get<bool>() ? "" : place + " must not be there";
        if (schema.contains("$ref")) {
            const std::string name = schema["$ref"].get<std::string>().substr(std::string("#/$defs/").size());
            if (const std::string told = problemAt(node, m_root["$defs"].at(name), place); !told.empty()) return told;
        }
        for (const json& each : schema.value("allOf", json::array()))
            if (const std::string told = problemAt(node, each, place); !told.empty()) return told;
        if (schema.contains("anyOf")) {
            std::string all;
            for (const json& each : schema["anyOf"]) {
                const std::string told = problemAt(node, each, place);
                if (told.empty()) return "";
                all += (all.empty() ? "" : " or ") + told;
            }
            return all;
        }
        if (schema.contains("const") && (!node.IsScalar() || schema["const"] != node.Scalar()))
            return place + " is not it";
        if (schema.contains("enum") && (!node.IsScalar() || !contains(schema["enum"], node.Scalar())))
            return place + " is none of the words";
        if (schema.contains("pattern") &&
            (!node.IsScalar() || !std::regex_search(node.Scalar(), std::regex(schema["pattern"].get<std::string>()))))
            return place + " does not fit the pattern";
        return schema.contains("type") ? problemOfType(node, schema, place) : "";
    }

    static bool contains(const json& list, const std::string& word) {
        return std::find(list.begin(), list.end(), json(word)) != list.end();
    }

    std::string problemOfType(const YAML::Node& node, const json& schema, const std::string& place) const {
        const std::string type = schema["type"];
        if (type == "object") return problemOfBlock(node, schema, place);
        if (type == "array") return problemOfList(node, schema, place);
        if (!node.IsScalar()) return place + " is no " + type;
        const std::string text = node.Scalar();
        const bool isTruth = text == "true" || text == "false";
        if (type == "boolean") return isTruth ? "" : place + " is neither true nor false";
        char* end = nullptr;
        const double number = std::strtod(text.c_str(), &end);
        const bool isNumber = !text.empty() && *end == 0 && node.Tag() != "!";
        if (type == "string") return isNumber || isTruth ? place + " is no text" : "";
        if (!isNumber || (type == "integer" && number != std::floor(number))) return place + " is no " + type;
        const bool inside = number >= schema.value("minimum", -1e300) && number <= schema.value("maximum", 1e300);
        return inside ? "" : place + " is out of its range";
    }

    std::string problemOfBlock(const YAML::Node& node, const json& schema, const std::string& place) const {
        if (!node.IsMap()) return place + " is no block";
        const json others = schema.value("additionalProperties", json(true));
        for (const auto& pair : node) {
            const std::string key = pair.first.Scalar();
            const bool known = schema.contains("properties") && schema["properties"].contains(key);
            const json& of = known ? schema["properties"][key] : others;
            if (const std::string told = problemAt(pair.second, of, place + "." + key); !told.empty()) return told;
        }
        return "";
    }

    std::string problemOfList(const YAML::Node& node, const json& schema, const std::string& place) const {
        if (!node.IsSequence()) return place + " is no list";
        if (node.size() < schema.value("minItems", 0u) || node.size() > schema.value("maxItems", 1000000u))
            return place + " has another length";
        if (!schema.contains("items")) return "";
        for (std::size_t i = 0; i < node.size(); ++i)
            if (const std::string told = problemAt(node[i], schema["items"], place + "[" + std::to_string(i) + "]");
                !told.empty())
                return told;
        return "";
    }

    json m_root;
};

std::string problemOf(const std::string& text) {
    static const Validator validator(json::parse(sceneSchema()));
    return validator.problem(YAML::Load(text));
}

TEST(SceneSchema, TakesEverySceneOfTheProject) {
    int scenes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(PLIANT_MEDIA_DIR) + "/scenes")) {
        if (entry.path().extension() != ".yaml") continue;
        std::ifstream file(entry.path());
        std::stringstream text;
        text << file.rdbuf();
        EXPECT_EQ(problemOf(text.str()), "") << entry.path();
        ++scenes;
    }
    EXPECT_GE(scenes, 12);
}

TEST(SceneSchema, RefusesWhatTheReaderRefuses) {
    EXPECT_EQ(problemOf("bodies: [{model: cow, repeat: {i: 3}, position: [= i, 0, 1]}]"), "");
    EXPECT_EQ(problemOf("output: [{film: {file: a.mp4}}]\ngravity: [0, 0, 0]"), "");
    EXPECT_EQ(problemOf("touch: [{between: [cow], repeat: {i: 3}}]"), "");
    EXPECT_EQ(problemOf("animate: [{what: gravity.z, keys: [[0, 1]], repeat: true}]"), "");
    EXPECT_THAT(problemOf("animate: [{what: gravity, keys: [[0, 1]]}]"), HasSubstr("does not fit the pattern"));
    EXPECT_THAT(problemOf("record: [{file: a.csv, repeat: {i: 3}}]"), HasSubstr("repeat must not be there"));
    EXPECT_THAT(problemOf("bodees: []"), HasSubstr("scene.bodees must not be there"));
    EXPECT_THAT(problemOf("bodies: [{model: cow, postion: [0, 0, 1]}]"), HasSubstr("scene.bodies[0].postion"));
    EXPECT_THAT(problemOf("bodies: [{model: cow, position: [0, 1]}]"), HasSubstr("another length"));
    EXPECT_THAT(problemOf("bodies: [{model: cow, motion: fre}]"), HasSubstr("none of the words"));
    EXPECT_THAT(problemOf("time: {duration: -1}"), HasSubstr("out of its range"));
    EXPECT_THAT(problemOf("time: {duration: long}"), HasSubstr("is no number"));
    EXPECT_THAT(problemOf("time: {substeps: 2.5}"), HasSubstr("is no integer"));
    EXPECT_THAT(problemOf("events: [{at: 1, do: [go]}]"), HasSubstr("is not it"));
    EXPECT_THAT(problemOf("light: {shadow: dark}"), HasSubstr("neither true nor false"));
}

/// The blocks of YAML of a page.
std::vector<std::string> blocksOf(const std::filesystem::path& page) {
    std::ifstream file(page);
    std::vector<std::string> blocks;
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        if (line == "```yaml") {
            inside = true;
            blocks.emplace_back();
        } else if (inside && line == "```") {
            inside = false;
        } else if (inside) {
            blocks.back() += line + "\n";
        }
    }
    return blocks;
}

/// Recorded forces by the readers of their files. @return what is wrong; empty: nothing
std::string problemOfRecording(const std::string& text) {
    const std::string path = ::testing::TempDir() + "pliant_page.yaml";
    std::ofstream(path) << text;
    ReduceOptions options;
    try {
        text.find("time_step:") == std::string::npos ? program::readSketch(path, options)
                                                     : program::readSnapshots(path, options);
    } catch (const Error& problem) {
        return problem.what();
    }
    return "";
}

// Every block of YAML of every page fits the language, whole scenes and parts of them.
TEST(SceneSchema, TakesWhatThePagesShow) {
    const std::filesystem::path project = std::filesystem::path(PLIANT_MEDIA_DIR) / "..";
    std::vector<std::filesystem::path> pages = {project / "README.md"};
    for (const auto& entry : std::filesystem::recursive_directory_iterator(project / "docs"))
        if (entry.path().extension() == ".md") pages.push_back(entry.path());
    int scenes = 0, recordings = 0;
    for (const std::filesystem::path& page : pages)
        for (std::string text : blocksOf(page)) {
            if (text.find("\nforces:") != std::string::npos) {
                EXPECT_EQ(problemOfRecording(text), "") << page;
                ++recordings;
                continue;
            }
            // A block that belongs into another one is shown by itself.
            const bool isOfModel = text.rfind("reduce:", 0) == 0;
            if (isOfModel)
                text = "models:\n  m:\n    file: m.obj\n    " + std::regex_replace(text, std::regex("\n"), "\n    ");
            EXPECT_EQ(problemOf(text), "") << page << ": " << text;
            ++scenes;
        }
    EXPECT_GE(scenes, 13);
    EXPECT_EQ(recordings, 2);
}

// A number has a unit, or is one of those that have none: of their own block, since "speed" of a film is none and that
// of a body may be one.
TEST(SceneKeys, HaveUnits) {
    const std::set<std::string> plain = {
        "scene.version",        "time.substeps",     "solver.iterations",  "solver.tangent_tolerance",
        "detail.least",         "light.direction",   "light.brightness",   "lights.direction",
        "lights.colour",        "lights.brightness", "show.hidden",        "environment.background",
        "environment.exposure", "sky.zenith",        "sky.horizon",        "ambient.above",
        "ambient.below",        "view.area",         "output_file.speed",  "material.colour",
        "material.roughness",   "material.metal",    "material.opacity",   "model.colour",
        "reduce.modes",         "reduce.dimension",  "reduce.voxels",      "reduce.poisson",
        "reduce.tolerance",     "rig.poisson",       "rig.modes",          "rig.dimension",
        "rig.voxels",           "newmark.gamma",     "newmark.iterations", "body.friction",
        "body.restitution",     "body.speed",        "body.colours",       "rigid.scale",
        "rigid.friction",       "rigid.restitution", "rigid.colour",       "grid.count",
        "stack.count",          "jitter.seed",       "spawn_pool.most",    "ground.friction",
        "ground.restitution",   "ground.colour",     "joint.tolerance",    "joint.axis",
        "tool.damping",         "tool.port",         "tool.scale",         "touch.friction",
        "touch.points",         "touch.levels",      "field.drag",         "field.axis",
        "spawn.count",          "live_jitter.seed"};
    const std::set<std::string> types = {"number", "integer", "seed",    "vector",  "colour", "integers", "pair",
                                         "four",   "size",    "spacing", "colours", "keys",   "phase",    "moment"};
    int withUnits = 0;
    std::set<std::string> withoutUnits;
    for (const KeyTable& table : sceneKeys())
        for (const KeyRow& row : table.rows) {
            if (types.count(row.type.substr(0, row.type.find(' '))) == 0) continue;
            withUnits += !row.unit.empty();
            if (row.unit.empty()) withoutUnits.insert(table.name + "." + row.key);
        }
    EXPECT_EQ(withoutUnits, plain);
    EXPECT_GT(withUnits, 80);
}

TEST(SceneKeys, AreDocumented) {
    std::ifstream file(std::string(PLIANT_MEDIA_DIR) + "/../docs/scene-keys.md");
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_NE(text.str().find(sceneKeysAsMarkdown()), std::string::npos)
        << "docs/scene-keys.md is not what `pliant schema --markdown` prints";
}

TEST(SceneKeys, AreWhole) {
    for (const KeyTable& table : sceneKeys()) {
        EXPECT_FALSE(table.sentence.empty()) << table.name;
        for (const KeyRow& row : table.rows) {
            EXPECT_FALSE(row.type.empty() || row.sentence.empty()) << table.name << "." << row.key;
            if (row.type == "block" || row.type == "list") {
                EXPECT_FALSE(sceneKeys(row.words.at(0)).rows.empty()) << table.name << "." << row.key;
            }
        }
    }
}

TEST(SceneKeys, IntegratorsAreThoseOfTheEnumeration) {
    const std::map<std::string, Integrator> values = {{"newmark", Integrator::Newmark},
                                                      {"analytic", Integrator::Analytic},
                                                      {"static", Integrator::Static},
                                                      {"central_differences", Integrator::CentralDifferences}};
    const std::vector<const char*> names = integratorNames();
    EXPECT_EQ(names.size(), values.size());
    SceneOptions options;
    options.reduceReader = [](const auto&, const std::string&) { return std::make_shared<ReduceRecipe>(); };
    for (const std::string name : names) {
        SCOPED_TRACE(name);
        ASSERT_EQ(values.count(name), 1u);
        const SceneDescription scene =
            parseScene("models: {it: {file: " PLIANT_MEDIA_DIR "/basket/basket.obj, integrator: " + name +
                           "}}\nbodies: [{model: it}]\n",
                       "x.yaml", options);
        ASSERT_EQ(scene.models.size(), 1u);
        EXPECT_EQ(scene.models[0].integrator, values.at(name));
    }
}

// A number of a file that events may set has the same bounds in both places.
TEST(SceneKeys, HaveTheBoundsOfTheLiveNumbersThatTheyAre) {
    const std::map<std::string, std::vector<std::pair<std::string, std::string>>> keys = {
        {"gravity", {{"scene", "gravity"}}},
        {"JOINT.motor.velocity", {{"motor", "velocity"}}},
        {"JOINT.motor.strength", {{"motor", "strength"}}},
        {"NAME.friction", {{"body", "friction"}, {"rigid", "friction"}}},
        {"NAME.restitution", {{"body", "restitution"}, {"rigid", "restitution"}}},
        {"NAME.damping.mass", {{"damping", "mass"}}},
        {"NAME.damping.stiffness", {{"damping", "stiffness"}}},
        {"sun.brightness", {{"light", "brightness"}}},
        {"LAMP.brightness", {{"lights", "brightness"}}},
        {"CAMERA.field_of_view", {{"named_camera", "field_of_view"}}}};
    std::size_t compared = 0;
    for (const LivePathRow& live : livePathRows()) {
        const auto found = keys.find(live.path);
        if (found == keys.end()) continue;
        for (const auto& [block, name] : found->second) {
            const KeyRow* key = sceneKeys(block).find(name);
            ASSERT_TRUE(key) << block << "." << name;
            EXPECT_EQ(key->least, live.range.least) << live.path;
            EXPECT_EQ(key->most, live.range.most) << live.path;
            EXPECT_EQ(key->unit, live.unit) << live.path;
            ++compared;
        }
    }
    EXPECT_EQ(compared, 12u);
}

TEST(SceneKeys, NameEveryLiveNumber) {
    const std::regex pattern(livePathPattern());
    for (int kind = 0; kind <= static_cast<int>(LivePath::Kind::FieldOfView); ++kind) {
        const LivePathRow& row = livePathRow(static_cast<LivePath::Kind>(kind));
        const std::string path = std::string(row.path) + (row.isVector ? ".z" : "");
        const LivePathMatch match = matchLivePath(path);
        EXPECT_EQ(match.row, &row) << path;
        EXPECT_EQ(match.axis, row.isVector ? 2 : 0) << path;
        EXPECT_TRUE(std::regex_match(path, pattern)) << path;
    }
    for (const char* path : {"gravity", "gravity.w", "ball.friction.x", "friction", ".friction", "x.gravity.z", ""}) {
        EXPECT_FALSE(matchLivePath(path).row) << path;
        EXPECT_FALSE(std::regex_match(path, pattern)) << path;
    }
    EXPECT_EQ(matchLivePath("post.material.steel.stiffness").name, "post.material.steel");
    EXPECT_EQ(livePathCure("ball.fricton", "ball", {LivePath::Kind::Friction}), "did you mean \"ball.friction\"?");
    EXPECT_EQ(livePathCure("ball.at.y", "ball", {LivePath::Kind::Friction, LivePath::Kind::Position}),
              "ball has friction, position.x")
        << "a body has no place of a lamp";
}

}  // namespace
}  // namespace pliant::scene
