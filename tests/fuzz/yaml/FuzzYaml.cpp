// SPDX-License-Identifier: Zlib
// YAML of every kind. The first byte says which: a scene, a sketch of forces, a recording of pushes.
#include "../Door.h"
#include "models/Recordings.h"
#include "models/ReduceReader.h"
#include "pliant/math/Error.h"
#include "pliant/scene/SceneReader.h"

namespace {

using namespace pliant;

void readKind(char kind, const std::string& text, const fuzz::MemoryFolder& folder) {
    if (kind == 's') {
        scene::parseScene(text, folder.path("scene.yaml"), program::sceneOptions());
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
    static fuzz::Acceptance acceptance("yaml");
    if (size < 1 || size > 200000) return 0;
    const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const fuzz::MemoryLimit limit(size);
    bool accepted = true;
    try {
        readKind(static_cast<char>(data[0]), text, folder);
    } catch (const Error&) {
        accepted = false;
    }
    acceptance.note(accepted);
    return 0;
}
