// SPDX-License-Identifier: Zlib
// The data of a BodyBatch, plain: what the stages of the step do with it is told by the header of each (BodyTerms.h,
// integrators/BodyStep.h and the steps there, response/BatchResponse.h, energy/EnergyGuard.h). Private to runtime/.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "pliant/runtime/BatchScratch.h"
#include "pliant/runtime/BodyRecord.h"
#include "pliant/runtime/IntegrationScheme.h"
#include "pliant/runtime/StiffnessChange.h"
#include "pliant/runtime/integrators/RestModes.h"

namespace pliant {

/// S of linear flesh whose frame does not turn. It is the same for all bodies, so it is factored once for a length of
/// step (ReusedTangent.cpp).
struct RestTangent {
    bool known = false;                            ///< What follows belongs to `factors`.
    bool definite = false;                         ///< Its pivots are good enough to step with.
    TangentFactors factors;                        ///< What S is made of K0 with.
    kernels::AlignedArray<double> factor;          ///< Factor U of S = U'U, packed.
    kernels::CoefficientPanels<double> stiffness;  ///< Rest stiffness K0, r x r.
};

/// All bodies of one model: arrays with a vector of r numbers for each, and what they share.
struct BatchStorage {
    BatchStorage(std::shared_ptr<const ReducedModel> reducedModel, const BatchSettings& batchSettings);

    std::shared_ptr<const ReducedModel> model;
    BatchSettings settings;
    const IntegrationScheme* scheme;  ///< The scheme of settings.integrator.
    const kernels::Table* table;
    ModelCoefficients coefficients;
    RigidConstants rigidConstants;
    int r;
    int stride;        ///< Distance between vectors of r numbers.
    int rigidStride;   ///< Distance between the products of bodies for their rigid terms.
    int factorStride;  ///< Distance between factors, which are two packed triangles each.
    bool meanAxis;     ///< Coordinates have no linear momentum (D = 0).
    RestModes modes;
    RestTangent restTangent;
    std::unique_ptr<StiffnessChange> stiffnessChange;  ///< Bound of what K(q) changes; null where neither energy is
                                                       ///< watched nor tangents may be kept.
    std::vector<char> reuses;  ///< Whether each body of this step goes on with an earlier tangent.
    std::vector<int> evaluating, reusing;
    std::vector<int> moved;         ///< Bodies whose last move may have gained energy.
    int evaluated = 0;              ///< What BodyBatch::evaluations() tells.
    std::uint64_t fingerprint = 0;  ///< Fingerprint of the model, by which saved states know it.

    std::vector<BodyRecord> records;
    kernels::AlignedArray<double> q, v, a, f, startVelocity;
    kernels::AlignedArray<double> rowPosition;  ///< What BodyBatch::startPosition() tells.
    /// At the start of the last step, and the force that has worked since: what EnergyGuard.cpp asks for.
    kernels::AlignedArray<double> startPosition, workForce, lastForce;
    kernels::AlignedArray<double> contactForce;            ///< Force of the coming step alone (addContactForce()).
    kernels::AlignedArray<double> tangentQ, tangentForce;  ///< The q that ReusedTangent is of, and R there.
    // Before the coming step: one to three steps back; valid as far as BodyRecord::history says.
    kernels::AlignedArray<double> pastQ[3], pastProducts[3];
    kernels::AlignedArray<double> factors;        ///< Factor U'U or inverse of S; then S where it is needed (factor()).
    kernels::AlignedArray<double> rigidProducts;  ///< Products that RigidTerms reads.
    kernels::AlignedArray<double> couplingColumns;  ///< Angular momentum H' at the end of the step, three columns.
    kernels::AlignedArray<double> angularResponse;  ///< Response Y_c H' to turns of the frame, three columns.
    int reserved = 0;
    std::vector<std::unique_ptr<BlockScratch>> scratch;

    /// The body's vector of r numbers in an array of them.
    const double* vector(const kernels::AlignedArray<double>& array, int body) const {
        return array.data() + static_cast<std::size_t>(body) * static_cast<std::size_t>(stride);
    }
    double* vector(kernels::AlignedArray<double>& array, int body) const {
        return array.data() + static_cast<std::size_t>(body) * static_cast<std::size_t>(stride);
    }
    double* rigidVector(kernels::AlignedArray<double>& array, int body) const {
        return array.data() + static_cast<std::size_t>(body) * static_cast<std::size_t>(rigidStride);
    }
    const BodyRecord& record(int body) const { return records[static_cast<std::size_t>(body)]; }
    BodyRecord& record(int body) { return records[static_cast<std::size_t>(body)]; }
    /// Packed U of the last step's system S = U'U; or the inverse of S (BodyRecord::inverted).
    double* factor(int body) {
        return factors.data() + static_cast<std::size_t>(body) * static_cast<std::size_t>(factorStride);
    }
    /// Packed S, kept beside an inverse and where gamma > 1/2.
    double* system(int body) { return factor(body) + factorStride / 2; }
    double* threeColumns(kernels::AlignedArray<double>& array, int body) const {
        return array.data() + static_cast<std::size_t>(3 * body) * static_cast<std::size_t>(stride);
    }

    bool turns() const { return !model->anchored; }
    bool feelsRotation() const { return settings.coupling == Coupling::Full && scheme->feelsRotation; }

    /// The model has viscosities and the settings ask for them: D in the equation of motion has a term of D(q).
    bool dampsStrainRate() const { return settings.damping.strainRate > 0.0 && !model->damping.empty(); }

    /// The frame reacts to the deformation: q'' and W' are one system. Otherwise the frame moves as it is told.
    bool reacts() const { return feelsRotation() && turns(); }
    bool reacts(const BodyRecord& body) const { return reacts() && !body.frame.driven; }

    /// How many groups of 16 bodies are a block of parallel work.
    int groupsPerBlock() const { return std::max(1, (settings.blockSize + kernels::lanes - 1) / kernels::lanes); }
};

/// Other settings, from the next step on. Writes `settings` and what follows of them: scheme, coefficients, working
/// memory; bodies forget what steps by the old ones have left.
void changeSettings(BatchStorage& batch, const BatchSettings& newSettings);
/// Makes room for so many bodies in all arrays.
void reserve(BatchStorage& batch, int bodies);
/// Makes working memory for so many threads, where there is less.
void makeScratch(BatchStorage& batch, int workers);
/// Working memory that nobody else uses until releaseScratch(); waits for it where there are more callers than threads
/// that makeScratch() was told of.
BlockScratch& acquireScratch(BatchStorage& batch);
/// Gives it back.
inline void releaseScratch(BlockScratch& block) {
    block.busy.store(false, std::memory_order_release);
}

/// 1 / U_aa from which on S = U'U is not trusted: a quarter of the mass is left of a pivot, stiffness has eaten the
/// rest.
constexpr double largestInversePivot = 2.0;

/// Share rho of the identity in the response to a contact impulse: Y_c = rho 1 + (1 - rho) Y, 0 for (1/4, 1/2).
inline double identityShare(double gamma, double beta) {
    return 1.0 - 0.5 * gamma / beta;
}

struct BodyBatch::Data : BatchStorage {
    using BatchStorage::BatchStorage;
};

}  // namespace pliant
