// SPDX-License-Identifier: Zlib
// Internal: how a state log lies in its file; see StateLog.h.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "pliant/view/StateLog.h"

namespace pliant::stateLog {

constexpr char magic[8] = {'\x89', 'P', 'L', 'S', 'T', 'A', 'T', '\n'};
constexpr std::uint32_t endianMark = 0x01020304, version = 1;
constexpr std::size_t bodyBytes = 3 * sizeof(double) + 4 * sizeof(float);  ///< Bytes of a body without its q.
constexpr std::size_t checksumBytes = sizeof(std::uint64_t), timeBytes = sizeof(double);
constexpr std::size_t endBytes = sizeof(std::uint64_t) + checksumBytes;
/// What a log holds at most, so that no product of sizes overflows.
constexpr std::uint32_t mostGroups = 1u << 16, mostBodies = 1u << 24, mostDimension = 1u << 16, mostName = 1u << 12;

/// Bytes of a frame with its time and its checksum.
inline std::uint64_t frameBytes(const std::vector<LoggedGroup>& groups) {
    std::uint64_t bytes = timeBytes + checksumBytes;
    for (const LoggedGroup& group : groups)
        bytes += static_cast<std::uint64_t>(group.bodies) *
                 (bodyBytes + sizeof(float) * static_cast<std::uint64_t>(group.dimension));
    return bytes;
}

/// Checksum of a record that says where it stands, so that records cannot change places.
std::uint64_t checksum(const void* bytes, std::size_t size, std::uint64_t number);

/// Appends a number as the machine has it.
template <typename Number>
void put(std::vector<std::uint8_t>& bytes, Number value) {
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
}
/// Reads a number, and steps behind it.
template <typename Number>
Number take(const std::uint8_t*& from) {
    Number value;
    std::memcpy(&value, from, sizeof value);
    from += sizeof value;
    return value;
}

}  // namespace pliant::stateLog
