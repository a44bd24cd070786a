// SPDX-License-Identifier: Zlib
#include "pliant/model/LatticeFile.h"

#include "pliant/math/Error.h"
#include "pliant/model/CheckModel.h"
#include "pliant/model/EncodeCharacter.h"
#include "pliant/model/EncodeLattice.h"
#include "pliant/model/SaveModel.h"

namespace pliant {

void saveCharacter(const CharacterModel& character, const LatticeModel& lattice, const std::string& path) {
    if (!character.flesh) throw Error(path, "the character has no flesh");
    checkModel(*character.flesh, path);
    checkCharacter(character, path);
    checkLattice(lattice, path);
    if (lattice.skeleton.boneCount() != character.skeleton.boneCount())
        throw Error(path, "the lattice has other bones than the character");
    if (lattice.surfacePoints.count() != character.flesh->surfaceVertexCount())
        throw Error(path, "the lattice has other drawn vertices than the character");
    std::vector<SectionBytes> sections = encodeCharacter(character);
    sections.push_back(encodeLattice(lattice));
    writeModel(*character.flesh, std::move(sections), characterFileVersion, path);
}

std::shared_ptr<const LatticeModel> loadLattice(const std::string& path) {
    if (!hasLattice(path))
        throw Error(path, "section 'lattice': is missing", "make the character with pliant rig --lattice");
    const auto character = loadCharacter(path);
    const auto lattice = std::make_shared<LatticeModel>();
    lattice->skeleton = character->skeleton;
    lattice->clips = character->clips;
    lattice->coreRadii = character->coreRadii;
    lattice->surface = character->flesh->surface;
    decodeLattice(ModelContainer(path), character->flesh->surfaceVertexCount(), *lattice);
    checkLattice(*lattice, path);
    return lattice;
}

bool hasLattice(const std::string& path) {
    return ModelContainer(path).has("lattice");
}

}  // namespace pliant
