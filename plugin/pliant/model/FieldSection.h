// SPDX-License-Identifier: Zlib
// Section "field" of a model file: the distance field of a solid. Private to model/.
#pragma once

#include <string>

#include "pliant/model/ContactSurface.h"
#include "pliant/model/ModelContainer.h"

namespace pliant {

/// @param field not empty
SectionBytes encodeField(const DistanceField& field);

/// Leaves `field` empty where the file has none. Sizes agree with each other when it returns; the rest is checkField's.
/// @throws Error
void decodeField(const ModelContainer& container, DistanceField& field);

/// A field that is not empty can be looked up anywhere: sizes agree, brick numbers are in range, every number is
/// finite. @throws Error naming `where`, the section and the reason
void checkField(const DistanceField& field, const std::string& where);

}  // namespace pliant
