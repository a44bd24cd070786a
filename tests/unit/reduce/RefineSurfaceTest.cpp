// SPDX-License-Identifier: Zlib
// A drawn surface follows the body between its vertices, however coarse it came.
#include <gmock/gmock.h>

#include "InputMeshes.h"
#include "pliant/mesh/Embedding.h"
#include "pliant/mesh/SurfaceClosure.h"
#include "pliant/reduce/Reduce.h"

namespace {

using namespace pliant;

const char* const plateText =
    "v 0 0 0\nv 0.4 0 0\nv 0.4 0.3 0\nv 0 0.3 0\nv 0 0 0.004\nv 0.4 0 0.004\nv 0.4 0.3 0.004\nv 0 0.3 0.004\n"
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

ReduceOptions plateOptions() {
    ReduceOptions options;
    options.voxels = 24;
    options.modes = 4;
    options.dimension = 8;
    return options;
}

/// How far the flat triangles stray from the material in the shape of the lowest frequency, as a share of that shape's
/// largest displacement.
double strayOfLowestShape(const ReducedModel& model) {
    const VectorX q = model.restEigenvectors.col(0);
    const VectorX material = model.basis * q, drawn = model.surfaceBasis.cast<double>() * q;
    double largest = 0.0, stray = 0.0;
    for (Eigen::Index v = 0; v < model.mesh.vertexCount(); ++v)
        largest = std::max(largest, material.segment<3>(3 * v).norm());
    const PointLocator locator(model.mesh);
    for (int t = 0; t < model.surface.triangleCount(); ++t)
        for (int c = 0; c < 3; ++c) {
            const int a = model.surface.triangles(c, t), b = model.surface.triangles((c + 1) % 3, t);
            const Vector3 middle = model.meshFromBody.point(
                Vector3(0.5 * (model.surface.positions.col(a) + model.surface.positions.col(b))));
            const Vector3 flat = 0.5 * (drawn.segment<3>(3 * a) + drawn.segment<3>(3 * b));
            const Vector3 there = interpolateBasis({locator.locate(middle)}, model.basis) * q;
            stray = std::max(stray, (there - flat).norm());
        }
    return stray / largest;
}

TEST(RefineSurface, APlateOfTwelveTrianglesBendsWhereItsMaterialBends) {
    const test::InputFolder folder;
    const std::string input = folder.write("plate.obj", plateText);
    ReduceOptions options = plateOptions();
    ReductionReport report;
    const auto fine = reduceFile(input, options, {}, &report);
    options.refine = 0.0;
    const auto coarse = reduceFile(input, options);
    EXPECT_EQ(coarse->surface.triangleCount(), 12);
    EXPECT_GT(strayOfLowestShape(*coarse), 0.3) << "the corners' motion alone";
    EXPECT_LT(strayOfLowestShape(*fine), ReduceOptions().refine);
    EXPECT_LT(fine->surface.triangleCount(), 1000);
    EXPECT_TRUE(examineClosure(fine->surface).closed());
    EXPECT_TRUE(fine->contactSurface.exists());
    EXPECT_THAT(report.notes, testing::Contains(testing::HasSubstr("12 triangles became ")));
    EXPECT_EQ(fine->basis, coarse->basis);
    EXPECT_EQ(fine->inertia.mass, coarse->inertia.mass);
}

TEST(RefineSurface, TheOptionIsPartOfTheProvenanceAndChecked) {
    ReduceOptions options = plateOptions();
    EXPECT_EQ(options.canonical().find("refine"), std::string::npos);
    options.refine = 0.0;
    EXPECT_NE(options.canonical().find(";refine=0"), std::string::npos);
    const test::InputFolder folder;
    options.refine = 1.5;
    try {
        reduceFile(folder.write("plate.obj", plateText), options);
        FAIL() << "a share of 1.5";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("the share at which triangles are refined is 1.5"));
    }
}

}  // namespace
