// SPDX-License-Identifier: Zlib
/// @file
/// The shader programs. Their text is compiled in; files of the same name in OSG's data path (OSG_FILE_PATH), under
/// "osgPliant/", replace it.
#pragma once

#include <osg/Program>
#include <osg/StateSet>

#include "pliant/math/Api.h"

namespace osgPliant {

extern const char* const bodyVertexShader;    ///< Text of the vertex shader of bodies and primitives.
extern const char* const bodyFragmentShader;  ///< Text of the fragment shader of bodies and primitives.
extern const char* const bonesShader;         ///< Text of the function that carries vertices of characters.
extern const char* const skyVertexShader;     ///< Text of the vertex shader of the sky.
extern const char* const skyFragmentShader;   ///< Text of the fragment shader of the sky.

/// The program of bodies and primitives: one Program object, shared by everything; StateSet defines choose the variant.
PLIANT_API osg::Program* bodyProgram();
/// A new program of the sky.
PLIANT_API osg::ref_ptr<osg::Program> createSkyProgram();

/// Attribute slot of the vertex number. Slots 0..5 and 8..15 alias fixed-function arrays on some drivers.
constexpr unsigned int vertexNumberSlot = 6;

/// Gives a state set the program and default light uniforms, so that a drawable looks right in any scene; a Stage
/// overrides the uniforms.
PLIANT_API void useBodyProgram(osg::StateSet& state);

}  // namespace osgPliant
