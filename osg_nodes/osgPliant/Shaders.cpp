// SPDX-License-Identifier: Zlib
#include "osgPliant/Shaders.h"

#include <osg/Notify>
#include <osg/Uniform>
#include <osgDB/FileUtils>
#include <osgDB/ReadFile>

#include "osgPliant/ContextProgram.h"
#include "osgPliant/ModelGeometry.h"
#include "osgPliant/TexelLayout.h"

namespace osgPliant {

namespace {

osg::ref_ptr<osg::Shader> createShader(osg::Shader::Type type, const char* name, const char* text) {
    const std::string file = osgDB::findDataFile(std::string("osgPliant/") + name);
    if (!file.empty()) {
        osg::ref_ptr<osg::Shader> shader = osgDB::readRefShaderFile(type, file);
        if (shader.valid()) {
            OSG_INFO << "osgPliant: shader " << file << " replaces the built-in one" << std::endl;
            return shader;
        }
        OSG_WARN << "osgPliant: cannot read shader " << file << "; using the built-in one" << std::endl;
    }
    osg::ref_ptr<osg::Shader> shader = new osg::Shader(type, text);
    shader->setName(name);
    return shader;
}

osg::ref_ptr<osg::Program> createBodyProgram() {
    osg::ref_ptr<osg::Program> program = new ContextProgram;
    program->setName("osgPliant body");
    const osg::ref_ptr<osg::Shader> vertex = createShader(osg::Shader::VERTEX, "body.vert", bodyVertexShader);
    vertex->setShaderSource(withTexelDefines(vertex->getShaderSource(), bonesShader));
    program->addShader(vertex);
    program->addShader(createShader(osg::Shader::FRAGMENT, "body.frag", bodyFragmentShader));
    program->addBindAttribLocation("pliantVertex", vertexNumberSlot);
    return program;
}

}  // namespace

osg::Program* bodyProgram() {
    static const osg::ref_ptr<osg::Program> program = createBodyProgram();
    return program.get();
}

osg::ref_ptr<osg::Program> createSkyProgram() {
    osg::ref_ptr<osg::Program> program = new ContextProgram;
    program->setName("osgPliant sky");
    program->addShader(createShader(osg::Shader::VERTEX, "sky.vert", skyVertexShader));
    program->addShader(createShader(osg::Shader::FRAGMENT, "sky.frag", skyFragmentShader));
    return program;
}

void useBodyProgram(osg::StateSet& state) {
    // Protected: shadow techniques override programs while they draw depth, and a body without its shader is flat.
    state.setAttributeAndModes(bodyProgram(), osg::StateAttribute::ON | osg::StateAttribute::PROTECTED);
    state.addUniform(new osg::Uniform("pliantUp", osg::Vec3f(0.0f, 1.0f, 0.0f)));
    state.addUniform(new osg::Uniform("pliantSkyLight", osg::Vec3f(0.35f, 0.37f, 0.40f)));
    state.addUniform(new osg::Uniform("pliantGroundLight", osg::Vec3f(0.20f, 0.19f, 0.18f)));
    state.addUniform(new osg::Uniform("pliantHaze", osg::Vec4f(0.7f, 0.75f, 0.8f, 0.0f)));
    state.addUniform(new osg::Uniform("pliantDiffuseMap", static_cast<int>(DiffuseUnit)));
}

}  // namespace osgPliant
