// SPDX-License-Identifier: Zlib
#include "pliant/runtime/ragdoll/RagdollSystem.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>

namespace pliant {

struct RagdollSystem::Data {
    using Integral = Matrix<double, 3, 4>;  ///< int rho w_b w_c psi_j (x; 1)'

    /// Inverts a positive matrix; where rows of it say the same, or nothing, that inverse which asks for the least.
    struct ScaledInverse {
        MatrixX scaled, turned;
        VectorX scale, weights;
        Eigen::LLT<MatrixX> factor;
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes;

        void compute(const MatrixX& A, MatrixX& result);
    };

    std::shared_ptr<const RagdollModel> model;
    std::vector<Integral> integrals;  ///< r a pair
    int r = 0, moving = 0;
    std::vector<Vector3> centres;
    std::vector<Matrix3> inertias;   ///< world
    MatrixX coupling;                ///< H', moving x 6 limbs
    MatrixX YH;                      ///< moving x 6 limbs
    MatrixX held;                    ///< P
    MatrixX joints, jointResponses;  ///< J' and S^-1 J'
    MatrixX holding;                 ///< (J S^-1 J')^-1
    Eigen::LLT<MatrixX> schur;
    // Working memory.
    MatrixX S, square, jointSquare, heldBack;
    VectorX impulses, errors, jointImpulses;
    ScaledInverse inverse;

    Eigen::Index rows() const { return 6 * static_cast<Eigen::Index>(model->limbs.size()); }
    void addPair(int pair, const AffineMap* bones);
    void massMatrix(MatrixX& M) const;
};

namespace {

/// a x b for the tensor a b'.
Vector3 crossOf(const Matrix3& ab) {
    return {ab(1, 2) - ab(2, 1), ab(2, 0) - ab(0, 2), ab(0, 1) - ab(1, 0)};
}

Matrix3 cross(const Vector3& w) {
    Matrix3 W;
    W << 0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0;
    return W;
}

}  // namespace

RagdollSystem::RagdollSystem(std::shared_ptr<const RagdollModel> model, int r) : m_data(std::make_unique<Data>()) {
    const SkinForcing& forcing = model->character->forcing;
    m_data->r = r;
    m_data->integrals.resize(static_cast<std::size_t>(forcing.pairCount() * r));
    for (int p = 0; p < forcing.pairCount(); ++p)
        for (int j = 0; j < r; ++j)
            for (Eigen::Index c = 0; c < 12; ++c)
                m_data->integrals[static_cast<std::size_t>(p * r + j)](c % 3, c / 3) = forcing.inertia(j, 12 * p + c);
    m_data->centres.assign(model->limbs.size(), Vector3::Zero());
    m_data->inertias.assign(model->limbs.size(), Matrix3::Identity());
    m_data->model = std::move(model);
}

RagdollSystem::~RagdollSystem() = default;
RagdollSystem::RagdollSystem(RagdollSystem&&) noexcept = default;
RagdollSystem& RagdollSystem::operator=(RagdollSystem&&) noexcept = default;

const RagdollModel& RagdollSystem::model() const {
    return *m_data->model;
}

int RagdollSystem::size() const {
    return static_cast<int>(m_data->rows());
}

const Vector3& RagdollSystem::centre(int limb) const {
    return m_data->centres[static_cast<std::size_t>(limb)];
}

const MatrixX& RagdollSystem::coupling() const {
    return m_data->coupling;
}

void RagdollSystem::Data::addPair(int pair, const AffineMap* bones) {
    const SkinForcing& forcing = model->character->forcing;
    const int b = forcing.pairs(0, pair), limb = model->limbOf[static_cast<std::size_t>(b)];
    const Matrix3 turn = bones[forcing.pairs(1, pair)].leftCols<3>();
    AffineMap arm = bones[b];
    arm.col(3) -= centres[static_cast<std::size_t>(limb)];
    for (int j = 0; j < moving; ++j) {
        const Integral turned = turn * integrals[static_cast<std::size_t>(pair * r + j)];
        coupling.block<1, 3>(j, 6 * limb) += turned.col(3).transpose();
        coupling.block<1, 3>(j, 6 * limb + 3) += crossOf(arm * turned.transpose()).transpose();
    }
}

void RagdollSystem::place(const AffineMap* bones, int r) {
    Data& d = *m_data;
    d.moving = std::clamp(r, 0, d.r);
    for (std::size_t i = 0; i < d.model->limbs.size(); ++i) {
        const Limb& limb = d.model->limbs[i];
        const Matrix3 R = bones[limb.bone].leftCols<3>();
        d.centres[i] = R * limb.mass.centre + bones[limb.bone].col(3);
        d.inertias[i] = R * limb.mass.inertia * R.transpose();
    }
    d.coupling.setZero(d.moving, d.rows());
    for (int p = 0; p < d.model->character->forcing.pairCount(); ++p) d.addPair(p, bones);
}

VectorX RagdollSystem::momentum(const VectorX& V, const Eigen::Ref<const VectorX>& q1) const {
    VectorX result;
    momentum(V, q1, result);
    return result;
}

void RagdollSystem::momentum(const VectorX& V, const Eigen::Ref<const VectorX>& q1, VectorX& result) const {
    const Data& d = *m_data;
    result.noalias() = d.coupling.transpose() * q1;
    for (std::size_t i = 0; i < d.inertias.size(); ++i) {
        const auto at = 6 * static_cast<Eigen::Index>(i);
        result.segment<3>(at) += d.model->limbs[i].mass.mass * V.segment<3>(at);
        result.segment<3>(at + 3) += d.inertias[i] * V.segment<3>(at + 3);
    }
}

VectorX RagdollSystem::velocity(const VectorX& momentum, const Eigen::Ref<const VectorX>& q1) const {
    const Data& d = *m_data;
    VectorX V = momentum - d.coupling.transpose() * q1;
    for (std::size_t i = 0; i < d.inertias.size(); ++i) {
        const auto at = 6 * static_cast<Eigen::Index>(i);
        V.segment<3>(at) /= d.model->limbs[i].mass.mass;
        V.segment<3>(at + 3) = d.inertias[i].ldlt().solve(V.segment<3>(at + 3)).eval();
    }
    return V;
}

VectorX RagdollSystem::passing(const AffineMap* bones, const VectorX& V, const Eigen::Ref<const VectorX>& q1) const {
    VectorX couples;
    passing(bones, V, q1, couples);
    return couples;
}

void RagdollSystem::passing(const AffineMap* bones, const VectorX& V, const Eigen::Ref<const VectorX>& q1,
                            VectorX& couples) const {
    const Data& d = *m_data;
    const SkinForcing& forcing = d.model->character->forcing;
    couples.setZero(d.rows());
    for (int p = 0; p < forcing.pairCount(); ++p) {
        const int b = forcing.pairs(0, p), c = forcing.pairs(1, p);
        const int i = d.model->limbOf[static_cast<std::size_t>(b)], j = d.model->limbOf[static_cast<std::size_t>(c)];
        if (i == j) continue;
        Data::Integral moved = Data::Integral::Zero();
        for (int k = 0; k < d.moving; ++k) moved += q1[k] * d.integrals[static_cast<std::size_t>(p * d.r + k)];
        moved = (bones[c].leftCols<3>() * moved).eval();
        AffineMap arm = bones[b];
        arm.col(3) -= d.centres[static_cast<std::size_t>(i)];
        const Matrix3 G = arm * moved.transpose();
        const Vector3 v = V.segment<3>(6 * i), w = V.segment<3>(6 * i + 3);
        const Vector3 t = Vector3(moved.col(3)).cross(v) + G.trace() * w - G * w;
        couples.segment<3>(6 * i + 3) -= t;
        couples.segment<3>(6 * j + 3) += t;
    }
}

double RagdollSystem::kineticEnergy(const Eigen::Ref<const VectorX>& V, const Eigen::Ref<const VectorX>& q1) const {
    const Data& d = *m_data;
    double twice = q1.squaredNorm();
    for (std::size_t i = 0; i < d.inertias.size(); ++i) {
        const auto at = 6 * static_cast<Eigen::Index>(i);
        const Vector3 v = V.segment<3>(at), w = V.segment<3>(at + 3);
        twice += d.model->limbs[i].mass.mass * v.squaredNorm() + w.dot(d.inertias[i] * w);
        for (Eigen::Index k = 0; k < 6; ++k) twice += 2.0 * V[at + k] * d.coupling.col(at + k).dot(q1);
    }
    return 0.5 * twice;
}

void RagdollSystem::Data::massMatrix(MatrixX& M) const {
    M.setZero(rows(), rows());
    for (std::size_t i = 0; i < inertias.size(); ++i) {
        const auto at = 6 * static_cast<Eigen::Index>(i);
        M.block<3, 3>(at, at) = model->limbs[i].mass.mass * Matrix3::Identity();
        M.block<3, 3>(at + 3, at + 3) = inertias[i];
    }
}

void RagdollSystem::Data::ScaledInverse::compute(const MatrixX& A, MatrixX& result) {
    constexpr double least = 1e-11;  // of a diagonal of ones: below it is rounding
    result.setIdentity(A.rows(), A.cols());
    if (A.cols() == 0) return;
    scale = A.diagonal().cwiseMax(0.0).cwiseSqrt();
    for (double& x : scale) x = x > 0.0 ? 1.0 / x : 0.0;
    scaled = scale.asDiagonal() * A * scale.asDiagonal();
    factor.compute(scaled);
    bool isSound = factor.info() == Eigen::Success;
    if (isSound) {
        factor.solveInPlace(result);
        const double size = scaled.cwiseAbs().colwise().sum().maxCoeff();
        isSound = 1.0 > least * size * result.cwiseAbs().colwise().sum().maxCoeff();
    }
    if (!isSound) {
        modes.compute(scaled);
        if (modes.info() != Eigen::Success) {
            result.setZero();
            return;
        }
        const double bound = least * static_cast<double>(A.rows());
        weights = modes.eigenvalues();
        for (double& x : weights) x = x > bound ? 1.0 / x : 0.0;
        turned = modes.eigenvectors() * weights.asDiagonal();
        result.noalias() = turned * modes.eigenvectors().transpose();
    }
    for (Eigen::Index j = 0; j < result.cols(); ++j)
        for (Eigen::Index i = 0; i < result.rows(); ++i) result(i, j) *= scale[i] * scale[j];
}

void RagdollSystem::factor(const MatrixX& YH, const MatrixX& joints, bool responds) {
    Data& d = *m_data;
    d.YH = YH;
    d.massMatrix(d.S);
    d.square.noalias() = d.coupling.transpose() * YH;
    for (Eigen::Index j = 0; j < d.rows(); ++j)
        for (Eigen::Index i = 0; i < d.rows(); ++i) d.S(i, j) -= 0.5 * (d.square(i, j) + d.square(j, i));
    d.schur.compute(d.S);
    if (d.schur.info() != Eigen::Success) {  // numbers that cannot be: the limbs go on without their flesh
        d.YH.setZero();
        d.massMatrix(d.S);
        d.schur.compute(d.S);
    }
    d.joints = joints;
    d.jointResponses = joints;
    d.schur.solveInPlace(d.jointResponses);
    d.jointSquare.noalias() = joints.transpose() * d.jointResponses;
    d.inverse.compute(d.jointSquare, d.holding);
    if (!responds) return;
    d.held.setIdentity(d.rows(), d.rows());
    d.schur.solveInPlace(d.held);
    if (joints.cols() == 0) return;
    d.heldBack.noalias() = d.jointResponses * d.holding;
    d.held.noalias() -= d.heldBack * d.jointResponses.transpose();
}

void RagdollSystem::respond(Eigen::Ref<VectorX> a, Eigen::Ref<VectorX> Yb) const {
    Data& d = *m_data;
    d.impulses = a;
    d.impulses.noalias() -= d.coupling.transpose() * Yb;
    a.noalias() = d.held * d.impulses;
    Yb.noalias() -= d.YH * a;
}

void RagdollSystem::fall(const VectorX& V, const VectorX& a, const VectorX& dq, const VectorX& targets, VectorX& dV,
                         VectorX& dq1) {
    Data& d = *m_data;
    dV = a;
    dV.noalias() -= d.coupling.transpose() * dq;
    d.schur.solveInPlace(dV);
    if (d.joints.cols() > 0) {
        d.impulses = V + dV;
        d.errors.noalias() = d.joints.transpose() * d.impulses;
        d.errors = -d.errors;
        if (targets.size() > 0) d.errors += targets;
        d.jointImpulses.noalias() = d.holding * d.errors;
        dV.noalias() += d.jointResponses * d.jointImpulses;
    }
    dq1.noalias() = d.YH * dV;
    dq1 = -dq1;
}

namespace {

/// The rotation nearest to what rounding has made of one.
Matrix3 asRotation(const Matrix3& turn) {
    return Rotation(turn).normalized().toRotationMatrix();
}

}  // namespace

void advance(const RagdollModel& model, const std::vector<AffineMap>& bones, const VectorX& V, double h,
             std::vector<AffineMap>& next) {
    next.resize(bones.size());
    for (std::size_t b = 0; b < bones.size(); ++b) {
        const int i = model.limbOf[b];
        const Limb& limb = model.limbs[static_cast<std::size_t>(i)];
        const AffineMap& lead = bones[static_cast<std::size_t>(limb.bone)];
        const Vector3 centre = lead.leftCols<3>() * limb.mass.centre + lead.col(3);
        const Vector3 spin = V.segment<3>(6 * i + 3);
        const double angle = h * spin.norm();
        const Matrix3 turn = angle != 0.0 ? Eigen::AngleAxisd(angle, spin.normalized()).toRotationMatrix()
                                          : Matrix3(Matrix3::Identity());
        next[b].leftCols<3>() = asRotation(turn * bones[b].leftCols<3>());
        next[b].col(3) = centre + h * V.segment<3>(6 * i) + turn * (bones[b].col(3) - centre);
    }
    // The lead bone's own map says where the mass centre is: exactly h v further.
    for (std::size_t i = 0; i < model.limbs.size(); ++i) {
        const Limb& limb = model.limbs[i];
        const AffineMap& lead = bones[static_cast<std::size_t>(limb.bone)];
        const Vector3 centre = lead.leftCols<3>() * limb.mass.centre + lead.col(3);
        AffineMap& moved = next[static_cast<std::size_t>(limb.bone)];
        moved.col(3) =
            centre + h * V.segment<3>(6 * static_cast<Eigen::Index>(i)) - moved.leftCols<3>() * limb.mass.centre;
    }
}

VectorX limbVelocities(const RagdollModel& model, const std::vector<AffineMap>& bones,
                       const std::vector<AffineMap>& rates) {
    VectorX V(6 * static_cast<Eigen::Index>(model.limbs.size()));
    for (std::size_t i = 0; i < model.limbs.size(); ++i) {
        const Limb& limb = model.limbs[i];
        const AffineMap& map = bones[static_cast<std::size_t>(limb.bone)];
        const AffineMap& rate = rates[static_cast<std::size_t>(limb.bone)];
        const auto at = 6 * static_cast<Eigen::Index>(i);
        V.segment<3>(at) = rate.leftCols<3>() * limb.mass.centre + rate.col(3);
        const Matrix3 W = rate.leftCols<3>() * map.leftCols<3>().transpose();  // of differences only nearly skew
        V.segment<3>(at + 3) = 0.5 * Vector3(W(2, 1) - W(1, 2), W(0, 2) - W(2, 0), W(1, 0) - W(0, 1));
    }
    return V;
}

void boneMotions(const RagdollModel& model, const std::vector<AffineMap>& bones, const VectorX& V,
                 std::vector<MovingFrame>& frames) {
    frames.resize(bones.size());
    for (std::size_t b = 0; b < bones.size(); ++b) {
        const int i = model.limbOf[b];
        const Limb& limb = model.limbs[static_cast<std::size_t>(i)];
        const AffineMap& lead = bones[static_cast<std::size_t>(limb.bone)];
        const Vector3 centre = lead.leftCols<3>() * limb.mass.centre + lead.col(3);
        const Matrix3 W = cross(V.segment<3>(6 * i + 3));
        AffineMap arm = bones[b];
        arm.col(3) -= centre;
        frames[b].map = bones[b];
        frames[b].velocity = W * arm;
        frames[b].velocity.col(3) += V.segment<3>(6 * i);
        frames[b].acceleration = W * W * arm;
    }
}

}  // namespace pliant
