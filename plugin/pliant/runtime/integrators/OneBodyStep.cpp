// SPDX-License-Identifier: Zlib
// The free step of one body alone (blockSize 1): the same equations as NewmarkStep.cpp, always in double precision,
// with kernels whose vectors run along the body's own matrices. A lone body of r = 40 is bound by reading coefficients:
// its K2 is read as half a symmetric matrix.
#include "pliant/runtime/integrators/OneBodyStep.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "pliant/runtime/SymmetricSystem.h"

namespace pliant {

void OneBodyStep::updateRates() const {
    const double *q0 = storage.vector(storage.q, body), *v0 = storage.vector(storage.v, body),
                 *a0 = storage.vector(storage.a, body);
    const double accelerationMove = 1.0 / (beta * h * h), accelerationVelocity = 1.0 / (beta * h);
    const double accelerationOld = (1.0 - 2.0 * beta) / (2.0 * beta);
    const double velocityMove = gamma / (beta * h), velocityVelocity = 1.0 - gamma / beta;
    const double velocityOld = (1.0 - gamma / (2.0 * beta)) * h;
    for (int j = 0; j < r; ++j) {
        const double move = q[j] - q0[j];
        a[j] = accelerationMove * move - accelerationVelocity * v0[j] - accelerationOld * a0[j];
        v[j] = velocityMove * move + velocityVelocity * v0[j] + velocityOld * a0[j];
    }
}

/// Packed K1 + K2 (`undamped`), and tangent and secant with the centrifugal terms.
void OneBodyStep::evaluatePolynomial() const {
    const ModelCoefficients& model = storage.coefficients;
    double *monomials = block.pairVectors.data(), *cubic = monomials + model.rows, *quartic = cubic + model.rows;
    double *tangent = quartic + model.rows, *secant = tangent + model.rows;
    if (model.linear) {  // the same memory as of the centrifugal terms of other steps
        std::fill_n(cubic, 4 * model.rows, 0.0);
        return;
    }
    int next = 0;
    for (int i = 0; i < r; ++i) {
        monomials[next++] = q[i] * q[i];
        for (int j = i + 1; j < r; ++j) monomials[next++] = 2.0 * q[i] * q[j];
    }
    storage.table->product(model.cubicPanels.values.data(), model.rows, r, q, cubic);
    storage.table->symmetricProduct(model.quarticBlocks.values.data(), model.rows, monomials, quartic);
    for (int i = 0; i < model.rows; ++i) {
        tangent[i] = cubic[i] + quartic[i];
        secant[i] = 0.5 * cubic[i] + (1.0 / 3.0) * quartic[i];
    }
    std::copy_n(tangent, model.rows, cubic);  // K1 + K2 alone, for the damping
}

/// Of the q that was evaluated last, J; see elasticForce().
double OneBodyStep::strainEnergy() const {
    const double* tangent = block.pairVectors.data() + 3 * storage.coefficients.rows;
    const double *secant = tangent + storage.coefficients.rows, *rest = storage.coefficients.restStiffness.data();
    double sum = 0.0;
    for (int i = 0; i < r; ++i)
        for (int j = i; j < r; ++j)
            sum += (i == j ? 1.0 : 2.0) * q[i] * q[j] * (0.5 * (*rest++ + *secant++) - *tangent++ / 12.0);
    return sum;
}

void OneBodyStep::addRotation() const {
    if (storage.feelsRotation() && storage.record(body).endAngularVelocity.squaredNorm() > 0.0) addCentrifugal();
}

void OneBodyStep::addCentrifugal() const {
    const int rows = storage.coefficients.rows;
    double *tangent = block.pairVectors.data() + 3 * rows, *secant = tangent + rows;
    const std::array<double, 6> weights = centrifugalWeights(storage.record(body).endAngularVelocity);
    const double* entry = storage.rigidConstants.centrifugal.data();
    for (int i = 0; i < storage.coefficients.pairs; ++i, entry += 6) {
        double sum = 0.0;
        for (std::size_t c = 0; c < 6; ++c) sum += weights[c] * entry[c];
        tangent[i] += sum;
        secant[i] += sum;
    }
}

void OneBodyStep::assemble() const {
    const DampingSettings& settings = storage.settings.damping;
    const int rows = storage.coefficients.rows;
    kernels::OneBodyAssembly assembly;
    assembly.r = r;
    assembly.stride = stride;
    assembly.restStiffness = storage.coefficients.restStiffness.data();
    assembly.undamped = block.pairVectors.data() + rows;
    assembly.tangent = block.pairVectors.data() + 3 * rows;
    assembly.secant = assembly.tangent + rows;
    assembly.q = q;
    assembly.v = v;
    assembly.force = force;
    assembly.dampingProduct = damping;
    assembly.stiffnessFactor = beta * h * h;
    assembly.dampingFactor = gamma * h * settings.stiffness;
    assembly.diagonal = 1.0 + gamma * h * settings.mass;
    assembly.restDamping = settings.form == DampingForm::RestStiffness;
    storage.table->assembleOne(assembly, block.oneSystem.data());
    if (!storage.dampsStrainRate()) return;
    const double* entry = storage.addStrainRate(q, v, block, force);  // D(q) alone; its derivative is left out
    for (int row = 0; row < r; ++row)
        for (int column = row; column < r; ++column)
            block.oneSystem.data()[row * stride + column] += gamma * h * *entry++;
}

/// @return |q'' - H'I^-1 H q'' + D q' + R - f|, kept in `residual`
double OneBodyStep::measureResidual() const {
    const DampingSettings& settings = storage.settings.damping;
    VectorView difference(residual, r);
    const ConstVectorView acceleration(a, r);
    difference = acceleration + settings.mass * ConstVectorView(v, r) +
                 settings.stiffness * ConstVectorView(damping, r) + ConstVectorView(force, r) -
                 ConstVectorView(storage.vector(storage.f, body), r);
    if (storage.reacts()) {
        const double* H = storage.threeColumns(storage.couplingColumns, body);
        Vector3 reaction;
        for (int c = 0; c < 3; ++c) reaction[c] = ConstVectorView(H + c * storage.stride, r).dot(acceleration);
        reaction = (storage.record(body).endInertiaInverse * reaction).eval();
        for (int c = 0; c < 3; ++c) difference -= reaction[c] * ConstVectorView(H + c * storage.stride, r);
    }
    return difference.norm();
}

/// rhs <- S^-1 rhs and Z <- S^-1 H'; keeps factor or inverse, and S where the contact response needs it.
void OneBodyStep::factorAndSolve() {
    double* system = block.oneSystem.data();
    BodyRecord& record = storage.record(body);
    const auto pack = [&](double* packed) {
        for (int row = 0; row < n; ++row) {
            std::copy(system + row * stride + row, system + row * stride + n, packed);
            packed += n - row;
        }
    };
    VectorView(rhs, r) = -beta * h * h * ConstVectorView(residual, r);
    std::fill(rhs + r, rhs + stride, 0.0);
    const double* H = storage.threeColumns(storage.couplingColumns, body);
    if (storage.reacts())
        for (int c = 0; c < 3; ++c) {
            std::copy_n(H + c * storage.stride, r, frame[c]);
            std::fill(frame[c] + r, frame[c] + stride, 0.0);
        }
    pack(storage.system(body));
    record.inverted = !storage.table->factorOne(n, stride, system);
    for (int j = 0; j < r && !record.inverted; ++j) record.inverted = system[j * stride + j] > largestInversePivot;
    if (record.inverted) {
        solveDefinite();
        return;
    }
    pack(storage.factor(body));
    storage.table->solveOne(n, stride, system, rhs);
    if (storage.reacts())
        for (int c = 0; c < 3; ++c) storage.table->solveOne(n, stride, system, frame[c]);
}

void OneBodyStep::solveDefinite() {
    const bool finite = storage.invertSystem(body, block);
    double* solution = block.oneSystem.data();
    const auto solve = [&](double* x) {
        multiplySymmetric(n, storage.factor(body), x, solution);
        // The finite check at the end of the step puts the body back.
        for (int j = 0; j < n; ++j) x[j] = finite ? solution[j] : std::nan("");
    };
    solve(rhs);
    if (storage.reacts())
        for (int c = 0; c < 3; ++c) solve(frame[c]);
}

/// Woodbury, as NewmarkStep.cpp: rhs += Z (I - H Z)^-1 H rhs; keeps Z and the small inverse for the response.
void OneBodyStep::addFrameReaction() {
    BodyRecord& record = storage.record(body);
    const double* H = storage.threeColumns(storage.couplingColumns, body);
    double* Z = storage.threeColumns(storage.angularResponse, body);
    Matrix3 schur = record.endInertia;
    Vector3 turn;
    for (int i = 0; i < 3; ++i) {
        const ConstVectorView row(H + i * storage.stride, r);
        turn[i] = row.dot(ConstVectorView(rhs, r));
        for (int j = 0; j < 3; ++j) schur(i, j) -= row.dot(ConstVectorView(frame[j], r));
    }
    record.schurInverse = schur.inverse();
    turn = (record.schurInverse * turn).eval();
    for (int c = 0; c < 3; ++c) {
        VectorView(rhs, r) += turn[c] * ConstVectorView(frame[c], r);
        std::copy_n(frame[c], r, Z + c * storage.stride);
    }
    record.angularResponseValid = identityShare(gamma, beta) == 0.0;
}

/// @return false when the result is not finite
bool OneBodyStep::run() {
    std::fill_n(block.oneRows.data(), block.oneRows.size(), 0.0);
    std::copy_n(storage.vector(storage.q, body), r, q);
    evaluatePolynomial();
    if (storage.settings.energyGuard) storage.guardEnergy(body, strainEnergy());
    storage.prepareBody(body, h, block);
    double first = 0.0;
    for (int iteration = 0; iteration < std::max(1, storage.settings.newmark.iterations); ++iteration) {
        updateRates();
        if (iteration > 0) evaluatePolynomial();
        addRotation();
        assemble();
        const double residualNorm = measureResidual();
        if (iteration == 0) first = residualNorm;
        if (iteration > 0 && residualNorm <= storage.settings.newmark.tolerance * first) break;
        factorAndSolve();
        if (storage.reacts()) addFrameReaction();
        VectorView(q, r) += ConstVectorView(rhs, r);
    }
    updateRates();
    return ConstVectorView(q, r).allFinite() && ConstVectorView(v, r).allFinite() && ConstVectorView(a, r).allFinite();
}

void BatchStorage::stepAlone(double h, int body) {
    BlockScratch& block = acquireScratch();
    OneBodyStep step(*this, block, body, h);
    if (step.run()) {
        std::copy_n(step.q, r, vector(q, body));
        std::copy_n(step.v, r, vector(v, body));
        std::copy_n(step.a, r, vector(a, body));
    } else {
        restoreAtRest(body);
    }
    finishBody(body, h, block);
    releaseScratch(block);
}

}  // namespace pliant
