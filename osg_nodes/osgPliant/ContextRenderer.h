// SPDX-License-Identifier: Zlib
// What draws in a context: known from the first program of ours on that is used there.
#pragma once

#include <cstddef>
#include <string>

namespace osgPliant {

/// What the choice of roads asks about a context.
struct ContextRenderer {
    bool isOnProcessor = false;  ///< Whether vertex shaders run on the processor.
    bool hasTriples = false;     ///< Whether texels of texture buffers may have three floats.
    std::size_t mostTexels = 0;  ///< GL_MAX_TEXTURE_BUFFER_SIZE; 0: nothing is known of the context.
};

/// Whether a GL_RENDERER is a known one that needs no graphics card.
bool isSoftwareRenderer(const std::string& name);

/// Asks OpenGL about the context that is current. Any thread.
void noteRenderer(unsigned int contextID);
/// What is known about a context. Any thread.
ContextRenderer rendererOf(unsigned int contextID);
/// Forgets a context that closes: the next one with its number may be another's. Any thread.
void forgetRenderer(unsigned int contextID);

}  // namespace osgPliant
