// SPDX-License-Identifier: Zlib
#include "osgPliant/ProgramComposer.h"

namespace osgPliant {

ProgramComposer::ProgramComposer(int chunkCount, int boneCount)
    : _chunkCount(chunkCount),
      _boneCount(boneCount),
      _programs(ComposedPrograms::of({chunkCount, boneCount, AttributeNames()})) {}

osg::ref_ptr<ComposedPrograms> ProgramComposer::programs() const {
    const std::lock_guard<std::mutex> lock(_mutex);
    return _programs;
}

void ProgramComposer::setAttributeNames(const AttributeNames& names) {
    const std::lock_guard<std::mutex> lock(_mutex);
    _programs = ComposedPrograms::of({_chunkCount, _boneCount, names});
}

void ProgramComposer::resizeGLObjectBuffers(unsigned int maxSize) {
    programs()->resizeGLObjectBuffers(maxSize);
}

void ProgramComposer::releaseGLObjects(osg::State* state) const {
    programs()->releaseGLObjects(state);
}

}  // namespace osgPliant
