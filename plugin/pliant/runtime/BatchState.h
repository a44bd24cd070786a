// SPDX-License-Identifier: Zlib
// What a BodyBatch consists of. Private to runtime/.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "pliant/runtime/BodyBatch.h"
#include "pliant/runtime/ModelCoefficients.h"
#include "pliant/runtime/RigidTerms.h"

namespace pliant {

/// Arrays of one group of 16 bodies, [row][16]; `n` rows each where nothing else is said.
struct GroupScratch {
    explicit GroupScratch(const ModelCoefficients& coefficients);

    static constexpr int vectors = 17;
    kernels::AlignedArray<double> rows;
    double *q0, *v0, *a0, *q, *v, *a, *f, *force, *dampingProduct, *residual, *rhs;
    double* coupling[3];                    ///< H', columns
    double* frameResponse[3];               ///< Z = S^-1 H', columns
    kernels::AlignedArray<double> weights;  ///< centrifugal, [6][16]
    kernels::AlignedArray<double> system;   ///< packed n

    const int* bodies = nullptr;  ///< of the lanes; lanes from `count` on are padding
    int count = 0;
    std::array<bool, kernels::lanes> moving{};  ///< lanes whose Newton iteration goes on
    std::array<double, kernels::lanes> firstResidual{};

    bool anyMoving() const { return std::find(moving.begin(), moving.end(), true) != moving.end(); }
};

/// Working memory of one block of groups; kept and reused.
struct BlockScratch {
    BlockScratch(const ModelCoefficients& coefficients, const RigidConstants& rigid, int groupCount);

    std::atomic<bool> busy{false};
    std::vector<GroupScratch> groups;
    kernels::AlignedArray<float> singleMonomials, singleTangent, singleSecant;
    kernels::AlignedArray<double> doubleMonomials, doubleTangent, doubleSecant;
    kernels::AlignedArray<double> panel;           ///< gyroscopic matrix of one body
    kernels::AlignedArray<double> products;        ///< rigid products of a foreseen q
    kernels::AlignedArray<double> vectors;         ///< 8 r-vectors
    kernels::AlignedArray<double> dense;           ///< n (n + 3) + 2 packed n: pivoted factorisation of one body
    kernels::AlignedArray<double> pairVectors;     ///< one body alone: monomials, K1, K2, tangent, secant; p each
    kernels::AlignedArray<double> oneRows;         ///< one body alone: its vectors, see OneBodyStep
    kernels::AlignedArray<double> oneSystem;       ///< one body alone: square system
    kernels::AlignedArray<double> rightHandSides;  ///< [n][16]
};

/// Everything about a body that is not a vector of r numbers.
struct BodyRecord {
    bool used = false;
    BodyStatus status = BodyStatus::Ok;
    FrameMotion frame;
    Vector3 previousAngularVelocity = Vector3::Zero();

    // Of the last step; stepSize = 0: none yet.
    double stepSize = 0.0;
    double gamma = 0.5;
    double beta = 0.25;
    Matrix3 startInertia = Matrix3::Zero();
    Vector3 startModalMomentum = Vector3::Zero();
    bool pivoted = false;
    bool angularResponseValid = false;  ///< angularResponse and schurInverse belong to the last step
    int history = 0;                    ///< known steps before the present state, at most 3

    bool rigidValid = false;  ///< rigid products, inertia belong to the present q
    Matrix3 inertia = Matrix3::Zero();

    // At the end of the free step as foreseen from its start.
    Vector3 endAngularVelocity = Vector3::Zero();
    Matrix3 endInertia = Matrix3::Zero();
    Matrix3 endInertiaInverse = Matrix3::Zero();
    Matrix3 schurInverse = Matrix3::Zero();  ///< (I - H Y_c H')^-1
};

struct BatchState {
    BatchState(std::shared_ptr<const ReducedModel> reducedModel, const BatchSettings& batchSettings);

    std::shared_ptr<const ReducedModel> model;
    BatchSettings settings;
    const kernels::Table* table;
    ModelCoefficients coefficients;
    RigidConstants rigidConstants;
    int r;
    int stride;        ///< distance between vectors of r numbers
    int rigidStride;   ///< distance between rigid products
    int factorStride;  ///< distance between factors: two packed triangles

    std::vector<BodyRecord> records;
    kernels::AlignedArray<double> q, v, a, f, startVelocity;
    // Before the coming step: one to three steps back; valid as far as BodyRecord::history says.
    kernels::AlignedArray<double> pastQ[3], pastProducts[3];
    kernels::AlignedArray<double> factors;          ///< U'U, or inverse of S; then S where it is needed (see factor())
    kernels::AlignedArray<double> rigidProducts;    ///< see RigidTerms
    kernels::AlignedArray<double> couplingColumns;  ///< H' at the end of the step, three columns
    kernels::AlignedArray<double> angularResponse;  ///< Y_c H', three columns
    int reserved = 0;
    std::vector<std::unique_ptr<BlockScratch>> scratch;

    double* vector(kernels::AlignedArray<double>& array, int body) const {
        return array.data() + static_cast<std::size_t>(body) * static_cast<std::size_t>(stride);
    }
    double* rigidVector(kernels::AlignedArray<double>& array, int body) const {
        return array.data() + static_cast<std::size_t>(body) * static_cast<std::size_t>(rigidStride);
    }
    BodyRecord& record(int body) { return records[static_cast<std::size_t>(body)]; }
    /// Packed U of the last step's system S = U'U; of a pivoted body the inverse of S.
    double* factor(int body) {
        return factors.data() + static_cast<std::size_t>(body) * static_cast<std::size_t>(factorStride);
    }
    /// Packed S, kept for pivoted bodies and where gamma > 1/2.
    double* system(int body) { return factor(body) + factorStride / 2; }
    double* threeColumns(kernels::AlignedArray<double>& array, int body) const {
        return array.data() + static_cast<std::size_t>(3 * body) * static_cast<std::size_t>(stride);
    }

    bool turns() const { return !model->anchored; }
    bool feelsRotation() const { return settings.coupling == Coupling::Full; }

    int groupsPerBlock() const;
    void changeSettings(const BatchSettings& newSettings);
    void reserve(int bodies);
    void clearBody(int body);
    void makeScratch(int workers);
    BlockScratch& takeScratch();
    void giveScratch(BlockScratch& block) { block.busy.store(false, std::memory_order_release); }

    /// Terms of the present q, computed where they are not known yet.
    RigidTerms rigid(int body);
    /// R(q) and, where asked, K_damping v; r numbers each. @return q'K1 q / 6 + q'K2 q / 12 + q'K0 q / 2: strain energy
    double elasticForce(int body, BlockScratch& block, double* force, double* dampingProduct);

    /// The frame reacts to the deformation: q'' and W' are one system. Otherwise the frame moves as it is told.
    bool reacts() const { return feelsRotation() && turns(); }

    /// External force of the coming step with frame acceleration and, fully coupled, the explicit part of the Euler and
    /// centrifugal terms; foresees frame and coupling at the end of the step.
    void addInertialForces(int body, double h, BlockScratch& block);
    void foreseeFrame(int body, double h, const RigidTerms& now, BlockScratch& block);
    /// q' <- exp(-h P) q' with P_ji = W.C_ij: half a step of the Coriolis term, orthogonal to rounding.
    void rotateHalf(const Vector3& W, double h, double* velocity, BlockScratch& block) const;
    void keepHistory(int body);
    void prepareBody(int body, double h, BlockScratch& block);
    void finishBody(int body, double h, BlockScratch& block);
    void restoreAtRest(int body);
    void forgetSteps(int body);
    void stepAlone(double h, int body);
    void stepBlock(double h, const int* bodies, int count);
    /// y = Y_c x for `count` columns of r numbers (BodyBatch.h: Y with the share of the identity that gamma > 1/2
    /// asks for). In place is fine.
    void respond(int body, int count, const double* x, double* y, BlockScratch& block);
    void multiplyLanes(const double* symmetric, double* rhs, BlockScratch& block) const;
    void prepareAngularResponse(int body, BlockScratch& block);
    void respondWithFrame(int body, int count, const double* angular, const double* modal, double* deltaAngular,
                          double* deltaVelocity, BlockScratch& block);
    void addVelocity(int body, const double* deltaVelocity, BlockScratch& block);
};

/// Share rho of the identity in the response to a contact impulse: Y_c = rho 1 + (1 - rho) Y, 0 for (1/4, 1/2).
inline double identityShare(double gamma, double beta) {
    return 1.0 - 0.5 * gamma / beta;
}

struct BodyBatch::Data : BatchState {
    using BatchState::BatchState;
};

}  // namespace pliant
