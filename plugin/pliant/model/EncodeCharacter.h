// SPDX-License-Identifier: Zlib
// CharacterModel <-> the sections that a model file has beside those of the flesh. Private to model/.
#pragma once

#include <string>
#include <vector>

#include "pliant/model/CharacterModel.h"
#include "pliant/model/ModelContainer.h"

namespace pliant {

/// Sections "rig", "skin", "forcing" and "clips".
std::vector<SectionBytes> encodeCharacter(const CharacterModel& character);

/// The same back. @param character with its flesh, whose sizes count
void decodeCharacter(const ModelContainer& container, CharacterModel& character);

/// @throws Error at `where`, naming the section, for sizes that differ, bones out of range, weights without the sum 1,
/// lists that do not fit, and everything that checkSkeleton() and checkClip() refuse
void checkCharacter(const CharacterModel& character, const std::string& where);

}  // namespace pliant
