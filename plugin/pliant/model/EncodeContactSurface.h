// SPDX-License-Identifier: Zlib
// The contact surface of a solid -> sections of the model file.
#pragma once

#include <vector>

#include "pliant/model/ContactSurface.h"
#include "pliant/model/ModelContainer.h"

namespace pliant {

/// Appends the sections "shell", "contact_lattice" and "touch_shell"; none for strands.
void encodeContactSurface(const ContactSurface& surface, std::vector<SectionBytes>& sections);

}  // namespace pliant
