// SPDX-License-Identifier: Zlib
// What lies where in the two texture buffers that vertex shaders read, in texels of four numbers: written by
// BodyStates::pack and Deformation, read by shaders/body.vert and by the programs that DeformingShaders makes, through
// the same numbers.
#pragma once

#include <string>

namespace osgPliant {

/// A body: three rows of its frame, its colour, then four coordinates of q in every texel, the last ones 0, then three
/// rows of every bone's map from the rest frame to the body's. Where the processor makes the sums, the place of the
/// body among them is in the first number of the first texel of q.
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

/// What the processor has summed of a vertex, three numbers in a texel: U q, then dN q. Behind one texel that holds
/// nothing, vertex after vertex of the body in place 0, then of that in place 1.
struct SumTexels {
    static constexpr int head = 1;  ///< Texels before the first vertex.
    static constexpr int position = 0;
    static constexpr int normal = 1;
    static constexpr int each = 2;                ///< Texels of a vertex.
    static constexpr int width = 3;               ///< Numbers in a texel.
    static constexpr int numbers = each * width;  ///< Numbers of a vertex.
};

/// Numbers in a texel.
constexpr int texelWidth = 4;

/// The layout as GLSL's #define lines: PLIANT_BODY_FRAME, _COLOUR, _COORDINATES, PLIANT_BASIS_POSITION, _NORMAL, _EACH,
/// PLIANT_BONE_NUMBERS, _WEIGHTS, _GRADIENTS, _EACH, _ROWS, PLIANT_SUM_HEAD, _POSITION, _NORMAL, _EACH.
std::string texelDefines();

/// A shader's text with these lines and a further text behind its #version line, or before everything where it has
/// none.
std::string withTexelDefines(const std::string& shader, const std::string& further = {});

}  // namespace osgPliant
