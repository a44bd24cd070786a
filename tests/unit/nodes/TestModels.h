// SPDX-License-Identifier: Zlib
// Models made in memory: a torus that deforms by smooth analytic fields u_j(X) = a_j sin(w_j . X + p_j).
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <osg/Image>
#include <osg/Node>
#include <vector>

#include "osgPliant/EglContext.h"
#include "pliant/model/ReducedModel.h"

namespace pliant::test {

struct TorusOptions {
    double ringRadius = 0.35;
    double tubeRadius = 0.12;
    int around = 48;  ///< quads around the ring
    int tube = 24;    ///< quads around the tube
    int dimension = 10;
    int materials = 1;  ///< ring sectors of alternating materials
    std::string texture;
};

/// Closed surface with normals, texture coordinates, U_ij and dN_ij = -grad(u_j)' N (first order in q).
std::shared_ptr<ReducedModel> makeTorus(const TorusOptions& options = {});

/// r coordinates of moderate size, different for every seed.
std::vector<double> makeCoordinates(int dimension, int seed, double size = 0.02);

/// A model whose surface is `model`'s deformed on the CPU, and which does not deform (r = 0).
std::shared_ptr<ReducedModel> freeze(const ReducedModel& model, const std::vector<double>& q);

/// One update traversal.
void updateOnce(osg::Node& node);

/// Renders one frame; null if there is no OpenGL. With PLIANT_TEST_PICTURES set to a folder, also saves NAME.png there.
osg::ref_ptr<osg::Image> renderPicture(osg::Node* scene, const std::string& name, const osg::Vec3d& eye,
                                       const osg::Vec3d& centre, int width = 320, int height = 240);

/// Pixels of which some channel differs by more than `tolerance` of 255.
int countDifferentPixels(const osg::Image& a, const osg::Image& b, int tolerance);
/// Mean of the channels of a rectangle, 0..255.
double meanBrightness(const osg::Image& image, int x, int y, int width, int height);

/// Whether headless OpenGL works at all here.
bool hasOpenGL(std::string* problem);

}  // namespace pliant::test

/// Skips the running test, saying what is missing.
#define PLIANT_NEEDS_OPENGL()  \
    std::string openGLProblem; \
    if (!pliant::test::hasOpenGL(&openGLProblem)) GTEST_SKIP() << openGLProblem
