// SPDX-License-Identifier: Zlib
// Contacts of sharp edges of thin solids that cross each other. Internal to collideSurfaces().
#pragma once

#include <cstddef>
#include <vector>

#include "pliant/collision/pair/SkeletonContact.h"
#include "pliant/touch/TouchingBody.h"

namespace pliant {

/// Appends a contact for every two edges (SharpEdge) that cross within `margin` metres: the way between the places
/// where they come nearest lies between the faces of both. None of characters.
/// @param first of the contacts in `out` that are of the same two bodies: no feature comes twice among them
void collideEdges(const TouchingBody& a, const TouchingBody& b, double margin, std::size_t first,
                  std::vector<SkeletonContact>& out);

}  // namespace pliant
