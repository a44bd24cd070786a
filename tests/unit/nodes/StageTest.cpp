// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <osg/MatrixTransform>

#include "PixelOf.h"
#include "SkinModels.h"
#include "TestModels.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/Links.h"
#include "osgPliant/Primitives.h"
#include "osgPliant/Stage.h"

using namespace pliant::test;
using osgPliant::Stage;

namespace {

osg::ref_ptr<osg::Node> at(osg::Node* node, double x, double y, double z) {
    osg::ref_ptr<osg::MatrixTransform> transform = new osg::MatrixTransform(osg::Matrixd::translate(x, y, z));
    transform->addChild(node);
    return transform;
}

osg::ref_ptr<Stage> makeStage(bool shadows, osg::Node* caster) {
    osgPliant::StageSettings settings;
    settings.shadows = shadows;
    settings.towardsSun = osg::Vec3f(0.0f, 1.0f, 0.0f);
    settings.shadowResolution = 512;
    osg::ref_ptr<Stage> stage = new Stage(settings);
    osg::ref_ptr<osg::Geometry> ground = osgPliant::createPlane(osg::Vec3f(0.0f, 1.0f, 0.0f), 0.0f, 20.0f);
    stage->addChild(ground);
    if (caster) stage->addChild(caster);
    return stage;
}

// From the side, so that the ground below the floating caster is seen at the middle of the picture.
const osg::Vec3d viewpoint(0.0, 1.0, 5.0), target(0.0, 0.0, 0.0);

double groundBelow(osg::Node* scene, const char* name) {
    const auto picture = renderPicture(scene, name, viewpoint, target);
    return picture ? meanBrightness(*picture, 155, 117, 10, 6) : -1.0;
}

}  // namespace

TEST(Stage, DeformedBodiesCastShadows) {
    PLIANT_NEEDS_OPENGL();
    const auto model = makeTorus();
    osg::ref_ptr<osgPliant::BodyGroup> body = new osgPliant::BodyGroup(new osgPliant::ModelGeometry(model), 1);
    // The ring's tube floats above the origin, out of the camera's way.
    std::vector<double> q(10, 0.0);
    body->setBody(0, osg::Matrixd::translate(-0.35, 2.2, 0.0), q.data());
    const double lit = groundBelow(makeStage(true, nullptr), "shadow_none");
    const double shadowed = groundBelow(makeStage(true, body), "shadow_torus");
    const double off = groundBelow(makeStage(false, body), "shadow_off");
    EXPECT_LT(shadowed, lit - 30.0);
    EXPECT_NEAR(off, lit, 2.0);

    // The shadow deforms with the body: shifted away by a displacement field, the same place is lit.
    auto shifting = makeTorus();
    for (Eigen::Index v = 0; v < shifting->surface.positions.cols(); ++v) {
        shifting->surfaceBasis.col(0).segment<3>(3 * v) = Eigen::Vector3f(-1.0f, 0.0f, 0.0f);
        shifting->surfaceNormalBasis.col(0).segment<3>(3 * v).setZero();
    }
    osg::ref_ptr<osgPliant::BodyGroup> moved = new osgPliant::BodyGroup(new osgPliant::ModelGeometry(shifting), 1);
    q[0] = 1.0;
    moved->setBody(0, osg::Matrixd::translate(-0.35, 2.2, 0.0), q.data());
    EXPECT_NEAR(groundBelow(makeStage(true, moved), "shadow_moved"), lit, 2.0);
}

TEST(Stage, PrimitivesCastShadows) {
    PLIANT_NEEDS_OPENGL();
    const double lit = groundBelow(makeStage(true, nullptr), "shadow_none");
    const osg::ref_ptr<osg::Geometry> casters[] = {osgPliant::createBox(osg::Vec3f(0.3f, 0.1f, 0.3f)),
                                                   osgPliant::createSphere(0.3f), osgPliant::createCylinder(0.3f, 0.4f),
                                                   osgPliant::createCapsule(0.3f, 0.2f, 0),
                                                   osgPliant::createCone(0.3f, 0.4f)};
    for (const auto& caster : casters) {
        EXPECT_LT(groundBelow(makeStage(true, at(caster, 0.0, 2.2, 0.0)), "shadow_primitive"), lit - 30.0);
    }
}

TEST(Stage, WhatIsTransparentCastsAsMuchLessShadow) {
    PLIANT_NEEDS_OPENGL();
    const auto below = [](float opacity) {
        osgPliant::PrimitiveLook look;
        look.colour.a() = opacity;
        return groundBelow(makeStage(true, at(osgPliant::createBox(osg::Vec3f(0.3f, 0.1f, 0.3f), look), 0.0, 2.2, 0.0)),
                           "shadow_transparent");
    };
    const double lit = groundBelow(makeStage(true, nullptr), "shadow_none"), dark = below(1.0f), half = below(0.5f);
    EXPECT_GT(half, dark + 0.25 * (lit - dark));
    EXPECT_LT(half, dark + 0.85 * (lit - dark)) << "tones are mapped: half the light is more than half as bright";
    EXPECT_GT(below(0.2f), half + 5.0);
    EXPECT_NEAR(below(0.01f), lit, 3.0);
}

// A sheet that lies with its back to the sun, which shines on it all the same: it had shadowed itself in blotches.
TEST(Stage, SheetsDoNotShadowTheirOwnBacks) {
    PLIANT_NEEDS_OPENGL();
    const std::vector<osg::Vec3f> corners = {{-1, 0.3f, -1}, {1, 0.3f, -1}, {1, 0.5f, 1}, {-1, 0.5f, 1}};
    const auto paint = [&](const std::vector<unsigned int>& indices, const char* name) {
        return renderPicture(makeStage(true, osgPliant::createTriangles(corners, indices)), name,
                             osg::Vec3d(0.0, 4.0, 1.0), osg::Vec3d(0.0, 0.4, 0.0));
    };
    const auto front = paint({0, 2, 1, 0, 3, 2}, "sheet_front"), back = paint({0, 1, 2, 0, 2, 3}, "sheet_back");
    EXPECT_LT(countDifferentPixels(*front, *back, 6), 100) << "of 76,800";
    EXPECT_GT(meanBrightness(*front, 140, 100, 40, 40), 200.0) << "it is lit";
}

// Bodies are drawn into shadow maps with fewer triangles, too: where those lay further from the surface than shadows
// are looked up out of it, the surface shadowed itself in blotches.
TEST(Stage, LevelsOfDetailInShadowMapsDoNotShadowTheirOwnSurface) {
    PLIANT_NEEDS_OPENGL();
    TorusOptions fine;
    fine.around = 128;
    fine.tube = 64;
    const auto model = makeTorus(fine);
    // With a hole: of closed surfaces the far side is drawn into shadow maps.
    model->surface.triangles.conservativeResize(3, model->surface.triangles.cols() - 2);
    model->surface.triangleMaterial.resize(model->surface.triangleMaterial.size() - 2);
    const osg::ref_ptr<osgPliant::BodyGroup> body = new osgPliant::BodyGroup(new osgPliant::ModelGeometry(model), 1);
    body->setBody(0, osg::Matrixd::translate(0.0, 0.5, 0.0), makeCoordinates(10, 3, 0.03).data());
    // Pixels that are darker with fewer triangles than with all of them.
    const auto darkened = [&](bool shadows, int resolution) {
        osgPliant::StageSettings settings;
        settings.shadows = shadows;
        settings.towardsSun = osg::Vec3f(0.3f, 1.0f, 0.2f);
        settings.shadowResolution = resolution;
        const auto paint = [&](double pixelError) {
            body->setPixelError(pixelError);
            const osg::ref_ptr<Stage> stage = new Stage(settings);
            stage->addChild(body);
            return renderPicture(stage, "levels_in_shadow_maps", osg::Vec3d(0.2, 1.7, 1.0), osg::Vec3d(0.0, 0.5, 0.0));
        };
        const auto whole = paint(0.0), simpler = paint(1.0);
        int count = 0;
        for (int y = 0; y < whole->t(); ++y)
            for (int x = 0; x < whole->s(); ++x) count += pixelOf(*whole, x, y)[1] > pixelOf(*simpler, x, y)[1] + 20;
        return count;
    };
    const int atOutlines = darkened(false, 512);  // of the picture's own levels
    for (const int resolution : {384, 512})
        EXPECT_LT(darkened(true, resolution), atOutlines + 40) << resolution << " texels a side, of 76,800 pixels";
}

TEST(Stage, PrimitivesAreWhereTheySayAndFaceOutwards) {
    const auto check = [](const osg::Geometry& shape, const osg::Vec3f& half) {
        const osg::BoundingBox box = shape.getBoundingBox();
        EXPECT_LT((box._max - half).length(), 0.01f * half.length());
        EXPECT_LT((box._min + half).length(), 0.01f * half.length());
        const auto& x = static_cast<const osg::Vec3Array&>(*shape.getVertexArray());
        const auto& n = static_cast<const osg::Vec3Array&>(*shape.getNormalArray());
        const auto& triangles = static_cast<const osg::DrawElementsUInt&>(*shape.getPrimitiveSet(0));
        for (std::size_t t = 0; t < triangles.size(); t += 3) {
            const osg::Vec3f a = x[triangles[t]], b = x[triangles[t + 1]], c = x[triangles[t + 2]];
            const osg::Vec3f face = (b - a) ^ (c - a);
            if (face.length() < 1e-7f) continue;  // at the poles
            EXPECT_GT(face * (a + b + c), 0.0f) << "faces inwards";
            EXPECT_GT(face * n[triangles[t]], -1e-6f) << "normal against its triangle";
        }
    };
    check(*osgPliant::createBox(osg::Vec3f(0.1f, 0.2f, 0.3f)), osg::Vec3f(0.1f, 0.2f, 0.3f));
    check(*osgPliant::createSphere(0.5f), osg::Vec3f(0.5f, 0.5f, 0.5f));
    check(*osgPliant::createCylinder(0.2f, 1.0f, 0), osg::Vec3f(0.5f, 0.2f, 0.2f));
    check(*osgPliant::createCapsule(0.2f, 1.0f, 2), osg::Vec3f(0.2f, 0.2f, 0.7f));
}

TEST(Links, BoundHoldsWhatIsShown) {
    osg::ref_ptr<osgPliant::Links> links = new osgPliant::Links;
    const osgPliant::Links::Rod near{osg::Vec3d(), osg::Vec3d(1.0, 0.0, 0.0), 0.01};
    links->show({near, {osg::Vec3d(), osg::Vec3d(50.0, 0.0, 0.0), 0.01}}, {{osg::Vec3d(0.0, 70.0, 0.0), 0.1}});
    EXPECT_GT(links->getBound().radius(), 20.0f);
    links->show({near}, {});
    EXPECT_LT(links->getBound().radius(), 2.0f);
    EXPECT_EQ(links->getNumChildren(), 1u);
}

TEST(Stage, CopiesDrawTheSame) {
    PLIANT_NEEDS_OPENGL();
    osg::ref_ptr<Stage> stage = makeStage(true, at(osgPliant::createSphere(0.4f), 0.0, 0.6, 0.0));
    osg::ref_ptr<Stage> copy = osg::clone(stage.get(), osg::CopyOp::SHALLOW_COPY);
    const auto first = renderPicture(stage, "stage", viewpoint, target);
    const auto second = renderPicture(copy, "stage_copy", viewpoint, target);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(countDifferentPixels(*first, *second, 1), 0);
}

TEST(Stage, SkyGoesFromHorizonToZenith) {
    PLIANT_NEEDS_OPENGL();
    osg::ref_ptr<Stage> stage = makeStage(false, nullptr);
    const auto picture = renderPicture(stage, "sky", osg::Vec3d(0.0, 0.5, 0.0), osg::Vec3d(0.0, 1.2, -5.0));
    ASSERT_TRUE(picture);
    const auto blueness = [&](int row) { return pixelOf(*picture, 160, row)[2] - pixelOf(*picture, 160, row)[0]; };
    EXPECT_GT(blueness(235), blueness(70) + 15);
    for (int row = 70; row < 235; ++row) EXPECT_LE(blueness(row), blueness(row + 1) + 2) << "a smooth gradient";
}

TEST(Stage, AdoptsNodesOfOthersAndTheirSkins) {
    PLIANT_NEEDS_OPENGL();
    const auto model = makeBrickTorus();
    const std::vector<double> still(brickTorusDimension, 0.0);
    const osg::ref_ptr<osg::Group> node = makeSkinNode(inMeshFrame(*model, still));
    Stage::adopt(*node);
    osg::ref_ptr<osgPliant::BodyGroup> body = new osgPliant::BodyGroup(osgPliant::Skin::bind(node, model), 1);
    body->setBodyFromMesh(0, osg::Matrixd::translate(0.0, 0.6, 0.0), still.data());
    osgPliant::StageSettings settings;
    settings.shadows = false;
    const auto draw = [&](osg::Node* content, const char* name) {
        osg::ref_ptr<Stage> stage = new Stage(settings);
        stage->addChild(content);
        return renderPicture(stage, name, osg::Vec3d(0.4, 1.4, 2.2), osg::Vec3d(0.0, 0.5, 0.0));
    };
    const auto adopted = draw(at(node, 0.0, 0.6, 0.0), "adopted_node");
    ASSERT_TRUE(adopted);
    for (const auto place : {osgPliant::SumsInVertexShader, osgPliant::SumsOnProcessor}) {
        body->setSumPlace(place);
        const auto skinned = draw(body, "adopted_skin");
        ASSERT_TRUE(skinned);
        EXPECT_EQ(countDifferentPixels(*adopted, *skinned, 3), 0);
    }
    int burnt = 0;
    for (int y = 0; y < adopted->t(); ++y)
        for (int x = 0; x < adopted->s(); ++x) burnt += pixelOf(*adopted, x, y)[0] > 252;
    EXPECT_LT(burnt, 50) << "tones are mapped";
}
