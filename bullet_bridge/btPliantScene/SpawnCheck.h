// SPDX-License-Identifier: Zlib
// Whether what events bring in has room where it arrives.
#pragma once

#include "btPliantScene/SceneData.h"
#include "pliant/scene/TimelineDescription.h"

namespace btPliantInternal {

/// A body that an event has brought in after the last step.
struct Arrival {
    btRigidBody* body;
    const pliant::scene::Action* action;
};

/// Warns of what arrived after the step before the last and stood inside something else in the last one, once for each
/// action that brings bodies in: strands that stand inside each other stay entangled, which costs as much as it looks
/// wrong. Reads the contacts that the step has found, and changes no bit of the world.
void checkArrivals(SceneData& data);

}  // namespace btPliantInternal
