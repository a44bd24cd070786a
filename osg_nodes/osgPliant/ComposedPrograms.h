// SPDX-License-Identifier: Zlib
// The program that a scene would draw a drawable with, made to deform.
#pragma once

#include <atomic>
#include <mutex>
#include <osg/Program>
#include <osg/Referenced>
#include <string>
#include <utility>
#include <vector>

#include "osgPliant/AppliedState.h"
#include "osgPliant/DeformingShaders.h"

namespace osgPliant {

/// Finds what a drawable would be drawn with, a program of the scene's or OpenGL's fixed function, and composes the
/// same with deformation. Vertex shaders are rewritten, all other shaders shared. Composed programs are kept, and made
/// anew when the text of a shader changes. Any thread may ask.
class ComposedPrograms : public osg::Referenced {
public:
    /// What a composed program depends on beside the scene's.
    struct Layout {
        int chunkCount = 0;    ///< Chunks of four coordinates: ceil(r / 4).
        int boneCount = 0;     ///< Number B of a character; else 0.
        AttributeNames names;  ///< Attributes of the scene's shaders that are the vertex and its normal.
        bool operator==(const Layout& other) const {
            return chunkCount == other.chunkCount && boneCount == other.boneCount &&
                   names.position == other.names.position && names.normal == other.names.normal;
        }
    };
    /// The programs for a layout, which all groups of the process share while there is one: to compile them takes
    /// longer than anything else about a new group.
    static osg::ref_ptr<ComposedPrograms> of(const Layout& layout);

    /// State that overrides the scene's program with its deforming twin; null, and a warning once, where the program
    /// cannot be made to deform.
    /// @param texcoords bit i: the drawable has coordinates for texture unit i
    /// @param isSummed  whether the processor makes the sums U q and dN q
    osg::ref_ptr<osg::StateSet> compose(const AppliedState& applied, unsigned int texcoords, bool isSummed);

    void resizeGLObjectBuffers(unsigned int maxSize);
    void releaseGLObjects(osg::State* state) const;

protected:
    ~ComposedPrograms() override = default;

private:
    struct Composed {
        bool isSummed;
        osg::ref_ptr<const osg::Program> source;  ///< kept, so that its address is not another's; null: fixed function
        std::vector<std::string> key;  ///< texts of its vertex shaders, or of the fixed function, and defines
        osg::ref_ptr<osg::StateSet> state;
        bool isFixed;             ///< whether its vertex shader is made for the fixed function
        unsigned long lastAsked;  ///< number of the last question that it was the answer of
    };

    explicit ComposedPrograms(Layout layout) : _layout(std::move(layout)) {}
    void dropUnused();
    void warnOfAssembly(const AppliedState& applied);
    osg::ref_ptr<osg::StateSet> make(const osg::Program* source, const std::vector<std::string>& texts,
                                     bool isSummed) const;

    const Layout _layout;
    std::atomic<bool> _hasWarned{false};
    mutable std::mutex _mutex;
    std::vector<Composed> _composed;
    unsigned long _asked = 0;
};

}  // namespace osgPliant
