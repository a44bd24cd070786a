// SPDX-License-Identifier: Zlib
#include "pliant/runtime/snapshot/StateBlob.h"

#include <xxhash.h>

#include <cmath>

namespace pliant {
namespace {

constexpr char stateMagic[8] = {'\x89', 'P', 'L', 'S', 'T', 'A', 'T', 'E'};
constexpr std::uint32_t stateVersion = 14;
constexpr std::uint32_t stateEndianness = 0x01020304;

struct Envelope {
    char magic[8];
    std::uint32_t endianness;
    std::uint32_t version;
    std::uint32_t kind;
    std::uint32_t zero;
    std::uint64_t size;      // bytes after the envelope
    std::uint64_t checksum;  // XXH3-64 of the envelope before this field, seed of that of the rest
};
static_assert(sizeof(Envelope) == 40, "no padding");

std::uint64_t checksumOf(const Envelope& envelope, const std::byte* payload) {
    const std::uint64_t seed = XXH3_64bits(&envelope, offsetof(Envelope, checksum));
    return XXH3_64bits_withSeed(payload, envelope.size, seed);
}

}  // namespace

const char* describe(StateStatus status) {
    switch (status) {
        case StateStatus::Ok:
            return "the state is in place";
        case StateStatus::NotAState:
            return "this is no saved state of this kind";
        case StateStatus::OtherVersion:
            return "the state was saved by another version of the library or on another kind of machine";
        case StateStatus::Damaged:
            return "the saved state is truncated or damaged";
        case StateStatus::BadNumber:
            return "the saved state holds a number that cannot be";
        case StateStatus::OtherModel:
            return "the state was saved from a body of another model";
        case StateStatus::OtherWorld:
            return "the state was saved from a world with other bodies or objects, or the slot has no body";
    }
    return "unknown status";
}

StateWriter::StateWriter(StateKind kind, std::vector<std::byte>& blob) : m_blob(blob), m_kind(kind) {
    m_blob.assign(sizeof(Envelope), std::byte{0});
}

void StateWriter::append(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(data);
    m_blob.insert(m_blob.end(), bytes, bytes + size);
}

void StateWriter::putBytes(const std::vector<std::byte>& bytes) {
    put(static_cast<std::uint64_t>(bytes.size()));
    append(bytes.data(), bytes.size());
}

void StateWriter::seal() {
    Envelope envelope{};
    std::memcpy(envelope.magic, stateMagic, sizeof stateMagic);
    envelope.endianness = stateEndianness;
    envelope.version = stateVersion;
    envelope.kind = static_cast<std::uint32_t>(m_kind);
    envelope.size = m_blob.size() - sizeof envelope;
    envelope.checksum = checksumOf(envelope, m_blob.data() + sizeof envelope);
    std::memcpy(m_blob.data(), &envelope, sizeof envelope);
}

StateReader::StateReader(StateKind kind, const std::byte* data, std::size_t size) {
    Envelope envelope{};
    if (!data || size < sizeof stateMagic || std::memcmp(data, stateMagic, sizeof stateMagic) != 0) {
        m_status = StateStatus::NotAState;
    } else if (size < sizeof envelope) {
        m_status = StateStatus::Damaged;
    } else {
        std::memcpy(&envelope, data, sizeof envelope);
        if (envelope.endianness != stateEndianness || envelope.version != stateVersion)
            m_status = StateStatus::OtherVersion;
        else if (envelope.size != size - sizeof envelope ||
                 envelope.checksum != checksumOf(envelope, data + sizeof envelope))
            m_status = StateStatus::Damaged;
        else if (envelope.kind != static_cast<std::uint32_t>(kind))
            m_status = StateStatus::NotAState;
    }
    if (!ok()) return;
    m_next = data + sizeof envelope;
    m_end = data + size;
}

void StateReader::take(void* target, std::size_t size) {
    if (!ok()) return;
    if (static_cast<std::size_t>(m_end - m_next) < size) {
        m_status = StateStatus::Damaged;
        return;
    }
    std::memcpy(target, m_next, size);
    m_next += size;
}

bool StateReader::getFlag() {
    const auto value = get<std::uint8_t>();
    if (value > 1) fail(StateStatus::BadNumber);
    return ok() && value == 1;
}

std::size_t StateReader::getCount(std::size_t most) {
    const auto value = get<std::uint64_t>();
    if (value > most) fail(StateStatus::BadNumber);
    return ok() ? static_cast<std::size_t>(value) : 0;
}

bool StateReader::get(double* values, std::size_t count) {
    std::memset(values, 0, count * sizeof(double));
    take(values, count * sizeof(double));
    for (std::size_t i = 0; i < count; ++i)
        if (!std::isfinite(values[i])) fail(StateStatus::BadNumber);
    return ok();
}

const std::byte* StateReader::getBytes(std::size_t& size) {
    const auto length = get<std::uint64_t>();
    if (ok() && length > static_cast<std::uint64_t>(m_end - m_next)) fail(StateStatus::Damaged);
    size = ok() ? static_cast<std::size_t>(length) : 0;
    const std::byte* begin = m_next;
    if (ok()) m_next += size;
    return begin;
}

}  // namespace pliant
