// SPDX-License-Identifier: Zlib
// YAML of every kind. The first byte says which: a scene, a sketch of forces, a recording of pushes.
#include <filesystem>

#include "../Door.h"
#include "models/Recordings.h"
#include "models/ReduceReader.h"
#include "pliant/math/Error.h"
#include "pliant/scene/SceneReader.h"

namespace {

using namespace pliant;

/// The meshes that the seeds name, all of them one tetrahedron.
void writeMeshes(const fuzz::MemoryFolder& folder) {
    const std::string mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    for (const char* name : {"basket", "solids", "sheet", "scenes"})
        std::filesystem::create_directory(folder.path(name));
    for (const char* name : {"basket/basket", "sheet/sheet", "solids/apple", "solids/cow", "solids/jelly", "solids/peg",
                             "solids/plate", "solids/socket", "solids/tyre"})
        folder.write(std::string(name) + ".obj", mesh.data(), mesh.size());
}

/// The paths of hands, the prefab and the texture that the seeds name: without them nothing behind them would be read.
void writePartsOfScenes(const fuzz::MemoryFolder& folder) {
    for (const char* name : {"paths", "prefabs"}) std::filesystem::create_directory(folder.path("scenes") + "/" + name);
    const std::string path = "time [s],x [m],y [m],z [m],qw,qx,qy,qz\n0,0,0,0.2,1,0,0,0\n1,0,0,0.1,1,0,0,0\n";
    for (const char* name : {"left_finger", "peg_in_hole", "press_a_cow", "right_finger"})
        folder.write("scenes/paths/" + std::string(name) + ".csv", path.data(), path.size());
    const std::string crane =
        "prefabs:\n  crane:\n    parameters: {reach: 3, height: 3.2, bars: 6}\n    rigid:\n"
        "      - {name: mast, shape: cylinder, radius: 0.07, height: = height}\n"
        "      - {name: boom, shape: box, size: [= reach + 1, 0.1, 0.1], mass: 20, position: [0, 0, = height]}\n"
        "      - {name: hook, shape: sphere, radius: 0.05, mass: 0.8, position: [= reach, 0, = height - 0.2*bars]}\n"
        "    joints:\n"
        "      - {name: slew, kind: hinge, between: [boom, mast], at: [0, 0, = height], axis: [0, 0, 1],\n"
        "         motor: {velocity: 0, strength: 400}}\n"
        "      - {name: hang, kind: point, between: [hook, boom], at: [= reach, 0, = height]}\n";
    folder.write("scenes/prefabs/crane.yaml", crane.data(), crane.size());
    folder.write("basket/wicker.png", crane.data(), 1);  // asked for, never looked into
}

/// A scene that repeats anything counts as if it had four lists of 20,000 entries of a hundred bytes, however many it
/// has.
std::size_t bytesWrittenOut(const std::string& text) {
    constexpr std::size_t repeated = std::size_t{4} * 20000 * 100;
    return text.size() + (text.find("repeat:") == std::string::npos ? 0 : repeated);
}

void readKind(char kind, const std::string& text, const fuzz::MemoryFolder& folder) {
    if (kind == 's') {
        scene::parseScene(text, folder.path("scenes/scene.yaml"), program::sceneOptions());
        return;
    }
    const std::string path = folder.write("forces.yaml", text.data(), text.size());
    ReduceOptions options;
    if (kind == 'f')
        program::readSketch(path, options);
    else
        program::readSnapshots(path, options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::MemoryFolder folder;
    static const bool hasFiles = (writeMeshes(folder), writePartsOfScenes(folder), true);
    static fuzz::Acceptance acceptance("yaml");
    fuzz::expect(hasFiles, "the files are there");
    if (size < 1 || size > 200000) return 0;
    const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const fuzz::MemoryLimit limit(bytesWrittenOut(text));
    bool accepted = true;
    try {
        readKind(static_cast<char>(data[0]), text, folder);
    } catch (const Error&) {
        accepted = false;
    }
    acceptance.note(accepted);
    return 0;
}
