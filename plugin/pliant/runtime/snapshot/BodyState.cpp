// SPDX-License-Identifier: Zlib
// A body's state as a blob. Everything is written that the next step, impulse or response reads; what follows from q
// alone (rigid products, inertia) is computed again, with the same bits.
#include <cmath>

#include "pliant/runtime/BatchStorage.h"

namespace pliant {
namespace {

/// One list of a record's numbers for both ways: `io(x)` for plain numbers, `io(m)` for vectors and matrices.
template <typename Record, typename Visit>
void visitRecord(Record& body, const Visit& visit) {
    visit(body.frame.rotation);
    visit(body.frame.angularVelocity);
    visit(body.frame.acceleration);
    visit(body.previousAngularVelocity);
    visit(body.stepSize);
    visit(body.gamma);
    visit(body.beta);
    visit(body.startInertia);
    visit(body.startModalMomentum);
    visit(body.ledger.energy);
    visit(body.ledger.surplus);
    visit(body.ledger.angularVelocity);
    visit(body.ledger.angularMomentum);
    visit(body.tangent.factors.stiffness);
    visit(body.tangent.factors.damping);
    visit(body.tangent.factors.diagonal);
    visit(body.tangent.energy);
    visit(body.tangent.spin);
    visit(body.endAngularVelocity);
    visit(body.endInertia);
    visit(body.endInertiaInverse);
    visit(body.schurInverse);
}

template <typename Record, typename Visit>
void visitFlags(Record& body, const Visit& visit) {
    visit(body.frame.driven);
    visit(body.inverted);
    visit(body.angularResponseValid);
    visit(body.struck);
    visit(body.limited);
    visit(body.ledger.known);
    visit(body.tangent.known);
    visit(body.tangent.factors.restDamping);
}

struct Put {
    StateWriter& out;
    void operator()(double x) const { out.put(x); }
    template <typename Derived>
    void operator()(const Eigen::PlainObjectBase<Derived>& m) const {
        out.put(m.data(), static_cast<std::size_t>(m.size()));
    }
    void operator()(bool flag) const { out.put(static_cast<std::uint8_t>(flag)); }
};

struct Get {
    StateReader& in;
    void operator()(double& x) const { in.get(&x, 1); }
    template <typename Derived>
    void operator()(Eigen::PlainObjectBase<Derived>& m) const {
        in.get(m.data(), static_cast<std::size_t>(m.size()));
    }
    void operator()(bool& flag) const { flag = in.getFlag(); }
};

/// The body's share of every array, as (begin, count).
template <typename Visit>
void visitArrays(BatchStorage& batch, int body, const Visit& visit) {
    const auto r = static_cast<std::size_t>(batch.r), stride = static_cast<std::size_t>(batch.stride);
    for (kernels::AlignedArray<double>* array :
         {&batch.q, &batch.v, &batch.a, &batch.f, &batch.startVelocity, &batch.rowPosition, &batch.startPosition,
          &batch.workForce, &batch.lastForce, &batch.contactForce, &batch.tangentQ, &batch.tangentForce,
          &batch.pastQ[0], &batch.pastQ[1], &batch.pastQ[2]})
        visit(batch.vector(*array, body), r);
    for (kernels::AlignedArray<double>& array : batch.pastProducts)
        visit(batch.rigidVector(array, body), static_cast<std::size_t>(batch.rigidStride));
    for (kernels::AlignedArray<double>* array : {&batch.couplingColumns, &batch.angularResponse})
        visit(batch.threeColumns(*array, body), 3 * stride);
    visit(batch.factor(body), static_cast<std::size_t>(batch.factorStride));
}

bool plausible(const BodyRecord& body) {
    const Matrix3 square = body.frame.rotation.transpose() * body.frame.rotation;
    return (square - Matrix3::Identity()).norm() < 1e-3 && body.stepSize >= 0.0 && body.gamma >= 0.5 &&
           body.beta >= 0.25;
}

}  // namespace

void BodyBatch::saveState(int body, std::vector<std::byte>& blob) const {
    if (!isUsed(body)) return blob.clear();
    StateWriter out(StateKind::Body, blob);
    const BodyRecord& record = m_data->record(body);
    out.put(m_data->fingerprint);
    out.put(static_cast<std::uint64_t>(record.status));
    out.put(static_cast<std::uint64_t>(record.history));
    visitFlags(record, Put{out});
    visitRecord(record, Put{out});
    visitArrays(*m_data, body, [&out](const double* values, std::size_t count) { out.put(values, count); });
    out.seal();
}

namespace {

/// Reads the head of a blob into `record`. @return the reader, at the arrays
StateReader readHead(std::uint64_t fingerprint, const std::byte* blob, std::size_t size, BodyRecord& record) {
    StateReader in(StateKind::Body, blob, size);
    if (in.ok() && in.get<std::uint64_t>() != fingerprint) in.fail(StateStatus::OtherModel);
    record.used = true;
    record.status = static_cast<BodyStatus>(in.getCount(static_cast<std::size_t>(BodyStatus::RestoredLastState)));
    record.history = static_cast<int>(in.getCount(3));
    visitFlags(record, Get{in});
    visitRecord(record, Get{in});
    if (in.ok() && !plausible(record)) in.fail(StateStatus::BadNumber);
    return in;
}

}  // namespace

StateStatus BodyBatch::checkState(int body, const std::byte* blob, std::size_t size) const {
    if (!isUsed(body)) return StateStatus::OtherWorld;
    BodyRecord record;
    StateReader in = readHead(m_data->fingerprint, blob, size, record);
    double number = 0.0;
    visitArrays(*m_data, body, [&](const double*, std::size_t count) {
        for (std::size_t i = 0; i < count && in.ok(); ++i) in.get(&number, 1);
    });
    if (in.ok() && !in.atEnd()) in.fail(StateStatus::Damaged);
    return in.status();
}

StateStatus BodyBatch::restoreState(int body, const std::byte* blob, std::size_t size) {
    const StateStatus status = checkState(body, blob, size);
    if (status != StateStatus::Ok) return status;
    BodyRecord record;
    StateReader in = readHead(m_data->fingerprint, blob, size, record);
    m_data->record(body) = record;
    visitArrays(*m_data, body, [&in](double* values, std::size_t count) { in.get(values, count); });
    return StateStatus::Ok;
}

}  // namespace pliant
