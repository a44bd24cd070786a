// SPDX-License-Identifier: Zlib
#include "btPliant/joints/HeldDirections.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::Vector3;

namespace {

/// Of the largest mobility: what is less is rounding, and there is nothing that could move.
constexpr double kRelativeRounding = sizeof(btScalar) == sizeof(double) ? 1e-10 : 1e-5;
/// Of the largest mobility, and of the last impulse: what is no more than rounding.
constexpr double kNoise = sizeof(btScalar) == sizeof(double) ? 1e-14 : 1e-6;

}  // namespace

thread_local std::vector<HeldDirections::Direction> HeldDirections::m_directions;
thread_local std::vector<double> HeldDirections::m_factor;
thread_local std::vector<double> HeldDirections::m_inverse;
thread_local std::vector<double> HeldDirections::m_mobilities;
thread_local std::vector<double> HeldDirections::m_rigid;
thread_local std::vector<double> HeldDirections::m_bent;
thread_local std::vector<double> HeldDirections::m_cuts;
thread_local std::vector<char> HeldDirections::m_isMet;
thread_local std::vector<Vector3> HeldDirections::m_column;

void HeldDirections::take(double tolerance) {
    const int points = m_joint.count / 3;
    m_largest = 0.0;
    for (int p = 0; p < points; ++p) m_largest = std::max(m_largest, block(p, p).trace());
    m_least = kRelativeRounding * m_largest;
    m_noise = kNoise * m_largest;
    m_tolerance = std::max(tolerance, kRelativeRounding);
    m_most = static_cast<std::size_t>(mostDirections());
    m_directions.clear();
    m_factor.clear();
    m_inverse.clear();
    m_mobilities.clear();
    for (int p = 0; p < points && m_directions.size() < m_most; ++p) takePoint(p);
}

/// The rank of W is no larger than the number of velocities.
int HeldDirections::mostDirections() const {
    int most = 0;
    for (int side = 0; side < 2; ++side) {
        if (m_bodies[m_joint.body[side]].m_originalBody) most += 6;
        if (const ReducedBody* reduced = reducedBody(m_reducedBodies, m_joint.reduced[side]))
            most += dataOf(*reduced->body).model().dimension();
    }
    return most;
}

/// As coupling(), of numbers that are not rounded to Bullet's.
double HeldDirections::exactCoupling(int k, int l) const {
    const ConstraintRow &a = m_all.rows[m_joint.first + k].row, &b = m_all.rows[m_joint.first + l].row;
    const btVector3 inverseMass =
        m_bodies[m_joint.body[0]].internalGetInvMass() + m_bodies[m_joint.body[1]].internalGetInvMass();
    double sum = toEigen(a.axis).cwiseProduct(toEigen(inverseMass)).dot(toEigen(b.axis));
    for (int side = 0; side < 2; ++side) {
        const Vector3 angular = toEigen(side == 0 ? a.angularA : a.angularB);
        if (m_joint.reduced[side] < 0) {
            sum += angular.dot(toEigen(side == 0 ? b.responseA : b.responseB));
            continue;
        }
        const HeldVectors& held = m_all.heldVectors[side];
        const Eigen::Index r = held.dimension;
        sum += angular.dot(Eigen::Map<const Vector3>(held.turns.data() + 3 * l)) +
               pliant::ConstVectorView(held.jacobians.data() + k * r, r)
                   .dot(pliant::ConstVectorView(held.responses.data() + l * r, r));
    }
    return sum;
}

/// W of the candidates of two points; its symmetric part, which is all of it up to rounding.
Matrix3 HeldDirections::block(int p, int q) const {
    Matrix3 W;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            W(a, b) = 0.5 * (exactCoupling(3 * p + a, 3 * q + b) + exactCoupling(3 * q + b, 3 * p + a));
    return W;
}

/// x = L^-1 of the three columns that W of the directions has with a point; n x 3, row by row.
void HeldDirections::reduce(int p, std::vector<Vector3>& x) const {
    x.clear();
    Matrix3 W = Matrix3::Zero();
    int last = -1;
    std::size_t row = 0;
    for (std::size_t i = 0; i < m_directions.size(); ++i) {
        if (m_directions[i].point != last) W = block(p, last = m_directions[i].point);
        Vector3 sum = W * m_directions[i].weights;
        for (std::size_t j = 0; j < i; ++j) sum -= m_factor[row++] * x[j];
        x.push_back(sum / m_factor[row++]);
    }
}

void HeldDirections::takePoint(int p) {
    const Matrix3 own = block(p, p);
    reduce(p, m_column);
    Matrix3 S = own;
    for (const Vector3& x : m_column) S -= x * x.transpose();
    const Eigen::SelfAdjointEigenSolver<Matrix3> axes(own);
    Matrix3 whiten = axes.eigenvectors();
    for (int a = 0; a < 3; ++a)
        whiten.col(a) *= axes.eigenvalues()[a] > m_least ? 1.0 / std::sqrt(axes.eigenvalues()[a]) : 0.0;
    const Eigen::SelfAdjointEigenSolver<Matrix3> shares(whiten.transpose() * S * whiten);
    Matrix3 axesHeld, L = Matrix3::Zero();  // of one another Euclid's, so that impulses have their own lengths
    int count = 0;
    for (int a = 2; a >= 0; --a) {
        Vector3 direction = whiten * shares.eigenvectors().col(a);
        if (!(shares.eigenvalues()[a] > m_tolerance) || !(direction.norm() > 0.0)) continue;
        direction.normalize();
        for (int i = 0; i < count; ++i) direction -= axesHeld.col(i).dot(direction) * axesHeld.col(i);
        axesHeld.col(count) = direction.normalized();
        if (append(p, axesHeld.col(count), own, S, axesHeld, count, L)) ++count;
    }
}

/// A row of L: against the points before, against the point's own before it, and the diagonal.
/// @param own W of the point  @param S what of it those before leave
/// @return false, and nothing has changed, where rounding alone is left for the diagonal, or too little for others
bool HeldDirections::append(int p, const Vector3& unit, const Matrix3& own, const Matrix3& S, const Matrix3& before,
                            int count, Matrix3& L) {
    double rest = unit.dot(S * unit);
    for (int j = 0; j < count; ++j) {
        L(count, j) = (unit.dot(S * before.col(j)) - L.row(count).head(j).dot(L.row(j).head(j))) / L(j, j);
        rest -= L(count, j) * L(count, j);
    }
    if (!(rest > m_noise) || m_directions.size() >= m_most) return false;
    L(count, count) = std::sqrt(rest);
    for (const Vector3& x : m_column) m_factor.push_back(x.dot(unit));
    for (int j = 0; j <= count; ++j) m_factor.push_back(L(count, j));
    m_mobilities.push_back(unit.dot(own * unit));
    if (!leavesEnough()) {
        m_factor.resize(rowAt(m_directions.size()));
        m_mobilities.pop_back();
        return false;
    }
    m_directions.push_back({p, unit});
    return true;
}

/// The row of L^-1 that belongs to the last one of L.
/// @return false, and it is not kept, where a direction would keep less than the tolerance of its mobility beside
/// all others. Before it alone each keeps that much, but little of little can be nearly nothing.
bool HeldDirections::leavesEnough() {
    const std::size_t i = m_directions.size(), first = rowAt(i);
    m_inverse.resize(rowAt(i + 1), 0.0);
    double* row = m_inverse.data() + first;
    const double* L = m_factor.data() + first;
    std::fill_n(row, i, 0.0);
    for (std::size_t k = 0; k < i; ++k)
        for (std::size_t j = 0; j <= k; ++j) row[j] -= L[k] * m_inverse[rowAt(k) + j];
    for (std::size_t j = 0; j < i; ++j) row[j] /= L[i];
    row[i] = 1.0 / L[i];
    bool isEnough = true;
    for (std::size_t j = 0; j <= i && isEnough; ++j) {
        double diagonal = 0.0;  // of W^-1: its inverse is what the direction keeps
        for (std::size_t k = j; k <= i; ++k) diagonal += m_inverse[rowAt(k) + j] * m_inverse[rowAt(k) + j];
        isEnough = m_mobilities[j] * diagonal * m_tolerance <= 1.0;
    }
    if (!isEnough) m_inverse.resize(first);
    return isEnough;
}

/// What the points' last impulses have beside the directions chosen now goes on as directions behind them.
void HeldDirections::addRetiring(const JointData& last) {
    const auto chosen = static_cast<std::ptrdiff_t>(m_directions.size());
    std::ptrdiff_t next = 0;
    for (int p = 0; p < m_joint.count / 3; ++p) {
        const Vector3 before = toEigen(last.points[static_cast<std::size_t>(p)]->impulse);
        Vector3 rest = before;
        for (; next < chosen && m_directions[static_cast<std::size_t>(next)].point == p; ++next) {
            const Vector3& unit = m_directions[static_cast<std::size_t>(next)].weights;
            rest -= unit.dot(rest) * unit;
        }
        if (rest.norm() > kNoise * static_cast<double>(last.lastSize)) m_directions.push_back({p, rest.normalized()});
    }
}

/// Inverse of W of the directions, row by row: L^-T L^-1.
void HeldDirections::invert(btScalar* out) const {
    const std::size_t n = m_mobilities.size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = 0.0;
            for (std::size_t k = i; k < n; ++k) sum += m_inverse[rowAt(k) + i] * m_inverse[rowAt(k) + j];
            out[i * n + j] = out[j * n + i] = static_cast<btScalar>(sum);
        }
}

}  // namespace btPliantInternal
