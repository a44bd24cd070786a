// SPDX-License-Identifier: Zlib
#include "pliant/character/FullFlesh.h"

#include <utility>

#include "pliant/character/BoneCores.h"
#include "pliant/math/Error.h"
#include "pliant/model/CharacterShape.h"

namespace pliant {
namespace {

constexpr int mostFleshIterations = 60;
constexpr double residualTolerance = 1e-9;  // of the residual, relative to the one that a solution begins with
constexpr double rounding = 1e-11;          // of the forces of strains of 100 %

VectorX flattened(const Points& points) {
    return Eigen::Map<const VectorX>(points.data(), points.size());
}

VectorX uniform(Eigen::Index vertices, const Vector3& value) {
    return value.replicate(vertices, 1);
}

}  // namespace

FullFlesh::FullFlesh(std::shared_ptr<const CharacterModel> character, const std::vector<MovingFrame>& bones,
                     double timeStep, double stiffnessDamping)
    : m_character(std::move(character)),
      m_full(m_character->flesh->mesh),
      m_free(Restriction::ofVertices(m_full.mesh(), m_character->flesh->fixedVertices)),
      m_solver(SymmetricSolver::Kind::Indefinite),
      m_h(timeStep),
      m_damping(stiffnessDamping) {
    fleshPoints(*m_character, bones, nullptr, m_now);
    m_skin = m_now;
    m_largestForce = meanEdge(m_full.mesh()) * m_full.restStiffness().diagonal().norm();
    moveAsSkin(bones);
    carryHeld(bones);
    balanceAccelerations(Vector3::Zero());
}

/// The skin is linear in the maps of the bones, and so is its velocity.
void FullFlesh::moveAsSkin(std::vector<MovingFrame> bones) {
    for (MovingFrame& bone : bones) bone.map = bone.velocity;
    Points velocity;
    fleshPoints(*m_character, bones, nullptr, velocity);
    m_velocity = flattened(velocity);
    m_acceleration.setZero(m_velocity.size());
}

void FullFlesh::carryHeld(const std::vector<MovingFrame>& bones) {
    const RigidTransform& frame = m_character->flesh->meshFromBody;
    for (const int v : m_character->flesh->fixedVertices) {
        const MovingFrame& bone = bones[static_cast<std::size_t>(m_character->skin.nodes.bones(0, v))];
        const Vector3 x = frame.inversePoint(m_full.mesh().positions.col(v));
        m_now.col(v) = bone.point(x);
        m_velocity.segment<3>(3 * v) = bone.velocity.leftCols<3>() * x + bone.velocity.col(3);
        m_acceleration.segment<3>(3 * v) = bone.acceleration.leftCols<3>() * x + bone.acceleration.col(3);
    }
}

/// Newton's method for M a(p) + betaK K v(p) + f(p - X) = M g on the free coordinates.
void FullFlesh::solve(const Vector3& gravity, const Rates& rates) {
    const SparseMatrix& M = m_full.massMatrix();
    const VectorX X = flattened(m_full.mesh().positions), start = flattened(m_now);
    const VectorX weight = M * uniform(m_now.cols(), gravity);
    const double damping = rates.velocityFactor > 0.0 ? m_damping : 0.0;
    VectorX p = start;
    const auto residualAt = [&](const VectorX& at) -> VectorX {
        const VectorX moved = at - start;
        VectorX force =
            m_full.internalForce(at - X) + M * (rates.acceleration + rates.accelerationFactor * moved) - weight;
        if (damping > 0.0) {
            m_full.stiffness(at - X, m_K);
            force += damping * (m_K * (rates.velocity + rates.velocityFactor * moved));
        }
        return m_free.reduced(force);
    };
    VectorX residual = residualAt(p);
    const double wanted = residualTolerance * residual.norm() + rounding * m_largestForce;
    for (int i = 0; residual.norm() > wanted; ++i) {
        if (i == mostFleshIterations)
            throw Error("full model", "no equilibrium is found: the mesh has been turned inside out",
                        "bend less far, or take shorter steps");
        m_full.stiffness(p - X, m_K);
        m_solver.factor(
            m_free.reduced(SparseMatrix((1.0 + damping * rates.velocityFactor) * m_K + rates.accelerationFactor * M)));
        const VectorX step = m_free.expand(VectorX(m_solver.solve(residual)));
        const double before = residual.norm();
        double share = 1.0;
        for (residual = residualAt(p - step); residual.norm() > 1.5 * before && share > 1e-3;) {
            share *= 0.5;
            residual = residualAt(p - share * step);
        }
        p -= share * step;
    }
    m_now = Eigen::Map<const Points>(p.data(), 3, m_now.cols());
}

/// M a = M g - f - betaK K v on the free coordinates, with the accelerations of the held ones.
void FullFlesh::balanceAccelerations(const Vector3& gravity) {
    const SparseMatrix& M = m_full.massMatrix();
    const VectorX u = flattened(m_now) - flattened(m_full.mesh().positions);
    for (const int c : m_free.freeCoordinates()) m_acceleration[c] = 0.0;
    m_full.stiffness(u, m_K);
    const VectorX force = M * (uniform(m_now.cols(), gravity) - m_acceleration) - m_full.internalForce(u) -
                          m_damping * (m_K * m_velocity);
    m_solver.factor(m_free.reduced(M));
    m_acceleration += m_free.expand(VectorX(m_solver.solve(m_free.reduced(force))));
}

void FullFlesh::step(const std::vector<MovingFrame>& bones, const Vector3& gravity) {
    const VectorX before = flattened(m_now), v = m_velocity, a = m_acceleration;
    Rates rates{4.0 / (m_h * m_h), 2.0 / m_h, VectorX::Zero(a.size()), v + 0.5 * m_h * a};
    const VectorX predicted = before + m_h * v + 0.25 * m_h * m_h * a;  // less what the new acceleration adds
    carryHeld(bones);
    const Points held = m_now;
    m_now = Eigen::Map<const Points>(predicted.data(), 3, m_now.cols());
    for (const int vertex : m_character->flesh->fixedVertices) {
        m_now.col(vertex) = held.col(vertex);
        rates.acceleration.segment<3>(3 * vertex) = m_acceleration.segment<3>(3 * vertex);
        rates.velocity.segment<3>(3 * vertex) = m_velocity.segment<3>(3 * vertex);
    }
    const VectorX start = flattened(m_now);
    solve(gravity, rates);
    fleshPoints(*m_character, bones, nullptr, m_skin);
    const VectorX found = rates.accelerationFactor * (flattened(m_now) - start);  // zero at the held vertices
    for (const int c : m_free.freeCoordinates()) {
        m_acceleration[c] = found[c];
        m_velocity[c] = v[c] + 0.5 * m_h * (a[c] + found[c]);
    }
}

void FullFlesh::settle(const std::vector<MovingFrame>& bones, const Vector3& gravity) {
    Points skin;
    fleshPoints(*m_character, bones, nullptr, skin);
    m_now += skin - m_skin;  // held vertices alone would turn the elements around them inside out
    m_skin = skin;
    carryHeld(bones);
    const VectorX still = VectorX::Zero(m_velocity.size());
    solve(gravity, {0.0, 0.0, still, still});
    moveAsSkin(bones);
    carryHeld(bones);
    balanceAccelerations(gravity);
}

}  // namespace pliant
