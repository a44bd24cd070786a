// SPDX-License-Identifier: Zlib
// Every eigenvector of the rest stiffness is an oscillator of its own, and under the constant
// force of the step its motion is known, [HSO03 section 3] (there in complex numbers; here real, so that overdamped
// modes need no case of their own):
//
//     x'' + d x' + omega^2 x = g,   E = exp(-d h / 2),   c, s = cos(w h), sin(w h) / w,   w^2 = omega^2 - d^2 / 4,
//     A = E (c + d s / 2),   B = E s,   P = (1 - A) / omega^2      (w imaginary: cosh and sinh).
#include "pliant/runtime/integrators/RestModes.h"

#include <algorithm>
#include <cmath>

#include "pliant/model/DiagonaliseRest.h"
#include "pliant/runtime/SymmetricSystem.h"

namespace pliant {
namespace {

/// exp(-d h / 2) times cos and sin / w of the damped oscillator.
struct Damped {
    double cosine, sine;
};

Damped damped(double square, double decay, double h) {
    const double half = 0.5 * decay, w2 = square - half * half;
    if (std::abs(w2) * h * h < 1e-8) {
        const double E = std::exp(-half * h), x = w2 * h * h;
        return {E * (1.0 - 0.5 * x), E * h * (1.0 - x / 6.0)};
    }
    if (w2 > 0.0) {
        const double E = std::exp(-half * h), w = std::sqrt(w2);
        return {E * std::cos(w * h), E * std::sin(w * h) / w};
    }
    const double k = std::sqrt(-w2), slow = std::exp((k - half) * h), fast = std::exp(-(k + half) * h);
    return {0.5 * (slow + fast), 0.5 * (slow - fast) / k};
}

/// (1 - A) / omega^2, and its limit where that has no digits left.
double forceResponse(double square, double decay, double A, double h) {
    if (square * h * h > 1e-6) return (1.0 - A) / square;
    const double x = decay * h;
    if (x < 1e-3) return h * h * (0.5 - x / 6.0 + x * x / 24.0);
    return h * h * (x - 1.0 + std::exp(-x)) / (x * x);
}

/// The factor of `diagonal` times the identity and `share` of the rest stiffness, r x r, in n rows.
void makeFactor(int n, int r, double diagonal, double share, const double* restStiffness, double* factor) {
    double* entry = factor;
    for (int a = 0; a < n; ++a)
        for (int b = a; b < n; ++b)
            *entry++ = (a == b ? diagonal : 0.0) + (b < r ? share * restStiffness[kernels::packedIndex(r, a, b)] : 0.0);
    factorPositive(n, factor);  // something positive, and what is not negative
}

}  // namespace

RestModes::RestModes(const ReducedModel& model) : vectors(model.restEigenvectors), squares(model.restEigenvalues) {
    const Eigen::Index r = model.energy.linearStiffness.rows();
    if (vectors.rows() != r || vectors.cols() != r || squares.size() != r) {  // a model made by hand
        ReducedModel copy;
        copy.energy.linearStiffness = model.energy.linearStiffness;
        diagonaliseRest(copy);
        vectors = copy.restEigenvectors;
        squares = copy.restEigenvalues;
    }
    squares = squares.cwiseMax(0.0).eval();
    frequencies = squares.cwiseSqrt();
    for (VectorX* x : {&decay, &A, &B, &P, &response, &mean}) x->setZero(r);
}

void RestModes::prepare(double h, const DampingSettings& damping, const double* restStiffness, int n) {
    if (h == step && damping.mass == mass && damping.stiffness == stiffness) return;
    step = h;
    mass = damping.mass;
    stiffness = damping.stiffness;
    const auto r = static_cast<int>(squares.size());
    for (int i = 0; i < r; ++i) {
        decay[i] = mass + stiffness * squares[i];
        const Damped motion = damped(squares[i], decay[i], h);
        A[i] = motion.cosine + 0.5 * decay[i] * motion.sine;
        B[i] = motion.sine;
        P[i] = forceResponse(squares[i], decay[i], A[i], h);
        response[i] = 1.0 / (1.0 + 0.25 * h * h * squares[i]);
        mean[i] = 1.0 / (1.0 + 0.5 * h * decay[i] + 0.25 * h * h * squares[i]);
    }
    makeFactor(n, r, 1.0, 0.25 * h * h, restStiffness, factor.data());
    makeFactor(n, r, 1.0 + 0.5 * h * mass, 0.25 * h * h + 0.5 * h * stiffness, restStiffness, meanFactor.data());
}

}  // namespace pliant
