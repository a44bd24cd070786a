// SPDX-License-Identifier: Zlib
#include "osgPliant/ProgramComposer.h"

#include <algorithm>
#include <optional>
#include <osg/Notify>

#include "osgPliant/ContextProgram.h"
#include "osgPliant/FixedFunction.h"

namespace osgPliant {

namespace {

/// The texts of a program's vertex shaders.
std::vector<std::string> vertexTexts(const osg::Program& program) {
    std::vector<std::string> texts;
    for (unsigned int i = 0; i < program.getNumShaders(); ++i) {
        const osg::Shader* shader = program.getShader(i);
        if (shader->getType() == osg::Shader::VERTEX) texts.push_back(shader->getShaderSource());
    }
    return texts;
}

/// A program with everything of `source` but its vertex shaders.
osg::ref_ptr<osg::Program> withoutVertexShaders(const osg::Program* source) {
    osg::ref_ptr<osg::Program> program = new ContextProgram;
    if (!source) return program;
    for (unsigned int i = 0; i < source->getNumShaders(); ++i) {
        const osg::Shader* shader = source->getShader(i);
        if (shader->getType() != osg::Shader::VERTEX) program->addShader(const_cast<osg::Shader*>(shader));
    }
    for (const auto& [name, slot] : source->getAttribBindingList()) program->addBindAttribLocation(name, slot);
    for (const auto& [name, index] : source->getFragDataBindingList()) program->addBindFragDataLocation(name, index);
    for (const auto& [name, index] : source->getUniformBlockBindingList()) program->addBindUniformBlock(name, index);
    for (unsigned int i = 0; i < source->getNumTransformFeedBackVaryings(); ++i)
        program->addTransformFeedBackVarying(source->getTransformFeedBackVarying(i));
    program->setTransformFeedBackMode(source->getTransformFeedBackMode());
    for (const GLenum parameter : {GLenum{GL_GEOMETRY_VERTICES_OUT_EXT}, GLenum{GL_GEOMETRY_INPUT_TYPE_EXT},
                                   GLenum{GL_GEOMETRY_OUTPUT_TYPE_EXT}})
        program->setParameter(parameter, source->getParameter(parameter));
    return program;
}

}  // namespace

osg::ref_ptr<osg::StateSet> ProgramComposer::compose(const AppliedState& applied, unsigned int texcoords) {
    const auto* source = static_cast<const osg::Program*>(applied.getAttribute(osg::StateAttribute::PROGRAM));
    if (source && source->getNumShaders() == 0) source = nullptr;
    std::vector<std::string> texts = source ? vertexTexts(*source) : std::vector<std::string>();
    std::optional<FixedFunction> fixed;
    if (texts.empty()) {
        fixed.emplace(applied, texcoords);
        texts = {fixed->getText()};
    }
    const std::lock_guard<std::mutex> lock(_mutex);
    for (const Composed& composed : _composed) {
        if (composed.source == source && composed.texts == texts) return composed.state;
    }
    // Programs that the scene has thrown away, and texts that it has replaced.
    const auto old = [&](const Composed& c) {
        return c.source && (c.source->referenceCount() == 1 || (c.source == source && !fixed));
    };
    _composed.erase(std::remove_if(_composed.begin(), _composed.end(), old), _composed.end());
    const osg::ref_ptr<osg::StateSet> state = make(source, texts);
    if (state && fixed) fixed->addModesTo(*state);
    _composed.push_back({source, texts, state});
    return state;
}

osg::ref_ptr<osg::StateSet> ProgramComposer::make(const osg::Program* source,
                                                  const std::vector<std::string>& texts) const {
    const DeformingShaders deforming = makeDeforming(texts, _chunkCount, _names, _boneCount);
    if (!deforming.problem.empty()) {
        OSG_WARN << "osgPliant: bodies are not drawn below the program \"" << (source ? source->getName() : "")
                 << "\", which has " << deforming.problem << std::endl;
        return nullptr;
    }
    const osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
    const osg::ref_ptr<osg::Program> program = withoutVertexShaders(source);
    program->setName((source ? source->getName() : "fixed function") + ", deforming");
    for (const std::string& text : deforming.shaders) program->addShader(new osg::Shader(osg::Shader::VERTEX, text));
    program->addShader(new osg::Shader(osg::Shader::VERTEX, deforming.main));
    constexpr auto force = osg::StateAttribute::ON | osg::StateAttribute::OVERRIDE | osg::StateAttribute::PROTECTED;
    state->setAttributeAndModes(program, force);
    return state;
}

void ProgramComposer::setAttributeNames(const AttributeNames& names) {
    const std::lock_guard<std::mutex> lock(_mutex);
    _names = names;
    _composed.clear();
}

void ProgramComposer::resizeGLObjectBuffers(unsigned int maxSize) {
    const std::lock_guard<std::mutex> lock(_mutex);
    for (const Composed& composed : _composed)
        if (composed.state) composed.state->resizeGLObjectBuffers(maxSize);
}

void ProgramComposer::releaseGLObjects(osg::State* state) const {
    const std::lock_guard<std::mutex> lock(_mutex);
    for (const Composed& composed : _composed)
        if (composed.state) composed.state->releaseGLObjects(state);
}

}  // namespace osgPliant
