// SPDX-License-Identifier: Zlib
#include "btPliant/joints/HeldRows.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "btPliant/data/Convert.h"

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::Vector3;

namespace {

/// Of the largest mobility: what is less is rounding, and there is nothing that could move.
constexpr double kRounding = sizeof(btScalar) == sizeof(double) ? 1e-10 : 1e-5;
/// Of the largest mobility: what W itself is uncertain by.
constexpr double kNoise = sizeof(btScalar) == sizeof(double) ? 1e-14 : 1e-6;

/// A row in the making: a unit direction of a point, which is a sum of the point's three candidates.
struct Direction {
    int point;
    Vector3 weights;
};

/// Cholesky's factor of W of the directions chosen so far, which grows by a row each time.
class Choice {
public:
    Choice(const ReducedBodies& reducedBodies, const SolverBodies& bodies, const JointConstraint& joint,
           const JointConstraints& all)
        : m_reducedBodies(reducedBodies), m_bodies(bodies), m_joint(joint), m_all(all) {}

    void take(double tolerance) {
        const int points = m_joint.count / 3;
        double largest = 0.0;
        for (int p = 0; p < points; ++p) largest = std::max(largest, block(p, p).trace());
        m_least = kRounding * largest;
        m_noise = kNoise * largest;
        tolerance = std::max(tolerance, kRounding);
        m_directions.clear();
        m_factor.clear();
        for (int p = 0; p < points && static_cast<int>(m_directions.size()) < mostDirections(); ++p)
            takePoint(p, tolerance);
    }

    const std::vector<Direction>& directions() const { return m_directions; }

    /// Inverse of W of the directions, row by row.
    void invert(btScalar* out) const {
        const auto n = static_cast<Eigen::Index>(m_directions.size());
        static thread_local pliant::MatrixX L, half;
        L.setZero(n, n);
        half.setIdentity(n, n);
        for (Eigen::Index i = 0; i < n; ++i)
            for (Eigen::Index j = 0; j <= i; ++j) L(i, j) = m_factor[static_cast<std::size_t>(i * (i + 1) / 2 + j)];
        L.triangularView<Eigen::Lower>().solveInPlace(half);
        for (Eigen::Index i = 0; i < n; ++i)
            for (Eigen::Index j = 0; j < n; ++j) out[i * n + j] = static_cast<btScalar>(half.col(i).dot(half.col(j)));
    }

private:
    /// The rank of W is no larger than the number of velocities.
    int mostDirections() const {
        int most = 0;
        for (int side = 0; side < 2; ++side) {
            if (m_bodies[m_joint.body[side]].m_originalBody) most += 6;
            if (const ReducedBody* reduced = reducedBody(m_reducedBodies, m_joint.reduced[side]))
                most += dataOf(*reduced->body).model().dimension();
        }
        return most;
    }

    /// W of the candidates of two points; its symmetric part, which is all of it up to rounding.
    Matrix3 block(int p, int q) const {
        Matrix3 W;
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                W(a, b) = 0.5 * (coupling(m_all, m_joint, 3 * p + a, 3 * q + b, m_reducedBodies, m_bodies) +
                                 coupling(m_all, m_joint, 3 * q + b, 3 * p + a, m_reducedBodies, m_bodies));
        return W;
    }

    /// x = L^-1 of the three columns that W of the directions has with a point; n x 3, row by row.
    void reduce(int p, std::vector<Vector3>& x) const {
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

    void takePoint(int p, double tolerance) {
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
            if (!(shares.eigenvalues()[a] > tolerance) || !(direction.norm() > 0.0)) continue;
            direction.normalize();
            for (int i = 0; i < count; ++i) direction -= axesHeld.col(i).dot(direction) * axesHeld.col(i);
            axesHeld.col(count) = direction.normalized();
            if (append(p, axesHeld.col(count), S, axesHeld, count, L)) ++count;
        }
    }

    /// A row of L: against the points before, against the point's own before it, and the diagonal.
    /// @return false, and nothing has changed, where rounding alone is left for the diagonal
    bool append(int p, const Vector3& unit, const Matrix3& S, const Matrix3& before, int count, Matrix3& L) {
        double rest = unit.dot(S * unit);
        for (int j = 0; j < count; ++j) {
            L(count, j) = (unit.dot(S * before.col(j)) - L.row(count).head(j).dot(L.row(j).head(j))) / L(j, j);
            rest -= L(count, j) * L(count, j);
        }
        if (!(rest > m_noise)) return false;
        L(count, count) = std::sqrt(rest);
        for (const Vector3& x : m_column) m_factor.push_back(x.dot(unit));
        for (int j = 0; j <= count; ++j) m_factor.push_back(L(count, j));
        m_directions.push_back({p, unit});
        return true;
    }

    const ReducedBodies& m_reducedBodies;
    const SolverBodies& m_bodies;
    const JointConstraint& m_joint;
    const JointConstraints& m_all;
    double m_least = 0.0, m_noise = 0.0;
    static thread_local std::vector<Direction> m_directions;
    static thread_local std::vector<double> m_factor;  ///< L, row by row, each up to its diagonal
    static thread_local std::vector<Vector3> m_column;
};

thread_local std::vector<Direction> Choice::m_directions;
thread_local std::vector<double> Choice::m_factor;
thread_local std::vector<Vector3> Choice::m_column;

/// A row that is a sum of a point's candidates.
JointConstraintRow sumOf(const JointConstraint& joint, const Direction& direction, const JointConstraints& all) {
    const int first = joint.first + 3 * direction.point;
    JointConstraintRow sum = all.rows[first];
    ConstraintRow& row = sum.row;
    row.axis = row.angularA = row.angularB = row.responseA = row.responseB = btVector3(0, 0, 0);
    sum.freeFrameVelocity = sum.freeModalVelocity = sum.startModalVelocity = sum.targetVelocity = 0;
    for (int a = 0; a < 3; ++a) {
        const auto w = static_cast<btScalar>(direction.weights[a]);
        const JointConstraintRow& entry = all.rows[first + a];
        row.axis += w * entry.row.axis;
        row.angularA += w * entry.row.angularA;
        row.angularB += w * entry.row.angularB;
        row.responseA += w * entry.row.responseA;
        row.responseB += w * entry.row.responseB;
        sum.freeFrameVelocity += w * entry.freeFrameVelocity;
        sum.freeModalVelocity += w * entry.freeModalVelocity;
        sum.startModalVelocity += w * entry.startModalVelocity;
        sum.targetVelocity += w * entry.targetVelocity;
    }
    sum.point = direction.point;
    return sum;
}

/// Jacobians and responses of the chosen rows on a side, in place of the candidates'.
void chooseVectors(const std::vector<Direction>& directions, JointConstraint& joint, int side, int stride,
                   JointConstraints& all) {
    const auto n = static_cast<int>(directions.size());
    std::vector<btScalar>& chosen = all.chosenVectors;
    const std::size_t first = chosen.size();
    chosen.resize(first + static_cast<std::size_t>(2 * n * stride), btScalar(0));
    for (int half = 0; half < 2; ++half)
        for (int k = 0; k < n; ++k)
            for (int a = 0; a < 3; ++a) {
                const Direction& direction = directions[static_cast<std::size_t>(k)];
                const auto w = static_cast<btScalar>(direction.weights[a]);
                const int candidate = 3 * direction.point + a;
                const btScalar* from = half == 0 ? jacobian(all, joint, side, candidate, stride)
                                                 : response(all, joint, side, candidate, stride);
                btScalar* to = chosen.data() + first + static_cast<std::size_t>((half * n + k) * stride);
                for (int j = 0; j < stride; ++j) to[j] += w * from[j];
            }
}

}  // namespace

void chooseHeldRows(const ReducedBodies& reducedBodies, const SolverBodies& bodies, JointConstraint& joint,
                    JointConstraints& all) {
    JointData& data = dataOf(*joint.joint);
    Choice choice(reducedBodies, bodies, joint, all);
    choice.take(static_cast<double>(data.pointTolerance));
    const std::vector<Direction>& directions = choice.directions();
    for (const auto& point : data.points) point->directions = 0;
    all.chosenRows.resize(0);
    for (const Direction& direction : directions) {
        all.chosenRows.push_back(sumOf(joint, direction, all));
        ++data.points[static_cast<std::size_t>(direction.point)]->directions;
    }
    all.chosenVectors.clear();
    std::size_t offset[2] = {0, 0}, base = all.modalVectors.size();
    for (int side = 0; side < 2; ++side) {
        offset[side] = all.chosenVectors.size();
        if (const ReducedBody* reduced = reducedBody(reducedBodies, joint.reduced[side])) {
            base = std::min(base, joint.modalOffset[side]);
            chooseVectors(directions, joint, side, reduced->stride, all);
        }
    }
    const auto n = static_cast<int>(directions.size());
    all.modalVectors.resize(base);
    all.modalVectors.insert(all.modalVectors.end(), all.chosenVectors.begin(), all.chosenVectors.end());
    all.rows.resize(joint.first);
    for (int k = 0; k < n; ++k) all.rows.push_back(all.chosenRows[k]);
    joint.modalOffset[0] = base + offset[0];
    joint.modalOffset[1] = base + offset[1];
    joint.count = joint.hardRowCount = n;
    all.hardRows.resize(joint.hardRowOffset);
    for (int k = 0; k < n; ++k) all.hardRows.push_back(k);
    all.pseudoInverses.resize(joint.pseudoInverseOffset + static_cast<std::size_t>(n * n));
    choice.invert(all.pseudoInverses.data() + joint.pseudoInverseOffset);
}

void startFromLastPoints(const JointConstraint& joint, JointConstraints& all) {
    const JointData& last = dataOf(*joint.joint);
    for (int k = 0; k < joint.count; ++k) {
        ConstraintRow& row = all.rows[joint.first + k].row;
        const int point = all.rows[joint.first + k].point;
        row.impulse = last.warmStartFactor * row.axis.dot(last.points[static_cast<std::size_t>(point)]->impulse);
    }
}

}  // namespace btPliantInternal
