// SPDX-License-Identifier: Zlib
// The programs that the bodies of a group are drawn with.
#pragma once

#include <mutex>
#include <osg/Referenced>

#include "osgPliant/ComposedPrograms.h"

namespace osgPliant {

/// Composes for one group, by programs that it shares with others. Cameras that cull at the same time may ask at the
/// same time.
class ProgramComposer : public osg::Referenced {
public:
    /// @param chunkCount ceil(r / 4)  @param boneCount B of characters, else 0
    explicit ProgramComposer(int chunkCount, int boneCount = 0);

    /// See ComposedPrograms.
    osg::ref_ptr<osg::StateSet> compose(const AppliedState& applied, unsigned int texcoords, bool isSummed) {
        return programs()->compose(applied, texcoords, isSummed);
    }

    /// Attributes of the scene's shaders that are the vertex and its normal.
    void setAttributeNames(const AttributeNames& names);

    void resizeGLObjectBuffers(unsigned int maxSize);
    /// Releases what other groups draw with, too, who make it anew: whether they go on, nobody knows.
    void releaseGLObjects(osg::State* state) const;

protected:
    ~ProgramComposer() override = default;

private:
    osg::ref_ptr<ComposedPrograms> programs() const;

    const int _chunkCount, _boneCount;
    mutable std::mutex _mutex;
    osg::ref_ptr<ComposedPrograms> _programs;
};

}  // namespace osgPliant
