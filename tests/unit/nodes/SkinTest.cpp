// SPDX-License-Identifier: Zlib
// A node against a body at rest that looks like it: the same pixels, whatever the scene does to them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <osg/ClipNode>
#include <osg/Fog>
#include <osg/LightModel>
#include <osg/LightSource>
#include <osg/Material>
#include <osg/MatrixTransform>
#include <osg/TexGenNode>
#include <osgShadow/LightSpacePerspectiveShadowMap>
#include <osgShadow/ShadowMap>
#include <osgShadow/ShadowedScene>
#include <osgShadow/ViewDependentShadowMap>

#include "SkinModels.h"
#include "TestModels.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/HeadlessViewer.h"
#include "osgPliant/Skin.h"

using namespace pliant::test;
using osgPliant::BodyGroup;
using osgPliant::Skin;

namespace {

constexpr int skinWidth = 640, skinHeight = 400;

/// What a scene does to a node: puts it below something.
using Scene = std::function<osg::ref_ptr<osg::Node>(osg::Node*)>;

osg::Matrixd placeOf(int body) {
    return osg::Matrixd::rotate(0.9 * body + 0.4, osg::Vec3d(1.0, 0.6, 0.3)) *
           osg::Matrixd::translate(0.75 * body - 0.75, 0.1 * body, 0.0);
}

/// Three bodies with a skin of `node`.
osg::ref_ptr<BodyGroup> makeBodies(const std::shared_ptr<pliant::ReducedModel>& model, const osg::Node* node,
                                   const std::function<std::vector<double>(int)>& q) {
    osg::ref_ptr<BodyGroup> group = new BodyGroup(Skin::bind(node, model, osgPliant::Deformation::Float), 3);
    for (int i = 0; i < 3; ++i) group->setBodyFromMesh(i, placeOf(i), q(i).data());
    return group;
}

/// Copies of a node where the bodies are.
osg::ref_ptr<osg::Group> makeCopies(const std::function<osg::ref_ptr<osg::Node>(int)>& node) {
    osg::ref_ptr<osg::Group> copies = new osg::Group;
    for (int i = 0; i < 3; ++i) {
        osg::ref_ptr<osg::MatrixTransform> place = new osg::MatrixTransform(placeOf(i));
        place->addChild(node(i));
        copies->addChild(place);
    }
    return copies;
}

osg::ref_ptr<osg::Image> draw(osg::Node* scene, const std::string& name) {
    osgPliant::HeadlessOptions options;
    options.width = skinWidth;
    options.height = skinHeight;
    options.supersampling = 1;
    osgPliant::HeadlessViewer viewer(options);
    viewer.setScene(scene);
    viewer.setCamera(osg::Vec3d(0.4, 0.8, 2.6), osg::Vec3d(0.0, 0.05, 0.0), osg::Vec3d(0.0, 1.0, 0.0));
    viewer.render(0.0);
    const osg::Image* frame =
        viewer.render(0.1);  // what shadow techniques make in the first frame is there in the second
    const char* folder = std::getenv("PLIANT_TEST_PICTURES");
    if (folder && *folder) osgPliant::saveImage(*frame, std::string(folder) + "/" + name + ".png");
    return new osg::Image(*frame, osg::CopyOp::DEEP_COPY_ALL);
}

int pixelsThatAreNot(const osg::Image& image, const osg::Image& background) {
    return countDifferentPixels(image, background, 8);
}

/// Draws the node and the body at rest in a scene, and the body deformed against its shape computed on the CPU.
/// @param strays pixels of a deformed body that may differ from those of its shape computed on the CPU
void expectTheSame(
    const std::string& name, const Scene& scene, const std::function<void(osg::Node&)>& prepare = [](osg::Node&) {},
    int strays = skinWidth * skinHeight / 1000) {
    const auto model = makeBrickTorus();
    const auto nodeOf = [&](const std::vector<double>& q) {
        osg::ref_ptr<osg::Group> node = makeSkinNode(inMeshFrame(*model, q));
        prepare(*node);
        return node;
    };
    const std::vector<double> rest(brickTorusDimension, 0.0);
    const osg::ref_ptr<osg::Group> node = nodeOf(rest);
    const auto nothing = draw(scene(new osg::Group), name + "_nothing");
    const auto copies = draw(scene(makeCopies([&](int) { return node; })), name + "_node");
    const auto bodies = draw(scene(makeBodies(model, node, [&](int) { return rest; })), name + "_body");
    EXPECT_GT(pixelsThatAreNot(*copies, *nothing), skinWidth * skinHeight / 20) << "something is drawn";
    EXPECT_EQ(countDifferentPixels(*copies, *bodies, 3), 0);

    const auto bent = [&](int body) { return makeCoordinates(brickTorusDimension, body, 0.04); };
    const auto deformedCopies = draw(scene(makeCopies([&](int i) { return nodeOf(bent(i)); })), name + "_bent_node");
    for (const auto place : {osgPliant::SumsInVertexShader, osgPliant::SumsOnProcessor}) {
        const auto bentBodies = makeBodies(model, node, bent);
        bentBodies->setSumPlace(place);
        const auto deformed = draw(scene(bentBodies), name + "_bent_body" + std::to_string(place));
        EXPECT_GT(countDifferentPixels(*deformed, *bodies, 8), skinWidth * skinHeight / 100)
            << "the deformation is seen";
        EXPECT_LT(countDifferentPixels(*deformedCopies, *deformed, 8), strays) << place;
    }
}

osg::ref_ptr<osg::Node> withProgram(osg::Node* node, const char* vertex, const char* fragment,
                                    osg::StateAttribute::GLModeValue flags) {
    osg::ref_ptr<osg::Program> program = new osg::Program;
    if (vertex) program->addShader(new osg::Shader(osg::Shader::VERTEX, vertex));
    program->addShader(new osg::Shader(osg::Shader::FRAGMENT, fragment));
    osg::ref_ptr<osg::Group> root = new osg::Group;
    root->getOrCreateStateSet()->setAttributeAndModes(program, flags);
    root->getOrCreateStateSet()->addUniform(new osg::Uniform("image", 0));
    root->addChild(node);
    return root;
}

osg::ref_ptr<osg::Node> plain(osg::Node* node) {
    return node;
}

class SkinScene : public ::testing::Test {
protected:
    void SetUp() override { PLIANT_NEEDS_OPENGL(); }
};

const char* const vertex120 = R"(#version 120
varying vec3 normal;
varying vec3 inner;
void main() {
    normal = normalize(gl_NormalMatrix * gl_Normal);
    inner = gl_Vertex.xyz;  // a pattern that sticks to the thing itself
    gl_TexCoord[0] = gl_MultiTexCoord0;
    gl_Position = ftransform();
}
)";
const char* const fragment120 = R"(#version 120
uniform sampler2D image;
varying vec3 normal;
varying vec3 inner;
void main() {
    float bands = 0.5 + 0.5 * sin(40.0 * inner.x);
    gl_FragColor = texture2D(image, gl_TexCoord[0].xy) * vec4(0.3 + 0.7 * normal.z, bands, 0.5 + 0.5 * normal.y, 1.0);
}
)";
const char* const vertex420 = R"(#version 420 compatibility
#extension GL_ARB_shading_language_packing : enable
out Varyings {
    vec3 normal;
    vec2 place;
} result;
invariant gl_Position;
void main(void) {
    result.normal = gl_NormalMatrix * gl_Normal;
    result.place = gl_MultiTexCoord0.st;
    gl_Position = gl_ProjectionMatrix * (gl_ModelViewMatrix * gl_Vertex);
}
)";
const char* const fragment420 = R"(#version 420 compatibility
in Varyings {
    vec3 normal;
    vec2 place;
} given;
layout(binding = 0) uniform sampler2D image;
out vec4 colour;
void main() { colour = texture(image, given.place) * vec4(normalize(given.normal) * 0.5 + 0.5, 1.0); }
)";
const char* const fragmentAlone = R"(#version 120
uniform sampler2D image;
void main() { gl_FragColor = vec4(gl_Color.bgr, 1.0) * texture2D(image, gl_TexCoord[0].xy).grba; }
)";

}  // namespace

TEST_F(SkinScene, FixedFunction) {
    expectTheSame("skin_fixed", plain);
}

TEST_F(SkinScene, Glsl120OnTheRoot) {
    expectTheSame("skin_120",
                  [](osg::Node* node) { return withProgram(node, vertex120, fragment120, osg::StateAttribute::ON); });
}

TEST_F(SkinScene, Glsl420ThatOverrides) {
    expectTheSame("skin_420", [](osg::Node* node) {
        return withProgram(node, vertex420, fragment420, osg::StateAttribute::ON | osg::StateAttribute::OVERRIDE);
    });
}

TEST_F(SkinScene, FragmentShaderAlone) {
    expectTheSame("skin_fragment",
                  [](osg::Node* node) { return withProgram(node, nullptr, fragmentAlone, osg::StateAttribute::ON); });
}

// Attributes that a macro declares and a function reads: no name in the text is that of the vertex.
TEST_F(SkinScene, ShadersThatCallTheDeformation) {
    const char* const vertex = R"(#version 330 compatibility
#define INPUT(slot, type, name) layout(location = slot) in type name
INPUT(6, vec3, place);
INPUT(7, vec3, facing);
out vec3 normal;
out vec3 inner;
void pliantDeform(inout vec4 position, inout vec3 normal) {}  // of nodes that are no bodies
vec4 position() { return vec4(place, 1.0); }
void main() {
    vec4 here = position();
    vec3 up = facing;
    pliantDeform(here, up);
    normal = normalize(gl_NormalMatrix * up);
    inner = here.xyz;
    gl_TexCoord[0] = gl_MultiTexCoord0;
    gl_Position = gl_ModelViewProjectionMatrix * here;
}
)";
    const char* const fragment = R"(#version 330 compatibility
uniform sampler2D image;
in vec3 normal;
in vec3 inner;
void main() {
    float bands = 0.5 + 0.5 * sin(40.0 * inner.x);
    gl_FragColor = texture2D(image, gl_TexCoord[0].xy) * vec4(0.3 + 0.7 * normal.z, bands, 0.5 + 0.5 * normal.y, 1.0);
}
)";
    const auto scene = [&](osg::Node* node) { return withProgram(node, vertex, fragment, osg::StateAttribute::ON); };
    expectTheSame("skin_called", scene, [](osg::Node& node) {
        osg::Geometry& geometry =
            *node.asGroup()->getChild(0)->asGroup()->getChild(0)->asGroup()->getChild(0)->asGeometry();
        geometry.setVertexAttribArray(6, geometry.getVertexArray(), osg::Array::BIND_PER_VERTEX);
        geometry.setVertexAttribArray(7, geometry.getNormalArray(), osg::Array::BIND_PER_VERTEX);
        geometry.setUseDisplayList(false);
        geometry.setUseVertexBufferObjects(true);
    });
}

TEST_F(SkinScene, LightsFogAndClipPlanes) {
    expectTheSame("skin_lights", [](osg::Node* node) {
        osg::ref_ptr<osg::Group> root = new osg::Group;
        osg::StateSet& state = *root->getOrCreateStateSet();
        osg::ref_ptr<osg::LightModel> model = new osg::LightModel;
        model->setLocalViewer(true);
        model->setTwoSided(true);
        model->setColorControl(osg::LightModel::SEPARATE_SPECULAR_COLOR);
        state.setAttributeAndModes(model);
        for (int i = 1; i < 3; ++i) {
            osg::ref_ptr<osg::LightSource> source = new osg::LightSource;
            osg::Light& light = *source->getLight();
            light.setLightNum(i);
            light.setPosition(osg::Vec4(i == 1 ? -2.0f : 1.0f, 1.5f, 1.0f, 1.0f));
            light.setDiffuse(i == 1 ? osg::Vec4(0.2f, 0.2f, 1.0f, 1.0f) : osg::Vec4(1.0f, 0.4f, 0.1f, 1.0f));
            light.setLinearAttenuation(0.3f);
            if (i == 2) {
                light.setDirection(osg::Vec3(-0.6f, -0.8f, -0.5f));
                light.setSpotCutoff(30.0f);
                light.setSpotExponent(8.0f);
            }
            source->setStateSetModes(state, osg::StateAttribute::ON);
            root->addChild(source);
        }
        osg::ref_ptr<osg::Fog> fog = new osg::Fog;
        fog->setMode(osg::Fog::LINEAR);
        fog->setStart(1.5f);
        fog->setEnd(4.0f);
        fog->setColor(osg::Vec4(0.6f, 0.7f, 0.6f, 1.0f));
        state.setAttributeAndModes(fog);
        osg::ref_ptr<osg::ClipNode> clip = new osg::ClipNode;
        clip->addClipPlane(new osg::ClipPlane(0, osg::Vec4d(0.2, 1.0, 0.0, 0.02)));
        clip->setStateSetModes(state, osg::StateAttribute::ON);
        clip->addChild(node);
        root->addChild(clip);
        return root;
    });
}

TEST_F(SkinScene, GeneratedTextureCoordinates) {
    for (const auto mode :
         {osg::TexGen::OBJECT_LINEAR, osg::TexGen::EYE_LINEAR, osg::TexGen::SPHERE_MAP, osg::TexGen::REFLECTION_MAP}) {
        SCOPED_TRACE(mode);
        expectTheSame("skin_texgen_" + std::to_string(mode), [&](osg::Node* node) {
            osg::ref_ptr<osg::TexGenNode> root = new osg::TexGenNode;  // places the planes for the eye
            root->setTextureUnit(1);
            root->getTexGen()->setMode(mode);
            root->getTexGen()->setPlane(osg::TexGen::S, osg::Plane(3.0, 0.5, 0.0, 0.1));
            root->getTexGen()->setPlane(osg::TexGen::T, osg::Plane(0.0, 1.0, 2.0, 0.2));
            osg::StateSet& state = *root->getOrCreateStateSet();
            state.setTextureAttributeAndModes(1, makeChecker());
            state.setTextureMode(1, GL_TEXTURE_GEN_S, osg::StateAttribute::ON);
            state.setTextureMode(1, GL_TEXTURE_GEN_T, osg::StateAttribute::ON);
            root->addChild(node);
            return root;
        });
    }
}

TEST_F(SkinScene, VertexColoursThatTheMaterialFollows) {
    const auto paint = [](osg::Node& node) {
        osg::Geometry& geometry =
            *node.asGroup()->getChild(0)->asGroup()->getChild(0)->asGroup()->getChild(0)->asGeometry();
        osg::ref_ptr<osg::Vec4Array> colours = new osg::Vec4Array;
        for (unsigned int v = 0; v < geometry.getVertexArray()->getNumElements(); ++v)
            colours->push_back(osg::Vec4(static_cast<float>(v % 25) / 25.0f, 0.6f, 0.3f, 1.0f));
        geometry.setColorArray(colours, osg::Array::BIND_PER_VERTEX);
        static_cast<osg::Material*>(geometry.getStateSet()->getAttribute(osg::StateAttribute::MATERIAL))
            ->setColorMode(osg::Material::AMBIENT_AND_DIFFUSE);
    };
    expectTheSame("skin_colours", plain, paint);
    expectTheSame(
        "skin_unlit",
        [](osg::Node* node) {
            osg::ref_ptr<osg::Group> root = new osg::Group;
            root->getOrCreateStateSet()->setMode(GL_LIGHTING, osg::StateAttribute::OFF);
            root->addChild(node);
            return root;
        },
        paint);
}

namespace {

/// A lamp from above, a floor, and the node between them.
osg::ref_ptr<osg::Node> belowTechnique(osg::Node* node, osgShadow::ShadowTechnique* technique) {
    osg::ref_ptr<osgShadow::ShadowedScene> scene = new osgShadow::ShadowedScene(technique);
    scene->setCastsShadowTraversalMask(0x1);
    scene->setReceivesShadowTraversalMask(0x2);
    osg::ref_ptr<osg::LightSource> lamp = new osg::LightSource;
    lamp->getLight()->setPosition(osg::Vec4(1.0f, 4.0f, 1.5f, 0.0f));
    lamp->getLight()->setDiffuse(osg::Vec4(0.9f, 0.9f, 0.9f, 1.0f));
    scene->addChild(lamp);
    osg::ref_ptr<osg::Geometry> floor = osg::createTexturedQuadGeometry(
        osg::Vec3(-3.0f, -0.5f, 3.0f), osg::Vec3(6.0f, 0.0f, 0.0f), osg::Vec3(0.0f, 0.0f, -6.0f));
    floor->getOrCreateStateSet()->setTextureAttributeAndModes(0, makeChecker());
    floor->setNodeMask(0x2);
    scene->addChild(floor);
    scene->addChild(node);
    return scene;
}

}  // namespace

// Shapes that deform have wider boxes: the maps are laid out otherwise, and the borders of shadows move by a texel.
constexpr int shadowStrays = skinWidth * skinHeight / 30;

TEST_F(SkinScene, ShadowMap) {
    expectTheSame(
        "skin_shadow_map", [](osg::Node* node) { return belowTechnique(node, new osgShadow::ShadowMap); },
        [](osg::Node&) {}, shadowStrays);
}

TEST_F(SkinScene, LightSpacePerspectiveShadowMap) {
    expectTheSame(
        "skin_lispsm",
        [](osg::Node* node) { return belowTechnique(node, new osgShadow::LightSpacePerspectiveShadowMapDB); },
        [](osg::Node&) {}, shadowStrays);
}

// Its map is fitted to what is in view, and spots that shadow themselves move with the last bit.
TEST_F(SkinScene, ViewDependentShadowMapDrawsTheSamePicture) {
    const auto model = makeBrickTorus();
    const std::vector<double> rest(brickTorusDimension, 0.0);
    const osg::ref_ptr<osg::Group> node = makeSkinNode(inMeshFrame(*model, rest));
    const auto scene = [](osg::Node* content) {
        return belowTechnique(content, new osgShadow::ViewDependentShadowMap);
    };
    const auto copies = draw(scene(makeCopies([&](int) { return node; })), "skin_vdsm_node");
    const auto bodies = draw(scene(makeBodies(model, node, [&](int) { return rest; })), "skin_vdsm_body");
    const auto nothing = draw(scene(new osg::Group), "skin_vdsm_nothing");
    EXPECT_GT(pixelsThatAreNot(*bodies, *nothing), skinWidth * skinHeight / 20);
    EXPECT_LT(countDifferentPixels(*copies, *bodies, 8), skinWidth * skinHeight / 50);
}
