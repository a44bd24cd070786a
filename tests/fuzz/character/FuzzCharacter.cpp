// SPDX-License-Identifier: Zlib
// Files of characters. The smallest takes hundreds of kilobytes, so inputs are not files: every four bytes number an
// edit of one and the same bar with two bones, which is sealed again, loaded, saved, and moved.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "../Door.h"
#include "../model/LoadAndStep.h"
#include "../model/OpenedModel.h"
#include "pliant/field/MakeDistanceField.h"
#include "unit/character/BarCharacter.h"

namespace {

using namespace pliant;

/// The same with a field of a few bricks: that of a fine one is most of a character's file, and all of its time.
std::shared_ptr<const CharacterModel> withCoarseField(const CharacterModel& character, const SurfaceMesh& surface) {
    DistanceFieldOptions coarse;
    coarse.resolution = 16;
    coarse.outsideBand = 3.0;
    coarse.insideBand = 8.0;
    const auto flesh = std::make_shared<ReducedModel>(*character.flesh);
    flesh->contactSurface.field = makeDistanceField(surface, coarse);
    const auto made = std::make_shared<CharacterModel>(character);
    made->flesh = flesh;
    return made;
}

/// A bar of 40 cubes whose lower bone turns once a second.
fuzz::OpenedModel makeBarCharacter() {
    const VolumeMesh mesh = test::barMesh(0.1);
    Rig rig = test::barRig(mesh);
    Clip clip;
    clip.name = "turn";
    clip.end = 1.0;
    MatrixX turns(4, 3);
    turns << 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1, std::sqrt(0.75), 1;
    clip.motions = {{1, {}, smoothTrack({0.0, 0.5, 1.0}, turns, true), {}}};
    rig.clips = {clip};
    CharacterOptions options;
    options.core = 0.9;
    options.modes = options.dimension = 6;
    const fuzz::MemoryFolder folder;
    const std::string path = folder.path("bar.pliant");
    saveCharacter(*withCoarseField(*makeCharacter(rig, mesh, options, "bar"), rig.surface), path);
    const std::string bytes = fuzz::MemoryFolder::read(path);
    const auto opened = fuzz::openModel(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    fuzz::expect(opened.has_value(), "a saved character has the layout of a model file");
    return *opened;
}

const fuzz::OpenedModel& barCharacter() {
    static const fuzz::OpenedModel bar = makeBarCharacter();
    return bar;
}

}  // namespace

// Making the bar takes seconds under sanitizers, which are no input's.
extern "C" int LLVMFuzzerInitialize(int* count, char*** words);
extern "C" int LLVMFuzzerInitialize(int*, char***) {
    barCharacter();
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static fuzz::Acceptance acceptance("character");
    constexpr std::size_t mostEdits = 16;
    fuzz::OpenedModel edited = barCharacter();
    for (std::size_t i = 0; i < std::min(size / 4, mostEdits); ++i) {
        std::uint32_t number = 0;
        std::memcpy(&number, data + 4 * i, sizeof number);
        std::mt19937 engine(number);
        fuzz::editModel(edited, engine);
    }
    const std::vector<std::uint8_t> sealed = fuzz::sealModel(edited);
    const bool accepted = fuzz::loadAndStep(sealed.data(), sealed.size());
    fuzz::expect(accepted || size >= 4, "the bar itself is accepted");
    acceptance.note(accepted);
    return 0;
}
