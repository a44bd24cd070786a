// SPDX-License-Identifier: Zlib
#include "pliant/scene/SceneReader.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "pliant/scene/Mistakes.h"
#include "pliant/scene/NearestWord.h"
#include "pliant/scene/SceneParts.h"

namespace pliant::scene {
namespace {

constexpr CheckedYaml::Kind kScene{"scene", "docs/scene.md has an example"};

TimeSettings readTime(const CheckedYaml& block) {
    block.expectBlock("time");
    TimeSettings time;
    if (const auto value = block.find("duration")) time.duration = value->number();
    if (const auto value = block.find("frames_per_second")) time.framesPerSecond = value->integer();
    if (const auto value = block.find("substeps")) time.substeps = value->integer();
    return time;
}

SolverSettings readSolver(const CheckedYaml& block) {
    block.expectBlock("solver");
    SolverSettings solver;
    if (const auto value = block.find("iterations")) solver.iterations = value->integer();
    if (const auto value = block.find("double_precision")) solver.doublePrecision = value->boolean();
    if (const auto value = block.find("tangent_tolerance")) solver.tangentTolerance = value->number();
    if (const auto value = block.find("margin")) solver.margin = value->number();
    return solver;
}

Camera readCamera(const CheckedYaml& block) {
    block.expectBlock("camera");
    Camera camera;
    camera.from = block.at("from").vector();
    camera.to = block.at("to").vector();
    if (const auto value = block.find("field_of_view")) camera.fieldOfView = value->number();
    if ((camera.from - camera.to).norm() < 1.0e-9) block.fail("camera from and to are the same point");
    return camera;
}

DetailSettings readDetail(const CheckedYaml& block) {
    block.expectBlock("detail");
    DetailSettings detail;
    if (const auto value = block.find("pixels")) detail.pixels = value->number();
    if (const auto value = block.find("least")) detail.least = value->integer();
    if (const auto value = block.find("quiet_energy")) detail.quietEnergy = value->number();
    return detail;
}

Light readLight(const CheckedYaml& block) {
    block.expectBlock("light");
    return readSun(block);
}

OutputSettings readOutput(const CheckedYaml& block, OutputSettings output) {
    block.expectBlock("film_and_picture");
    if (const auto value = block.find("name")) {
        output.name = value->text();
        if (output.name.find('/') != std::string::npos) value->fail("name is a file name without folders and ending");
    }
    if (const auto value = block.find("size")) readPictureSize(*value, output.width, output.height);
    if (const auto value = block.find("picture_at")) output.pictureTime = value->number();
    return output;
}

/// @return the names of all models, also of those that cannot be read
std::vector<std::string> readModels(const CheckedYaml& block, SceneDescription& scene, const SceneOptions& options,
                                    Mistakes& mistakes) {
    std::vector<std::string> names;
    const auto tryKey = [&](const std::string& key, const auto& part) {
        if (!mistakes.tryPart(part)) names.push_back(key);  // whoever names it makes no mistake by that
    };
    for (const auto& [name, entry] : block.entries(tryKey)) {
        names.push_back(name);
        tryBlock(entry, mistakes, [&, &key = name, &value = entry] {
            scene.models.push_back(readModel(key, value, options.reduceReader, options.rigReader));
        });
    }
    if (names.empty()) block.fail("models is empty");
    return names;
}

/// Reads a group of bodies of one of the models, or of a reduced model by its file, which becomes one of them.
/// @param declared names of the entries under "models"
BodyGroup readBody(const CheckedYaml& block, const std::vector<std::string>& declared,
                   std::vector<ModelEntry>& models) {
    BodyGroup group = readBodyGroup(block);
    if (std::find(declared.begin(), declared.end(), group.model) != declared.end()) return group;
    const CheckedYaml model = block.at("model");
    const std::string extension = std::filesystem::path(group.model).extension().string();
    if (extension == ".pliant") {
        ModelEntry entry = modelOfFile(model);
        group.model = entry.name;
        const bool isKnown = std::any_of(models.begin(), models.end(),
                                         [&](const ModelEntry& known) { return known.name == entry.name; });
        if (!isKnown) models.push_back(std::move(entry));
        return group;
    }
    const std::string near = nearestWord(group.model, declared);
    const bool isFile = extension.size() > 1 && near.empty();
    throw UnknownName("model", group.model, model.where(), "no model is called \"" + group.model + "\"",
                      isFile ? "meshes and characters stand under models: models: {NAME: {file: " + group.model + "}}"
                      : near.empty() ? "add it under models"
                                     : "did you mean \"" + near + "\"?");
}

/// Numbers the labels of models that are named by their files, where others have them already: cow, cow_2.
void numberLabels(std::vector<ModelEntry>& models) {
    std::set<std::string> taken;
    for (const ModelEntry& model : models)
        if (model.label == model.name) taken.insert(model.label);
    for (ModelEntry& model : models) {
        if (model.label == model.name) continue;
        const std::string stem = model.label;
        for (int number = 2; !taken.insert(model.label).second; ++number)
            model.label = stem + "_" + std::to_string(number);
    }
}

/// A mistake in a prefab says whose it is.
template <class Part>
void inPart(const CheckedYaml& block, const Part& part) {
    tellUser(block.space() ? block.space()->usedBy : "", part);
}

/// What names of a list's entries are names of; saved states have theirs from actions of events.
std::string kindIn(const std::string& list) {
    if (list == "bodies" || list == "rigid") return "body";
    if (list == "joints" || list == "sensors") return list.substr(0, list.size() - 1);
    return list == "events" ? "saved state" : list;
}

/// Every entry of a list of every part of the scene: the file, and the instances of its prefabs.
class PartsReader {
public:
    PartsReader(const std::vector<CheckedYaml>& parts, Mistakes& mistakes) : m_parts(parts), m_mistakes(mistakes) {}

    template <class Read>
    void ofList(const char* key, const Read& read) const {
        for (const CheckedYaml& part : m_parts) {
            const bool isRead = m_mistakes.tryPart([&] {
                inPart(part, [&] {
                    const auto list = part.find(key);
                    if (!list) return;
                    const auto lose = [&](const CheckedYaml& item) { loseName(item, {kindIn(key)}, m_mistakes); };
                    const auto tryItem = [&](const CheckedYaml& item, const auto& counted) {
                        if (!m_mistakes.tryPart([&] { inPart(item, counted); })) lose(item);
                    };
                    for (const CheckedYaml& item : list->items(tryItem))
                        if (!tryBlock(
                                item, m_mistakes, [&] { inPart(item, [&] { read(item); }); },
                                item.space() ? "; " + item.space()->usedBy : ""))
                            lose(item);
                });
            });
            if (!isRead) m_mistakes.lose(kindIn(key), "");
        }
    }

private:
    const std::vector<CheckedYaml>& m_parts;
    Mistakes& m_mistakes;
};

/// Everything that moves or stands, item by item.
void readAllBodies(const CheckedYaml& root, const std::vector<CheckedYaml>& parts, SceneDescription& scene,
                   const SceneOptions& options, Mistakes& mistakes) {
    const PartsReader all(parts, mistakes);
    std::vector<std::string> models;
    const bool modelsKnown = mistakes.tryPart([&] {
        if (const auto block = root.find("models")) models = readModels(*block, scene, options, mistakes);
    });
    if (!modelsKnown) mistakes.lose("model", "");
    all.ofList("bodies",
               [&](const CheckedYaml& item) { scene.bodies.push_back(readBody(item, models, scene.models)); });
    numberLabels(scene.models);
    RigidFiles files{options.surfaceReader, {}, {}};
    all.ofList("rigid", [&](const CheckedYaml& item) { scene.rigid.push_back(readRigidGroup(item, files)); });
    all.ofList("joints", [&](const CheckedYaml& item) { scene.joints.push_back(readJoint(item)); });
}

/// Parts by how deep they stand in prefabs, the deepest ones first: whoever uses a prefab has the last word.
std::vector<CheckedYaml> innermostFirst(std::vector<CheckedYaml> parts) {
    const auto depth = [](const CheckedYaml& part) {
        int count = 0;
        for (const Namespace* space = part.space().get(); space; space = space->outer.get()) ++count;
        return count;
    };
    std::stable_sort(parts.begin(), parts.end(),
                     [&](const CheckedYaml& a, const CheckedYaml& b) { return depth(a) > depth(b); });
    return parts;
}

/// What is measured, happens, is written and has to hold, item by item.
void readTimeline(const std::vector<CheckedYaml>& parts, SceneDescription& scene, const SceneOptions& options,
                  Mistakes& mistakes) {
    const std::vector<CheckedYaml> file(parts.begin(), parts.begin() + 1);
    const std::vector<CheckedYaml> outwards = innermostFirst(parts);
    const PartsReader whole(parts, mistakes), reader(file, mistakes), overriding(outwards, mistakes);
    TimelineDescription& all = scene.timeline;
    reader.ofList("fields", [&](const CheckedYaml& item) { scene.fields.push_back(readField(item)); });
    whole.ofList("sensors", [&](const CheckedYaml& item) { all.sensors.push_back(readSensor(item)); });
    overriding.ofList("touch", [&](const CheckedYaml& item) { scene.touches.push_back(readTouch(item)); });
    reader.ofList("tool",
                  [&](const CheckedYaml& item) { scene.tools.push_back(readTool(item, options.toolInThread)); });
    reader.ofList("events",
                  [&](const CheckedYaml& item) { all.events.push_back(readEvent(item, scene.time, mistakes)); });
    reader.ofList("animate", [&](const CheckedYaml& item) { all.animations.push_back(readAnimation(item)); });
    reader.ofList("record", [&](const CheckedYaml& item) { all.records.push_back(readRecord(item, scene.time)); });
    reader.ofList("expect",
                  [&](const CheckedYaml& item) { all.expectations.push_back(readExpectation(item, scene.time)); });
}

/// All entries of a list, in the order in which PartsReader reads them, but for those that it has told it cannot count;
/// none of a list that is none, which it has told, too.
std::vector<CheckedYaml> itemsOf(const std::vector<CheckedYaml>& parts, const char* key) {
    std::vector<CheckedYaml> all;
    const auto leaveOut = [](const CheckedYaml&, const auto& counted) {
        try {
            counted();
        } catch (const Error&) {
        }
    };
    for (const CheckedYaml& part : parts) {
        try {
            const auto list = part.find(key);
            const std::vector<CheckedYaml> items = list ? list->items(leaveOut) : std::vector<CheckedYaml>();
            all.insert(all.end(), items.begin(), items.end());
        } catch (const Error&) {
        }
    }
    return all;
}

/// Names of bodies, deformable and rigid ones together, are those of one body group each.
void checkBodyNames(const std::vector<CheckedYaml>& parts) {
    std::set<std::string> known;
    for (const char* list : {"bodies", "rigid"}) {
        for (const CheckedYaml& block : itemsOf(parts, list)) {
            const auto name = block.find("name");
            if (!name) continue;
            const std::string whole = readName(block);
            if (known.insert(whole).second) continue;
            inPart(block, [&] {
                name->fail("there is another \"" + whole + "\"", "give each group of bodies a name of its own");
            });
        }
    }
}

/// By the place of a group of bodies, the instance of a prefab that it stands in.
std::map<std::string, std::string> usersOf(const std::vector<CheckedYaml>& parts) {
    std::map<std::string, std::string> users;
    for (const char* list : {"bodies", "rigid"})
        for (const CheckedYaml& item : itemsOf(parts, list))
            if (item.space()) users.emplace(item.where(), item.space()->usedBy);
    return users;
}

/// What is asked of all parts together; of what could not be read nothing follows.
void checkTogether(const CheckedYaml& root, const std::vector<CheckedYaml>& parts, SceneDescription& scene,
                   Mistakes& mistakes) {
    mistakes.tryPart([&] { checkBodyNames(parts); });
    nameRepeatedEnds(scene);
    if (!mistakes.hasLost("joint")) checkJointNames(itemsOf(parts, "joints"), scene, mistakes);
    mistakes.tryPart([&] {
        if (scene.detail && !root.has("camera"))
            root.at("detail").fail("level of detail is seen from the scene's camera", "add a \"camera\" block");
    });
    if (mistakes.any()) return;  // the bodies may be what is wrong
    mistakes.tryPart([&] {
        if (scene.bodies.empty() && scene.rigid.empty()) root.fail("the scene has no bodies", "add some under bodies");
        if (scene.bodyCount() > 100000) root.fail("the scene has more than 100000 bodies", "make the grids smaller");
    });
}

/// What is asked of all parts together. @throws Error with all mistakes
void checkWhole(const CheckedYaml& root, const std::vector<CheckedYaml>& parts, SceneDescription& scene,
                Mistakes& mistakes) {
    checkTogether(root, parts, scene, mistakes);
    checkLooks(scene, usersOf(parts), mistakes);
    checkTimeline(scene, mistakes);
    mistakes.tell();
}

void readMaterials(const CheckedYaml& block, SceneDescription& scene, Mistakes& mistakes) {
    const auto tryKey = [&](const std::string& key, const auto& part) {
        if (!mistakes.tryPart(part)) mistakes.lose("material", key);
    };
    for (const auto& entry : block.entries(tryKey))
        if (!tryBlock(entry.second, mistakes,
                      [&] { scene.materials.push_back(readMaterial(entry.first, entry.second)); }))
            mistakes.lose("material", entry.first);
}

SceneDescription build(const CheckedYaml& alone, const std::string& path, const SceneOptions& options) {
    SceneDescription scene;
    scene.file = path;
    const CheckedYaml file = readIncludes(alone, kScene);
    scene.files = file.files();
    scene.output.name = std::filesystem::path(path).stem().string();
    Mistakes mistakes;
    const CheckedYaml root = file.within(readVariables(file, options.variables, mistakes));
    const auto part = [&](const char* key, const auto& read) {
        bool isRead = true;
        const bool isFound = mistakes.tryPart([&] {
            if (const auto block = root.find(key)) isRead = tryBlock(*block, mistakes, [&] { read(*block); });
        });
        return isFound && isRead;
    };
    // Of a key that stands twice the first is read: what the other one has names for is not asked then.
    if (!tryBlock(root, mistakes, [&] { root.expectBlock("scene"); }) && root.hasKeyTwice()) mistakes.loseAll();
    part("gravity", [&](const CheckedYaml& block) { scene.gravity = block.vector(); });
    part("time", [&](const CheckedYaml& block) { scene.time = readTime(block); });
    part("version", [](const CheckedYaml& value) { value.integer(); });
    if (!part("materials", [&](const CheckedYaml& block) { readMaterials(block, scene, mistakes); }))
        mistakes.lose("material", "");
    if (!part("layers", [&](const CheckedYaml& block) { scene.layers = readLayers(block, mistakes); }))
        mistakes.lose("layer", "");
    part("solver", [&](const CheckedYaml& block) { scene.solver = readSolver(block); });
    const std::vector<CheckedYaml> parts = readInstances(root, mistakes);
    readAllBodies(root, parts, scene, options, mistakes);
    readTimeline(parts, scene, options, mistakes);
    part("ground", [&](const CheckedYaml& block) { scene.ground = readGround(block); });
    part("camera", [&](const CheckedYaml& block) { scene.camera = readCamera(block); });
    part("detail", [&](const CheckedYaml& block) { scene.detail = readDetail(block); });
    part("light", [&](const CheckedYaml& block) { scene.light = readLight(block); });
    const bool hasLights = part("lights", [&](const CheckedYaml& list) {
        if (root.has("light"))
            list.fail("there are \"light\" and \"lights\"", "write the light as the first of the lights");
        readLights(list, scene, mistakes);
    });
    if (!hasLights) mistakes.lose("lamp", "");
    part("environment", [&](const CheckedYaml& block) { scene.environment = readEnvironment(block); });
    part("show", [&](const CheckedYaml& block) { scene.show = readDebugShow(block); });
    readCameras(root, scene, mistakes);
    part("output", [&](const CheckedYaml& block) {
        if (block.isList())
            readOutputFiles(block, scene, mistakes);
        else
            scene.output = readOutput(block, scene.output);
    });
    checkWhole(root, parts, scene, mistakes);
    return scene;
}

}  // namespace

SceneDescription parseScene(const std::string& text, const std::string& path, const SceneOptions& options) {
    return build(CheckedYaml::parse(text, path, kScene), path, options);
}

SceneDescription readScene(const std::string& path, const SceneOptions& options) {
    return build(CheckedYaml::readFile(path, kScene), path, options);
}

std::string printedScene(const std::string& path, const SceneOptions& options) {
    const CheckedYaml alone = CheckedYaml::readFile(path, kScene);
    build(alone, path, options);
    const CheckedYaml file = readIncludes(alone, kScene);
    Mistakes none;
    const CheckedYaml root = file.within(readVariables(file, options.variables, none));
    root.expectBlock("scene");
    return printedParts(readInstances(root, none));
}

}  // namespace pliant::scene
