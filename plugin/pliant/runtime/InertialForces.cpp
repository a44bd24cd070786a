// SPDX-License-Identifier: Zlib
// What the motion of the frame does to q, [S]; signs as in docs/notation.md.
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

#include "pliant/runtime/BatchState.h"

namespace pliant {

void BatchState::addInertialForces(int body, double h) {
    BodyRecord& state = record(body);
    VectorView force(vector(f, body), r);
    force.noalias() -= rigidConstants.translation * state.frame.acceleration;
    if (!feelsRotation()) return;
    const Vector3& W = state.frame.angularVelocity;
    if (W.squaredNorm() == 0.0 && state.previousAngularVelocity.squaredNorm() == 0.0) return;
    const RigidTerms terms = rigid(body);
    terms.addCentrifugal(W, force.data());
    Vector3 angularAcceleration;
    if (turns()) {
        // d/dt (I W + h) = -W x (I W + h) without torque; what torque adds reaches q' through response().
        const double* velocity = vector(v, body);
        const Vector3 momentum = state.inertia * W + terms.modalMomentum(velocity);
        const Vector3 rate = W.cross(momentum) + terms.inertiaRate(velocity) * W + terms.modalMomentum(vector(a, body));
        angularAcceleration = -state.inertia.inverse() * rate;
    } else {
        angularAcceleration = (W - state.previousAngularVelocity) / h;
    }
    terms.addEuler(angularAcceleration, force.data());
}

void BatchState::rotateHalf(const Vector3& W, double h, double* velocity, BlockScratch& block) const {
    if (W.squaredNorm() == 0.0) return;
    const kernels::CoefficientPanels<double>* C = rigidConstants.gyroscopic;
    double* panel = block.panel.data();
    const std::size_t size = C[0].values.size();
    for (std::size_t i = 0; i < size; ++i)
        panel[i] = -h * (W.x() * C[0].values.data()[i] + W.y() * C[1].values.data()[i] + W.z() * C[2].values.data()[i]);
    // exp(-h P) q' = sum_k (-h P)^k q' / k!, to rounding; |P| <= |W| because the basis is mass-orthonormal.
    double* term = block.vectors.data();
    double* next = term + C[0].rows;
    std::copy_n(velocity, r, term);
    const double start = VectorView(velocity, r).squaredNorm();
    for (int k = 1; k <= 60; ++k) {
        table->product(panel, C[0].rows, C[0].columns, term, next);
        double square = 0.0;
        for (int j = 0; j < r; ++j) {
            next[j] /= k;
            velocity[j] += next[j];
            square += next[j] * next[j];
        }
        if (!(square > 1e-36 * start)) break;
        std::swap(term, next);
    }
}

}  // namespace pliant
