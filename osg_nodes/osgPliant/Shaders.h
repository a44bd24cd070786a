// SPDX-License-Identifier: Zlib
// The shader programs. Their text is compiled in; files of the same name in OSG's data path (OSG_FILE_PATH), under
// "osgPliant/", replace it.
#pragma once

#include <osg/Program>
#include <osg/StateSet>

namespace osgPliant {

extern const char* const bodyVertexShader;
extern const char* const bodyFragmentShader;
extern const char* const skyVertexShader;
extern const char* const skyFragmentShader;

/// Of bodies and primitives: one Program object, shared by everything; StateSet defines choose the variant.
osg::Program* bodyProgram();
osg::ref_ptr<osg::Program> createSkyProgram();

/// Attribute slot of the vertex number. Slots 0..5 and 8..15 alias fixed-function arrays on some drivers.
constexpr unsigned int vertexNumberSlot = 6;

/// Program and default light uniforms, so that a drawable looks right in any scene; a Stage overrides the uniforms.
void useBodyProgram(osg::StateSet& state);

}  // namespace osgPliant
