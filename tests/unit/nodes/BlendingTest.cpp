// SPDX-License-Identifier: Zlib
// What is transparent is blended from far to near, whatever group, material or node of the scene it belongs to.
#include <gtest/gtest.h>

#include <osg/Material>
#include <osg/MatrixTransform>

#include "SkinModels.h"
#include "TestModels.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/ModelGeometry.h"
#include "osgPliant/Skin.h"

using namespace pliant::test;
using osgPliant::BodyGroup;
using osgPliant::ModelGeometry;
using osgPliant::Skin;

namespace {

const std::vector<double> straight(brickTorusDimension, 0.0);
const osg::Vec3d glassToEye(0.4, 0.8, 2.6);  // towards the eye
const osg::Vec4 glassColours[] = {osg::Vec4(0.9f, 0.2f, 0.1f, 0.5f), osg::Vec4(0.1f, 0.3f, 0.9f, 0.5f)};

osg::ref_ptr<osg::Image> blendedPicture(osg::Node* scene) {
    return renderPicture(scene, "blending", glassToEye, osg::Vec3d(0.0, 0.0, 0.0), 240, 180);
}

void makeGlass(osg::Node& node, const osg::Vec4& colour) {
    osg::ref_ptr<osg::Material> glass = new osg::Material;
    glass->setDiffuse(osg::Material::FRONT_AND_BACK, colour);
    osg::StateSet& state = *node.getOrCreateStateSet();
    state.setAttributeAndModes(glass, osg::StateAttribute::ON | osg::StateAttribute::OVERRIDE);
    state.setMode(GL_BLEND, osg::StateAttribute::ON);
    state.setMode(GL_CULL_FACE, osg::StateAttribute::ON);
    state.setRenderingHint(osg::StateSet::TRANSPARENT_BIN);
}

osg::ref_ptr<osg::Group> glassRing(const osg::Vec4& colour) {
    osg::ref_ptr<osg::Group> node = makeSkinNode(inMeshFrame(*makeBrickTorus(), straight));
    makeGlass(*node, colour);
    return node;
}

/// Each a little nearer than the one before.
osg::Matrixd placeOfGlass(int number) {
    return osg::Matrixd::rotate(0.7 * number, osg::Vec3d(0.0, 0.0, 1.0)) *
           osg::Matrixd::translate(glassToEye * (0.1 * number) + osg::Vec3d(0.05 * number, 0.0, 0.0));
}

osg::ref_ptr<osg::Node> placedGlass(osg::Node* node, int number) {
    osg::ref_ptr<osg::MatrixTransform> place = new osg::MatrixTransform(placeOfGlass(number));
    place->addChild(node);
    return place;
}

}  // namespace

// Bodies of two groups in turns, and a node of the scene's own between them.
TEST(Blending, OfSkinsOfTwoGroupsAndANodeOfTheScene) {
    PLIANT_NEEDS_OPENGL();
    const auto model = makeBrickTorus();
    osg::ref_ptr<osg::Group> copies = new osg::Group, bodies = new osg::Group;
    for (int group = 0; group < 2; ++group) {
        const osg::ref_ptr<osg::Group> node = glassRing(glassColours[group]);
        osg::ref_ptr<BodyGroup> own = new BodyGroup(Skin::bind(node, model), 2);
        for (int i = 0; i < 2; ++i) {
            const int number = 3 * i + group;
            own->setBodyFromMesh(i, placeOfGlass(number), straight.data());
            copies->addChild(placedGlass(node, number));
        }
        bodies->addChild(own);
    }
    const osg::ref_ptr<osg::Node> between = placedGlass(glassRing(osg::Vec4(0.2f, 0.9f, 0.2f, 0.5f)), 2);
    copies->addChild(between);
    bodies->addChild(between);
    const auto expected = blendedPicture(copies), seen = blendedPicture(bodies);
    ASSERT_TRUE(expected && seen);
    EXPECT_EQ(countDifferentPixels(*expected, *seen, 3), 0);
}

TEST(Blending, OfTwoMaterialsOfASkin) {
    PLIANT_NEEDS_OPENGL();
    const auto model = makeBrickTorus();
    pliant::SurfaceMesh nearer = inMeshFrame(*model, straight);
    osg::ref_ptr<osg::Group> node = new osg::Group;
    for (const osg::Vec4& colour : glassColours) {
        const osg::ref_ptr<osg::Group> part = makeSkinNode(nearer);
        makeGlass(*part, colour);
        node->addChild(part);
        nearer.positions.colwise() += 0.05 * pliant::Vector3(glassToEye.x(), glassToEye.y(), glassToEye.z());
    }
    osg::ref_ptr<BodyGroup> bodies = new BodyGroup(Skin::bind(node, model), 2);
    osg::ref_ptr<osg::Group> copies = new osg::Group;
    for (int i = 0; i < 2; ++i) {
        bodies->setBodyFromMesh(i, placeOfGlass(i), straight.data());
        copies->addChild(placedGlass(node, i));
    }
    const auto expected = blendedPicture(copies), seen = blendedPicture(bodies);
    ASSERT_TRUE(expected && seen);
    EXPECT_EQ(countDifferentPixels(*expected, *seen, 3), 0);
}

// The right order is that of groups of one body each, in bins of their own.
TEST(Blending, OfModelsOfTwoGroups) {
    PLIANT_NEEDS_OPENGL();
    const std::vector<double> q(10, 0.0);
    osg::ref_ptr<osg::Group> together = new osg::Group, apart = new osg::Group;
    for (int group = 0; group < 2; ++group) {
        const auto model = makeTorus(TorusOptions());
        model->surface.materials[0].opacity = 0.5;
        model->surface.materials[0].diffuse = pliant::Vector3(group, 0.3, 1 - group);
        model->surface.colours.resize(4, 0);
        osg::ref_ptr<BodyGroup> both = new BodyGroup(new ModelGeometry(model), 2);
        both->setPixelError(0.0);  // both in one level of detail
        for (int i = 0; i < 2; ++i) {
            const int number = 2 * i + group;
            both->setBody(i, placeOfGlass(number), q.data());
            osg::ref_ptr<BodyGroup> single = new BodyGroup(new ModelGeometry(model), 1);
            single->setPixelError(0.0);
            single->setBody(0, placeOfGlass(number), q.data());
            single->getOrCreateStateSet()->setRenderBinDetails(20 + number, "RenderBin",
                                                               osg::StateSet::OVERRIDE_PROTECTED_RENDERBIN_DETAILS);
            apart->addChild(single);
        }
        together->addChild(both);
    }
    const auto expected = blendedPicture(apart), seen = blendedPicture(together);
    ASSERT_TRUE(expected && seen);
    EXPECT_EQ(countDifferentPixels(*expected, *seen, 2), 0);
}
