// SPDX-License-Identifier: Zlib
// What vertex shaders of others become.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <sstream>

#include "osgPliant/BodyGroup.h"
#include "osgPliant/DeformingShaders.h"

using osgPliant::BodyGroup;
using testing::HasSubstr;
using testing::Not;

namespace {

/// Occurrences of a text.
int countOf(const std::string& text, const std::string& part) {
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

}  // namespace

TEST(DeformingShaders, NamesVersionsAndExtensions) {
    const auto made = osgPliant::makeDeforming(
        {"// a comment\n#version 150 compatibility\n#extension GL_ARB_gpu_shader5 : enable\nuniform mat4 "
         "osg_ModelViewMatrix;\nvec4 gl_VertexLike;\nvoid main() { vec4 p = osg_ModelViewMatrix * gl_Vertex; "
         "gl_Position = "
         "gl_ProjectionMatrix * p + gl_VertexLike; }",
         "#version 460\nvec3 twice() { return 2.0 * gl_NormalMatrix * gl_Normal; }"},
        2);
    EXPECT_EQ(made.problem, "");
    ASSERT_EQ(made.shaders.size(), 2u);
    for (const std::string& text : {made.shaders[0], made.shaders[1], made.main})
        EXPECT_EQ(text.rfind("#version 460 compatibility\n#extension GL_ARB_gpu_shader5 : enable\n", 0), 0u);
    EXPECT_THAT(made.shaders[0], HasSubstr("void pliantMain()"));
    EXPECT_THAT(made.shaders[0], HasSubstr("pliantModelView * pliantPosition"));
    EXPECT_THAT(made.shaders[0], HasSubstr("gl_VertexLike"));
    EXPECT_THAT(made.shaders[0], Not(HasSubstr("uniform mat4")));
    EXPECT_THAT(made.shaders[1], HasSubstr("pliantNormalMatrix * pliantNormal"));
    EXPECT_THAT(made.main, HasSubstr("pliantNormal = "));
    EXPECT_THAT(made.main, Not(HasSubstr("pliantModelViewProjection")));
    EXPECT_THAT(osgPliant::makeDeforming({"#version 300 es\nvoid main() {}"}, 1).problem, HasSubstr("OpenGL ES"));
    EXPECT_THAT(osgPliant::makeDeforming({"float f() { return 1.0; }"}, 1).problem, HasSubstr("main()"));
}

// Each matrix of OpenGL's that has the model's place in it, under every one of its names.
TEST(DeformingShaders, EveryMatrixOfTheModelIsTheBodys) {
    for (const char* which : {"", "Inverse", "Transpose", "InverseTranspose"})
        for (const char* matrix : {"ModelView", "ModelViewProjection"}) {
            const std::string builtIn = std::string("gl_") + matrix + "Matrix" + which;
            const std::string ours = std::string("pliant") + matrix + which;
            const auto made =
                osgPliant::makeDeforming({"void main() { gl_Position = " + builtIn + " * vec4(1.0); }"}, 1);
            EXPECT_THAT(made.shaders[0], HasSubstr("gl_Position = " + ours + " *"));
            EXPECT_THAT(made.shaders[0], HasSubstr("mat4 " + ours + ";"));
            EXPECT_THAT(made.main, HasSubstr("    " + ours + " = "));
        }
}

// What docs/osg-nodes.md counts of a card's work, c texels of q.
TEST(DeformingShaders, FetchWhatThePageSays) {
    const auto countsOf = [](const std::string& shader) {
        const std::string text = osgPliant::makeDeforming({shader}, 10).main;
        const std::size_t loop = text.find("for (int chunk"), end = text.find("\n    }\n", loop);
        const std::string each = text.substr(loop, end - loop), once = text.substr(end);
        EXPECT_EQ(countOf(text.substr(0, loop), "texelFetch("), 0);
        EXPECT_EQ(countOf(once, "texelFetch(pliantBasis"), 0);
        EXPECT_EQ(countOf(each, "dot("), countOf(each, "texelFetch(pliantBasis")) << "four multiply-adds a fetch";
        return std::array<int, 3>{countOf(each, "texelFetch(pliantBasis"), countOf(each, "texelFetch(pliantBodies"),
                                  countOf(once, "texelFetch(pliantBodies")};
    };
    const auto lit = countsOf("void main() { gl_FrontColor = gl_Color * gl_Normal.z; gl_Position = ftransform(); }");
    const auto depth = countsOf("void main() { gl_FrontColor = gl_Color; gl_Position = ftransform(); }");
    EXPECT_EQ(depth[0], 3);
    EXPECT_EQ(lit[1], 1);
    std::stringstream page;
    page << std::ifstream(PLIANT_DOCS_DIR "/osg-nodes.md").rdbuf();
    EXPECT_THAT(page.str(), HasSubstr(std::to_string(lit[0]) + " c = " + std::to_string(10 * lit[0]) + " texels"));
    EXPECT_THAT(page.str(), HasSubstr(std::to_string(depth[0]) + " c without normals"));
    EXPECT_THAT(page.str(), HasSubstr("c + " + std::to_string(lit[2]) + " = " + std::to_string(10 + lit[2]) +
                                      " texels of 16 bytes"));
    EXPECT_THAT(page.str(), HasSubstr(std::to_string(4 * lit[0]) + " c multiplications and additions = " +
                                      std::to_string(2 * 4 * lit[0] * 10) + " flops"));
}

// Nothing deforms twice: where shaders call the deformation, names of the vertex stay the rest shape's, but for what
// ftransform() stands for. A definition that other nodes are drawn with gives way to ours.
TEST(DeformingShaders, ShadersThatCallTheDeformation) {
    const auto made = osgPliant::makeDeforming(
        {"void pliantDeform(inout vec4 p, inout vec3 n);\nvoid main() { vec4 p = gl_Vertex; vec3 n = gl_Normal; "
         "pliantDeform(p, n); gl_FrontColor = gl_Color; gl_Position = gl_ModelViewProjectionMatrix * p + ftransform(); "
         "}",
         "void pliantDeform ( inout vec4 p, inout vec3 n )\n{ }"},
        3);
    EXPECT_EQ(made.problem, "");
    EXPECT_THAT(made.shaders[0], HasSubstr("vec4 p = gl_Vertex; vec3 n = gl_Normal; pliantDeform(p, n);"));
    EXPECT_THAT(made.shaders[0],
                HasSubstr("pliantModelViewProjection * p + (pliantModelViewProjection * pliantPosition)"));
    EXPECT_THAT(made.shaders[0], HasSubstr("gl_FrontColor = pliantColour;"));
    EXPECT_THAT(made.shaders[1], Not(HasSubstr("void pliantDeform (")));
    EXPECT_EQ(countOf(made.main, "{\n    int vertex = pliantVertexRow"), 1);
    EXPECT_EQ(countOf(made.main, "texelFetch(pliantBasis, dn"), 3) << "normals are always theirs";
    EXPECT_EQ(countOf(osgPliant::makeDeforming({"void main() { gl_Position = gl_Vertex; }"}, 3).main, "pliantDeform"),
              0);
}

// A program that brings the empty function alone, or names it in a comment, asks for nothing.
TEST(DeformingShaders, DefinitionsAndCommentsCallNothing) {
    const auto made = osgPliant::makeDeforming({"void pliantDeform(inout vec4 p, inout vec3 n) {}\n"
                                                "// pliantDeform(a, b)\n/* pliantDeform(\na, b) **/\n"
                                                "void main() { gl_Position = gl_Vertex; }"},
                                               2);
    EXPECT_EQ(made.problem, "");
    EXPECT_THAT(made.shaders[0], HasSubstr("gl_Position = pliantPosition;"));
}

TEST(DeformingShaders, DeclarationsMayHaveALayout) {
    const auto made = osgPliant::makeDeforming({"#version 330\nlayout(location = 0) in vec4 osg_Vertex;\nlayout "
                                                "(location=2) in vec3 osg_Normal;\nvoid main() { "
                                                "gl_Position = osg_Vertex + vec4(osg_Normal, 0.0); }"},
                                               2);
    EXPECT_EQ(made.problem, "");
    EXPECT_THAT(made.shaders[0], Not(HasSubstr("layout")));
    EXPECT_THAT(made.shaders[0], HasSubstr("pliantPosition + vec4(pliantNormal, 0.0)"));
}

TEST(DeformingShaders, WhatIsNoneOfGlslThrowsNothing) {
    const std::string text = "in vec3 a;\nvoid main() { gl_Position = vec4(a, 1.0); }";
    EXPECT_THAT(osgPliant::makeDeforming({"#version 99999999999\n" + text}, 1).problem, HasSubstr("#version"));
    EXPECT_THAT(osgPliant::makeDeforming({text}, 1, {"a[", "(.*"}).shaders[0], HasSubstr("in vec3 a;"));
    const osg::ref_ptr<BodyGroup> group = new BodyGroup;
    group->setAttributeNames("place", "");
    ::testing::internal::CaptureStderr();
    group->setAttributeNames("a[", "facing");
    EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("a["));
    EXPECT_EQ(group->getPositionName(), "place");
}
