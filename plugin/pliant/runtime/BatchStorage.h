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
#include "pliant/runtime/StiffnessChange.h"
#include "pliant/runtime/StrainRateTerms.h"
#include "pliant/runtime/SymmetricSystem.h"
#include "pliant/runtime/integrators/IntegrationScheme.h"

namespace pliant {

/// Arrays of one group of 16 bodies, [row][16]; `n` rows each where nothing else is said.
struct GroupScratch {
    explicit GroupScratch(const ModelCoefficients& coefficients);

    static constexpr int vectors = 17;
    kernels::AlignedArray<double> rows;
    double *q0, *v0, *a0, *q, *v, *a, *f, *force, *dampingProduct, *residual, *rhs;
    double* coupling[3];       ///< Columns of H', the angular momentum of the coordinates.
    double* frameResponse[3];  ///< Columns of Z = S^-1 H', what the coordinates answer to a turn of the frame.
    kernels::AlignedArray<double> weights;  ///< Weights of the centrifugal terms, [6][16].
    kernels::AlignedArray<double> system;   ///< The system matrix S, packed, n rows.

    const int* bodies = nullptr;  ///< The bodies of the lanes; lanes from `count` on are padding.
    int count = 0;
    std::array<bool, kernels::lanes> moving{};  ///< Lanes whose Newton iteration goes on.
    std::array<double, kernels::lanes> firstResidual{};

    bool anyMoving() const { return std::find(moving.begin(), moving.end(), true) != moving.end(); }
};

/// Working memory of one block of groups; kept and reused.
struct BlockScratch {
    BlockScratch(const ModelCoefficients& coefficients, const RigidConstants& rigid, const StrainRateDamping& damping,
                 int groupCount);

    std::atomic<bool> busy{false};
    std::vector<GroupScratch> groups;
    kernels::AlignedArray<float> singleMonomials, singleTangent, singleSecant;
    kernels::AlignedArray<double> doubleMonomials, doubleTangent, doubleSecant;
    kernels::AlignedArray<double> panel;     ///< The gyroscopic matrix of one body.
    kernels::AlignedArray<double> products;  ///< Products of a predicted q for its rigid terms.
    kernels::AlignedArray<double> vectors;   ///< Eight vectors of r numbers.
    kernels::AlignedArray<double> dense;     ///< What one body's response is blended from, packed, n rows.
    kernels::AlignedArray<double>
        pairVectors;  ///< Of one body alone: monomials, K1, K2, tangent and secant, p numbers each.
    kernels::AlignedArray<double> oneRows;         ///< Of one body alone: the vectors of OneBodyStep.
    kernels::AlignedArray<double> oneSystem;       ///< Of one body alone: the system matrix, square.
    kernels::AlignedArray<double> rightHandSides;  ///< Two sets of 16 right-hand sides, [n][16] each.
    DefiniteInverse definite;                      ///< Inverse of one body's system matrix that is made definite.
    StrainRateScratch strainRate;                  ///< Strain-rate damping of one body.
};

/// What a body's energy should be, from step to step (EnergyGuard.cpp). J, world frame.
struct EnergyLedger {
    bool known = false;
    double energy = 0.0;   ///< Energy at the start of the last step.
    double surplus = 0.0;  ///< Energy gained without work so far, less what has been lost again.
    Vector3 angularVelocity = Vector3::Zero();
    Vector3 angularMomentum = Vector3::Zero();
};

/// What S is made of K with: S = diagonal + stiffness K + damping K_damping.
struct TangentFactors {
    double stiffness = 0.0, damping = 0.0, diagonal = 1.0;
    bool restDamping = true;

    bool operator==(const TangentFactors& o) const {
        return stiffness == o.stiffness && damping == o.damping && diagonal == o.diagonal &&
               restDamping == o.restDamping;
    }
};

/// The tangent stiffness that a body's factor was made of (ReusedTangent.cpp); its q and force are in BatchStorage.
struct ReusedTangent {
    bool known = false;
    TangentFactors factors;
    double energy = 0.0;  ///< Strain energy there, J.
    double spin = 0.0;    ///< Square |W|^2 of the angular velocity of its centrifugal terms, 1/s^2.
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
    bool inverted = false;              ///< The factor holds the inverse of S (SymmetricSystem.h).
    bool angularResponseValid = false;  ///< BatchStorage::angularResponse and schurInverse belong to the last step.
    int history = 0;                    ///< Number of known steps before the present state, at most 3.
    bool struck = false;                ///< Contacts have changed q' by much in this step.
    bool limited = false;               ///< The energy guard took something in this step.
    double startStrain = 0.0;           ///< Strain energy that the ledger's energy holds, J.
    EnergyLedger ledger;
    ReusedTangent tangent;

    bool rigidValid = false;  ///< The products for rigid terms and `inertia` belong to the present q.
    Matrix3 inertia = Matrix3::Zero();

    // At the end of the free step as predicted from its start.
    Vector3 endAngularVelocity = Vector3::Zero();
    Matrix3 endInertia = Matrix3::Zero();
    Matrix3 endInertiaInverse = Matrix3::Zero();
    Matrix3 schurInverse = Matrix3::Zero();  ///< Inverse of I - H Y_c H', 1/(kg m^2).
};

/// Eigenvectors of the rest stiffness, and what Integrator::Analytic makes of them for one step size and damping:
///     x_1 = A x_0 + B x'_0 + P g,   x'_1 = -omega^2 B x_0 + (A - d B) x'_0 + B g,   d = alpha + beta omega^2
struct RestModes {
    explicit RestModes(const ReducedModel& model);
    /// Makes the coefficients agree with a step; cheap where they do. @param n rows of a packed factor
    void prepare(double h, const DampingSettings& damping, const double* restStiffness, int n);

    MatrixX vectors;                       ///< Eigenvectors V, r x r.
    VectorX squares, frequencies;          ///< Squares omega^2 (1/s^2) and frequencies omega (1/s), r each.
    VectorX decay, A, B, P;                ///< Decay d (1/s) and the coefficients of the step, r each.
    VectorX response;                      ///< Response Y = 1 / (1 + h^2 omega^2 / 4) of q' to an impulse, r numbers.
    kernels::AlignedArray<double> factor;  ///< Factor of 1 + h^2 K0 / 4, packed.
    double step = 0.0, mass = 0.0, stiffness = 0.0;
};

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
    std::unique_ptr<StiffnessChange> stiffnessChange;  ///< Bound of what K(q) changes; null where neither energy is
                                                       ///< watched nor tangents may be kept.
    std::vector<char> reuses;  ///< Whether each body of this step goes on with an earlier tangent.
    std::vector<int> evaluating, reusing;
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

    double* vector(kernels::AlignedArray<double>& array, int body) const {
        return array.data() + static_cast<std::size_t>(body) * static_cast<std::size_t>(stride);
    }
    double* rigidVector(kernels::AlignedArray<double>& array, int body) const {
        return array.data() + static_cast<std::size_t>(body) * static_cast<std::size_t>(rigidStride);
    }
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

    int groupsPerBlock() const;
    void changeSettings(const BatchSettings& newSettings);
    void reserve(int bodies);
    void clearBody(int body);
    void makeScratch(int workers);
    BlockScratch& acquireScratch();
    void releaseScratch(BlockScratch& block) { block.busy.store(false, std::memory_order_release); }

    /// S <- definite and `factor` <- its inverse. @return false when S is not finite
    bool invertSystem(int body, BlockScratch& block);

    /// Terms of the present q, computed where they are not known yet; where rotation is not felt, E and I alone.
    RigidTerms rigid(int body);
    /// R(q) and, where asked, K_damping v; r numbers each. @return q'K1 q / 6 + q'K2 q / 12 + q'K0 q / 2: strain energy
    double elasticForce(int body, BlockScratch& block, double* force, double* dampingProduct);

    /// The model has viscosities and the settings ask for them: D in the equation of motion has a term of D(q).
    bool dampsStrainRate() const { return settings.damping.strainRate > 0.0 && !model->damping.empty(); }
    /// Adds D(q) q' to `force`, r numbers each. @return that share of D, packed r, in the block
    const double* addStrainRate(const double* position, const double* velocity, BlockScratch& block,
                                double* force) const;

    /// The frame reacts to the deformation: q'' and W' are one system. Otherwise the frame moves as it is told.
    bool reacts() const { return feelsRotation() && turns(); }

    bool reacts(const BodyRecord& body) const { return reacts() && !body.frame.driven; }

    /// External force of the coming step with frame acceleration and, fully coupled, the explicit part of the Euler and
    /// centrifugal terms; predicts frame and coupling at the end of the step.
    void addInertialForces(int body, double h, BlockScratch& block);
    void addRotation(int body, double h, const RigidTerms& now, BlockScratch& block);
    void predictFrame(int body, double h, const RigidTerms& now, BlockScratch& block);
    /// Which of the extrapolations through the last steps (0: none, to 3) would have predicted the present q best.
    int bestExtrapolation(int body);
    /// Multiplies q' by exp(-h P) with P_ji = W.C_ij: half a step of the Coriolis term, orthogonal to rounding.
    void rotateHalf(const Vector3& W, double h, double* velocity, BlockScratch& block) const;
    void keepHistory(int body);
    void prepareBody(int body, double h, BlockScratch& block);
    /// Takes back energy that the last step gained without work. @param strainEnergy of the present q, J
    void guardEnergy(int body, double strainEnergy);
    /// The same at once after hard contacts.
    void settleEnergy(int body, const Vector3& angularVelocity, BlockScratch& block);
    /// The same at the end of the free step, as far as the kinetic energy alone tells.
    void limitFreeStep(int body, double h, BlockScratch& block);
    /// Whether this step can have gained more than a tolerated share of energy, by a bound on what K(q) has changed.
    bool mayHaveGained(int body, BlockScratch& block);
    struct FreeStepGain {
        double strain = 0.0;         ///< Strain energy at q, J.
        double allowedStrain = 0.0;  ///< What the strain energy may be, work not counted, J.
        double excess = 0.0;         ///< Energy that came from nowhere, beyond what is tolerated, J.
        double kinetic = 0.0;        ///< Kinetic energy that scaling q' can take away, J.
        bool canBePaid() const { return !(excess > kinetic); }
    };
    FreeStepGain freeStepGain(int body, double h, BlockScratch& block);
    FreeStepGain gainWithoutContacts(int body, double h, BlockScratch& block);
    bool isThrownByContacts(int body, double h, const FreeStepGain& gain, BlockScratch& block);
    void shortenFreeStep(int body, double h, BlockScratch& block, const FreeStepGain& gain);
    double shortenMove(int body, double allowed, double work, BlockScratch& block, double& strain);
    double workOf(int body);  ///< Work of the step's force on the way from startPosition to q, J.
    void finishBody(int body, double h, BlockScratch& block);
    void restoreAtRest(int body);
    /// Sets q'' to -D q' - R(q): the equation of motion without external force.
    void balanceAcceleration(int body, BlockScratch& block);
    void forgetSteps(int body);
    void stepAlone(double h, int body);
    /// The free step once more, from its start, by Newton's method with a search along its directions (Newmark's
    /// scheme; SearchedStep.cpp). @return false, the body's state and the factor's use unchanged, where it fails
    bool searchStep(double h, int body, BlockScratch& block);
    void stepAnalytic(double h, int body);
    void stepStatic(double h, int body);
    /// @param reused all of them go on with the tangent stiffness of an earlier step
    void stepBlock(double h, const int* bodies, int count, bool reused);
    void stepNewmark(double h, const int* bodies, int count, const Workers& workers);
    /// Steps blocks of those that evaluate K(q) and of those that need not.
    void stepBlocks(double h, const int* bodies, int count, const Workers& workers);
    /// V(q) of a block of bodies, J.
    void strainEnergies(const int* bodies, int count, double* energies);
    TangentFactors tangentFactors(double h) const;
    bool mayReuseTangents() const;  ///< Whether the settings let steps go on with earlier tangents.
    bool stepsAlone(int count) const {
        return settings.blockSize == 1 || (count <= settings.aloneUpTo && !mayReuseTangents());
    }
    /// Whether the factor of the last step is good enough for a step from the present q.
    bool reusesTangent(int body, double h);
    void predict(int body, double h, double* predicted, BlockScratch& block);
    double predictedChangeBound(int body, double h) const;
    /// Multiplies: y = Y_c x for `count` columns of r numbers (BodyBatch.h: Y with the share of the identity that
    /// gamma > 1/2 asks for). In place is fine.
    void respond(int body, int count, const double* x, double* y, BlockScratch& block);
    template <class Solve>
    void solveColumns(int count, const double* x, double* y, BlockScratch& block, const Solve& solve);
    void multiplyLanes(const double* symmetric, double* rhs, BlockScratch& block) const;
    bool whitens(int body) const;
    void whiten(int body, int count, const double* x, double* y, BlockScratch& block);
    void prepareAngularResponse(int body, BlockScratch& block);
    void respondWithFrame(int body, int count, const double* angular, const double* modal, double* deltaAngular,
                          double* deltaVelocity, BlockScratch& block);
    void addVelocity(int body, const double* deltaVelocity, const Vector3& deltaAngular, BlockScratch& block);
    void addWhitened(int body, const double* sum, BlockScratch& block);
    void applyChange(int body, const double* change, const double* impulse, const Vector3& deltaAngular);
};

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
