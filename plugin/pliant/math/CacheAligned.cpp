// SPDX-License-Identifier: Zlib
#include "pliant/math/CacheAligned.h"

#include <atomic>
#include <new>

namespace pliant {

namespace {

std::atomic<std::uint64_t> timesTaken{0};

/// Whole lines, except where the address sanitizer shall see the end of what was asked for.
std::size_t taken(std::size_t bytes) {
#ifdef PLIANT_SANITIZED
    return bytes;
#else
    return roundUpToCacheLines<std::byte>(bytes);
#endif
}

}  // namespace

void* allocateCacheAligned(std::size_t bytes) {
    timesTaken.fetch_add(1, std::memory_order_relaxed);
    return ::operator new (taken(bytes), std::align_val_t{kCacheLine});
}

std::uint64_t cacheAlignedAllocations() {
    return timesTaken.load(std::memory_order_relaxed);
}

void freeCacheAligned(void* from, std::size_t) noexcept {
    if (from) ::operator delete (from, std::align_val_t{kCacheLine});
}

}  // namespace pliant
