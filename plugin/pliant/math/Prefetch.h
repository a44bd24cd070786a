// SPDX-License-Identifier: Zlib
// What a pass over scattered objects will need soon. Where all of them do not fit the caches, a step waits for memory
// at every object (more than 100 ns each on the machines of docs/internals/prefetch.md) unless it has been asked for in
// time.
#pragma once

#include <cstddef>

namespace pliant {

/// Has `bytes` from `from` on brought near; never fails, whatever the address is.
inline void prefetch(const void* from, std::size_t bytes = 1) {
#if defined(__GNUC__)
    constexpr std::size_t line = 64;
    for (std::size_t at = 0; at < bytes; at += line) __builtin_prefetch(static_cast<const char*>(from) + at);
#else
    (void)from;
    (void)bytes;
#endif
}

/// The elements of a vector, no more than `most` bytes of them.
template <class Vector>
void prefetchElements(const Vector& elements, std::size_t most) {
    const std::size_t bytes = elements.size() * sizeof(*elements.data());
    prefetch(elements.data(), bytes < most ? bytes : most);
}

}  // namespace pliant
