// SPDX-License-Identifier: Zlib
// The cameras of a scene file, and which of them the picture shows.
#include <algorithm>

#include "pliant/math/Error.h"
#include "pliant/scene/CameraPath.h"
#include "pliant/scene/NearestWord.h"
#include "pliant/scene/SceneParts.h"

namespace pliant::scene {
namespace {

void readFollow(const CheckedYaml& block, NamedCamera& camera) {
    camera.kind = CameraKind::Follow;
    camera.of = readReference(block.at("follow"));
    camera.offset = block.at("offset").vector();
    if (camera.offset.norm() < 1.0e-9) block.at("offset").fail("the camera would be in what it looks at");
    if (const auto value = block.find("lag")) camera.lag = value->number();
}

void readOrbit(const CheckedYaml& block, NamedCamera& camera) {
    block.expectBlock("orbit");
    camera.kind = CameraKind::Orbit;
    camera.to = block.at("around").vector();
    camera.radius = block.at("radius").number();
    if (const auto value = block.find("height")) camera.height = value->number();
    if (const auto value = block.find("period")) camera.period = value->number();
    if (const auto value = block.find("start")) camera.start = value->number();
}

void readPathOfCamera(const CheckedYaml& list, NamedCamera& camera) {
    camera.kind = CameraKind::Path;
    for (const CheckedYaml& item : list.items()) {
        item.expectBlock("camera_key");
        CameraKey key{item.at("at").number(), item.at("from").vector(), item.at("to").vector(), {0.0, 0.0, 0.0}};
        if (!camera.keys.empty() && key.time <= camera.keys.back().time)
            item.fail("the places of a path stand in the order of their times");
        if ((key.from - key.to).norm() < 1.0e-9) item.fail("camera from and to are the same point");
        camera.keys.push_back(key);
    }
    if (camera.keys.empty()) list.fail("the path has no places");
}

NamedCamera readNamedCamera(const std::string& name, const CheckedYaml& block) {
    block.expectBlock("named_camera");
    NamedCamera camera;
    camera.name = name;
    camera.where = block.where();
    const int kinds =
        block.has("from") + block.has("follow") + block.has("orbit") + block.has("path") + block.has("file");
    if (kinds != 1)
        block.fail("a camera stands (\"from\", \"to\"), or has one of \"follow\", \"orbit\", \"path\" and \"file\"",
                   "give one of these");
    const auto belongs = [&](const char* key, const char* to) {
        if (block.has(key) && !block.has(to))
            block.at(key).fail("\"" + std::string(key) + "\" means nothing without \"" + to + "\"");
    };
    belongs("to", "from");
    belongs("offset", "follow");
    belongs("lag", "follow");
    if (block.has("from")) {
        camera.from = block.at("from").vector();
        camera.to = block.at("to").vector();
        if ((camera.from - camera.to).norm() < 1.0e-9) block.fail("camera from and to are the same point");
    }
    if (block.has("follow")) readFollow(block, camera);
    if (const auto value = block.find("orbit")) readOrbit(*value, camera);
    if (const auto value = block.find("path")) readPathOfCamera(*value, camera);
    if (const auto value = block.find("file")) {
        camera.kind = CameraKind::Path;
        camera.keys = readCameraPath(existingFile(*value, block.file()));
    }
    if (const auto value = block.find("field_of_view")) camera.fieldOfView = value->number();
    return camera;
}

/// "close", which has to be a camera of the scene.
std::string readCameraName(const CheckedYaml& value, const SceneDescription& scene) {
    const std::string name = value.text();
    if (scene.cameraIndex(name) >= 0) return name;
    std::vector<std::string> known;
    for (const NamedCamera& camera : scene.cameras) known.push_back(camera.name);
    const std::string near = nearestWord(name, known);
    value.fail("no camera is called \"" + name + "\"",
               near.empty() ? "add it under cameras" : "did you mean \"" + near + "\"?");
}

View readView(const CheckedYaml& block, const SceneDescription& scene) {
    block.expectBlock("view");
    View view;
    view.where = block.where();
    view.camera = readCameraName(block.at("camera"), scene);
    const auto area = block.find("area");
    if (!area) return view;
    const std::vector<CheckedYaml> parts = area->items();
    if (parts.size() != 4)
        area->fail("area needs four numbers: left, bottom, width, height, as shares of the picture",
                   area->cureOfLength());
    for (std::size_t i = 0; i < 4; ++i) view.area[i] = parts[i].number({i < 2 ? 0.0 : 0.01, 1.0});
    if (view.area[0] + view.area[2] > 1.0 + 1e-9 || view.area[1] + view.area[3] > 1.0 + 1e-9)
        area->fail("area leads out of the picture");
    return view;
}

Shot readShot(const CheckedYaml& block, const SceneDescription& scene) {
    block.expectBlock("shot");
    Shot shot;
    shot.where = block.where();
    shot.camera = readCameraName(block.at("camera"), scene);
    shot.from = block.at("from").number();
    if (!scene.shots.empty() && shot.from <= scene.shots.back().from)
        block.fail("shots stand in the order of their times");
    return shot;
}

/// A file that a run may write: its word in the language, what its name may end in, and what its keys may say.
struct OutputWord {
    const char* word;
    std::vector<const char*> endings;
    bool isDrawn;   ///< it has a size and a camera
    bool isSeries;  ///< it has members every so often
};

/// In the order of OutputKind.
const std::vector<OutputWord>& outputWords() {
    static const std::vector<OutputWord> words = {{"film", {".mp4", ".mkv", ".mov", ".avi"}, true, false},
                                                  {"pictures", {".png", ".jpg"}, true, true},
                                                  {"picture", {".png", ".jpg"}, true, false},
                                                  {"states", {".states"}, false, true},
                                                  {"gltf", {".glb"}, false, true},
                                                  {"usd", {".usda"}, false, true},
                                                  {"vtu", {".pvd"}, false, true},
                                                  {"csv", {".csv"}, false, true},
                                                  {"trace", {".json"}, false, false}};
    return words;
}

void readOutputName(const CheckedYaml& value, OutputFile& output) {
    output.file = value.text();
    const std::size_t dot = output.file.find_last_of('.');
    const std::string ending = dot == std::string::npos ? "" : output.file.substr(dot);
    const std::vector<const char*>& wanted = outputWords()[static_cast<std::size_t>(output.kind)].endings;
    if (std::find(wanted.begin(), wanted.end(), ending) == wanted.end())
        value.fail("\"" + output.file + "\" does not end in " + wanted.front());
    if (output.file[0] == '/' || output.file.find("..") != std::string::npos)
        value.fail("files are written into the output folder", "leave out what leads out of it");
    const std::size_t percent = output.file.find('%');
    const bool numbered = percent != std::string::npos && percent + 3 < output.file.size() &&
                          output.file[percent + 1] == '0' && output.file[percent + 2] >= '1' &&
                          output.file[percent + 2] <= '9' && output.file[percent + 3] == 'd' &&
                          output.file.find('%', percent + 1) == std::string::npos;
    if (output.kind == OutputKind::Pictures && !numbered)
        value.fail("pictures have numbers in their names", "write file: \"name_%05d.png\"");
    if (output.kind != OutputKind::Pictures && percent != std::string::npos)
        value.fail("only pictures have numbers in their names");
}

/// How often a series has a member, s: at least every frame. A hundredth less than a frame is one, as "0.0166" is of
/// sixty a second.
double readEvery(const CheckedYaml& value, double frame) {
    constexpr double rounding = 0.99;
    const double every = value.number();
    const bool isAFrame = every >= rounding * frame && every < frame;
    return isAFrame ? frame : value.number({frame, 1.0e6});
}

OutputFile readOutputFile(const CheckedYaml& item, const SceneDescription& scene) {
    item.expectBlock("output");
    const auto entries = item.entries();
    if (entries.size() != 1) item.fail("each entry of \"output\" is one file", "make several entries");
    const CheckedYaml& block = entries.front().second;
    OutputFile output;
    output.where = item.where();
    const std::string& word = entries.front().first;
    const auto of = std::find_if(outputWords().begin(), outputWords().end(),
                                 [&](const OutputWord& each) { return word == each.word; });
    if (of == outputWords().end()) item.fail("\"" + word + "\" is no file that a run can write");
    output.kind = static_cast<OutputKind>(of - outputWords().begin());
    block.expectBlock("output_file");
    const auto refuse = [&](const char* key, bool fits) {
        if (!fits && block.has(key)) block.at(key).fail("\"" + std::string(key) + "\" means nothing for this file");
    };
    refuse("size", of->isDrawn);
    refuse("camera", of->isDrawn);
    refuse("every", of->isSeries);
    refuse("at", output.kind == OutputKind::Picture);
    refuse("speed", output.kind == OutputKind::Film);
    readOutputName(block.at("file"), output);
    if (const auto value = block.find("size")) readPictureSize(*value, output.width, output.height);
    if (const auto value = block.find("camera")) output.camera = readCameraName(*value, scene);
    if (const auto value = block.find("every")) output.every = readEvery(*value, 1.0 / scene.time.framesPerSecond);
    if (const auto value = block.find("at")) output.at = value->number();
    if (const auto value = block.find("speed")) output.speed = value->number();
    return output;
}

}  // namespace

void readCameras(const CheckedYaml& root, SceneDescription& scene, Mistakes& mistakes) {
    const bool isRead = mistakes.tryPart([&] {
        const auto block = root.find("cameras");
        if (!block) return;
        for (const auto& entry : block->entries())
            if (!mistakes.tryPart([&] { scene.cameras.push_back(readNamedCamera(entry.first, entry.second)); })) {
                entry.second.forEachMistake([&](const std::string& message) { mistakes.note(message); });
                scene.cameras.emplace_back();  // so that whoever shows it makes no mistake
                scene.cameras.back().name = entry.first;
            }
    });
    if (!isRead) mistakes.lose("camera", "");
    const auto ofList = [&](const char* key, const auto& read) {
        mistakes.tryPart([&] {
            const auto list = root.find(key);
            if (!list) return;
            for (const CheckedYaml& item : list->items()) tryBlock(item, mistakes, [&] { read(item); });
        });
    };
    ofList("views", [&](const CheckedYaml& item) { scene.views.push_back(readView(item, scene)); });
    ofList("shots", [&](const CheckedYaml& item) { scene.shots.push_back(readShot(item, scene)); });
}

void readPictureSize(const CheckedYaml& value, int& width, int& height) {
    const auto parts = value.items();
    if (parts.size() != 2) value.fail("size needs two numbers: width and height", value.cureOfLength());
    width = parts[0].integer();
    height = parts[1].integer();
    if (width % 2 || height % 2) value.fail("size must be even, or the video cannot be written");
}

void readOutputFiles(const CheckedYaml& list, SceneDescription& scene, Mistakes& mistakes) {
    std::set<std::string> names;
    for (const CheckedYaml& item : list.items())
        tryBlock(item, mistakes, [&] {
            OutputFile output = readOutputFile(item, scene);
            if (!names.insert(output.file).second) item.fail("\"" + output.file + "\" is written twice");
            scene.outputs.push_back(std::move(output));
        });
    if (list.items().empty()) list.fail("there are no files", "leave \"output\" out for a film and a picture");
}

}  // namespace pliant::scene
