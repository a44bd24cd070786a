// SPDX-License-Identifier: Zlib
#include "pliant/runtime/BodyBatch.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>

#include "pliant/math/Error.h"
#include "pliant/runtime/BodyTerms.h"
#include "pliant/runtime/energy/EnergyGuard.h"
#include "pliant/runtime/integrators/BodyStep.h"
#include "pliant/runtime/integrators/MovedStrain.h"
#include "pliant/runtime/integrators/NewmarkStep.h"
#include "pliant/runtime/response/BatchResponse.h"

namespace pliant {
namespace {

/// y_j += sum over the point's vertices of weight * U_vertex,j . vector
void addReduced(const ReducedModel& model, const MaterialPoint& point, const Vector3& vector, double* y) {
    const int r = model.dimension();
    for (std::size_t c = 0; c < point.vertex.size(); ++c) {
        if (point.weight[c] == 0.0) continue;
        const Vector3 weighted = point.weight[c] * vector;
        const double* row = model.basis.data() + 3 * point.vertex[c];
        for (int j = 0; j < r; ++j, row += model.basis.rows())
            y[j] += row[0] * weighted.x() + row[1] * weighted.y() + row[2] * weighted.z();
    }
}

Vector3 expanded(const ReducedModel& model, const MaterialPoint& point, const double* x) {
    const int r = model.dimension();
    Vector3 sum = Vector3::Zero();
    for (std::size_t c = 0; c < point.vertex.size(); ++c) {
        if (point.weight[c] == 0.0) continue;
        const double* row = model.basis.data() + 3 * point.vertex[c];
        for (int j = 0; j < r; ++j, row += model.basis.rows())
            sum += point.weight[c] * x[j] * Vector3(row[0], row[1], row[2]);
    }
    return sum;
}

void checkBatch(const ReducedModel* model, const BatchSettings& settings) {
    if (!model) throw Error("BodyBatch", "no model was given");
    if (const std::string problem = problemOf(settings); !problem.empty()) throw Error("BodyBatch", problem);
}

}  // namespace

BodyBatch::BodyBatch(std::shared_ptr<const ReducedModel> model, const BatchSettings& settings)
    : m_data((checkBatch(model.get(), settings), std::make_unique<Data>(std::move(model), settings))) {}
BodyBatch::~BodyBatch() = default;
BodyBatch::BodyBatch(BodyBatch&&) noexcept = default;
BodyBatch& BodyBatch::operator=(BodyBatch&&) noexcept = default;

const ReducedModel& BodyBatch::model() const {
    return *m_data->model;
}

std::shared_ptr<const ReducedModel> BodyBatch::sharedModel() const {
    return m_data->model;
}

const BatchSettings& BodyBatch::settings() const {
    return m_data->settings;
}

void BodyBatch::setSettings(const BatchSettings& settings) {
    if (!problemOf(settings).empty()) return;
    changeSettings(*m_data, settings);
}

int BodyBatch::add() {
    std::vector<BodyRecord>& records = m_data->records;
    const auto free = std::find_if(records.begin(), records.end(), [](const BodyRecord& body) { return !body.used; });
    const int slot = static_cast<int>(free - records.begin());
    if (free == records.end()) {
        reserve(*m_data, slot + 1);
        records.emplace_back();
    }
    clearBody(*m_data, slot);
    m_data->record(slot).used = true;
    return slot;
}

void BodyBatch::remove(int body) {
    if (isUsed(body)) clearBody(*m_data, body);
}

int BodyBatch::capacity() const {
    return static_cast<int>(m_data->records.size());
}

bool BodyBatch::isUsed(int body) const {
    return body >= 0 && body < capacity() && m_data->record(body).used;
}

VectorView BodyBatch::q(int body) {
    return VectorView(m_data->vector(m_data->q, body), m_data->r);
}

VectorView BodyBatch::velocity(int body) {
    return VectorView(m_data->vector(m_data->v, body), m_data->r);
}

VectorView BodyBatch::acceleration(int body) {
    return VectorView(m_data->vector(m_data->a, body), m_data->r);
}

ConstVectorView BodyBatch::q(int body) const {
    return ConstVectorView(m_data->vector(m_data->q, body), m_data->r);
}

ConstVectorView BodyBatch::velocity(int body) const {
    return ConstVectorView(m_data->vector(m_data->v, body), m_data->r);
}

ConstVectorView BodyBatch::acceleration(int body) const {
    return ConstVectorView(m_data->vector(m_data->a, body), m_data->r);
}

ConstVectorView BodyBatch::startVelocity(int body) const {
    return ConstVectorView(m_data->vector(m_data->startVelocity, body), m_data->r);
}

ConstVectorView BodyBatch::startPosition(int body) const {
    return ConstVectorView(m_data->vector(m_data->rowPosition, body), m_data->r);
}

void BodyBatch::putBack(int body, const double* q) {
    std::copy_n(q, m_data->r, m_data->vector(m_data->q, body));
    restoreAtRest(*m_data, body);
}

void BodyBatch::resetAcceleration(int body) {
    BlockScratch& block = acquireScratch(*m_data);
    m_data->scheme->start(*m_data, body, block);
    m_data->record(body).rigidValid = false;
    m_data->record(body).history = 0;
    m_data->record(body).ledger = EnergyLedger();
    std::fill_n(m_data->vector(m_data->lastForce, body), m_data->r, 0.0);
    releaseScratch(block);
}

void BodyBatch::setFrame(int body, const FrameMotion& frame) {
    m_data->record(body).frame = frame;
}

const FrameMotion& BodyBatch::frame(int body) const {
    return m_data->record(body).frame;
}

void BodyBatch::addForce(int body, const double* reducedForce) {
    VectorView(m_data->vector(m_data->f, body), m_data->r) += ConstVectorView(reducedForce, m_data->r);
}

void BodyBatch::addContactForce(int body, const double* reducedForce) {
    VectorView(m_data->vector(m_data->contactForce, body), m_data->r) += ConstVectorView(reducedForce, m_data->r);
}

void BodyBatch::expectImpulses(int body) {
    m_data->record(body).expectsImpulses = true;
}

void BodyBatch::addForceAt(int body, const MaterialPoint& point, const Vector3& force) {
    addReduced(model(), point, force, m_data->vector(m_data->f, body));
}

void BodyBatch::addImpulseAt(int body, const MaterialPoint& point, const Vector3& impulse) {
    BlockScratch& block = acquireScratch(*m_data);
    const int rows = kernels::roundUp(m_data->coefficients.systemRows, kernels::panelRows);
    double* change = block.vectors.data() + 3 * rows;
    std::fill_n(change, m_data->r, 0.0);
    addReduced(model(), point, impulse, change);
    if (m_data->record(body).stepSize > 0.0) respond(*m_data, body, 1, change, change, block);
    pliant::addVelocity(*m_data, body, change, Vector3::Zero(), block);
    releaseScratch(block);
}

void BodyBatch::step(double h, const std::vector<int>& bodies, const Workers& workers) {
    if (!(h > 0.0) || bodies.empty()) return;
    makeScratch(*m_data, workers.count());
    m_data->evaluated = static_cast<int>(bodies.size());
    m_data->scheme->step(*m_data, h, bodies.data(), static_cast<int>(bodies.size()), workers);
}

int BodyBatch::evaluations() const {
    return m_data->evaluated;
}

BodyStatus BodyBatch::status(int body) const {
    return m_data->record(body).status;
}

void BodyBatch::predict(int body, double h, double* q) const {
    BlockScratch& block = acquireScratch(*m_data);
    m_data->scheme->predict(*m_data, body, h, q, block);
    releaseScratch(block);
}

double BodyBatch::predictedChangeBound(int body, double h) const {
    return pliant::predictedChangeBound(*m_data, body, h);
}

void BodyBatch::response(int body, const Vector3& angular, const double* modal, Vector3& deltaAngular,
                         double* deltaVelocity) const {
    const Vector3 torque = angular;
    responses(body, 1, torque.data(), modal, deltaAngular.data(), deltaVelocity);
}

bool BodyBatch::hasResponse(int body) const {
    return m_data->record(body).stepSize > 0.0;
}

void BodyBatch::responses(int body, int count, const double* angular, const double* modal, double* deltaAngular,
                          double* deltaVelocity) const {
    BlockScratch& block = acquireScratch(*m_data);
    if (m_data->turns()) {
        respondWithFrame(*m_data, body, count, angular, modal, deltaAngular, deltaVelocity, block);
    } else {
        std::fill_n(deltaAngular, 3 * count, 0.0);
        respond(*m_data, body, count, modal, deltaVelocity, block);
    }
    releaseScratch(block);
}

bool BodyBatch::whitens(int body) const {
    return pliant::whitens(*m_data, body);
}

void BodyBatch::whiten(int body, int count, const double* modal, double* whitened) const {
    BlockScratch& block = acquireScratch(*m_data);
    pliant::whiten(*m_data, body, count, modal, whitened, block);
    releaseScratch(block);
}

void BodyBatch::addWhitenedVelocity(int body, const double* sum) {
    BlockScratch& block = acquireScratch(*m_data);
    addWhitened(*m_data, body, sum, block);
    releaseScratch(block);
}

Matrix3 BodyBatch::frameResponse(int body) const {
    return m_data->turns() ? Matrix3(m_data->record(body).endInertia.inverse()) : Matrix3::Zero();
}

void BodyBatch::addVelocity(int body, const double* deltaVelocity, const Vector3& deltaAngular) {
    BlockScratch& block = acquireScratch(*m_data);
    pliant::addVelocity(*m_data, body, deltaVelocity, deltaAngular, block);
    releaseScratch(block);
}

bool BodyBatch::wasStruck(int body) const {
    return m_data->record(body).struck;
}

void BodyBatch::settleEnergy(int body, const Vector3& W) {
    if (!wasStruck(body)) return;
    BlockScratch& block = acquireScratch(*m_data);
    pliant::settleEnergy(*m_data, body, W, block);
    releaseScratch(block);
}

void BodyBatch::prepareToSettle(const std::vector<int>& bodies, const Workers& workers) {
    makeScratch(*m_data, workers.count());
    struct Job {
        Data* data;
        const int* bodies;
    } job{m_data.get(), bodies.data()};
    workers.forBlocks(static_cast<int>(bodies.size()), 64, [&job](int begin, int end) {
        BlockScratch& block = acquireScratch(*job.data);
        for (int i = begin; i < end; ++i)
            if (job.data->record(job.bodies[i]).struck) noteMove(*job.data, job.bodies[i], block);
        releaseScratch(block);
    });
    m_data->moved.clear();
    for (const int body : bodies)
        if (m_data->record(body).move.mayHaveGained) m_data->moved.push_back(body);
    evaluateMoves(*m_data, m_data->moved, workers);
}

void BodyBatch::strainEnergies(const std::vector<int>& bodies, double* energies, const Workers& workers) const {
    makeScratch(*m_data, workers.count());
    struct Job {
        Data* data;
        const int* bodies;
        double* energies;
        int count, blockSize;
    } job{m_data.get(), bodies.data(), energies, static_cast<int>(bodies.size()),
          m_data->groupsPerBlock() * kernels::lanes};
    workers.forBlocks((job.count + job.blockSize - 1) / job.blockSize, 1, [&job](int block, int) {
        const int first = block * job.blockSize;
        strainEnergiesOfBlock(*job.data, job.bodies + first, std::min(job.blockSize, job.count - first),
                              job.energies + first);
    });
}

Matrix3 BodyBatch::inertia(int body) const {
    rigidTerms(*m_data, body);
    return m_data->record(body).inertia;
}

Vector3 BodyBatch::modalAngularMomentum(int body) const {
    if (!m_data->feelsRotation()) return Vector3::Zero();
    return rigidTerms(*m_data, body).modalMomentum(m_data->vector(m_data->v, body));
}

Vector3 BodyBatch::angularMomentum(int body, const Vector3& W) const {
    return inertia(body) * W + modalAngularMomentum(body);
}

Vector3 BodyBatch::angularVelocity(int body, const Vector3& momentum) const {
    return inertia(body).inverse() * (momentum - modalAngularMomentum(body));
}

Vector3 BodyBatch::meanAngularVelocity(int body, const Vector3& momentum) const {
    const Matrix3 now = inertia(body);
    const Vector3 modalNow = modalAngularMomentum(body);
    const BodyRecord& state = m_data->record(body);
    if (state.stepSize == 0.0) return now.inverse() * (momentum - modalNow);
    const Matrix3 inverse = (0.5 * (now + state.startInertia)).inverse();
    const Vector3 modal = 0.5 * (modalNow + state.startModalMomentum);
    Vector3 W = inverse * (momentum - modal);
    // Fixed point of W = I^-1 (exp(-h W / 2) momentum - h): contracts by about h |W| / 2 each time.
    for (int iteration = 0; iteration < 12; ++iteration) {
        const double angle = 0.5 * state.stepSize * W.norm();
        if (!(angle > 0.0)) break;
        const Eigen::AngleAxisd halfTurn(-angle, W.normalized());
        const Vector3 next = inverse * (halfTurn * momentum - modal);
        const bool settled = (next - W).squaredNorm() <= 1e-30 * next.squaredNorm();
        W = next;
        if (settled) break;
    }
    return W;
}

Vector3 BodyBatch::displacement(int body, const MaterialPoint& point) const {
    return expanded(model(), point, m_data->vector(m_data->q, body));
}

Vector3 BodyBatch::deformationVelocity(int body, const MaterialPoint& point) const {
    return expanded(model(), point, m_data->vector(m_data->v, body));
}

}  // namespace pliant
