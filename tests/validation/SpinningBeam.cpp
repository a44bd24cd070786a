// SPDX-License-Identifier: Zlib
// A beam clamped on an axis and spun about it: the centrifugal force pulls it straight and raises its frequency. A
// uniform Euler-Bernoulli beam without a hub that swings out of the plane of rotation (flapping) has, with
// b = omega L^2 sqrt(rho A / (E I)) and s = Omega L^2 sqrt(rho A / (E I)) [W82 table 1],
//
//     s = 0: b = 3.5160,   s = 2: b = 4.1373,   s = 4: b = 5.5850,   s = 6: b = 7.3604,
//
// and in the plane of rotation (lead-lag) b_lag^2 = b^2 - s^2, for the centrifugal force turns with the beam.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "DenseAlgebra.h"
#include "contact/TruthModels.h"
#include "pliant/runtime/BodyBatch.h"

namespace pliant {
namespace {

constexpr double length = 1.0, side = 0.02;

std::shared_ptr<const ReducedModel> makeBeam() {
    test::BlockShape shape;
    shape.a = 30;
    shape.b = shape.c = 2;
    shape.size = Vector3(length, side, side);
    shape.density = 1000.0;
    shape.young = 1e8;
    const VolumeMesh mesh = test::blockMesh(shape);
    std::vector<int> root;
    for (int v = 0; v < mesh.vertexCount(); ++v)
        if (mesh.positions(0, v) < 1e-9) root.push_back(v);
    ReduceOptions options;
    options.modes = 6;
    options.dimension = 27;
    options.orthogonalisation = Orthogonalisation::GramSchmidt;
    return test::reduceMesh(mesh, options, root);
}

/// Angular frequency of small oscillations along the mesh's axis `direction`, the beam spun about its z axis.
double frequency(const std::shared_ptr<const ReducedModel>& model, double spin, const Vector3& direction,
                 double guess) {
    BatchSettings settings;
    settings.doublePrecision = true;
    settings.blockSize = 1;
    settings.newmark.iterations = 3;
    settings.damping.mass = 30.0;
    BodyBatch batch(model, settings);
    const int body = batch.add();
    const Matrix3 bodyFromMesh = model->meshFromBody.rotation.transpose();
    FrameMotion frame;
    frame.driven = true;
    frame.angularVelocity = bodyFromMesh * Vector3(0, 0, spin);
    // The frame's origin is the centre of mass, L / 2 away from the axis.
    const Vector3 arm = bodyFromMesh * Vector3(model->meshFromBody.translation.x(), 0, 0);
    frame.acceleration = frame.angularVelocity.cross(frame.angularVelocity.cross(arm));
    const double h = 2.0 * 3.14159265358979 / guess / 400.0;
    const Workers workers(1);
    const auto step = [&] {
        batch.setFrame(body, frame);
        batch.step(h, {body}, workers);
    };
    for (int i = 0; i * h < 1.0; ++i) step();
    const VectorX still = batch.q(body);
    settings.damping.mass = 0.0;
    batch.setSettings(settings);
    // Kick the first shape of this direction: the mean velocity along it.
    const Matrix<double, 3, Eigen::Dynamic> tip =
        interpolateBasis({PointLocator(model->mesh).locate(Vector3(length, 0.5 * side, 0.5 * side))}, model->basis);
    const VectorX row = tip.transpose() * (bodyFromMesh * direction);
    const Eigen::MatrixXd modes = test::eigenvectorsOf(model->energy.linearStiffness);
    for (int mode = 0; mode < 2; ++mode) {  // the two lowest ones bend it in y and z, in any mixture
        const Eigen::VectorXd shape = modes.col(mode);
        batch.velocity(body) += 1e-3 * shape.dot(row) * shape;
    }
    batch.resetAcceleration(body);
    double last = 0.0, first = -1.0, latest = 0.0;
    int crossings = 0;
    for (int i = 1; i <= 400 * 6; ++i) {
        step();
        const double now = row.dot(batch.q(body) - still);
        if (last < 0.0 && now >= 0.0) {
            latest = (i - now / (now - last)) * h;
            if (first < 0.0) first = latest;
            ++crossings;
        }
        last = now;
    }
    EXPECT_GE(crossings, 4);
    return 2.0 * 3.14159265358979 * (crossings - 1) / (latest - first);
}

TEST(SpinningBeam, CentrifugalForceRaisesItsFirstFrequencyAsTheorySays) {
    const auto model = makeBeam();
    const Vector3 flap(0, 0, 1), lag(0, 1, 0);
    const double unit = std::sqrt(model->restEigenvalues[0]) / 3.5160;  // E I / (rho A L^4), square root, as meshed
    const double still = frequency(model, 0.0, flap, 3.516 * unit) / unit;
    EXPECT_NEAR(still, 3.5160, 0.005);
    const double table[3][2] = {{2.0, 4.1373}, {4.0, 5.5850}, {6.0, 7.3604}};
    for (const auto& [s, b] : table) {
        const double lagging = std::sqrt(b * b - s * s);
        const double out = frequency(model, s * unit, flap, b * unit) / unit;
        const double in = frequency(model, s * unit, lag, lagging * unit) / unit;
        std::printf("spin %.0f: flap %.4f (theory %.4f), lead-lag %.4f (theory %.4f)\n", s, out, b, in, lagging);
        // What spinning adds to the square, which is what theory is about.
        EXPECT_NEAR(out * out - still * still, b * b - 3.516 * 3.516, 0.03 * (b * b - 3.516 * 3.516));
        EXPECT_NEAR(out, b, 0.02 * b);
        EXPECT_NEAR(in, lagging, 0.02 * lagging);
    }
}

}  // namespace
}  // namespace pliant
