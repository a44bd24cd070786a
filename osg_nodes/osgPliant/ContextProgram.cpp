// SPDX-License-Identifier: Zlib
#include "osgPliant/ContextProgram.h"

#include <algorithm>
#include <osg/ContextData>
#include <osg/State>
#include <osg/observer_ptr>
#include <vector>

#include "osgPliant/ContextRenderer.h"

namespace osgPliant {

namespace {

/// The programs that a context has used. OpenSceneGraph keeps one a context and tells it when the context closes.
class ContextPrograms : public osg::GraphicsObjectManager {
public:
    explicit ContextPrograms(unsigned int contextID) : osg::GraphicsObjectManager("osgPliant programs", contextID) {}

    void add(const ContextProgram* program) {
        const auto gone = [](const osg::observer_ptr<const ContextProgram>& p) { return !p.valid(); };
        _programs.erase(std::remove_if(_programs.begin(), _programs.end(), gone), _programs.end());
        _programs.emplace_back(program);
    }
    void flushDeletedGLObjects(double, double&) override {}
    void flushAllDeletedGLObjects() override {}
    void deleteAllGLObjects() override { release(); }
    void discardAllGLObjects() override { release(); }

private:
    void release() {
        for (const auto& observed : _programs) {
            osg::ref_ptr<const ContextProgram> program;
            if (observed.lock(program)) program->releaseContext(_contextID);
        }
        _programs.clear();
        forgetRenderer(_contextID);
    }

    std::vector<osg::observer_ptr<const ContextProgram>> _programs;
};

}  // namespace

void ContextProgram::apply(osg::State& state) const {
    {
        const std::lock_guard<std::mutex> lock(_mutex);
        if (_contexts.insert(state.getContextID()).second) {
            osg::get<ContextPrograms>(state.getContextID())->add(this);
            if (rendererOf(state.getContextID()).mostTexels == 0) noteRenderer(state.getContextID());
        }
    }
    osg::Program::apply(state);
}

void ContextProgram::releaseContext(unsigned int contextID) const {
    {
        const std::lock_guard<std::mutex> lock(_mutex);
        _contexts.erase(contextID);
    }
    const osg::ref_ptr<osg::State> closing = new osg::State;  // tells which context, and nothing else
    closing->setContextID(contextID);
    releaseGLObjects(closing);
}

}  // namespace osgPliant
