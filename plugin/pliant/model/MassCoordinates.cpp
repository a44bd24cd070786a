// SPDX-License-Identifier: Zlib
#include "pliant/model/MassCoordinates.h"

#include <Eigen/Cholesky>

#include "pliant/math/Error.h"
#include "pliant/math/PolynomialSums.h"
#include "pliant/model/GroupSums.h"
#include "pliant/model/PrincipalAxes.h"

namespace pliant {
namespace {

using Plain = Eigen::MatrixXd;

}  // namespace

MassCoordinates::MassCoordinates(const ReducedModel& model) {
    const MassParts total = massOfGroups(model);
    const double mass = total.volume;
    m_centre = total.firstMoment / mass;
    const Matrix3 R = model.meshFromBody.rotation;
    const Matrix3 second = total.secondMoment - mass * m_centre * m_centre.transpose();
    const Matrix3 inMesh = R * (0.5 * (second + second.transpose())) * R.transpose();
    m_meshFromBody.rotation = principalAxes(inMesh.trace() * Matrix3::Identity() - inMesh);
    m_meshFromBody.translation = model.meshFromBody.point(m_centre);
    m_turn = m_meshFromBody.rotation.transpose() * R;
    m_mean = model.anchored ? MatrixX::Zero(3, model.dimension()).eval() : (total.translation / mass).eval();

    const Eigen::Index r = model.dimension();
    Plain reducedMass(r, r);
    for (Eigen::Index i = 0; i < r; ++i)
        for (Eigen::Index j = 0; j < r; ++j)
            reducedMass(i, j) = total.second[static_cast<std::size_t>(i * r + j)].trace() -
                                (model.anchored ? 0.0 : mass * m_mean.col(i).dot(m_mean.col(j)));
    const Eigen::LLT<Plain> factor(0.5 * (reducedMass + reducedMass.transpose()));
    if (factor.info() != Eigen::Success)
        throw Error("model \"" + model.name + "\"", "with these densities some coordinates move no mass",
                    "use densities that differ less");
    m_transform = factor.matrixU().solve(Plain::Identity(r, r));
}

MatrixX MassCoordinates::moved(const MatrixX& rows, bool withoutMean) const {
    MatrixX result = rows * m_transform;
    const MatrixX mean = m_mean * m_transform;
    for (Eigen::Index row = 0; row < rows.rows(); row += 3) {
        auto block = result.middleRows<3>(row);
        if (withoutMean) block -= mean;
        block = (m_turn * block).eval();
    }
    return result;
}

MatrixXf MassCoordinates::moved(const MatrixXf& rows, bool withoutMean) const {
    return moved(MatrixX(rows.cast<double>()), withoutMean).cast<float>();
}

// First the mean translation goes, then the origin moves, then axes turn and coordinates change.
void MassCoordinates::moveMass(MassParts& mass) const {
    const Eigen::Index r = m_transform.rows();
    const auto at = [r](Eigen::Index i, Eigen::Index j) { return static_cast<std::size_t>(i * r + j); };
    std::vector<Matrix3> first = mass.first, second = mass.second;
    for (Eigen::Index i = 0; i < r; ++i) {
        for (Eigen::Index j = 0; j < r; ++j)
            second[at(i, j)] += mass.volume * m_mean.col(i) * m_mean.col(j).transpose() -
                                mass.translation.col(i) * m_mean.col(j).transpose() -
                                m_mean.col(i) * mass.translation.col(j).transpose();
        first[static_cast<std::size_t>(i)] -= mass.firstMoment * m_mean.col(i).transpose();
    }
    mass.translation -= mass.volume * m_mean;
    for (Eigen::Index i = 0; i < r; ++i)
        first[static_cast<std::size_t>(i)] -= m_centre * mass.translation.col(i).transpose();
    mass.secondMoment += mass.volume * m_centre * m_centre.transpose() - mass.firstMoment * m_centre.transpose() -
                         m_centre * mass.firstMoment.transpose();
    mass.firstMoment -= mass.volume * m_centre;

    mass.firstMoment = m_turn * mass.firstMoment;
    mass.secondMoment = m_turn * mass.secondMoment * m_turn.transpose();
    mass.translation = m_turn * (mass.translation * m_transform);
    Plain entries(r, r), S(r, 9);
    for (Eigen::Index i = 0; i < r; ++i)
        S.row(i) = Eigen::Map<const Eigen::RowVectorXd>(first[static_cast<std::size_t>(i)].data(), 9);
    S = (m_transform.transpose() * S).eval();
    for (Eigen::Index i = 0; i < r; ++i) {
        const Eigen::Matrix<double, 1, 9> row = S.row(i);
        mass.first[static_cast<std::size_t>(i)] = m_turn * Eigen::Map<const Matrix3>(row.data()) * m_turn.transpose();
    }
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            for (Eigen::Index i = 0; i < r; ++i)
                for (Eigen::Index j = 0; j < r; ++j) entries(i, j) = second[at(i, j)](a, b);
            entries = (m_transform.transpose() * (entries * m_transform)).eval();
            for (Eigen::Index i = 0; i < r; ++i)
                for (Eigen::Index j = 0; j < r; ++j) mass.second[at(i, j)](a, b) = entries(i, j);
        }
    for (Matrix3& S2 : mass.second) S2 = (m_turn * S2 * m_turn.transpose()).eval();
}

void MassCoordinates::apply(ReducedModel& model) const {
    model.meshFromBody = m_meshFromBody;
    model.basis = moved(model.basis, true);
    for (MaterialGroup& group : model.materialGroups) {
        for (StrainEnergyPolynomial& part : group.energy) part = transformed(part, m_transform);
        moveMass(group.mass);
    }
    model.damping = transformed(model.damping, m_transform);
    model.surface.positions = m_turn * (model.surface.positions.colwise() - m_centre);
    model.surface.normals = m_turn * model.surface.normals;
    model.surfaceBasis = moved(model.surfaceBasis, true);
    model.surfaceNormalBasis = moved(model.surfaceNormalBasis, false);
    model.skeleton.restCentres =
        (m_turn * (model.skeleton.restCentres.cast<double>().colwise() - m_centre)).cast<float>();
    model.skeleton.basis = moved(model.skeleton.basis, true);
}

}  // namespace pliant
