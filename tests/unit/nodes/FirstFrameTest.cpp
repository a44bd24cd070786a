// SPDX-License-Identifier: Zlib
// The first frame of a viewer is drawn as all others are, below techniques that decide late how shadows are drawn.
#include <gtest/gtest.h>

#include <osg/LightSource>
#include <osgShadow/ShadowedScene>
#include <osgShadow/ViewDependentShadowMap>

#include "SkinModels.h"
#include "TestModels.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/HeadlessViewer.h"
#include "osgPliant/Primitives.h"
#include "osgPliant/Skin.h"
#include "osgPliant/Stage.h"

using namespace pliant::test;
using osgPliant::Stage;

namespace {

constexpr int firstFrameWidth = 120, firstFrameHeight = 80;

/// A ring that lies over a floor, so that it shadows the floor and itself.
osg::ref_ptr<osg::Group> skinOverFloor(osg::Group* scene, bool isAdopted, osgPliant::SumPlace place) {
    const auto model = makeBrickTorus();
    const std::vector<double> rest(brickTorusDimension, 0.0);
    const osg::ref_ptr<osg::Group> node = makeSkinNode(inMeshFrame(*model, rest));
    if (isAdopted) Stage::adopt(*node);
    const osg::ref_ptr<osgPliant::BodyGroup> group =
        new osgPliant::BodyGroup(osgPliant::Skin::bind(node, model, osgPliant::Deformation::Float), 2);
    group->setSumPlace(place);
    for (int i = 0; i < 2; ++i)
        group->setBodyFromMesh(i, osg::Matrixd::translate(0.3 * i, 0.4 + 0.5 * i, 0.0),
                               makeCoordinates(brickTorusDimension, i, 0.02).data());
    scene->addChild(group);
    scene->addChild(osgPliant::createPlane(osg::Vec3f(0.0f, 1.0f, 0.0f), 0.0f, 4.0f));
    return scene;
}

osg::ref_ptr<osg::Group> belowViewDependentMap(unsigned int mapsPerLight) {
    const osg::ref_ptr<osgShadow::ShadowSettings> settings = new osgShadow::ShadowSettings;
    settings->setNumShadowMapsPerLight(mapsPerLight);
    const osg::ref_ptr<osgShadow::ShadowedScene> scene = new osgShadow::ShadowedScene;
    scene->setShadowSettings(settings);
    scene->setShadowTechnique(new osgShadow::ViewDependentShadowMap);
    const osg::ref_ptr<osg::LightSource> lamp = new osg::LightSource;
    lamp->getLight()->setPosition(osg::Vec4(0.3f, 1.0f, 0.4f, 0.0f));
    scene->addChild(lamp);
    return scene;
}

/// Pixels of the first four frames that are others than in the frame before, the largest number of them.
int pixelsThatChange(osg::Node* scene) {
    osgPliant::HeadlessOptions options;
    options.width = firstFrameWidth;
    options.height = firstFrameHeight;
    options.supersampling = 1;
    osgPliant::HeadlessViewer viewer(options);
    viewer.setScene(scene);
    viewer.setCamera(osg::Vec3d(0.6, 1.6, 2.4), osg::Vec3d(0.1, 0.4, 0.0), osg::Vec3d(0.0, 1.0, 0.0));
    osg::ref_ptr<osg::Image> before = new osg::Image(*viewer.render(0.0));
    int most = 0;
    for (int frame = 1; frame < 4; ++frame) {
        const osg::ref_ptr<osg::Image> next = new osg::Image(*viewer.render(0.1 * frame));
        most = std::max(most, countDifferentPixels(*before, *next, 3));
        before = next;
    }
    return most;
}

class FirstFrame : public ::testing::TestWithParam<osgPliant::SumPlace> {
protected:
    void SetUp() override { PLIANT_NEEDS_OPENGL(); }
};

INSTANTIATE_TEST_SUITE_P(SumPlaces, FirstFrame,
                         ::testing::Values(osgPliant::SumsInVertexShader, osgPliant::SumsOnProcessor));

TEST_P(FirstFrame, OfASkinBelowAStage) {
    for (const bool isAdopted : {false, true})
        EXPECT_EQ(pixelsThatChange(skinOverFloor(new Stage, isAdopted, GetParam())), 0) << "adopted: " << isAdopted;
}

TEST_P(FirstFrame, OfASkinBelowAViewDependentShadowMap) {
    for (const unsigned int maps : {1u, 2u})
        EXPECT_EQ(pixelsThatChange(skinOverFloor(belowViewDependentMap(maps), false, GetParam())), 0) << maps;
}

}  // namespace
