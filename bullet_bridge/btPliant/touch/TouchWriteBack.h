// SPDX-License-Identifier: Zlib
// Internal: stage 9 of distributed contact.
#pragma once

#include "btPliant/touch/TouchConstraint.h"

namespace btPliantInternal {

/// Adds the angular momentum that elements gave to bodies, and writes patches, bristles and impulses of manifold
/// points. Before the modes of contacts are written back. @param h s
void writeBackTouches(double h, const ContactConstraints& contacts, TouchConstraints& all);

}  // namespace btPliantInternal
