// SPDX-License-Identifier: Zlib
// What lies where in the two texture buffers that vertex shaders read, in texels of four numbers: written by
// BodyStates::pack and Deformation, read by shaders/body.vert and by the programs that DeformingShaders makes, through
// the same numbers.
#pragma once

#include <string>

namespace osgPliant {

/// A body: three rows of its frame, its colour, then four coordinates of q in every texel, the last ones 0, then three
/// rows of every bone's map from the rest frame to the body's.
struct InstanceTexels {
    static constexpr int frame = 0;        ///< First of three texels: rows x, y, z, four columns each.
    static constexpr int colour = 3;       ///< Texel of the colour, RGBA.
    static constexpr int coordinates = 4;  ///< First of ceil(r / 4) texels of q.
    static constexpr int ofBone = 3;       ///< Texels of each bone.
    static constexpr int of(int chunks, int bones) { return coordinates + chunks + ofBone * bones; }
};

/// A vertex and chunk of four coordinates: the rows x, y, z of U, then those of dN.
struct BasisTexels {
    static constexpr int position = 0;
    static constexpr int normal = 3;
    static constexpr int each = 6;  ///< Texels of a vertex and chunk.
};

/// Before the chunks of a vertex that follows bones: what it follows. Weights are the sum of two texels, since half
/// floats have 11 bits.
struct BoneTexels {
    static constexpr int numbers = 0;    ///< Texel of the numbers of its four bones.
    static constexpr int weights = 1;    ///< First of two texels of the weights.
    static constexpr int gradients = 3;  ///< First of the gradients of the weights, along x, y, z.
    static constexpr int each = 6;       ///< Texels of a vertex.
};

/// Numbers in a texel.
constexpr int texelWidth = 4;

/// The layout as GLSL's #define lines: PLIANT_BODY_FRAME, _COLOUR, _COORDINATES, PLIANT_BASIS_POSITION, _NORMAL, _EACH,
/// PLIANT_BONE_NUMBERS, _WEIGHTS, _GRADIENTS, _EACH, _ROWS.
std::string texelDefines();

/// A shader's text with these lines and a further text behind its #version line, or before everything where it has
/// none.
std::string withTexelDefines(const std::string& shader, const std::string& further = {});

}  // namespace osgPliant
