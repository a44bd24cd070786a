// SPDX-License-Identifier: Zlib
// Vertex shaders of others, made to deform: text in, text out.
#pragma once

#include <string>
#include <vector>

namespace osgPliant {

/// Vertex shaders that deform. Names that the deformation uses begin with "pliant".
struct DeformingShaders {
    /// The scene's vertex shaders, each with its built-in vertex, normal, colour and matrices renamed to those of the
    /// deformed body, and main() to pliantMain().
    std::vector<std::string> shaders;
    /// The shader whose main() deforms the vertex and calls pliantMain().
    std::string main;
    /// Empty, or one sentence that tells what cannot be made to deform.
    std::string problem;
};

/// Names of generic attributes that are the vertex and its normal; empty where shaders use OpenGL's names alone.
struct AttributeNames {
    std::string position, normal;  ///< Names; others than identifiers are ignored.
};

/// Whether a text may be the name of an attribute.
bool isIdentifier(const std::string& text);

/// Makes vertex shaders deform.
/// @param sources    GLSL of the vertex shaders of a program
/// @param chunkCount ceil(r / 4)
/// @param names      of attributes beside OpenGL's own
/// @param boneCount  B of characters; 0: vertices follow no bones
/// @param isSummed   whether the processor makes the sums U q and dN q; of no characters, and of bodies with
/// coordinates
DeformingShaders makeDeforming(const std::vector<std::string>& sources, int chunkCount,
                               const AttributeNames& names = {}, int boneCount = 0, bool isSummed = false);

}  // namespace osgPliant
