// SPDX-License-Identifier: Zlib
#include "pliant/character/CharacterOptions.h"

#include <cstdio>

namespace pliant {

std::string CharacterOptions::canonical() const {
    char text[512];
    std::snprintf(text, sizeof text,
                  "character=1;young=%.17g;poisson=%.17g;density=%.17g;voxels=%d;core=%.17g;base=%s;law=%s;modes=%d;"
                  "dimension=%d;clip_samples=%d;joint_range=%.17g;modes_alone=%d",
                  material.youngsModulus, material.poissonRatio, material.density, voxels, core,
                  base == RestShape::Skin ? "skin" : "flesh", linear ? "linear" : "stvk", modes, dimension, clipSamples,
                  jointRange, modesAlone ? 1 : 0);
    return text;
}

}  // namespace pliant
