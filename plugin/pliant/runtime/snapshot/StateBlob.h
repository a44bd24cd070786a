// SPDX-License-Identifier: Zlib
// Saved states as bytes: an envelope (magic, version, kind, size, checksum) around plain numbers. Run-time code:
// nothing here throws; what is wrong with a blob is told by a status.
//
//     std::vector<std::byte> blob;
//     batch.saveState(body, blob);          // replaces what is in `blob`
//     ...
//     if (batch.restoreState(body, blob.data(), blob.size()) != StateStatus::Ok) ...
//
// Numbers are written as the machine has them: a blob is for the kind of machine that wrote it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace pliant {

enum class StateStatus {
    Ok,
    NotAState,     ///< no blob of ours, or one of another kind (a body's for a world's)
    OtherVersion,  ///< written by another version of the library, or on a machine of another byte order
    Damaged,       ///< truncated, or the checksum does not fit
    BadNumber,     ///< a number in it is not finite or cannot be
    OtherModel,    ///< of a body of another model, or at another level of detail
    OtherWorld     ///< bodies, objects or their shapes are not those of the world it was saved from
};

/// A sentence for people, without full stop.
const char* describe(StateStatus status);

/// What a blob is of: a slot of a BodyBatch, a world, a body in a world.
enum class StateKind : std::uint32_t { Body = 1, World = 2, WorldBody = 3 };

/// Collects numbers; seal() puts the envelope around them.
class StateWriter {
public:
    /// Starts a new blob in `blob`, whose memory is used again.
    StateWriter(StateKind kind, std::vector<std::byte>& blob);
    template <typename Number>
    void put(Number value) {
        static_assert(std::is_arithmetic_v<Number>, "numbers only: other types have padding");
        append(&value, sizeof value);
    }
    template <typename Number>
    void put(const Number* values, std::size_t count) {
        static_assert(std::is_arithmetic_v<Number>, "numbers only");
        append(values, count * sizeof(Number));
    }
    /// A length and as many bytes.
    void putBytes(const std::vector<std::byte>& bytes);
    void seal();

private:
    void append(const void* data, std::size_t size);
    std::vector<std::byte>& m_blob;
    StateKind m_kind;
};

/// Reads what a StateWriter wrote. After any read beyond the end everything reads as zero and ok() is false.
class StateReader {
public:
    /// Checks the envelope; status() tells the outcome. The memory must stay.
    StateReader(StateKind kind, const std::byte* data, std::size_t size);
    StateStatus status() const { return m_status; }
    bool ok() const { return m_status == StateStatus::Ok; }

    template <typename Number>
    Number get() {
        static_assert(std::is_arithmetic_v<Number>, "numbers only");
        Number value{};
        take(&value, sizeof value);
        return value;
    }
    /// A truth value; anything but 0 and 1 is a bad number.
    bool getFlag();
    /// A count in [0, most].
    std::size_t getCount(std::size_t most);
    /// Finite numbers. @return false when one is not
    bool get(double* values, std::size_t count);
    /// What putBytes wrote, in place: empty after an error.
    const std::byte* getBytes(std::size_t& size);
    /// Everything has been read.
    bool atEnd() const { return m_next == m_end; }
    void fail(StateStatus status) {
        if (ok()) m_status = status;
    }

private:
    void take(void* target, std::size_t size);
    const std::byte* m_next = nullptr;
    const std::byte* m_end = nullptr;
    StateStatus m_status = StateStatus::Ok;
};

}  // namespace pliant
