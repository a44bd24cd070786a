// SPDX-License-Identifier: Zlib
/// @file
/// A shader program that survives the OpenGL contexts that it was used in.
#pragma once

#include <mutex>
#include <osg/Program>
#include <set>

namespace osgPliant {

/// A shader program that survives the OpenGL contexts that it was used in. OpenSceneGraph releases what is in the scene
/// when a context closes; a program that is not in the scene at that moment keeps the name of an object that is gone,
/// and the next context with the same number draws without it. This one is released with the context in any case.
class ContextProgram : public osg::Program {
public:
    /// A program without shaders.
    ContextProgram() = default;
    /// A program with the same shaders.
    ContextProgram(const ContextProgram& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY)
        : osg::Program(other, copyop) {}
    META_StateAttribute(osgPliant, ContextProgram, PROGRAM)

        /// OpenSceneGraph's callback that makes the program that of the context.
        void apply(osg::State& state) const override;
    /// Forgets what belongs to a context that closes.
    void releaseContext(unsigned int contextID) const;

protected:
    ~ContextProgram() override = default;

private:
    mutable std::mutex _mutex;
    mutable std::set<unsigned int> _contexts;  ///< that release this program when they close
};

}  // namespace osgPliant
