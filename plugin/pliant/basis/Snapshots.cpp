// SPDX-License-Identifier: Zlib
#include "pliant/basis/Snapshots.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "pliant/basis/RigidModes.h"
#include "pliant/fem/FullNewmark.h"
#include "pliant/math/Error.h"

namespace pliant {
namespace {

/// The rotation nearest to A (polar decomposition by Newton's iteration, each step with A's inverse transpose).
Matrix3 nearestRotation(Matrix3 A) {
    for (int i = 0; i < 50; ++i) {
        const Matrix3 next = 0.5 * (A + A.inverse().transpose());
        const double change = (next - A).norm();
        A = next;
        if (change < 1e-15) break;
    }
    return A;
}

Vector3 meanOf(const SparseMatrix& M, const Points& x, double mass) {
    const VectorX weighted = M * ConstVectorView(x.data(), x.size());
    return Eigen::Map<const Points>(weighted.data(), 3, x.cols()).rowwise().sum() / mass;
}

VectorX loadsAt(const FullModel& model, const SnapshotRun& run, double time) {
    std::vector<PointForce> acting;
    for (const TimedForce& f : run.forces)
        if (time > f.start && time <= f.start + f.duration * (1.0 + 1e-12)) acting.push_back(f.force);
    return vertexLoads(model.mesh(), acting);
}

}  // namespace

VectorX withoutLargeRigidMotion(const FullModel& model, const MatrixX& rigid, const VectorX& u) {
    const SparseMatrix& M = model.massMatrix();
    const Points& X = model.mesh().positions;
    const Points x = X + Eigen::Map<const Points>(u.data(), 3, X.cols());
    const Points restArms = X.colwise() - meanOf(M, X, model.totalMass());
    const Points arms = x.colwise() - meanOf(M, x, model.totalMass());
    const VectorX weighted = M * ConstVectorView(arms.data(), arms.size());
    const Matrix3 R = nearestRotation(Eigen::Map<const Points>(weighted.data(), 3, X.cols()) * restArms.transpose() /
                                      restArms.squaredNorm());
    const Points deformed = R.transpose() * arms - restArms;
    return withoutRigidMotion(M, rigid, ConstVectorView(deformed.data(), deformed.size()));
}

MatrixX snapshotShapes(const FullModel& model, const std::vector<int>& fixedVertices, const SnapshotRun& run,
                       const ProgressCallback& progress) {
    FullNewmarkOptions newmark;
    newmark.timeStep = run.timeStep;
    newmark.massDamping = run.massDamping;
    newmark.stiffnessDamping = run.stiffnessDamping;
    FullNewmark motion(model, Restriction::ofVertices(model.mesh(), fixedVertices), newmark);
    const MatrixX rigid = fixedVertices.empty() ? rigidModes(model) : MatrixX(model.degreesOfFreedom(), 0);
    const int steps = static_cast<int>(std::ceil(run.duration / run.timeStep - 1e-9));
    const int count = std::min(run.count, steps);
    MatrixX shapes(model.degreesOfFreedom(), count);
    int kept = 0;
    for (int i = 1; i <= steps; ++i) {
        reportProgress(progress, "snapshots", static_cast<double>(i - 1) / steps);
        motion.step(loadsAt(model, run, i * run.timeStep));
        // The last step of each of `count` equal shares of the run.
        if (static_cast<long long>(i) * count < static_cast<long long>(kept + 1) * steps) continue;
        const VectorX u = motion.displacement();
        shapes.col(kept++) = rigid.cols() > 0 ? withoutLargeRigidMotion(model, rigid, u) : u;
    }
    if (!(shapes.cwiseAbs().maxCoeff() > 0.0))
        throw Error("snapshots", "nothing moved", "record a force that acts within the simulated time");
    reportProgress(progress, "snapshots", 1.0);
    return shapes;
}

}  // namespace pliant
