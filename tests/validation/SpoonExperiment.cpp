// SPDX-License-Identifier: Zlib
// [BJ05 section 7, fig. 10], [B07 section 2.13.1] on a spoon of our own: a short push at the tip, far into the
// nonlinear range, on the full model and in bases of r = 12 from four sources. The papers report nonlinear
// frequencies 4.6 % (derivatives, k = 6) and 10.1 % (sketch) too small, with almost correct amplitudes, and hardly any
// error for snapshots of the same motion.
#include <cmath>
#include <cstdio>

#include "ExperimentMeshes.h"
#include "pliant/basis/Basis.h"
#include "pliant/polynomial/ReducePolynomial.h"
#include "pliant/reduce/CompareTrajectories.h"

namespace pliant {
namespace {

class Spoon : public ::testing::Test {
protected:
    static constexpr int r = 12;

    void SetUp() override {
        e.fixedVertices = test::lowestVertices(mesh, 0);
        e.observedVertex = test::nearestVertex(mesh, Vector3(0.26, 0.04, 0.01));
        const LinearModes modes = linearModes(StaticCompliance(model, e.fixedVertices), 1);
        e.timeStep = 2.0 * M_PI / std::sqrt(modes.eigenvalues[0]) / 60.0;
        e.steps = 150;
        e.forceSteps = 8;
        e.force = test::loadAround(mesh, mesh.positions.col(e.observedVertex), isLarge ? 0.008 : 1e-6, push);
        e.stiffnessDamping = 2e-4 * e.timeStep * 60.0;
    }

    BasisOptions options(int modes, DerivativeForm derivatives) const {
        BasisOptions o;
        o.modes = modes;
        o.dimension = r;
        o.derivatives = derivatives;
        o.fixedVertices = e.fixedVertices;
        return o;
    }

    PointForce pull(int vertex, const Vector3& force) const {
        PointForce f;
        f.vertex = vertex;
        f.force = force;
        return f;
    }

    /// The push, vertex by vertex.
    std::vector<TimedForce> timedPush() const {
        std::vector<TimedForce> all;
        for (int v = 0; v < mesh.vertexCount(); ++v) {
            const Vector3 share = e.force.segment<3>(3 * static_cast<Eigen::Index>(v));
            if (!share.isZero(0.0)) all.push_back({pull(v, share), 0.0, e.forceSteps * e.timeStep});
        }
        return all;
    }

    TrajectoryComparison run(const char* name, const BasisOptions& o) {
        const Basis basis = makeBasis(model, o);
        const Trajectory reduced = simulateReduced(*polynomialForces(reducePolynomial(mesh, basis.U)), basis.U, e);
        const TrajectoryComparison c = compareTrajectories(full, reduced, e, push);
        std::printf("| %-28s | %2d | %+7.2f %% | %+7.2f %% | %6.3f | %5.2f s |\n", name,
                    static_cast<int>(basis.U.cols()), 100.0 * c.amplitudeError, 100.0 * c.frequencyError, c.distance,
                    reduced.seconds);
        return c;
    }

    const bool isLarge = test::isOfPapersSize();
    VolumeMesh mesh = test::spoonMesh(isLarge ? 2.5 : 1.0);
    FullModel model{mesh};
    Vector3 push{0.0, 0.0, 14.0};  // N
    ImpulseExperiment e;
    Trajectory full;
};

TEST_F(Spoon, ImpulseInFourBases) {
    full = simulateFull(model, e);
    const Oscillation truth = measureOscillation(full.observed.row(2).transpose(), e.timeStep);
    std::printf("Spoon: %d bricks, tip moves by %.3f m of 0.26 m at %.2f Hz (%.2f Hz at rest); full model %.1f s\n",
                mesh.elementCount(), truth.amplitude, truth.frequency, 1.0 / (60.0 * e.timeStep), full.seconds);
    std::printf("| basis                        |  r | amplitude | frequency | distance | time |\n");
    EXPECT_GT(truth.amplitude, 0.08) << "far into the nonlinear range";

    const TrajectoryComparison linear = run("linear modes, k = 12", options(12, DerivativeForm::None));
    const TrajectoryComparison derivatives = run("derivatives, k = 6", options(6, DerivativeForm::Static));
    // Linear modes lock: too small, too fast.
    EXPECT_LT(linear.amplitudeError, -0.2);
    EXPECT_GT(linear.frequencyError, 0.2);
    // The papers' bases are as good as theirs or better.
    EXPECT_LT(std::abs(derivatives.amplitudeError), 0.1);
    EXPECT_LT(std::abs(derivatives.frequencyError), 0.1);
    EXPECT_LT(derivatives.distance, linear.distance);

    BasisOptions sketched = options(0, DerivativeForm::None);
    const int tip = e.observedVertex, side = test::nearestVertex(mesh, Vector3(0.21, 0.08, 0.01));
    sketched.sketchOptions.separation = 0.004;
    sketched.sketchOptions.loadSteps = 5;
    for (const double z : {0.6, -0.6}) sketched.sketch.push_back(pull(tip, {0.0, 0.0, z}));
    for (const double y : {0.4, -0.4}) sketched.sketch.push_back(pull(tip, {0.0, y, 0.0}));
    for (const double z : {0.5, -0.5}) sketched.sketch.push_back(pull(side, {0.0, 0.1, z}));
    const TrajectoryComparison sketch = run("sketch, 6 forces", sketched);

    BasisOptions recorded = options(0, DerivativeForm::None);
    SnapshotRun again;
    again.forces = timedPush();
    again.duration = e.steps * e.timeStep;
    again.timeStep = e.timeStep;
    again.count = 75;
    again.stiffnessDamping = e.stiffnessDamping;
    recorded.snapshots = again;
    const TrajectoryComparison snapshots = run("snapshots of the same motion", recorded);

    EXPECT_LT(std::abs(sketch.amplitudeError), 0.15);
    EXPECT_LT(std::abs(sketch.frequencyError), 0.15);
    EXPECT_LT(std::abs(snapshots.amplitudeError), 0.02);
    EXPECT_LT(std::abs(snapshots.frequencyError), 0.02);
    EXPECT_LT(snapshots.distance, derivatives.distance);
}

}  // namespace
}  // namespace pliant
