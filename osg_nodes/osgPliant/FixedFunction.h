// SPDX-License-Identifier: Zlib
// What OpenGL's fixed function does to a vertex, as a shader.
#pragma once

#include <array>
#include <string>

#include "osgPliant/AppliedState.h"

namespace osgPliant {

constexpr unsigned int fixedFunctionUnits = 8;  ///< Number of texture units of the fixed function.

/// What OpenGL's fixed function does to a vertex: lights, materials, texture coordinates, fog, clip planes. The shader
/// has no loops over what may be off: its text is made for what is on.
class FixedFunction {
public:
    /// What is on.
    /// @param texcoords bit i: the geometry has coordinates for unit i
    FixedFunction(const AppliedState& state, unsigned int texcoords);

    /// GLSL text of pliantMain(), which reads pliantPosition, pliantNormal, pliantColour and pliantModelView. The same
    /// text for the same state.
    std::string getText() const;
    /// Modes that the fragment stage needs beside a vertex shader.
    void addModesTo(osg::StateSet& state) const;

private:
    std::string lightText() const;
    std::string colourText() const;
    std::string texcoordText(unsigned int unit) const;
    bool needsNormal() const;

    bool _lighting = false;
    bool _depthAlone = false;  ///< of colours only the alpha counts, which alpha tests ask for
    unsigned int _lights = 0;  ///< bit i: light i is on
    bool _localViewer = false, _twoSided = false, _separateSpecular = false;
    GLenum _colourTracks = GL_NONE;  ///< the property of the material that follows the vertex colour
    bool _normalize = false, _rescale = false;
    unsigned int _units = 0;                                             ///< bit i: gl_TexCoord[i] is written
    std::array<std::array<GLenum, 4>, fixedFunctionUnits> _generated{};  ///< mode of each coordinate; 0: not generated
};

}  // namespace osgPliant
