// SPDX-License-Identifier: Zlib
// What osgFX's effects do to a node they do to bodies: programs in assembly language (Cartoon, AnisotropicLighting) get
// vertices that are deformed already, and highlights out of a cube (SpecularHighlights) are where they are on the node.
#include <gtest/gtest.h>

#include <osg/MatrixTransform>
#include <osg/TexEnv>
#include <osg/TexGen>
#include <osg/TextureCubeMap>
#include <osg/VertexProgram>

#include "SkinModels.h"
#include "TestModels.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/HeadlessViewer.h"
#include "osgPliant/Skin.h"
#include "osgPliant/SoftwareDeformation.h"

using namespace pliant::test;
using osgPliant::BodyGroup;
using osgPliant::Skin;

namespace {

/// Colours by the normal.
const char* const assemblyText = R"(!!ARBvp1.0
DP4 result.position.x, state.matrix.mvp.row[0], vertex.position;
DP4 result.position.y, state.matrix.mvp.row[1], vertex.position;
DP4 result.position.z, state.matrix.mvp.row[2], vertex.position;
DP4 result.position.w, state.matrix.mvp.row[3], vertex.position;
PARAM half = { 0.5, 0.5, 0.5, 1.0 };
MAD result.color.xyz, vertex.normal, half, half;
MOV result.color.w, half.w;
END
)";

osg::ref_ptr<osg::Group> belowAssembly(osg::Node* node) {
    osg::ref_ptr<osg::Group> scene = new osg::Group;
    const osg::ref_ptr<osg::VertexProgram> program = new osg::VertexProgram;
    program->setVertexProgram(assemblyText);
    scene->getOrCreateStateSet()->setAttributeAndModes(program);
    scene->addChild(node);
    return scene;
}

osg::ref_ptr<BodyGroup> bentRings(double size) {
    const auto model = makeBrickTorus();
    const std::vector<double> rest(brickTorusDimension, 0.0);
    const osg::ref_ptr<osg::Group> node = makeSkinNode(inMeshFrame(*model, rest));
    osg::ref_ptr<BodyGroup> group = new BodyGroup(Skin::bind(node, model, osgPliant::Deformation::Float), 3);
    for (int i = 0; i < 3; ++i)
        group->setBodyFromMesh(i, osg::Matrixd::translate(0.8 * i - 0.8, 0.2 * i, 0.0),
                               makeCoordinates(brickTorusDimension, i, size).data());
    group->setBodyVisible(1, false);
    return group;
}

osg::ref_ptr<osg::Image> assemblyPicture(osg::Node* node) {
    return renderPicture(belowAssembly(node), "assembly", osg::Vec3d(0.4, 0.8, 3.6), osg::Vec3d(), 240, 180);
}

}  // namespace

TEST(Effects, OfAssemblyLanguageDrawBentBodies) {
    PLIANT_NEEDS_OPENGL();
    const osg::ref_ptr<BodyGroup> bent = bentRings(0.1);
    const osg::ref_ptr<osgPliant::SoftwareDeformation> plain = new osgPliant::SoftwareDeformation(bent);
    const auto expected = assemblyPicture(plain), seen = assemblyPicture(bent);
    ASSERT_TRUE(expected && seen);
    EXPECT_EQ(countDifferentPixels(*expected, *seen, 3), 0);
    EXPECT_GT(countDifferentPixels(*expected, *assemblyPicture(bentRings(0.0)), 3), 200) << "it would be seen";
}

TEST(Effects, OfAssemblyLanguageFollowWhatIsWritten) {
    PLIANT_NEEDS_OPENGL();
    osgPliant::HeadlessOptions options;
    options.width = 240;
    options.height = 180;
    osgPliant::HeadlessViewer viewer(options);
    viewer.setCamera(osg::Vec3d(0.4, 0.8, 3.6), osg::Vec3d(), osg::Vec3d(0.0, 1.0, 0.0));
    const osg::ref_ptr<BodyGroup> group = bentRings(0.1);
    const osg::ref_ptr<osg::Group> scene = belowAssembly(group);
    viewer.setScene(scene);
    viewer.render(0.0);
    group->setBodyCount(4);
    group->setBodyVisible(1, true);
    group->removeBody(0);
    group->setBodyFromMesh(3, osg::Matrixd::translate(0.0, -0.4, 0.3),
                           makeCoordinates(brickTorusDimension, 5, 0.1).data());
    const osg::ref_ptr<osg::Image> seen = new osg::Image(*viewer.render(0.1), osg::CopyOp::DEEP_COPY_ALL);
    const osg::ref_ptr<osgPliant::SoftwareDeformation> plain = new osgPliant::SoftwareDeformation(group);
    EXPECT_EQ(countDifferentPixels(*assemblyPicture(plain), *seen, 3), 0);
    scene->setStateSet(nullptr);  // and back to programs that are made to deform
    const osg::ref_ptr<osg::Image> without = new osg::Image(*viewer.render(0.2), osg::CopyOp::DEEP_COPY_ALL);
    EXPECT_GT(countDifferentPixels(*without, *seen, 3), 200);
    EXPECT_EQ(countDifferentPixels(
                  *without, *renderPicture(plain, "plain", osg::Vec3d(0.4, 0.8, 3.6), osg::Vec3d(), 240, 180), 3),
              0);
}

namespace {

/// A cube of six colours that is reflected, with all four coordinates generated.
void addReflections(osg::StateSet& state, unsigned int unit) {
    const osg::ref_ptr<osg::TextureCubeMap> cube = new osg::TextureCubeMap;
    for (unsigned int face = 0; face < 6; ++face) {
        const osg::ref_ptr<osg::Image> image = new osg::Image;
        image->allocateImage(2, 2, 1, GL_RGB, GL_UNSIGNED_BYTE);
        for (unsigned int i = 0; i < image->getTotalSizeInBytes(); ++i)
            image->data()[i] = static_cast<unsigned char>((face + 1) * (i % 3 + 1) * 17 % 200);
        cube->setImage(face, image);
    }
    const osg::ref_ptr<osg::TexGen> generated = new osg::TexGen;
    generated->setMode(osg::TexGen::REFLECTION_MAP);
    state.setTextureAttributeAndModes(unit, cube);
    state.setTextureAttributeAndModes(unit, new osg::TexEnv(osg::TexEnv::ADD));
    state.setTextureAttributeAndModes(unit, generated);
    for (const int mode : {GL_TEXTURE_GEN_S, GL_TEXTURE_GEN_T, GL_TEXTURE_GEN_R, GL_TEXTURE_GEN_Q})
        state.setTextureMode(unit, static_cast<GLenum>(mode), osg::StateAttribute::ON);
}

}  // namespace

TEST(Effects, OfACubeAreThoseOfTheNode) {
    PLIANT_NEEDS_OPENGL();
    const auto model = makeBrickTorus();
    const std::vector<double> rest(brickTorusDimension, 0.0);
    const osg::ref_ptr<osg::Group> node = makeSkinNode(inMeshFrame(*model, rest));
    const osg::ref_ptr<BodyGroup> body = new BodyGroup(Skin::bind(node, model, osgPliant::Deformation::Float), 1);
    body->setBodyFromMesh(0, osg::Matrixd(), rest.data());
    osgPliant::HeadlessOptions options;
    options.width = 240;
    options.height = 180;
    // What is generated of the fourth coordinate is OpenGL's in the first frame, and OpenSceneGraph's from then on.
    const auto pictures = [&options](osg::Node* content, bool reflects) {
        const osg::ref_ptr<osg::Group> scene = new osg::Group;
        if (reflects) addReflections(*scene->getOrCreateStateSet(), 1);
        scene->addChild(content);
        osgPliant::HeadlessViewer viewer(options);
        viewer.setCamera(osg::Vec3d(0.4, 0.8, 2.6), osg::Vec3d(), osg::Vec3d(0.0, 1.0, 0.0));
        viewer.setScene(scene);
        std::vector<osg::ref_ptr<osg::Image>> all;
        for (int i = 0; i < 3; ++i) all.push_back(new osg::Image(*viewer.render(0.1 * i), osg::CopyOp::DEEP_COPY_ALL));
        return all;
    };
    const osg::ref_ptr<osg::Group> alone = new osg::MatrixTransform;
    alone->addChild(node);
    const auto expected = pictures(alone, true), seen = pictures(body, true), without = pictures(alone, false);
    for (std::size_t i = 0; i < seen.size(); ++i)
        EXPECT_EQ(countDifferentPixels(*expected[i], *seen[i], 3), 0) << "frame " << i;
    EXPECT_GT(countDifferentPixels(*expected.back(), *without.back(), 3), 1000) << "it would be seen";
}
