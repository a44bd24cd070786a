// SPDX-License-Identifier: Zlib
// The free step by Newton's method with a search along its directions: for bodies that one linearised step would throw
// far up the quartic of their strain energy. The equation of the step (NewmarkStep.cpp) is the stationarity in q of
//
//     phi(q) = beta h^2 q''.M q'' / 2 + V(q) - f.q + damping,   q'' = (q - q_p) / (beta h^2),   M = 1 - H'I^-1 H,
//
// whose gradient is the residual and whose Hessian is (S - H'I^-1 H) / (beta h^2). Along a line the slope of phi is a
// cubic, known from its values and derivatives at two points, so that the second trial meets the first minimum of the
// line where it exists [NW06 3.5]. With S made definite (SymmetricSystem.h) every direction descends.
#include <algorithm>
#include <cmath>

#include "pliant/runtime/integrators/OneBodyStep.h"

namespace pliant {
namespace {

constexpr int mostDirections = 12;
constexpr int mostTrials = 8;
/// Share of the body's energy at the start that a further direction must promise to be searched.
constexpr double worthwhileDescent = 1e-3;
/// Share of the first slope that may be left, uphill, at the end of a line.
constexpr double slopeLeft = 0.1;
/// A trial is repeated where the first minimum lies before this share of it.
constexpr double acceptedShare = 0.8;
constexpr double smallestShare = 1e-3;
/// Points of a line, denser towards its start, among which the first minimum is looked for.
constexpr int pointsOfSearch = 64;

/// Value and derivative of the slope of phi at one end of a piece of a line, the piece having the length 1.
struct LineEnd {
    double slope = 0.0, curvature = 0.0;
};

/// Where the cubic through both ends changes from falling to rising phi first; 1 where it does not in between.
double firstMinimum(const LineEnd& start, const LineEnd& end) {
    const auto slopeAt = [&](double t) {
        const double u = 1.0 - t;
        return u * u * ((1.0 + 2.0 * t) * start.slope + t * start.curvature) +
               t * t * ((1.0 + 2.0 * u) * end.slope - u * end.curvature);
    };
    double before = 0.0, slopeBefore = start.slope;
    for (int k = 1; k <= pointsOfSearch; ++k) {
        const double share = static_cast<double>(k) / pointsOfSearch, t = share * share * share;
        const double slope = slopeAt(t);
        if (slope > 0.0) return before + (t - before) * slopeBefore / (slopeBefore - slope);
        before = t;
        slopeBefore = slope;
    }
    return 1.0;
}

/// q and q' of a step whose q'' is 0; the q'' and q' of any other end are linear in its q.
void predict(const OneBodyStep& step) {
    BatchStorage& batch = step.storage;
    const int body = step.body;
    const double h = step.h;
    const double *q1 = batch.vector(batch.q, body), *v1 = batch.vector(batch.v, body),
                 *a1 = batch.vector(batch.a, body);
    for (int j = 0; j < step.r; ++j) {
        step.predictedQ[j] = q1[j] - step.beta * h * h * a1[j];
        step.predictedV[j] = v1[j] - step.gamma * h * a1[j];
    }
}

void updatePredictedRates(const OneBodyStep& step) {
    const double h = step.h;
    for (int j = 0; j < step.r; ++j) {
        step.a[j] = (step.q[j] - step.predictedQ[j]) / (step.beta * h * h);
        step.v[j] = step.predictedV[j] + step.gamma * h * step.a[j];
    }
}

/// Packed K1 + K2 and the secant in the precision of the block step: a body searches with the model that it steps with.
void evaluateBlockPolynomial(const OneBodyStep& step) {
    BatchStorage& batch = step.storage;
    BlockScratch& block = step.block;
    const int r = step.r;
    double* q = step.q;
    const ModelCoefficients& model = batch.coefficients;
    double *undamped = block.pairVectors.data() + model.rows, *tangent = undamped + 2 * model.rows,
           *secant = tangent + model.rows;
    const auto evaluateWith = [&](auto* monomials, auto* tangents, auto* secants, const auto& panels,
                                  const auto& polynomial) {
        using Scalar = std::remove_pointer_t<decltype(monomials)>;
        int next = r;
        for (int i = 0; i < r; ++i) monomials[i] = static_cast<Scalar>(q[i]);
        for (int i = 0; i < r; ++i)
            for (int j = i; j < r; ++j) monomials[next++] = static_cast<Scalar>(q[i] * q[j]);
        if (!model.linear)
            polynomial(panels.values.data(), panels.rows, r, panels.columns, monomials, tangents, secants);
        for (int i = 0; i < model.rows; ++i) {
            undamped[i] = tangent[i] = static_cast<double>(tangents[i]);
            secant[i] = static_cast<double>(secants[i]);
        }
    };
    if (model.doublePrecision)
        evaluateWith(block.doubleMonomials.data(), block.doubleTangent.data(), block.doubleSecant.data(),
                     model.doublePanels, batch.table->polynomialOneDouble);
    else
        evaluateWith(block.singleMonomials.data(), block.singleTangent.data(), block.singleSecant.data(),
                     model.singlePanels, batch.table->polynomialOneSingle);
}

/// Rates, residual and system (kept packed in the block's `dense` as well) at the present q.
void evaluate(const OneBodyStep& step) {
    BlockScratch& block = step.block;
    updatePredictedRates(step);
    evaluateBlockPolynomial(step);
    addRotation(step);
    assemble(step);
    measureResidual(step);
    double* packed = block.dense.data();
    for (int row = 0; row < step.n; ++row) {
        const double* from = block.oneSystem.data() + row * step.stride;
        packed = std::copy(from + row, from + step.n, packed);
    }
}

/// way'(S - H'I^-1 H) way / (beta h^2) at the q that was evaluated last.
double curvatureAlong(const OneBodyStep& step, const double* way) {
    BatchStorage& batch = step.storage;
    const int r = step.r;
    const double* entry = step.block.dense.data();
    double sum = 0.0;
    for (int i = 0; i < step.n; ++i)
        for (int j = i; j < step.n; ++j, ++entry)
            if (j < r) sum += (i == j ? 1.0 : 2.0) * *entry * way[i] * way[j];
    if (batch.reacts()) {
        const ConstVectorView move(way, r);
        Vector3 turn;
        for (int c = 0; c < 3; ++c)
            turn[c] =
                ConstVectorView(batch.threeColumns(batch.couplingColumns, step.body) + c * batch.stride, r).dot(move);
        sum -= turn.dot(batch.record(step.body).endInertiaInverse * turn);
    }
    return sum / (step.beta * step.h * step.h);
}

/// Moves q along `way` to the first minimum of phi or, before it, to the end; everything is evaluated there.
/// @param slope of phi along `way` at q, negative @return false when no such point was found
bool searchLine(OneBodyStep& step, const double* way, double slope) {
    const int r = step.r;
    const ConstVectorView move(way, r);
    VectorView base(step.block.vectors.data() + 5 * step.stride, r), position(step.q, r);
    base = position;
    const LineEnd start{slope, curvatureAlong(step, way)};
    double share = 1.0;
    for (int trial = 0; trial < mostTrials; ++trial) {
        position = base + share * move;
        evaluate(step);
        const LineEnd end{ConstVectorView(step.residual, r).dot(move), curvatureAlong(step, way)};
        if (!std::isfinite(end.slope) || !std::isfinite(end.curvature)) {
            share *= smallestShare;
            continue;
        }
        const double minimum = firstMinimum({share * start.slope, share * share * start.curvature},
                                            {share * end.slope, share * share * end.curvature});
        if (minimum >= acceptedShare && end.slope <= -slopeLeft * slope) return true;
        share *= std::clamp(minimum, smallestShare, acceptedShare);
    }
    return false;
}

/// Takes the place of the linearised step that the body's q, q' and q'' hold. @return false when it found no end
bool search(OneBodyStep& step) {
    BatchStorage& batch = step.storage;
    BlockScratch& block = step.block;
    const int r = step.r;
    double* q = step.q;
    std::fill_n(block.oneRows.data(), block.oneRows.size(), 0.0);
    predict(step);
    std::copy_n(batch.vector(batch.startPosition, step.body), r, q);
    evaluate(step);
    double* way = block.vectors.data() + 4 * step.stride;
    const double worthwhile = worthwhileDescent * batch.record(step.body).ledger.energy;
    for (int direction = 0; direction < mostDirections; ++direction) {
        factorAndSolve(step);
        if (batch.reacts()) addFrameReaction(step);
        std::copy_n(step.rhs, r, way);
        const double slope = ConstVectorView(step.residual, r).dot(ConstVectorView(way, r));
        if (!(slope < 0.0)) return slope == 0.0;
        if (-slope <= worthwhile) {
            VectorView(q, r) += ConstVectorView(way, r);
            break;
        }
        if (!searchLine(step, way, slope)) return false;
    }
    updatePredictedRates(step);
    return ConstVectorView(q, r).allFinite() && ConstVectorView(step.v, r).allFinite() &&
           ConstVectorView(step.a, r).allFinite();
}

}  // namespace

bool searchStep(BatchStorage& batch, double h, int body, BlockScratch& block) {
    OneBodyStep step(batch, block, body, h);
    batch.record(body).tangent.known = false;  // the factor will be that of another q
    if (!search(step)) return false;
    std::copy_n(step.q, batch.r, batch.vector(batch.q, body));
    std::copy_n(step.v, batch.r, batch.vector(batch.v, body));
    std::copy_n(step.a, batch.r, batch.vector(batch.a, body));
    batch.record(body).rigidValid = false;
    return true;
}

}  // namespace pliant
