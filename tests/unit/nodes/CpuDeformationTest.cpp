// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <map>

#include "TestModels.h"
#include "osgPliant/CpuDeformation.h"

using namespace pliant;
using namespace pliant::test;

namespace {

/// Area-weighted vertex normals of a closed mesh whose seams are welded by position at rest.
PointsF recomputedNormals(const ReducedModel& model, const PointsF& positions) {
    PointsF sum = PointsF::Zero(3, positions.cols());
    const Triangles& triangles = model.surface.triangles;
    for (Eigen::Index t = 0; t < triangles.cols(); ++t) {
        const Eigen::Vector3f a = positions.col(triangles(0, t)), b = positions.col(triangles(1, t)),
                              c = positions.col(triangles(2, t));
        for (int k = 0; k < 3; ++k) sum.col(triangles(k, t)) += (b - a).cross(c - a);
    }
    const Points& rest = model.surface.positions;
    std::map<std::array<double, 3>, Eigen::Vector3f> welded;
    const auto at = [&](Eigen::Index v) -> Eigen::Vector3f& {
        return welded.try_emplace({rest(0, v), rest(1, v), rest(2, v)}, Eigen::Vector3f::Zero()).first->second;
    };
    for (Eigen::Index v = 0; v < rest.cols(); ++v) at(v) += sum.col(v);
    for (Eigen::Index v = 0; v < rest.cols(); ++v) sum.col(v) = at(v).normalized();
    return sum;
}

}  // namespace

TEST(CpuDeformation, IsTheRestShapeAtZero) {
    const auto model = makeTorus();
    const std::vector<double> q(10, 0.0);
    PointsF positions, normals;
    osgPliant::deformOnCpu(*model, q.data(), positions, normals);
    EXPECT_LT((positions.cast<double>() - model->surface.positions).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_LT((normals.cast<double>() - model->surface.normals).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(CpuDeformation, IsLinearInQ) {
    const auto model = makeTorus();
    const std::vector<double> q = makeCoordinates(10, 3);
    PointsF positions;
    osgPliant::deformOnCpu(*model, q.data(), positions);
    const int v = 137;
    Vector3 expected = model->surface.positions.col(v);
    for (int j = 0; j < 10; ++j) {
        expected += q[static_cast<std::size_t>(j)] * model->surfaceBasis.block<3, 1>(3 * v, j).cast<double>();
    }
    EXPECT_LT((positions.col(v).cast<double>() - expected).norm(), 1e-6);
}

TEST(CpuDeformation, CorrectedNormalsAreThoseOfTheDeformedSurface) {
    TorusOptions options;
    options.around = 96;
    options.tube = 48;
    const auto model = makeTorus(options);
    PointsF positions, normals;
    double corrected = 0.0, uncorrected = 0.0;
    for (int seed = 0; seed < 3; ++seed) {
        osgPliant::deformOnCpu(*model, makeCoordinates(10, seed, 0.008).data(), positions, normals);
        const PointsF truth = recomputedNormals(*model, positions);
        corrected += (normals - truth).cwiseAbs().mean() / 3.0;
        uncorrected += (model->surface.normals.cast<float>() - truth).cwiseAbs().mean() / 3.0;
    }
    EXPECT_LT(corrected, 1.0 / 255.0);
    EXPECT_GT(uncorrected, 4.0 * corrected);
}
