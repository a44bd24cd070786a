// SPDX-License-Identifier: Zlib
// The program that a scene would draw a drawable with, made to deform.
#pragma once

#include <map>
#include <mutex>
#include <osg/Program>
#include <osg/Referenced>
#include <string>
#include <vector>

#include "osgPliant/AppliedState.h"
#include "osgPliant/DeformingShaders.h"

namespace osgPliant {

/// Finds what a drawable would be drawn with, a program of the scene's or OpenGL's fixed function, and composes the
/// same with deformation. Vertex shaders are rewritten, all other shaders shared. Composed programs are kept, and made
/// anew when the text of a shader changes. Cameras that cull at the same time may ask at the same time.
class ProgramComposer : public osg::Referenced {
public:
    /// @param chunkCount ceil(r / 4)  @param boneCount B of characters, else 0
    explicit ProgramComposer(int chunkCount, int boneCount = 0) : _chunkCount(chunkCount), _boneCount(boneCount) {}

    /// State that overrides the scene's program with its deforming twin; null, and a warning once, where the program
    /// cannot be made to deform.
    /// @param texcoords bit i: the drawable has coordinates for texture unit i
    /// @param isSummed  whether the processor makes the sums U q and dN q
    osg::ref_ptr<osg::StateSet> compose(const AppliedState& applied, unsigned int texcoords, bool isSummed);

    /// Attributes of the scene's shaders that are the vertex and its normal.
    void setAttributeNames(const AttributeNames& names);

    void resizeGLObjectBuffers(unsigned int maxSize);
    void releaseGLObjects(osg::State* state) const;

protected:
    ~ProgramComposer() override = default;

private:
    struct Composed {
        bool isSummed;
        osg::ref_ptr<const osg::Program> source;  ///< kept, so that its address is not another's; null: fixed function
        std::vector<std::string> key;  ///< texts of its vertex shaders, or of the fixed function, and defines
        osg::ref_ptr<osg::StateSet> state;
    };

    osg::ref_ptr<osg::StateSet> make(const osg::Program* source, const std::vector<std::string>& texts,
                                     bool isSummed) const;

    const int _chunkCount, _boneCount;
    mutable std::mutex _mutex;
    std::vector<Composed> _composed;
    AttributeNames _names;
};

}  // namespace osgPliant
