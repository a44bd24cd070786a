// SPDX-License-Identifier: Zlib
#include "pliant/character/CharacterBasis.h"

#include <algorithm>
#include <cmath>

#include "pliant/basis/DenseSolvers.h"
#include "pliant/basis/LinearModes.h"
#include "pliant/basis/MassPca.h"
#include "pliant/basis/StaticCompliance.h"
#include "pliant/character/BoneCores.h"
#include "pliant/model/PairColumns.h"

namespace pliant {
namespace {

constexpr double g = 9.81;  // m/s^2

/// Columns of both kinds for one pose.
struct Columns {
    VectorX inertia, pose;
};

Columns columnsOf(const FullForcing& forcing, const std::vector<MovingFrame>& bones, const Vector3& gravity) {
    Columns columns;
    columns.inertia.resize(12 * forcing.pairs.cols());
    columns.pose.resize(12 * forcing.pairs.cols());
    pairColumns(forcing.pairs, bones.data(), gravity, columns.inertia.data(), columns.pose.data());
    return columns;
}

/// Loads of several kinds, 3n each.
class Loads {
public:
    explicit Loads(const FullForcing& forcing) : m_forcing(forcing) {}
    void addPose(const std::vector<MovingFrame>& bones) {
        m_columns.push_back(-(m_forcing.pose * columnsOf(m_forcing, bones, Vector3::Zero()).pose));
    }
    void addInertia(const std::vector<MovingFrame>& bones, const Vector3& gravity) {
        m_columns.push_back(-(m_forcing.inertia * columnsOf(m_forcing, bones, gravity).inertia));
    }
    MatrixX matrix() const {
        MatrixX all(m_forcing.pose.rows(), static_cast<Eigen::Index>(m_columns.size()));
        for (std::size_t j = 0; j < m_columns.size(); ++j) all.col(static_cast<Eigen::Index>(j)) = m_columns[j];
        return all;
    }

private:
    const FullForcing& m_forcing;
    std::vector<VectorX> m_columns;
};

double sampleTime(const Clip& clip, int sample, int count) {
    return clip.start + (clip.end - clip.start) * (sample + 0.5) / count;
}

void addClips(const Rig& rig, int samples, Loads& poses, Loads& accelerations) {
    std::vector<MovingFrame> bones;
    for (const Clip& clip : rig.clips)
        for (int k = 0; k < samples; ++k) {
            motionAt(rig.skeleton, clip, sampleTime(clip, k, samples), bones);
            poses.addPose(bones);
            accelerations.addInertia(bones, Vector3::Zero());
        }
}

/// Bends each joint away from the bind pose, about the axes of its bone.
void addJoints(const Rig& rig, double range, Loads& loads) {
    const std::vector<bool> skinned = bonesWithSkin(rig);
    std::vector<MovingFrame> bones;
    for (std::size_t b = 0; b < skinned.size() && range > 0.0; ++b) {
        if (!skinned[b] || rig.skeleton.bones[b].parent < 0) continue;
        for (int axis = 0; axis < 3; ++axis)
            for (const double angle : {range, -range}) {
                Pose pose = bindPose(rig.skeleton);
                pose[b].rotation = pose[b].rotation * Rotation(Eigen::AngleAxisd(angle, Vector3::Unit(axis)));
                motionOf(rig.skeleton, pose, bones);
                loads.addPose(bones);
            }
    }
}

void addGravity(const Rig& rig, Loads& loads) {
    std::vector<MovingFrame> bones;
    motionOf(rig.skeleton, bindPose(rig.skeleton), bones);
    for (int axis = 0; axis < 3; ++axis) loads.addInertia(bones, g * Vector3::Unit(axis));
}

/// Scaled so that the longest column has the length 1 in M; nothing where all are rounding.
MatrixX longestOne(const SparseMatrix& M, MatrixX shapes) {
    double longest = 0.0;
    for (Eigen::Index j = 0; j < shapes.cols(); ++j)
        longest = std::max(longest, std::sqrt(shapes.col(j).dot(M * shapes.col(j))));
    if (!(longest > 1e-12)) return MatrixX(shapes.rows(), 0);
    return shapes / longest;
}

void append(const MatrixX& more, MatrixX& shapes) {
    const Eigen::Index before = shapes.cols();
    shapes.conservativeResize(more.rows(), before + more.cols());
    shapes.rightCols(more.cols()) = more;
}

void addStatics(const StaticCompliance& compliance, const FullForcing& forcing, const Rig& rig,
                const CharacterOptions& options, const ProgressCallback& progress, MatrixX& shapes) {
    Loads poses(forcing), accelerations(forcing), joints(forcing), gravity(forcing);
    addClips(rig, options.clipSamples, poses, accelerations);
    addJoints(rig, options.jointRange, joints);
    addGravity(rig, gravity);
    int done = 0;
    for (const Loads* loads : {&poses, &accelerations, &joints, &gravity}) {
        reportProgress(progress, "static answers", 0.25 * done++);
        const MatrixX all = loads->matrix();
        if (all.cols() > 0) append(longestOne(compliance.model().massMatrix(), compliance.apply(all)), shapes);
    }
}

}  // namespace

CharacterBasis characterBasis(const FullModel& model, const std::vector<int>& held, const FullForcing& forcing,
                              const Rig& rig, const CharacterOptions& options, const ProgressCallback& progress) {
    const StaticCompliance compliance(model, held);
    const LinearModes modes = linearModes(compliance, options.modes, progress);
    MatrixX shapes = modes.shapes;
    for (Eigen::Index j = 0; j < shapes.cols(); ++j) shapes.col(j) *= modes.eigenvalues[0] / modes.eigenvalues[j];
    if (!options.modesAlone) addStatics(compliance, forcing, rig, options, progress, shapes);
    reportProgress(progress, "basis", 0.0);
    const SparseMatrix& M = model.massMatrix();
    const MassPca pca = massPca(M, shapes, [&](const VectorX& sigma) {
        return static_cast<int>(std::min<Eigen::Index>(options.dimension, sigma.size()));
    });
    MatrixX K = pca.basis.transpose() * (compliance.stiffness() * pca.basis);
    K = 0.5 * (K + K.transpose()).eval();
    const SymmetricEigen eigen = symmetricEigen(K);
    CharacterBasis basis;
    basis.U = pca.basis * eigen.vectors;
    basis.eigenvalues = eigen.values;
    basis.linearModes = modes.eigenvalues;
    basis.shapes = static_cast<int>(shapes.cols());
    for (Eigen::Index j = 0; j < basis.U.cols(); ++j) {  // a sign that no solver chooses
        Eigen::Index largest = 0;
        basis.U.col(j).cwiseAbs().maxCoeff(&largest);
        if (basis.U(largest, j) < 0.0) basis.U.col(j) *= -1.0;
    }
    reportProgress(progress, "basis", 1.0);
    return basis;
}

}  // namespace pliant
