// SPDX-License-Identifier: Zlib
// Bad input: one clear message each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "InputMeshes.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/reduce/Reduce.h"

namespace {

using namespace pliant;

class Refusal : public ::testing::Test {
protected:
    void SetUp() override {
        writeVeg(test::lopsidedBricks(), m_folder.file("a.veg"));
        m_options.modes = 4;
        m_options.dimension = 6;
    }
    void expect(const std::string& reason) { expect(reason, m_folder.file("a.veg")); }
    void expect(const std::string& reason, const std::string& input) {
        std::string message = "nothing was refused";
        try {
            reduceFile(input, m_options);
        } catch (const Error& error) {
            message = error.what();
        }
        EXPECT_NE(message.find(reason), std::string::npos) << reason << " | " << message;
    }
    test::InputFolder m_folder;
    ReduceOptions m_options;
};

TEST_F(Refusal, Files) {
    expect("none.veg", m_folder.file("none.veg"));
    expect("files that end in '.doc' cannot be reduced", m_folder.write("a.doc", "solid"));
    expect("files that end in '' cannot be reduced", m_folder.write("plain", ""));
    expect("empty.obj", m_folder.write("empty.obj", ""));
    m_options.surface = m_folder.file("none.obj");
    expect("none.obj");
}

TEST_F(Refusal, FixedVertices) {
    m_options.fixedVertices = m_folder.write("none.bou", "");
    expect("none.bou");
    m_options.fixedVertices = m_folder.write("far.bou", "1,2,1000000");
    expect("far.bou:1");
    const int n = test::lopsidedBricks().vertexCount();
    std::string all;
    for (int v = 1; v <= n; ++v) all += std::to_string(v) + ",";
    m_options.fixedVertices = m_folder.write("all.bou", all);
    expect("holds every one of the " + std::to_string(n) + " vertices");
    m_options.fixedVertices = m_folder.write("one.bou", "1");
    expect("zero modes");
}

TEST_F(Refusal, MoreShapesThanThereAre) {
    m_options.modes = 10000;
    expect("modes");
    m_options.modes = 4;
    m_options.dimension = 15;
    expect("dimension 15 is more than 4 modes and their derivatives span (14)");
    m_options.dimension = 0;
    expect("the dimension is 0");
    m_options.dimension = 6;
    m_options.modes = 0;
    expect("the number of modes is 0");
}

// Two modes make five shapes: thirty columns are nobody's wish.
TEST_F(Refusal, NotOverADefaultThatNobodyGave) {
    ReduceOptions options;
    options.modes = 2;
    options.lowerDefaultDimension();
    EXPECT_EQ(options.dimension, 5);
    options.derivatives = DerivativeForm::None;
    options.lowerDefaultDimension();
    EXPECT_EQ(options.dimension, 2);
    options.modes = 20;
    options.dimension = 30;
    options.derivatives = DerivativeForm::Static;
    options.lowerDefaultDimension();
    EXPECT_EQ(options.dimension, 30);
}

// A single tetrahedron has six ways to bend. Whoever asks for twenty is told so; whoever asked for nothing gets the
// six.
TEST_F(Refusal, NotAMeshThatBendsInFewWays) {
    const std::string file = m_folder.write("one.vtk",
                                            "# vtk DataFile Version 3.0\none\nASCII\nDATASET UNSTRUCTURED_GRID\n"
                                            "POINTS 4 double\n0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 1 5\n4 0 1 2 3\n"
                                            "CELL_TYPES 1\n10\n");
    m_options = ReduceOptions();
    expect("20 modes asked for, but the mesh has only 6", file);
    m_options.modesAtMost = true;
    expect("30 columns asked for, but 6 modes and their derivatives give at most 27", file);
    m_options.dimensionAtMost = true;
    ReductionReport report;
    const auto model = reduceFile(file, m_options, {}, &report);
    EXPECT_EQ(model->dimension(), 6);
    EXPECT_THAT(report.notes, ::testing::Contains(::testing::HasSubstr("only 6 elastic degrees of freedom")));
}

TEST_F(Refusal, ImpossibleMaterials) {
    m_options.poissonRatio = 0.5;
    expect("Poisson's ratio is 0.5");
    m_options.poissonRatio.reset();
    m_options.density = -1.0;
    expect("the density is -1.0");
    m_options.density.reset();
    m_options.youngsModulus = 0.0;
    expect("Young's modulus is 0.0");
}

TEST_F(Refusal, BodiesInParts) {
    VolumeMesh parts = test::bricks(3, 1, 1, Vector3(0.1, 0.1, 0.1), [](int i, int, int) { return i != 1; });
    writeVeg(parts, m_folder.file("parts.veg"));
    expect("parts.veg", m_folder.file("parts.veg"));
}

}  // namespace
