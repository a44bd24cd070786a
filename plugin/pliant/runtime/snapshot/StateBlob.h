// SPDX-License-Identifier: Zlib
/// @file
/// Saved states as bytes: an envelope (magic, version, kind, size, checksum) around plain numbers. Run-time code:
/// nothing here throws; what is wrong with a blob is told by a status.
///
///     std::vector<std::byte> blob;
///     batch.saveState(body, blob);          // replaces what is in `blob`
///     ...
///     if (batch.restoreState(body, blob.data(), blob.size()) != StateStatus::Ok) ...
///
/// Numbers are written as the machine has them: a blob is for the kind of machine that wrote it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "pliant/math/Api.h"

namespace pliant {

/// What became of reading a saved state.
enum class StateStatus {
    Ok,            ///< The state was read.
    NotAState,     ///< No saved state, or one of another kind (a body's for a world's).
    OtherVersion,  ///< Written by another version of the library, or on a machine of another byte order.
    Damaged,       ///< Truncated, or the checksum does not fit.
    BadNumber,     ///< A number in it is not finite or cannot be.
    OtherModel,    ///< Of a body of another model.
    OtherWorld     ///< Bodies, objects or shapes are not those of the world it was saved from; the slot has no body.
};

/// A sentence for people, without full stop.
PLIANT_API const char* describe(StateStatus status);

/// What a saved state is of.
enum class StateKind : std::uint32_t {
    Body = 1,      ///< A slot of a BodyBatch.
    World = 2,     ///< A world with its reduced bodies.
    WorldBody = 3  ///< A reduced body in a world.
};

/// Collects the numbers of a saved state; seal() puts the envelope around them.
class PLIANT_API StateWriter {
public:
    /// Starts a new state in `blob`, whose memory is used again.
    StateWriter(StateKind kind, std::vector<std::byte>& blob);
    /// Appends a number.
    template <typename Number>
    void put(Number value) {
        static_assert(std::is_arithmetic_v<Number>, "numbers only: other types have padding");
        append(&value, sizeof value);
    }
    /// Appends `count` numbers.
    template <typename Number>
    void put(const Number* values, std::size_t count) {
        static_assert(std::is_arithmetic_v<Number>, "numbers only");
        append(values, count * sizeof(Number));
    }
    /// Appends a length and as many bytes.
    void putBytes(const std::vector<std::byte>& bytes);
    /// Puts magic, version, kind, size and checksum around what was collected.
    void seal();

private:
    void append(const void* data, std::size_t size);
    std::vector<std::byte>& m_blob;
    StateKind m_kind;
};

/// Reads what a StateWriter wrote. After any read beyond the end everything reads as zero and ok() is false.
class PLIANT_API StateReader {
public:
    /// Checks the envelope; status() tells the outcome. The memory must stay.
    StateReader(StateKind kind, const std::byte* data, std::size_t size);
    /// Ok, or what was wrong first.
    StateStatus status() const { return m_status; }
    /// Whether nothing has been wrong so far.
    bool ok() const { return m_status == StateStatus::Ok; }

    /// The next number.
    template <typename Number>
    Number get() {
        static_assert(std::is_arithmetic_v<Number>, "numbers only");
        Number value{};
        take(&value, sizeof value);
        return value;
    }
    /// A truth value; anything but 0 and 1 is a bad number.
    bool getFlag();
    /// A count in [0, most]; any other is a bad number.
    std::size_t getCount(std::size_t most);
    /// Reads `count` numbers into `values`.
    /// @return false when one is not finite
    bool get(double* values, std::size_t count);
    /// What putBytes() wrote, in place; empty after an error.
    /// @param size written
    const std::byte* getBytes(std::size_t& size);
    /// Whether everything has been read.
    bool atEnd() const { return m_next == m_end; }
    /// Notes what is wrong, unless something was before.
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
