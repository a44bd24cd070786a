// SPDX-License-Identifier: Zlib
// Hard edges change the picture and nothing else.
#include <gmock/gmock.h>

#include "InputMeshes.h"
#include "pliant/reduce/Reduce.h"

namespace {

using namespace pliant;

const char* const cubeText =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

TEST(Crease, SplitVerticesChangeNothingButThePicture) {
    const test::InputFolder folder;
    const std::string input = folder.write("cube.obj", cubeText);
    ReduceOptions options;
    options.voxels = 3;
    options.refine = 0.0;
    options.modes = 3;
    options.dimension = 6;
    const auto hard = reduceFile(input, options);
    options.creaseAngle = 180.0;
    const auto smooth = reduceFile(input, options);
    ASSERT_EQ(hard->surfaceVertexCount(), 24);
    ASSERT_EQ(smooth->surfaceVertexCount(), 8);
    EXPECT_EQ(hard->basis, smooth->basis);
    EXPECT_EQ(hard->restEigenvalues, smooth->restEigenvalues);
    EXPECT_EQ(hard->skeleton.restCentres, smooth->skeleton.restCentres);
    EXPECT_EQ(hard->skeleton.radii, smooth->skeleton.radii);
    EXPECT_EQ(hard->skeleton.basis, smooth->skeleton.basis);
    // A drawn corner moves with the material, whatever its number.
    for (int t = 0; t < hard->surface.triangleCount(); ++t)
        for (int c = 0; c < 3; ++c) {
            const int a = hard->surface.triangles(c, t), b = smooth->surface.triangles(c, t);
            EXPECT_EQ(hard->surface.positions.col(a), smooth->surface.positions.col(b));
            EXPECT_EQ(hard->surfaceBasis.middleRows<3>(3 * a), smooth->surfaceBasis.middleRows<3>(3 * b));
        }
    EXPECT_EQ(options.canonical().find(";crease=180;"), options.canonical().find(";crease"));
    options.creaseAngle = 200.0;
    try {
        reduceFile(input, options);
        FAIL() << "200 degrees";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("the crease angle is 200.000000 degrees"));
    }
}

TEST(Crease, NormalsOfTheFileStay) {
    const test::InputFolder folder;
    const std::string text =
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nvn 0 0 1\n"
        "f 1//1 4//1 3//1 2//1\nf 5//1 6//1 7//1 8//1\nf 1//1 2//1 6//1 5//1\n"
        "f 2//1 3//1 7//1 6//1\nf 3//1 4//1 8//1 7//1\nf 4//1 1//1 5//1 8//1\n";
    ReduceOptions options;
    options.voxels = 3;
    options.refine = 0.0;
    options.modes = 3;
    options.dimension = 6;
    const auto model = reduceFile(folder.write("cube.obj", text), options);
    EXPECT_EQ(model->surfaceVertexCount(), 8);
    options.surface = folder.write("plain.obj", cubeText);
    EXPECT_EQ(reduceFile(folder.file("cube.obj"), options)->surfaceVertexCount(), 24) << "of the surface that is drawn";
}

}  // namespace
