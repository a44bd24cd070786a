// SPDX-License-Identifier: Zlib
// The free step of one body alone (blockSize 1): the same equations as NewmarkStep.cpp, always in double precision,
// with kernels whose vectors run along the body's own matrices. A lone body of r = 40 is bound by reading coefficients:
// its K2 is read as half a symmetric matrix.
#include "pliant/runtime/integrators/OneBodyStep.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "pliant/runtime/BodyTerms.h"
#include "pliant/runtime/SymmetricSystem.h"
#include "pliant/runtime/energy/EnergyGuard.h"
#include "pliant/runtime/integrators/BodyStep.h"

namespace pliant {
namespace {

void updateRates(const OneBodyStep& step) {
    BatchStorage& batch = step.storage;
    const int body = step.body;
    const double h = step.h, gamma = step.gamma, beta = step.beta;
    const double *q0 = batch.vector(batch.q, body), *v0 = batch.vector(batch.v, body),
                 *a0 = batch.vector(batch.a, body);
    const double accelerationMove = 1.0 / (beta * h * h), accelerationVelocity = 1.0 / (beta * h);
    const double accelerationOld = (1.0 - 2.0 * beta) / (2.0 * beta);
    const double velocityMove = gamma / (beta * h), velocityVelocity = 1.0 - gamma / beta;
    const double velocityOld = (1.0 - gamma / (2.0 * beta)) * h;
    for (int j = 0; j < step.r; ++j) {
        const double move = step.q[j] - q0[j];
        step.a[j] = accelerationMove * move - accelerationVelocity * v0[j] - accelerationOld * a0[j];
        step.v[j] = velocityMove * move + velocityVelocity * v0[j] + velocityOld * a0[j];
    }
}

/// Of the q that was evaluated last, J; see elasticForce().
double strainEnergy(const OneBodyStep& step) {
    BatchStorage& batch = step.storage;
    const double* tangent = step.block.pairVectors.data() + 3 * batch.coefficients.rows;
    const double *secant = tangent + batch.coefficients.rows, *rest = batch.coefficients.restStiffness.data();
    double sum = 0.0;
    for (int i = 0; i < step.r; ++i)
        for (int j = i; j < step.r; ++j)
            sum += (i == j ? 1.0 : 2.0) * step.q[i] * step.q[j] * (0.5 * (*rest++ + *secant++) - *tangent++ / 12.0);
    return sum;
}

void addCentrifugal(const OneBodyStep& step) {
    BatchStorage& batch = step.storage;
    const int rows = batch.coefficients.rows;
    double *tangent = step.block.pairVectors.data() + 3 * rows, *secant = tangent + rows;
    const std::array<double, 6> weights = centrifugalWeights(batch.record(step.body).endAngularVelocity);
    const double* entry = batch.rigidConstants.centrifugal.data();
    for (int i = 0; i < batch.coefficients.pairs; ++i, entry += 6) {
        double sum = 0.0;
        for (std::size_t c = 0; c < 6; ++c) sum += weights[c] * entry[c];
        tangent[i] += sum;
        secant[i] += sum;
    }
}

/// The residual and, of a frame that reacts, the columns of its coupling.
void setRightHandSides(OneBodyStep& step) {
    BatchStorage& batch = step.storage;
    VectorView(step.rhs, step.r) = -step.beta * step.h * step.h * ConstVectorView(step.residual, step.r);
    std::fill(step.rhs + step.r, step.rhs + step.stride, 0.0);
    if (!batch.reacts()) return;
    const double* H = batch.threeColumns(batch.couplingColumns, step.body);
    for (int c = 0; c < 3; ++c) {
        std::copy_n(H + c * batch.stride, step.r, step.frame[c]);
        std::fill(step.frame[c] + step.r, step.frame[c] + step.stride, 0.0);
    }
}

void solveDefinite(OneBodyStep& step) {
    BatchStorage& batch = step.storage;
    BlockScratch& block = step.block;
    const bool finite = invertSystem(batch, step.body, block);
    double* solution = block.oneSystem.data();
    const auto solve = [&](double* x) {
        multiplySymmetric(step.n, batch.factor(step.body), x, solution);
        // The finite check at the end of the step puts the body back.
        for (int j = 0; j < step.n; ++j) x[j] = finite ? solution[j] : std::nan("");
    };
    solve(step.rhs);
    if (batch.reacts())
        for (int c = 0; c < 3; ++c) solve(step.frame[c]);
}

}  // namespace

/// Packed K1 + K2 (`undamped`), and tangent and secant with the centrifugal terms.
void evaluatePolynomial(const OneBodyStep& step) {
    BatchStorage& batch = step.storage;
    const int r = step.r;
    double* q = step.q;
    const ModelCoefficients& model = batch.coefficients;
    double *monomials = step.block.pairVectors.data(), *cubic = monomials + model.rows, *quartic = cubic + model.rows;
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
    batch.table->product(model.cubicPanels.values.data(), model.rows, r, q, cubic);
    batch.table->symmetricProduct(model.quarticBlocks.values.data(), model.rows, monomials, quartic);
    for (int i = 0; i < model.rows; ++i) {
        tangent[i] = cubic[i] + quartic[i];
        secant[i] = 0.5 * cubic[i] + (1.0 / 3.0) * quartic[i];
    }
    std::copy_n(tangent, model.rows, cubic);  // K1 + K2 alone, for the damping
}

void addRotation(const OneBodyStep& step) {
    BatchStorage& batch = step.storage;
    if (batch.feelsRotation() && batch.record(step.body).endAngularVelocity.squaredNorm() > 0.0) addCentrifugal(step);
}

void assemble(const OneBodyStep& step) {
    BatchStorage& batch = step.storage;
    BlockScratch& block = step.block;
    const int r = step.r;
    const double h = step.h, gamma = step.gamma;
    const DampingSettings& settings = batch.settings.damping;
    const int rows = batch.coefficients.rows;
    kernels::OneBodyAssembly assembly;
    assembly.r = r;
    assembly.stride = step.stride;
    assembly.restStiffness = batch.coefficients.restStiffness.data();
    assembly.undamped = block.pairVectors.data() + rows;
    assembly.tangent = block.pairVectors.data() + 3 * rows;
    assembly.secant = assembly.tangent + rows;
    assembly.q = step.q;
    assembly.v = step.v;
    assembly.force = step.force;
    assembly.dampingProduct = step.damping;
    assembly.stiffnessFactor = step.beta * h * h;
    assembly.dampingFactor = gamma * h * settings.stiffness;
    assembly.diagonal = 1.0 + gamma * h * settings.mass;
    assembly.restDamping = settings.form == DampingForm::RestStiffness;
    batch.table->assembleOne(assembly, block.oneSystem.data());
    if (!batch.dampsStrainRate()) return;
    const double* entry =
        addStrainRate(batch, step.q, step.v, block, step.force);  // D(q) alone; its derivative is left out
    for (int row = 0; row < r; ++row)
        for (int column = row; column < r; ++column)
            block.oneSystem.data()[row * step.stride + column] += gamma * h * *entry++;
}

double measureResidual(const OneBodyStep& step) {
    BatchStorage& batch = step.storage;
    const int r = step.r, body = step.body;
    const DampingSettings& settings = batch.settings.damping;
    VectorView difference(step.residual, r);
    const ConstVectorView acceleration(step.a, r);
    difference = acceleration + settings.mass * ConstVectorView(step.v, r) +
                 settings.stiffness * ConstVectorView(step.damping, r) + ConstVectorView(step.force, r) -
                 ConstVectorView(batch.vector(batch.f, body), r);
    if (batch.reacts()) {
        const double* H = batch.threeColumns(batch.couplingColumns, body);
        Vector3 reaction;
        for (int c = 0; c < 3; ++c) reaction[c] = ConstVectorView(H + c * batch.stride, r).dot(acceleration);
        reaction = (batch.record(body).endInertiaInverse * reaction).eval();
        for (int c = 0; c < 3; ++c) difference -= reaction[c] * ConstVectorView(H + c * batch.stride, r);
    }
    return difference.norm();
}

void factorAndSolve(OneBodyStep& step) {
    BatchStorage& batch = step.storage;
    const int r = step.r, n = step.n, body = step.body, stride = step.stride;
    double* rhs = step.rhs;
    double* system = step.block.oneSystem.data();
    BodyRecord& record = batch.record(body);
    const auto pack = [&](double* packed) {
        for (int row = 0; row < n; ++row) {
            std::copy(system + row * stride + row, system + row * stride + n, packed);
            packed += n - row;
        }
    };
    setRightHandSides(step);
    record.tangent.isRest = false;
    pack(batch.system(body));
    record.inverted = !batch.table->factorOne(n, stride, system);
    for (int j = 0; j < r && !record.inverted; ++j) record.inverted = system[j * stride + j] > largestInversePivot;
    if (record.inverted) {
        solveDefinite(step);
        return;
    }
    pack(batch.factor(body));
    batch.table->solveOne(n, stride, system, rhs);
    if (batch.reacts())
        for (int c = 0; c < 3; ++c) batch.table->solveOne(n, stride, system, step.frame[c]);
}

namespace {

/// E = I - H Z of the frame, Z = S^-1 H'.
Matrix3 schurComplement(const OneBodyStep& step) {
    BatchStorage& batch = step.storage;
    const double* H = batch.threeColumns(batch.couplingColumns, step.body);
    Matrix3 schur = batch.record(step.body).endInertia;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            schur(i, j) -= ConstVectorView(H + i * batch.stride, step.r).dot(ConstVectorView(step.frame[j], step.r));
    return schur;
}

}  // namespace

/// Woodbury, as BlockSolve.cpp: rhs += Z (I - H Z)^-1 H rhs; keeps Z and the small inverse for the response.
void addFrameReaction(OneBodyStep& step) {
    BatchStorage& batch = step.storage;
    const int r = step.r, body = step.body;
    BodyRecord& record = batch.record(body);
    const double* H = batch.threeColumns(batch.couplingColumns, body);
    double* Z = batch.threeColumns(batch.angularResponse, body);
    Matrix3 schur = schurComplement(step);
    if (!record.inverted && !frameIsDefinite(schur, record.endInertia, H, batch.stride, r)) {
        setRightHandSides(step);
        solveDefinite(step);
        schur = schurComplement(step);
    }
    Vector3 turn;
    for (int i = 0; i < 3; ++i) turn[i] = ConstVectorView(H + i * batch.stride, r).dot(ConstVectorView(step.rhs, r));
    record.schurInverse = schur.inverse();
    turn = (record.schurInverse * turn).eval();
    for (int c = 0; c < 3; ++c) {
        VectorView(step.rhs, r) += turn[c] * ConstVectorView(step.frame[c], r);
        std::copy_n(step.frame[c], r, Z + c * batch.stride);
    }
    record.angularResponseValid = identityShare(step.gamma, step.beta) == 0.0;
}

namespace {

/// @return false when the result is not finite
bool runStep(OneBodyStep& step) {
    BatchStorage& batch = step.storage;
    BlockScratch& block = step.block;
    const int r = step.r, body = step.body;
    double* q = step.q;
    std::fill_n(block.oneRows.data(), block.oneRows.size(), 0.0);
    std::copy_n(batch.vector(batch.q, body), r, q);
    evaluatePolynomial(step);
    if (batch.settings.energyGuard) guardEnergy(batch, body, strainEnergy(step));
    prepareBody(batch, body, step.h, block);
    double first = 0.0;
    for (int iteration = 0; iteration < std::max(1, batch.settings.newmark.iterations); ++iteration) {
        updateRates(step);
        if (iteration > 0) evaluatePolynomial(step);
        addRotation(step);
        assemble(step);
        const double residualNorm = measureResidual(step);
        if (iteration == 0) first = residualNorm;
        if (iteration > 0 && residualNorm <= batch.settings.newmark.tolerance * first) break;
        factorAndSolve(step);
        if (batch.reacts()) addFrameReaction(step);
        VectorView(q, r) += ConstVectorView(step.rhs, r);
    }
    updateRates(step);
    return ConstVectorView(q, r).allFinite() && ConstVectorView(step.v, r).allFinite() &&
           ConstVectorView(step.a, r).allFinite();
}

}  // namespace

void stepAlone(BatchStorage& batch, double h, int body) {
    BlockScratch& block = acquireScratch(batch);
    OneBodyStep step(batch, block, body, h);
    if (runStep(step)) {
        std::copy_n(step.q, batch.r, batch.vector(batch.q, body));
        std::copy_n(step.v, batch.r, batch.vector(batch.v, body));
        std::copy_n(step.a, batch.r, batch.vector(batch.a, body));
    } else {
        restoreAtRest(batch, body);
    }
    finishBody(batch, body, h, block);
    releaseScratch(block);
}

}  // namespace pliant
