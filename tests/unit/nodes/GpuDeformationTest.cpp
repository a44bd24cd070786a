// SPDX-License-Identifier: Zlib
// The vertex shader against the CPU reference, pixel by pixel.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <osg/Group>
#include <osgDB/WriteFile>

#include "PixelOf.h"
#include "TestModels.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/Stage.h"

using namespace pliant::test;
using osgPliant::BodyGroup;
using osgPliant::ModelGeometry;

namespace {

const osg::Vec3d eye(0.9, 1.1, 1.6), centre(0.0, 0.0, 0.0);

osg::Matrixd frameOf(int body) {
    return osg::Matrixd::rotate(0.7 * body + 0.2, osg::Vec3d(0.3, 1.0, 0.5)) *
           osg::Matrixd::translate(0.55 * (body % 3 - 1), 0.1 * body, 0.5 * (body / 3) - 0.2);
}

osg::ref_ptr<osg::Node> staged(osg::Node* node) {
    osgPliant::StageSettings settings;
    settings.shadows = false;  // the map is fitted to bounds, and those of a body that deforms are wider
    osg::ref_ptr<osgPliant::Stage> stage = new osgPliant::Stage(settings);
    stage->addChild(node);
    return stage;
}

/// Bodies as instances of the deforming model.
osg::ref_ptr<osg::Node> instanced(const std::shared_ptr<pliant::ReducedModel>& model, int bodies,
                                  ModelGeometry::Precision precision) {
    osg::ref_ptr<BodyGroup> group = new BodyGroup(new ModelGeometry(model, precision), bodies);
    group->setPixelError(0.0);
    for (int i = 0; i < bodies; ++i) group->setBody(i, frameOf(i), makeCoordinates(model->dimension(), i).data());
    return staged(group);
}

/// The same bodies, each deformed on the CPU and drawn on its own.
osg::ref_ptr<osg::Node> reference(const std::shared_ptr<pliant::ReducedModel>& model, int bodies) {
    osg::ref_ptr<osg::Group> all = new osg::Group;
    const double none = 0.0;
    for (int i = 0; i < bodies; ++i) {
        const auto frozen = freeze(*model, makeCoordinates(model->dimension(), i));
        osg::ref_ptr<BodyGroup> group = new BodyGroup(new ModelGeometry(frozen, ModelGeometry::Float), 1);
        group->setPixelError(0.0);
        group->setBody(0, frameOf(i), &none);
        all->addChild(group);
    }
    return staged(all);
}

}  // namespace

TEST(GpuDeformation, FloatsAgreeWithTheCpuReference) {
    PLIANT_NEEDS_OPENGL();
    const auto model = makeTorus();
    const auto gpu = renderPicture(instanced(model, 6, ModelGeometry::Float), "gpu_float", eye, centre, 640, 360);
    const auto cpu = renderPicture(reference(model, 6), "cpu", eye, centre, 640, 360);
    ASSERT_TRUE(gpu && cpu);
    EXPECT_LE(countDifferentPixels(*gpu, *cpu, 4), 640 * 360 / 20000);
    // The comparison sees deformation: without it thousands of pixels differ.
    const auto rest = freeze(*model, std::vector<double>(10, 0.0));
    const auto stiff = renderPicture(reference(rest, 6), "rest", eye, centre, 640, 360);
    ASSERT_TRUE(stiff);
    EXPECT_GT(countDifferentPixels(*gpu, *stiff, 4), 640 * 360 / 50);
}

TEST(GpuDeformation, HalfFloatsCostNothingVisible) {
    PLIANT_NEEDS_OPENGL();
    const auto model = makeTorus();
    const auto gpu = renderPicture(instanced(model, 6, ModelGeometry::HalfFloat), "gpu_half", eye, centre, 640, 360);
    const auto cpu = renderPicture(reference(model, 6), "cpu", eye, centre, 640, 360);
    ASSERT_TRUE(gpu && cpu);
    EXPECT_LE(countDifferentPixels(*gpu, *cpu, 12), 640 * 360 / 500);
}

TEST(GpuDeformation, EveryDimensionUpToTheEndOfAChunk) {
    PLIANT_NEEDS_OPENGL();
    for (const int dimension : {1, 3, 4, 5}) {
        TorusOptions options;
        options.dimension = dimension;
        const auto model = makeTorus(options);
        const auto gpu = renderPicture(instanced(model, 2, ModelGeometry::Float), "dimension", eye, centre);
        const auto cpu = renderPicture(reference(model, 2), "dimension_cpu", eye, centre);
        ASSERT_TRUE(gpu && cpu);
        EXPECT_LE(countDifferentPixels(*gpu, *cpu, 4), 8) << "r = " << dimension;
    }
}

TEST(GpuDeformation, MaterialsAndTexturesAreKept) {
    PLIANT_NEEDS_OPENGL();
    // A red and white checkerboard on the first material; the second is blue.
    osg::ref_ptr<osg::Image> checker = new osg::Image;
    checker->allocateImage(8, 8, 1, GL_RGB, GL_UNSIGNED_BYTE);
    for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) {
            unsigned char* pixel = pixelOf(*checker, x, y);
            pixel[0] = 255;
            pixel[1] = pixel[2] = (x / 4 + y / 4) % 2 ? 255 : 0;
        }
    }
    const std::string file = (std::filesystem::temp_directory_path() / "pliant_nodes_checker.png").string();
    ASSERT_TRUE(osgDB::writeImageFile(*checker, file));
    TorusOptions options;
    options.materials = 2;
    options.texture = file;
    const auto textured = makeTorus(options);
    textured->surface.materials[0].diffuse = pliant::Vector3::Constant(0.8);
    const auto picture = renderPicture(instanced(textured, 1, ModelGeometry::HalfFloat), "materials", eye, centre);
    std::remove(file.c_str());
    ASSERT_TRUE(picture);
    int red = 0, blue = 0, white = 0;
    for (int y = 0; y < picture->t(); ++y) {
        for (int x = 0; x < picture->s(); ++x) {
            const unsigned char* p = pixelOf(*picture, x, y);
            red += p[0] > 120 && p[1] < 70 && p[2] < 70;
            blue += p[2] > 110 && p[2] > p[0] + 40 && y > 60 && y < 180 && p[0] < 90;
            white += p[0] > 215 && p[1] > 205 && p[2] > 180;
        }
    }
    EXPECT_GT(red, 400);
    EXPECT_GT(blue, 400);
    EXPECT_GT(white, 400);
}

TEST(GpuDeformation, FewerTrianglesInTheDistanceLookTheSame) {
    PLIANT_NEEDS_OPENGL();
    TorusOptions options;
    options.around = 96;
    options.tube = 48;
    const auto model = makeTorus(options);
    osg::ref_ptr<BodyGroup> group = new BodyGroup(new ModelGeometry(model), 6);
    for (int i = 0; i < 6; ++i) group->setBody(i, frameOf(i), makeCoordinates(10, i).data());
    osg::ref_ptr<osg::Node> scene = staged(group);
    const osg::Vec3d far = eye * 3.0;
    group->setPixelError(0.0);
    const auto full = renderPicture(scene, "level_full", far, centre);
    group->setPixelError(0.7);
    const auto reduced = renderPicture(scene, "level_reduced", far, centre);
    group->setPixelError(1e6);
    const auto coarsest = renderPicture(scene, "level_coarsest", far, centre);
    ASSERT_TRUE(full && reduced && coarsest);
    const int differing = countDifferentPixels(*full, *reduced, 25);
    EXPECT_GT(countDifferentPixels(*full, *reduced, 0), 0) << "a coarser level was drawn";
    EXPECT_LT(differing, 320 * 240 / 500);
    EXPECT_GT(countDifferentPixels(*full, *coarsest, 25), 2 * differing);
}
