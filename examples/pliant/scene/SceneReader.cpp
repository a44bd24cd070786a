// SPDX-License-Identifier: Zlib
#include "scene/SceneReader.h"

#include <algorithm>
#include <filesystem>

#include "scene/NearestWord.h"
#include "scene/SceneParts.h"

namespace pliant::scene {
namespace {

constexpr CheckedYaml::Kind kScene{"scene", "docs/scene.md has an example"};
constexpr double kFarthest = 1.0e6;  // m; beyond it Bullet's single precision has no millimetres left

TimeSettings readTime(const CheckedYaml& block) {
    block.expectKeys({"duration", "frames_per_second", "substeps"});
    TimeSettings time;
    if (const auto value = block.find("duration")) time.duration = value->number({1.0e-3, 3600.0});
    if (const auto value = block.find("frames_per_second")) time.framesPerSecond = value->integer(1, 1000);
    if (const auto value = block.find("substeps")) time.substeps = value->integer(1, 1000);
    return time;
}

SolverSettings readSolver(const CheckedYaml& block) {
    block.expectKeys({"iterations", "double_precision", "tangent_tolerance", "margin"});
    SolverSettings solver;
    if (const auto value = block.find("iterations")) solver.iterations = value->integer(1, 1000);
    if (const auto value = block.find("double_precision")) solver.doublePrecision = value->boolean();
    if (const auto value = block.find("tangent_tolerance")) solver.tangentTolerance = value->number({0.0, 1.0});
    if (const auto value = block.find("margin")) solver.margin = value->number({0.0, 1.0e3});
    return solver;
}

Camera readCamera(const CheckedYaml& block) {
    block.expectKeys({"from", "to", "field_of_view"});
    Camera camera;
    camera.from = block.at("from").vector({-kFarthest, kFarthest});
    camera.to = block.at("to").vector({-kFarthest, kFarthest});
    if (const auto value = block.find("field_of_view")) camera.fieldOfView = value->number({1.0, 150.0});
    if ((camera.from - camera.to).norm() < 1.0e-9) block.fail("camera from and to are the same point");
    return camera;
}

DetailSettings readDetail(const CheckedYaml& block) {
    block.expectKeys({"pixels", "least", "quiet_energy"});
    DetailSettings detail;
    if (const auto value = block.find("pixels")) detail.pixels = value->number({1.0, 1.0e5});
    if (const auto value = block.find("least")) detail.least = value->integer(1, 200);
    if (const auto value = block.find("quiet_energy")) detail.quietEnergy = value->number({0.0, 1.0e6});
    return detail;
}

Light readLight(const CheckedYaml& block) {
    block.expectKeys({"direction", "brightness", "shadow"});
    Light light;
    if (const auto value = block.find("direction")) {
        light.direction = value->vector({-kFarthest, kFarthest});
        if (light.direction->norm() < 1.0e-9) value->fail("direction has no length");
    }
    if (const auto value = block.find("brightness")) light.brightness = value->number({0.0, 100.0});
    if (const auto value = block.find("shadow")) light.shadow = value->boolean();
    return light;
}

OutputSettings readOutput(const CheckedYaml& block, OutputSettings output) {
    block.expectKeys({"name", "size", "picture_at"});
    if (const auto value = block.find("name")) {
        output.name = value->text();
        if (output.name.find('/') != std::string::npos) value->fail("name is a file name without folders and ending");
    }
    if (const auto value = block.find("size")) {
        const auto parts = value->items();
        if (parts.size() != 2) value->fail("size needs two numbers: width and height");
        output.width = parts[0].integer(16, 8192);
        output.height = parts[1].integer(16, 8192);
        if (output.width % 2 || output.height % 2) value->fail("size must be even, or the video cannot be written");
    }
    if (const auto value = block.find("picture_at")) output.pictureTime = value->number({0.0, 3600.0});
    return output;
}

void readModels(const CheckedYaml& block, SceneDescription& scene) {
    for (const auto& [name, entry] : block.entries()) scene.models.push_back(readModel(name, entry, scene.file));
    if (scene.models.empty()) block.fail("models is empty");
}

void readBodies(const CheckedYaml& list, SceneDescription& scene) {
    std::vector<std::string> names;
    for (const ModelEntry& model : scene.models) names.push_back(model.name);
    for (const CheckedYaml& block : list.items()) {
        const BodyGroup group = readBodyGroup(block);
        if (std::find(names.begin(), names.end(), group.model) == names.end()) {
            const std::string near = nearestWord(group.model, names);
            block.at("model").fail("no model is called \"" + group.model + "\"",
                                   near.empty() ? "add it under models" : "did you mean \"" + near + "\"?");
        }
        scene.bodies.push_back(group);
    }
}

/// Names of bodies, deformable and rigid ones together, are those of one body group each.
void checkBodyNames(const CheckedYaml& root) {
    std::vector<std::string> known;
    for (const char* list : {"bodies", "rigid"}) {
        const auto blocks = root.find(list);
        if (!blocks) continue;
        for (const CheckedYaml& block : blocks->items()) {
            const auto name = block.find("name");
            if (!name) continue;
            if (std::find(known.begin(), known.end(), name->text()) != known.end())
                name->fail("there is another \"" + name->text() + "\"");
            known.push_back(name->text());
        }
    }
}

SceneDescription build(const CheckedYaml& root, const std::string& path) {
    root.expectKeys({"gravity", "time", "solver", "models", "bodies", "rigid", "joints", "ground", "camera", "detail",
                     "light", "output"});
    SceneDescription scene;
    scene.file = path;
    scene.output.name = std::filesystem::path(path).stem().string();
    if (const auto block = root.find("gravity")) scene.gravity = block->vector({-1.0e4, 1.0e4});
    if (const auto block = root.find("time")) scene.time = readTime(*block);
    if (const auto block = root.find("solver")) scene.solver = readSolver(*block);
    if (const auto block = root.find("models")) readModels(*block, scene);
    if (const auto block = root.find("bodies")) readBodies(*block, scene);
    if (const auto block = root.find("rigid"))
        for (const CheckedYaml& item : block->items()) scene.rigid.push_back(readRigidGroup(item, path));
    checkBodyNames(root);
    if (const auto block = root.find("joints")) {
        for (const CheckedYaml& item : block->items()) scene.joints.push_back(readJoint(item));
        checkJointNames(*block, scene);
    }
    if (const auto block = root.find("ground")) scene.ground = readGround(*block);
    if (const auto block = root.find("camera")) scene.camera = readCamera(*block);
    if (const auto block = root.find("detail")) {
        scene.detail = readDetail(*block);
        if (!scene.camera) block->fail("level of detail is seen from the scene's camera", "add a \"camera\" block");
    }
    if (const auto block = root.find("light")) scene.light = readLight(*block);
    if (const auto block = root.find("output")) scene.output = readOutput(*block, scene.output);
    if (scene.bodies.empty() && scene.rigid.empty()) root.fail("the scene has no bodies", "add some under bodies");
    if (scene.bodyCount() > 100000) root.fail("the scene has more than 100000 bodies", "make the grids smaller");
    return scene;
}

}  // namespace

SceneDescription parseScene(const std::string& text, const std::string& path) {
    return build(CheckedYaml::parse(text, path, kScene), path);
}

SceneDescription readScene(const std::string& path) {
    return build(CheckedYaml::readFile(path, kScene), path);
}

}  // namespace pliant::scene
