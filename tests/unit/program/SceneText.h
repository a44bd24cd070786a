// SPDX-License-Identifier: Zlib
// Scenes of a few lines, read from text.
#pragma once

#include "SceneFolder.h"

namespace pliant::scene {

/// A folder with a mesh and a model, and scenes that name them.
class SceneReaderTest : public SceneFolder {
protected:
    SceneReaderTest() {
        write("cow.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
        write("cow.pliant", "reduced\n");
    }
};

}  // namespace pliant::scene
