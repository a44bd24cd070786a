// SPDX-License-Identifier: Zlib
// Centrifugal shapes, sketch, snapshots and the visibility rule, each against something known.
#include "pliant/basis/CentrifugalShapes.h"
#include "pliant/basis/RigidModes.h"
#include "pliant/basis/Sketch.h"
#include "pliant/basis/Snapshots.h"
#include "pliant/basis/VisibleModes.h"
#include "pliant/fem/FullNewmark.h"
#include "pliant/math/Error.h"
#include "unit/fem/BeamMesh.h"

namespace pliant {
namespace {

const test::BeamShape beam{16, 2, 2, 1.0, 0.05, 0.05, ElementKind::Brick};

VolumeMesh meshOf(double poisson) {
    VolumeMesh mesh = test::beamMesh(beam);
    mesh.materials[0] = ElasticMaterial{"beam", 1000.0, 1e7, poisson};
    return mesh;
}

PointForce tipForce(const Vector3& force) {
    PointForce f;
    f.vertex = test::beamVertex(beam, 16, 1, 1);
    f.force = force;
    return f;
}

TEST(CentrifugalShapesTest, RodStretchesByTheKnownAmount) {
    // Turning at W = 1 rad/s about z, without Poisson's effect: u(a) = rho W^2 a^3 / (3 E) at the end, a = half length.
    // Linear elements meet it at their nodes.
    const FullModel model(meshOf(0.0));
    const StaticCompliance compliance(model, {});
    const MatrixX shapes = centrifugalShapes(compliance);
    ASSERT_EQ(shapes.cols(), 6);
    const double expected = 1000.0 * 0.5 * 0.5 * 0.5 / (3.0 * 1e7);
    EXPECT_NEAR(shapes(3 * test::beamVertex(beam, 16, 1, 1), 0) / expected, 1.0, 1e-8);
    EXPECT_NEAR(shapes(3 * test::beamVertex(beam, 0, 1, 1), 0) / expected, -1.0, 1e-8);
    const MatrixX R = compliance.rigid();
    EXPECT_LT((R.transpose() * (model.massMatrix() * shapes)).norm(), 1e-12 * shapes.norm());
}

TEST(CentrifugalShapesTest, SpanTheAnswerToSpinningAboutAnyAxis) {
    const FullModel model(meshOf(0.3));
    const StaticCompliance compliance(model, {});
    const Vector3 W(0.3, -1.0, 0.7), centre(0.5, 0.025, 0.025);
    const Matrix3 load = W.squaredNorm() * Matrix3::Identity() - W * W.transpose();
    const VectorX answer =
        compliance.apply(VectorX(model.massMatrix() * linearField(model.mesh(), load, -load * centre)));
    const MatrixX shapes = centrifugalShapes(compliance);
    VectorX sum = VectorX::Zero(answer.size());
    Eigen::Index column = 0;
    for (int a = 0; a < 3; ++a)
        for (int b = a; b < 3; ++b) sum += load(a, b) * shapes.col(column++);
    EXPECT_LT((sum - answer).norm(), 1e-9 * answer.norm());
}

TEST(SketchTest, SeparatedColumnsKeepTheirDistance) {
    const FullModel model(meshOf(0.3));
    MatrixX X(model.degreesOfFreedom(), 5);
    const VectorX field = test::wavyField(model.mesh(), 1.0);
    X << field, 1.01 * field, 0.0 * field, 2.0 * field, -field;
    const double length = std::sqrt(field.dot(model.massMatrix() * field));
    EXPECT_EQ(separated(model.massMatrix(), X, 0.1 * length), (std::vector<int>{0, 3, 4}));
    EXPECT_EQ(separated(model.massMatrix(), X, 0.001 * length), (std::vector<int>{0, 1, 3, 4}));
    EXPECT_EQ(separated(model.massMatrix(), X, 1.5 * length), (std::vector<int>{3}));
}

TEST(SketchTest, ShapesAreEquilibriaAndCloseForcesCountOnce) {
    const FullModel model(meshOf(0.3));
    const StaticCompliance compliance(model, test::clampedEnd(beam));
    SketchOptions options;
    options.loadSteps = 2;
    const MatrixX shapes = sketchShapes(
        compliance, {tipForce({0.0, 0.0, 2.0}), tipForce({0.0, 0.0, 2.01}), tipForce({0.0, 1.5, 0.0})}, options);
    ASSERT_EQ(shapes.cols(), 4);
    for (const Eigen::Index j : {1, 3}) {
        VectorX load = model.internalForce(shapes.col(j));
        load = compliance.anchoring().expand(compliance.anchoring().reduced(load));
        const VectorX force = load.segment<3>(3 * test::beamVertex(beam, 16, 1, 1));
        EXPECT_LT((force - (j == 1 ? Vector3(0.0, 0.0, 2.0) : Vector3(0.0, 1.5, 0.0))).norm(), 1e-8);
        EXPECT_NEAR(load.norm(), force.norm(), 1e-8);
    }
    // The tip goes down as it bends: a linear answer would not.
    const double shortening = shapes(3 * test::beamVertex(beam, 16, 1, 1), 1);
    EXPECT_LT(shortening, -0.003);
}

TEST(SketchTest, PositionsInsideElementsActLikeTheirCorners) {
    const VolumeMesh mesh = meshOf(0.3);
    PointForce f;
    f.position = Vector3(0.53, 0.03, 0.01);
    f.force = Vector3(1.0, -2.0, 3.0);
    const VectorX loads = vertexLoads(mesh, {f});
    Vector3 sum = Vector3::Zero(), moment = Vector3::Zero();
    for (Eigen::Index v = 0; v < mesh.positions.cols(); ++v) {
        const Vector3 at = mesh.positions.col(v), force = loads.segment<3>(3 * v);
        sum += force;
        moment += at.cross(force);
    }
    EXPECT_LT((sum - f.force).norm(), 1e-12);
    EXPECT_LT((moment - f.position.cross(f.force)).norm(), 1e-12);
    f.vertex = mesh.vertexCount();
    EXPECT_THROW(vertexLoads(mesh, {f}), Error);
}

TEST(SketchTest, FreeBodiesAreBalancedByTheirInertia) {
    const FullModel model(meshOf(0.3));
    const StaticCompliance compliance(model, {});
    const MatrixX shapes = sketchShapes(compliance, {tipForce({0.0, 0.0, 4.0})});
    const SparseMatrix& M = model.massMatrix();
    const MatrixX& R = compliance.rigid();
    ASSERT_GE(shapes.cols(), 3);
    const VectorX u = shapes.rightCols(1);
    EXPECT_LT((R.transpose() * (M * u)).norm(), 1e-10 * std::sqrt(u.dot(M * u)));
    const VectorX rest = vertexLoads(model.mesh(), {tipForce({0.0, 0.0, 4.0})}) - model.internalForce(u);
    EXPECT_LT((rest - M * (R * (R.transpose() * rest))).norm(), 1e-8);
    EXPECT_GT(u.cwiseAbs().maxCoeff(), 3e-3);
}

TEST(SketchTest, BucklingEndsTheLoadAtEulersForce) {
    // Pushed along its axis the beam has no stable equilibrium beyond pi^2 E I / (4 L^2); the message says how far it
    // got. E I of these coarse bricks, which are too stiff in bending: L^3 / 3 over the deflection under 1 N.
    const FullModel model(meshOf(0.0));
    const StaticCompliance compliance(model, test::clampedEnd(beam));
    const VectorX bent = compliance.apply(vertexLoads(model.mesh(), {tipForce({0.0, 0.0, 1.0})}));
    const double bendingStiffness = 1.0 / (3.0 * bent[3 * test::beamVertex(beam, 16, 1, 1) + 2]);
    const double euler = 0.25 * M_PI * M_PI * bendingStiffness;
    try {
        sketchShapes(compliance, {tipForce({0.0, 0.0, 1.0}), tipForce({-4.0 * euler, 0.0, 0.0})});
        FAIL() << "a beam that does not buckle";
    } catch (const Error& error) {
        const std::string text = error.what();
        EXPECT_EQ(text.rfind("sketch, force 2: ", 0), 0u) << text;
        const std::size_t beyond = text.find("beyond ");
        ASSERT_NE(beyond, std::string::npos) << text;
        EXPECT_NE(text.find("% of the load"), std::string::npos) << text;
        const double share = std::stod(text.substr(beyond + 7)) / 100.0;
        EXPECT_NEAR(4.0 * share, 1.0, 0.05) << text;
    }
}

TEST(SnapshotsTest, AreStatesOfTheFullSimulation) {
    const FullModel model(meshOf(0.3));
    SnapshotRun run;
    run.duration = 0.1;
    run.timeStep = 0.01;
    run.count = 5;
    run.forces = {{tipForce({0.0, 0.0, 3.0}), 0.0, 0.03}};
    const std::vector<int> fixed = test::clampedEnd(beam);
    const MatrixX shapes = snapshotShapes(model, fixed, run);
    ASSERT_EQ(shapes.cols(), 5);
    FullNewmarkOptions newmark;
    newmark.timeStep = 0.01;
    FullNewmark motion(model, Restriction::ofVertices(model.mesh(), fixed), newmark);
    const VectorX load = vertexLoads(model.mesh(), {tipForce({0.0, 0.0, 3.0})});
    for (int i = 1; i <= 10; ++i) {
        motion.step(i <= 3 ? load : VectorX(0.0 * load));
        if (i % 2 == 0) {
            EXPECT_EQ((shapes.col(i / 2 - 1) - motion.displacement()).norm(), 0.0) << i;
        }
    }
    run.forces[0].start = 5.0;
    EXPECT_THROW(snapshotShapes(model, fixed, run), Error);
    int calls = 0;
    run.forces[0].start = 0.0;
    EXPECT_THROW(snapshotShapes(model, fixed, run, [&](const std::string&, double) { return ++calls < 4; }), Cancelled);
    EXPECT_EQ(calls, 4);
}

TEST(SnapshotsTest, RigidMotionIsTakenOutExactly) {
    const FullModel model(meshOf(0.3));
    const MatrixX rigid = rigidModes(model);
    const VectorX d = withoutRigidMotion(model.massMatrix(), rigid, test::wavyField(model.mesh(), 0.02));
    Matrix3 R;
    const double angle = 1.1;
    R << std::cos(angle), -std::sin(angle), 0.0, std::sin(angle), std::cos(angle), 0.0, 0.0, 0.0, 1.0;
    VectorX moved(d.size());
    for (Eigen::Index v = 0; v < model.mesh().positions.cols(); ++v) {
        const Vector3 X = model.mesh().positions.col(v);
        moved.segment<3>(3 * v) = R * (X + d.segment<3>(3 * v)) + Vector3(2.0, -1.0, 0.5) - X;
    }
    EXPECT_LT((withoutLargeRigidMotion(model, rigid, moved) - d).norm(), 1e-10 * d.norm());
}

TEST(VisibleModesTest, EachRuleHidesWhatItSays) {
    const FullModel model(meshOf(0.3));
    const StaticCompliance compliance(model, test::clampedEnd(beam));
    const LinearModes modes = linearModes(compliance, 8);
    const auto hertz = [&](Eigen::Index j) { return std::sqrt(modes.eigenvalues[j]) / (2.0 * M_PI); };
    VisibilityRule fast;
    fast.highestFrequency = 0.5 * (hertz(3) + hertz(4));
    EXPECT_EQ(visibleModes(modes, fast), (std::vector<int>{0, 1, 2, 3}));
    // The answer of one mode to a force, in itself: psi psi' F / lambda.
    VisibilityRule weak;
    weak.largestForce = 0.2;
    weak.smallestMotion = 1e-3;
    const std::vector<int> kept = visibleModes(modes, weak);
    EXPECT_GT(kept.size(), 1u);
    EXPECT_LT(kept.size(), 8u);
    for (int j = 0; j < 8; ++j) {
        double largest = 0.0;
        for (Eigen::Index v = 0; v < model.mesh().positions.cols(); ++v) {
            const Vector3 psi = modes.shapes.col(j).segment<3>(3 * v);
            const Vector3 force = 0.2 * psi.normalized();
            if (psi.norm() > 0.0) largest = std::max(largest, (psi * psi.dot(force) / modes.eigenvalues[j]).norm());
        }
        EXPECT_EQ(std::count(kept.begin(), kept.end(), j), largest >= 1e-3 ? 1 : 0) << j << ' ' << largest;
    }
    weak.largestForce = 1e-9;
    try {
        visibleModes(modes, weak);
        FAIL() << "nothing can be seen";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("no mode is visible"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace pliant
