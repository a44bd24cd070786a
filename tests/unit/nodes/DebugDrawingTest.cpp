// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <cmath>

#include "PixelOf.h"
#include "TestModels.h"
#include "osgPliant/DebugDrawing.h"
#include "osgPliant/Primitives.h"

using namespace pliant::test;
using osgPliant::DebugDrawing;
using pliant::DebugLayer;
using pliant::DebugShapes;
using pliant::Vector3;

namespace {

const osg::Vec3d eyeOfDebug(0.0, 0.0, 10.0);
constexpr int debugWidth = 200, debugHeight = 150;

osg::ref_ptr<osg::Image> debugPicture(osg::Node* scene, const char* name) {
    return renderPicture(scene, name, eyeOfDebug, osg::Vec3d(), debugWidth, debugHeight);
}

/// Pixels that are nearer to a colour than to any other of what tests draw.
int pixelsLike(const osg::Image& image, int red, int green, int blue) {
    int count = 0;
    for (int y = 0; y < image.t(); ++y)
        for (int x = 0; x < image.s(); ++x) {
            const unsigned char* p = pixelOf(image, x, y);
            count += std::abs(p[0] - red) + std::abs(p[1] - green) + std::abs(p[2] - blue) < 60;
        }
    return count;
}

int greenPixels(const osg::Image& image) {
    int count = 0;
    for (int y = 0; y < image.t(); ++y)
        for (int x = 0; x < image.s(); ++x) {
            const unsigned char* p = pixelOf(image, x, y);
            count += p[1] > p[0] + 80 && p[1] > p[2] + 80;
        }
    return count;
}

/// Height of what a metre takes at the origin: 35 degrees of field of view at 10 m.
double pixelsPerMetreThere() {
    return 0.5 * debugHeight / (10.0 * std::tan(35.0 * 3.14159265358979 / 360.0));
}

}  // namespace

TEST(DebugDrawing, SpheresAndCapsulesHaveTheirSize) {
    PLIANT_NEEDS_OPENGL();
    const osg::ref_ptr<DebugDrawing> drawing = new DebugDrawing;
    const double metre = pixelsPerMetreThere();
    DebugShapes shapes;
    shapes.addSphere(DebugLayer::Segments, Vector3(0, 0, 0), 1.0, {1, 0, 0, 1});
    drawing->show(shapes);
    const auto sphere = debugPicture(drawing, "debug_sphere");
    const int disc = debugWidth * debugHeight -
                     pixelsLike(*sphere, sphere->data(2, 2)[0], sphere->data(2, 2)[1], sphere->data(2, 2)[2]);
    // Seen from ten radii the disc is 0.5 % larger, and a sphere of 24 by 12 sides has 2 % less.
    EXPECT_NEAR(disc, 3.14159 * metre * metre, 0.08 * 3.14159 * metre * metre);

    shapes.clear();
    pliant::DebugShapes::Capsule capsule{
        DebugLayer::Segments, {Vector3(-1, 0, 0), Vector3(1, 0, 0)}, {0.5, 0.5}, {1, 0, 0, 1}};
    shapes.capsules.push_back(capsule);
    drawing->show(shapes);
    const auto swept = debugPicture(drawing, "debug_capsule");
    const int area =
        debugWidth * debugHeight - pixelsLike(*swept, swept->data(2, 2)[0], swept->data(2, 2)[1], swept->data(2, 2)[2]);
    EXPECT_NEAR(area, (2.0 + 0.7854) * metre * metre, 0.08 * 2.7854 * metre * metre);
    const osg::BoundingSphere bound = drawing->getBound();
    EXPECT_LT((bound.center()).length(), 1e-4f);
    EXPECT_GE(bound.radius(), 1.5f);
    EXPECT_LT(bound.radius(), 1.8f);
}

// An octagon has 0.9003 of the area of its circle, and a disc that is tilted by 60 degrees half of what one has that
// faces the eye.
TEST(DebugDrawing, DiscsHaveTheirSizeAndTheirTilt) {
    PLIANT_NEEDS_OPENGL();
    const osg::ref_ptr<DebugDrawing> drawing = new DebugDrawing;
    const double metre = pixelsPerMetreThere();
    const auto pixelsOf = [&](const Vector3& normal) {
        DebugShapes shapes;
        shapes.addDisc(DebugLayer::Pressure, Vector3(0, 0, 0), normal, 1.0, {0, 1, 0, 1});
        drawing->show(shapes);
        return greenPixels(*debugPicture(drawing, "debug_disc"));
    };
    const double whole = 0.9003 * 3.14159 * metre * metre;
    EXPECT_NEAR(pixelsOf(Vector3::UnitZ()), whole, 0.04 * whole);
    EXPECT_NEAR(pixelsOf(-Vector3::UnitZ()), whole, 0.04 * whole);
    EXPECT_NEAR(pixelsOf(Vector3(std::sqrt(0.75), 0.0, 0.5)), 0.5 * whole, 0.04 * whole);
}

// What lies in a surface is seen before it.
TEST(DebugDrawing, DiscsAreSeenOnTheSurfaceThatTheyLieIn) {
    PLIANT_NEEDS_OPENGL();
    const osg::ref_ptr<osg::Group> scene = new osg::Group;
    const osg::ref_ptr<DebugDrawing> drawing = new DebugDrawing;
    scene->addChild(osgPliant::createBox(osg::Vec3f(1.0f, 1.0f, 1.0f)));
    scene->addChild(drawing);
    const auto pixelsAt = [&](double z) {
        DebugShapes shapes;
        shapes.addDisc(DebugLayer::Pressure, Vector3(0, 0, z), Vector3::UnitZ(), 0.5, {0, 1, 0, 1});
        drawing->show(shapes);
        drawing->setHiddenStrength(0.0f);
        return greenPixels(*debugPicture(scene, "debug_disc_on_a_box"));
    };
    const int above = pixelsAt(1.05);
    EXPECT_GT(above, 100);
    EXPECT_NEAR(pixelsAt(1.0), above, 0.08 * above);
    EXPECT_EQ(pixelsAt(0.9), 0);
}

TEST(DebugDrawing, LayersAreShownAndHidden) {
    PLIANT_NEEDS_OPENGL();
    const osg::ref_ptr<DebugDrawing> drawing = new DebugDrawing;
    EXPECT_FALSE(drawing->getLayerShown(DebugLayer::Spheres));
    DebugShapes shapes;
    shapes.addLine(DebugLayer::Joints, Vector3(-2, 1, 0), Vector3(2, 1, 0), {0, 1, 0, 1});
    shapes.addSphere(DebugLayer::Segments, Vector3(0, -1, 0), 0.5, {1, 0, 0, 1});
    shapes.addText(DebugLayer::Objects, Vector3(-1, 0, 0), "text", {0, 0, 1, 1});
    drawing->show(shapes);
    const auto all = debugPicture(drawing, "debug_layers");
    drawing->setLayerShown(DebugLayer::Joints, false);
    const auto noLine = debugPicture(drawing, "debug_layers_no_line");
    drawing->setLayerShown(DebugLayer::Segments, false);
    const auto noSphere = debugPicture(drawing, "debug_layers_no_sphere");
    drawing->setLayerShown(DebugLayer::Objects, false);
    const auto nothing = debugPicture(drawing, "debug_layers_nothing");
    EXPECT_GT(countDifferentPixels(*all, *noLine, 40), 100);
    EXPECT_GT(countDifferentPixels(*noLine, *noSphere, 40), 150);
    EXPECT_GT(countDifferentPixels(*noSphere, *nothing, 40), 20) << "the text";
    // Letters, and not the boxes around them.
    EXPECT_LT(pixelsLike(*noSphere, 0, 0, 255), countDifferentPixels(*noSphere, *nothing, 40) / 2);
    drawing->setLayerShown(DebugLayer::Objects, true);
    drawing->setLayerShown(DebugLayer::Segments, true);
    drawing->setLayerShown(DebugLayer::Joints, true);
    EXPECT_EQ(countDifferentPixels(*all, *debugPicture(drawing, "debug_layers_again"), 0), 0);
    // Less than before: nothing of it stays.
    shapes.clear();
    drawing->show(shapes);
    EXPECT_EQ(countDifferentPixels(*nothing, *debugPicture(drawing, "debug_layers_empty"), 0), 0);
    EXPECT_FALSE(drawing->getBound().valid());
}

TEST(DebugDrawing, WhatIsHiddenIsFaint) {
    PLIANT_NEEDS_OPENGL();
    const osg::ref_ptr<osg::Group> scene = new osg::Group;
    const osg::ref_ptr<DebugDrawing> drawing = new DebugDrawing;
    scene->addChild(osgPliant::createBox(osg::Vec3f(0.8f, 2.0f, 1.0f)));
    scene->addChild(drawing);
    DebugShapes shapes;
    shapes.addLine(DebugLayer::Joints, Vector3(-2, 0, 0), Vector3(2, 0, 0), {0, 1, 0, 1});
    shapes.addSphere(DebugLayer::Segments, Vector3(0, 1, 0), 0.4, {1, 0, 0, 1});
    drawing->show(shapes);
    const auto faint = debugPicture(scene, "debug_hidden");
    drawing->setHiddenStrength(0.0f);
    const auto without = debugPicture(scene, "debug_hidden_not");
    drawing->setHiddenStrength(1.0f);
    const auto strong = debugPicture(scene, "debug_hidden_whole");
    EXPECT_GT(greenPixels(*strong), greenPixels(*without) + 20);
    EXPECT_LE(greenPixels(*faint), greenPixels(*without) + 2) << "what is behind the box is not as strong";
    EXPECT_GT(countDifferentPixels(*faint, *without, 8), 100) << "and not invisible";
    EXPECT_GT(countDifferentPixels(*faint, *strong, 8), 100);
}
