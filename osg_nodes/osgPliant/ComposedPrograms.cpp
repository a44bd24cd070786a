// SPDX-License-Identifier: Zlib
#include "osgPliant/ComposedPrograms.h"

#include <algorithm>
#include <optional>
#include <osg/Notify>
#include <osg/VertexProgram>
#include <osg/observer_ptr>

#include "osgPliant/ContextProgram.h"
#include "osgPliant/FixedFunction.h"

namespace osgPliant {

namespace {

/// A program's vertex shaders; none of no program.
std::vector<const osg::Shader*> vertexShaders(const osg::Program* program) {
    std::vector<const osg::Shader*> shaders;
    for (unsigned int i = 0; program && i < program->getNumShaders(); ++i)
        if (program->getShader(i)->getType() == osg::Shader::VERTEX) shaders.push_back(program->getShader(i));
    return shaders;
}

/// A vertex shader with another text. Defines that its shader was told by hand are not found in the text.
osg::ref_ptr<osg::Shader> withText(const osg::Shader* shader, const std::string& text) {
    osg::ref_ptr<osg::Shader> made = new osg::Shader(osg::Shader::VERTEX);
    if (shader && shader->getShaderDefinesMode() == osg::Shader::USE_MANUAL_SETTINGS) {
        made->setShaderDefinesMode(osg::Shader::USE_MANUAL_SETTINGS);
        made->setShaderDefines(shader->getShaderDefines());
        made->setShaderRequirements(shader->getShaderRequirements());
    }
    made->setShaderSource(text);
    return made;
}

/// What a shader was told by hand of defines, each behind a line end.
std::string definesOf(const osg::Shader& shader) {
    std::string all;
    if (shader.getShaderDefinesMode() != osg::Shader::USE_MANUAL_SETTINGS) return all;
    for (const std::string& define : shader.getShaderDefines()) all += "\nd " + define;
    for (const std::string& required : shader.getShaderRequirements()) all += "\nr " + required;
    return all + "\n";
}

/// A program with everything of `source` but its vertex shaders.
osg::ref_ptr<osg::Program> withoutVertexShaders(const osg::Program* source) {
    osg::ref_ptr<osg::Program> program = new ContextProgram;
    if (!source) return program;
    for (unsigned int i = 0; i < source->getNumShaders(); ++i) {
        const osg::Shader* shader = source->getShader(i);
        if (shader->getType() != osg::Shader::VERTEX) program->addShader(const_cast<osg::Shader*>(shader));
    }
    program->getShaderDefines().insert(source->getShaderDefines().begin(), source->getShaderDefines().end());
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

osg::ref_ptr<ComposedPrograms> ComposedPrograms::of(const Layout& layout) {
    static std::mutex mutex;
    static std::vector<osg::observer_ptr<ComposedPrograms>> all;
    const std::lock_guard<std::mutex> lock(mutex);
    const auto gone = [](const osg::observer_ptr<ComposedPrograms>& one) { return !one.valid(); };
    all.erase(std::remove_if(all.begin(), all.end(), gone), all.end());
    for (const auto& observed : all) {
        osg::ref_ptr<ComposedPrograms> one;
        if (observed.lock(one) && one->_layout == layout) return one;
    }
    const osg::ref_ptr<ComposedPrograms> one = new ComposedPrograms(layout);
    all.emplace_back(one);
    return one;
}

osg::ref_ptr<osg::StateSet> ComposedPrograms::compose(const AppliedState& applied, unsigned int texcoords,
                                                      bool isSummed) {
    const auto* source = static_cast<const osg::Program*>(applied.getAttribute(osg::StateAttribute::PROGRAM));
    if (source && source->getNumShaders() == 0) source = nullptr;
    std::vector<std::string> texts;
    for (const osg::Shader* shader : vertexShaders(source)) texts.push_back(shader->getShaderSource());
    std::optional<FixedFunction> fixed;
    if (texts.empty()) {
        warnOfAssembly(applied);
        fixed.emplace(applied, texcoords);
        texts = {fixed->getText()};
    }
    std::vector<std::string> key = texts;
    for (const osg::Shader* shader : vertexShaders(source)) key.push_back(definesOf(*shader));
    const std::lock_guard<std::mutex> lock(_mutex);
    ++_asked;
    for (Composed& composed : _composed) {
        if ((composed.isSummed != isSummed && composed.state) || composed.source != source || composed.key != key)
            continue;
        composed.lastAsked = _asked;
        return composed.state;
    }
    // Programs that the scene has thrown away, and texts that it has replaced.
    const auto old = [&](const Composed& c) {
        return c.source && (c.source->referenceCount() == 1 || (c.source == source && !fixed && c.key != key));
    };
    _composed.erase(std::remove_if(_composed.begin(), _composed.end(), old), _composed.end());
    const osg::ref_ptr<osg::StateSet> state = make(source, texts, isSummed);
    if (state && fixed) fixed->addModesTo(*state);
    _composed.push_back({isSummed, source, key, state, fixed.has_value(), _asked});
    dropUnused();
    return state;
}

/// Every combination of lights, textures and fog has a fixed function of its own, and no program of the scene's tells
/// when it is not needed any more. Those that nobody draws with are kept for a while: they may come back.
void ComposedPrograms::dropUnused() {
    constexpr std::ptrdiff_t mostUnused = 32;
    const auto isUnused = [](const Composed& c) { return c.isFixed && c.state && c.state->referenceCount() == 1; };
    while (std::count_if(_composed.begin(), _composed.end(), isUnused) > mostUnused) {
        auto oldest = _composed.end();
        for (auto one = _composed.begin(); one != _composed.end(); ++one) {
            if (isUnused(*one) && (oldest == _composed.end() || one->lastAsked < oldest->lastAsked)) oldest = one;
        }
        if (oldest == _composed.end()) return;
        _composed.erase(oldest);
    }
}

/// Programs in assembly language move vertices by what stands in them.
void ComposedPrograms::warnOfAssembly(const AppliedState& applied) {
    if (!applied.isOn(GL_VERTEX_PROGRAM_ARB) || _hasWarned.exchange(true)) return;
    OSG_WARN << "osgPliant: vertex programs in assembly language (osg::VertexProgram; of osgFX: Cartoon, "
                "AnisotropicLighting) do not deform characters, and bodies only below their group: these are drawn by "
                "fixed function"
             << std::endl;
}

osg::ref_ptr<osg::StateSet> ComposedPrograms::make(const osg::Program* source, const std::vector<std::string>& texts,
                                                   bool isSummed) const {
    const DeformingShaders deforming =
        makeDeforming(texts, _layout.chunkCount, _layout.names, _layout.boneCount, isSummed);
    if (!deforming.problem.empty()) {
        OSG_WARN << "osgPliant: bodies are not drawn below the program \"" << (source ? source->getName() : "")
                 << "\", which has " << deforming.problem << std::endl;
        return nullptr;
    }
    const osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
    const osg::ref_ptr<osg::Program> program = withoutVertexShaders(source);
    program->setName((source ? source->getName() : "fixed function") + ", deforming");
    const std::vector<const osg::Shader*> given = vertexShaders(source);
    for (std::size_t i = 0; i < deforming.shaders.size(); ++i)
        program->addShader(withText(i < given.size() ? given[i] : nullptr, deforming.shaders[i]));
    program->addShader(new osg::Shader(osg::Shader::VERTEX, deforming.main));
    constexpr auto force = osg::StateAttribute::ON | osg::StateAttribute::OVERRIDE | osg::StateAttribute::PROTECTED;
    state->setAttributeAndModes(program, force);
    return state;
}

void ComposedPrograms::resizeGLObjectBuffers(unsigned int maxSize) {
    const std::lock_guard<std::mutex> lock(_mutex);
    for (const Composed& composed : _composed)
        if (composed.state) composed.state->resizeGLObjectBuffers(maxSize);
}

void ComposedPrograms::releaseGLObjects(osg::State* state) const {
    const std::lock_guard<std::mutex> lock(_mutex);
    for (const Composed& composed : _composed)
        if (composed.state) composed.state->releaseGLObjects(state);
}

}  // namespace osgPliant
