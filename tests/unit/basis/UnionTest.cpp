// SPDX-License-Identifier: Zlib
// Bases out of several sources, the number of their columns, and what is taken from a cache.
#include <map>

#include "pliant/basis/Basis.h"
#include "pliant/basis/CentrifugalShapes.h"
#include "pliant/math/Error.h"
#include "unit/fem/BeamMesh.h"

namespace pliant {
namespace {

const test::BeamShape sharedBeam{10, 2, 2, 1.0, 0.12, 0.1, ElementKind::Brick};

BasisOptions optionsOf(int modes, int dimension) {
    BasisOptions o;
    o.modes = modes;
    o.dimension = dimension;
    return o;
}

PointForce endForce(const Vector3& force) {
    PointForce f;
    f.vertex = test::beamVertex(sharedBeam, 10, 1, 1);
    f.force = force;
    return f;
}

BasisOptions everything() {
    BasisOptions o = optionsOf(3, 12);
    o.fixedVertices = test::clampedEnd(sharedBeam);
    o.centrifugal = true;
    o.sketch = {endForce({0.0, 20.0, 0.0}), endForce({0.0, 0.0, 15.0})};
    SnapshotRun run;
    run.duration = 0.05;
    run.timeStep = 0.01;
    run.forces = {{endForce({0.0, 30.0, 30.0}), 0.0, 0.02}};
    o.snapshots = run;
    return o;
}

/// Length in M of what the basis cannot make of u, relative to u.
double missing(const FullModel& model, const MatrixX& U, const VectorX& u) {
    const SparseMatrix& M = model.massMatrix();
    const VectorX rest = u - U * (U.transpose() * (M * u));
    return std::sqrt(rest.dot(M * rest) / u.dot(M * u));
}

TEST(UnionTest, SpansEverySourceWhenNothingIsLeftOut) {
    const FullModel model(test::beamMesh(sharedBeam));
    BasisOptions o = everything();
    o.orthogonalisation = Orthogonalisation::GramSchmidt;
    o.dimension = 3 + 6 + 6;  // modes, derivatives, centrifugal shapes
    o.sketch.clear();
    o.snapshots.reset();
    const Basis basis = makeBasis(model, o);
    EXPECT_EQ(basis.shapes, 15);
    const StaticCompliance compliance(model, o.fixedVertices);
    const LinearModes modes = linearModes(compliance, 3);
    const MatrixX derivatives = modalDerivatives(compliance, modes.shapes).shapes;
    const MatrixX centrifugal = centrifugalShapes(compliance);
    for (Eigen::Index j = 0; j < 3; ++j) EXPECT_LT(missing(model, basis.U, modes.shapes.col(j)), 1e-9);
    for (Eigen::Index j = 0; j < 6; ++j) {
        EXPECT_LT(missing(model, basis.U, derivatives.col(j)), 1e-7);
        EXPECT_LT(missing(model, basis.U, centrifugal.col(j)), 1e-7);
    }
}

TEST(UnionTest, TheLeadingShapeOfEverySourceIsInTheBasis) {
    const FullModel model(test::beamMesh(sharedBeam));
    const BasisOptions o = everything();
    const Basis basis = makeBasis(model, o);
    EXPECT_GT(basis.shapes, 20);
    const StaticCompliance compliance(model, o.fixedVertices);
    EXPECT_LT(missing(model, basis.U, linearModes(compliance, 3).shapes.col(0)), 2e-2);
    for (const PointForce& f : o.sketch) {
        const MatrixX u = sketchShapes(compliance, {f});
        EXPECT_LT(missing(model, basis.U, u.rightCols(1)), 3e-2);
    }
    const MatrixX snapshots = snapshotShapes(model, o.fixedVertices, *o.snapshots);
    EXPECT_LT(missing(model, basis.U, snapshots.rightCols(1)), 3e-2);
}

TEST(UnionTest, SketchOrSnapshotsAloneMakeABasis) {
    const FullModel model(test::beamMesh(sharedBeam));
    BasisOptions o = everything();
    o.modes = 0;
    o.centrifugal = false;
    o.dimension = 4;
    o.snapshots.reset();
    const Basis sketch = makeBasis(model, o);
    EXPECT_EQ(sketch.U.cols(), 4);
    EXPECT_EQ(sketch.elasticEigenvalues.size(), 0);
    o.sketch.clear();
    try {
        makeBasis(model, o);
        FAIL() << "a basis of nothing";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("no shapes were asked for"), std::string::npos) << error.what();
    }
}

TEST(UnionTest, ToleranceChoosesTheSmallestBasis) {
    const FullModel model(test::beamMesh(sharedBeam));
    BasisOptions o = optionsOf(6, 27);
    const VectorX sigma = makeBasis(model, o).singularValues;
    ASSERT_EQ(sigma.size(), 27);
    o.energyTolerance = 1e-4;
    const Basis basis = makeBasis(model, o);
    const Eigen::Index r = basis.U.cols();
    EXPECT_GT(r, 3);
    EXPECT_LT(r, 27);
    const auto beyond = [&](Eigen::Index count) { return sigma.tail(27 - count).squaredNorm() / sigma.squaredNorm(); };
    EXPECT_LE(beyond(r), 1e-4);
    EXPECT_GT(beyond(r - 1), 1e-4);
    EXPECT_NEAR(basis.discardedEnergy, beyond(r), 1e-12);
    o.dimension = 3;
    EXPECT_EQ(makeBasis(model, o).U.cols(), 3);
}

TEST(UnionTest, HiddenModesTakeTheirDerivativesWithThem) {
    const FullModel model(test::beamMesh(sharedBeam));
    BasisOptions o = optionsOf(6, 2);
    const VectorX all = makeBasis(model, o).elasticEigenvalues;
    o.visibility.highestFrequency = std::sqrt(0.5 * (all[1] + all[2])) / (2.0 * M_PI);
    const Basis basis = makeBasis(model, o);
    EXPECT_EQ(basis.hiddenModes, 4);
    EXPECT_EQ(basis.elasticEigenvalues.size(), 2);
    EXPECT_EQ(basis.shapes + basis.droppedDerivatives, 2 + 3);
}

class Memory : public StageCache {
public:
    bool find(const std::string& stage, const std::string& dependsOn, std::vector<MatrixX>& matrices) override {
        const auto entry = kept.find(stage + '|' + dependsOn);
        if (entry == kept.end()) return false;
        ++found;
        matrices = entry->second;
        return true;
    }
    void keep(const std::string& stage, const std::string& dependsOn, const std::vector<MatrixX>& matrices) override {
        kept[stage + '|' + dependsOn] = matrices;
    }
    std::map<std::string, std::vector<MatrixX>> kept;
    int found = 0;
};

TEST(UnionTest, CachedShapesGiveTheSameBits) {
    const FullModel model(test::beamMesh(sharedBeam));
    Memory memory;
    BasisOptions o = everything();
    makeBasis(model, o, {}, &memory);
    EXPECT_EQ(memory.kept.size(), 5u);
    EXPECT_EQ(memory.found, 0);
    o.dimension = 9;
    const MatrixX cached = makeBasis(model, o, {}, &memory).U;
    EXPECT_EQ(memory.found, 5);
    EXPECT_EQ((cached - makeBasis(model, o).U).norm(), 0.0);
    // What a shape depends on is part of its name.
    o.modes = 4;
    o.sketch[0].force *= 0.5;
    o.snapshots->timeStep = 0.005;
    memory.found = 0;
    EXPECT_EQ((makeBasis(model, o, {}, &memory).U - makeBasis(model, o).U).norm(), 0.0);
    EXPECT_EQ(memory.found, 1) << "only the centrifugal shapes are the same";
}

}  // namespace
}  // namespace pliant
