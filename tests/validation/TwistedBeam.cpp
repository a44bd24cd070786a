// SPDX-License-Identifier: Zlib
// [BJ05 fig. 7], [B07 fig. 2.14]: a beam is twisted by 270 degrees in the span of two twist modes and their three
// derivatives, r = 5; in the span of twist modes alone it locks.
//
// The torque T acts as the potential -T theta, theta the angle of the end section: theta = atan2(s, c) with s the sum
// of X x x and c that of X . x over the section's vertices (arms across the axis, at rest X and deformed x), both
// affine in q. Angles beyond 180 degrees are followed continuously.
#include <cmath>
#include <cstdio>

#include "pliant/basis/Basis.h"
#include "pliant/basis/DenseSolvers.h"
#include "pliant/basis/MassPca.h"
#include "pliant/polynomial/ReducePolynomial.h"
#include "pliant/reduce/ReducedForces.h"
#include "unit/fem/BeamMesh.h"

namespace pliant {
namespace {

const test::BeamShape beam{24, 2, 2, 1.0, 0.1, 0.1, ElementKind::Brick};

class Twist {
public:
    Twist(const VolumeMesh& mesh, const MatrixX& U) : m_sine(VectorX::Zero(U.cols())), m_cosine(m_sine), m_end(m_sine) {
        const Vector3 centre(beam.length, 0.5 * beam.width, 0.5 * beam.height);
        int count = 0;
        for (int j = 0; j <= beam.ny; ++j)
            for (int k = 0; k <= beam.nz; ++k, ++count) {
                const int v = test::beamVertex(beam, beam.nx, j, k);
                const Vector3 X = mesh.positions.col(v) - centre;
                const MatrixX rows = U.middleRows<3>(3 * v);
                m_sine += X.y() * rows.row(2).transpose() - X.z() * rows.row(1).transpose();
                m_cosine += X.y() * rows.row(1).transpose() + X.z() * rows.row(2).transpose();
                m_rest += X.y() * X.y() + X.z() * X.z();
                m_end += rows.row(0).transpose();
            }
        m_end /= count;
    }

    /// Angle, rad, the one nearest to `before`.
    double angle(const VectorX& q, double before) const {
        const double principal = std::atan2(m_sine.dot(q), m_rest + m_cosine.dot(q));
        return principal + 2.0 * M_PI * std::round((before - principal) / (2.0 * M_PI));
    }
    VectorX gradient(const VectorX& q) const {
        const double s = m_sine.dot(q), c = m_rest + m_cosine.dot(q);
        return (c * m_sine - s * m_cosine) / (s * s + c * c);
    }
    MatrixX hessian(const VectorX& q) const {
        const double s = m_sine.dot(q), c = m_rest + m_cosine.dot(q), l = s * s + c * c;
        const VectorX n = c * m_sine - s * m_cosine, d = 2.0 * (s * m_sine + c * m_cosine);
        return -(n * d.transpose() + d * n.transpose()) / (2.0 * l * l);
    }
    /// How much each basis vector turns the end section.
    VectorX turning() const { return m_sine.cwiseAbs(); }
    double length(const VectorX& q) const { return beam.length + m_end.dot(q); }

private:
    VectorX m_sine, m_cosine, m_end;
    double m_rest = 0.0;
};

/// Least energy E - T theta from q on: Newton's method with a line search.
void equilibrate(const ReducedForces& forces, const Twist& twist, double torque, VectorX& q, double& angle) {
    VectorX R;
    MatrixX K;
    for (int i = 0; i < 100; ++i) {
        forces.evaluate(q, R, K);
        const VectorX residual = torque * twist.gradient(q) - R;
        if (residual.norm() <= 1e-9 * R.norm()) break;
        VectorX step = solveSymmetric(K - torque * twist.hessian(q), residual);
        if (step.dot(residual) <= 0.0) step = residual / K.trace();
        const double before = forces.energy(q) - torque * angle;
        for (double share = 1.0; share > 1e-8; share *= 0.5) {
            const VectorX trial = q + share * step;
            const double trialAngle = twist.angle(trial, angle);
            if (forces.energy(trial) - torque * trialAngle > before - 1e-4 * share * step.dot(residual) + 1e-12)
                continue;
            q = trial;
            angle = trialAngle;
            break;
        }
    }
    angle = twist.angle(q, angle);
}

constexpr double fullTurn = 1.5 * M_PI;  // 270 degrees

TEST(TwistedBeam, TurnsBy270DegreesInFiveCoordinates) {
    const VolumeMesh mesh = test::beamMesh(beam);
    const FullModel model(mesh);
    const StaticCompliance compliance(model, test::clampedEnd(beam));
    const LinearModes modes = linearModes(compliance, 16);
    const VectorX turning = Twist(mesh, modes.shapes).turning();
    std::vector<int> twisting;
    for (int j = 0; j < 16; ++j)
        if (turning[j] > 0.3 * turning.maxCoeff()) twisting.push_back(j);
    ASSERT_GE(twisting.size(), 2u);
    const int most = static_cast<int>(std::min<std::size_t>(twisting.size(), 5));
    MatrixX psi(modes.shapes.rows(), 2), linear(modes.shapes.rows(), most);
    for (int j = 0; j < most; ++j) linear.col(j) = modes.shapes.col(twisting[static_cast<std::size_t>(j)]);
    psi = linear.leftCols(2);
    MatrixX shapes(psi.rows(), 5);
    shapes << psi, modalDerivatives(compliance, psi).shapes;
    const MatrixX U = massGramSchmidt(model.massMatrix(), shapes, 5);

    const auto forces = polynomialForces(reducePolynomial(mesh, U));
    const Twist twist(mesh, U);
    VectorX q = VectorX::Zero(5), R;
    MatrixX K0;
    forces->evaluate(q, R, K0);
    // Torque for 270 degrees by linear theory; it takes more, because the fibres of the beam stretch.
    const VectorX g = twist.gradient(q);
    const double linearTorque = fullTurn / g.dot(solveSymmetric(K0, g));
    double torque = 0.0, angle = 0.0;
    while (angle < fullTurn && torque < 20.0 * linearTorque) {
        torque += 0.005 * linearTorque;
        equilibrate(*forces, twist, torque, q, angle);
    }
    const double length = twist.length(q);
    std::printf(
        "Twist, r = 5 (modes %d, %d and derivatives): %.0f degrees at %.2f of the linear torque, length %.4f m\n",
        twisting[0] + 1, twisting[1] + 1, 180.0 / M_PI * angle, torque / linearTorque, length);
    EXPECT_GE(angle, fullTurn);
    EXPECT_LT(angle, fullTurn + 0.2) << "reached gradually";
    EXPECT_NEAR(length, beam.length, 0.05 * beam.length);

    // Linear modes only: the section grows instead of turning, atan of something at most.
    for (const int r : {2, most}) {
        const MatrixX L = linear.leftCols(r);
        const auto linearForces = polynomialForces(reducePolynomial(mesh, L));
        const Twist linearTwist(mesh, L);
        VectorX p = VectorX::Zero(r);
        double locked = 0.0;
        for (int i = 1; i <= 200; ++i) equilibrate(*linearForces, linearTwist, torque * i / 200.0, p, locked);
        std::printf("Twist, %d linear modes, same torque: %.0f degrees\n", r, 180.0 / M_PI * locked);
        EXPECT_LT(locked, 0.5 * M_PI) << "locks below a quarter turn";
    }
}

}  // namespace
}  // namespace pliant
