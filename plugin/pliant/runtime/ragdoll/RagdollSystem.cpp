// SPDX-License-Identifier: Zlib
#include "pliant/runtime/ragdoll/RagdollSystem.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>

namespace pliant {

struct RagdollSystem::Data {
    using Integral = Matrix<double, 3, 4>;  ///< int rho w_b w_c psi_j (x; 1)'

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

    Eigen::Index rows() const { return 6 * static_cast<Eigen::Index>(model->limbs.size()); }
    void addPair(int pair, const AffineMap* bones);
    MatrixX massMatrix() const;
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
    const Data& d = *m_data;
    VectorX result = d.coupling.transpose() * q1;
    for (std::size_t i = 0; i < d.inertias.size(); ++i) {
        const auto at = 6 * static_cast<Eigen::Index>(i);
        result.segment<3>(at) += d.model->limbs[i].mass.mass * V.segment<3>(at);
        result.segment<3>(at + 3) += d.inertias[i] * V.segment<3>(at + 3);
    }
    return result;
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
    const Data& d = *m_data;
    const SkinForcing& forcing = d.model->character->forcing;
    VectorX couples = VectorX::Zero(d.rows());
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
    return couples;
}

double RagdollSystem::kineticEnergy(const VectorX& V, const Eigen::Ref<const VectorX>& q1) const {
    const VectorX both = momentum(V, q1) + m_data->coupling.transpose() * q1;  // M V + 2 H q'
    return 0.5 * (V.dot(both) + q1.squaredNorm());
}

MatrixX RagdollSystem::Data::massMatrix() const {
    MatrixX M = MatrixX::Zero(rows(), rows());
    for (std::size_t i = 0; i < inertias.size(); ++i) {
        const auto at = 6 * static_cast<Eigen::Index>(i);
        M.block<3, 3>(at, at) = model->limbs[i].mass.mass * Matrix3::Identity();
        M.block<3, 3>(at + 3, at + 3) = inertias[i];
    }
    return M;
}

namespace {

/// The inverse of a positive matrix; where rows of it say the same, or nothing, that which asks for the least.
MatrixX inverseOf(const MatrixX& A) {
    constexpr double least = 1e-11;  // of a diagonal of ones: below it is rounding
    if (A.cols() == 0) return A;
    const VectorX size = A.diagonal().cwiseMax(0.0).cwiseSqrt();
    const VectorX scale = size.unaryExpr([](double x) { return x > 0.0 ? 1.0 / x : 0.0; });
    const MatrixX scaled = scale.asDiagonal() * A * scale.asDiagonal();
    const Eigen::LLT<MatrixX> factor(scaled);
    MatrixX inverse;
    if (factor.info() == Eigen::Success && factor.rcond() > least) {
        inverse = factor.solve(MatrixX::Identity(A.rows(), A.cols()));
    } else {
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(scaled);
        if (modes.info() != Eigen::Success) return MatrixX::Zero(A.rows(), A.cols());
        const double bound = least * static_cast<double>(A.rows());
        const VectorX weights = modes.eigenvalues().unaryExpr([&](double x) { return x > bound ? 1.0 / x : 0.0; });
        inverse = modes.eigenvectors() * weights.asDiagonal() * modes.eigenvectors().transpose();
    }
    return scale.asDiagonal() * inverse * scale.asDiagonal();
}

}  // namespace

void RagdollSystem::factor(const MatrixX& YH, const MatrixX& joints, bool responds) {
    Data& d = *m_data;
    d.YH = YH;
    MatrixX S = d.massMatrix();
    S.noalias() -= d.coupling.transpose() * YH;
    S = (0.5 * (S + S.transpose())).eval();
    d.schur.compute(S);
    if (d.schur.info() != Eigen::Success) {  // numbers that cannot be: the limbs go on without their flesh
        d.YH.setZero();
        d.schur.compute(d.massMatrix());
    }
    d.joints = joints;
    d.jointResponses = d.schur.solve(joints);
    d.holding = inverseOf(joints.transpose() * d.jointResponses);
    if (!responds) return;
    d.held = d.schur.solve(MatrixX::Identity(d.rows(), d.rows()));
    if (joints.cols() > 0) d.held.noalias() -= d.jointResponses * d.holding * d.jointResponses.transpose();
}

void RagdollSystem::respond(Eigen::Ref<VectorX> a, Eigen::Ref<VectorX> Yb) const {
    const Data& d = *m_data;
    const VectorX V = d.held * (a - d.coupling.transpose() * Yb);
    a = V;
    Yb.noalias() -= d.YH * V;
}

void RagdollSystem::fall(const VectorX& V, const VectorX& a, const VectorX& dq, const VectorX& targets, VectorX& dV,
                         VectorX& dq1) const {
    const Data& d = *m_data;
    dV = d.schur.solve(a - d.coupling.transpose() * dq);
    if (d.joints.cols() > 0) dV += d.jointResponses * (d.holding * (targets - d.joints.transpose() * (V + dV)));
    dq1.noalias() = -(d.YH * dV);
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
