// SPDX-License-Identifier: Zlib
// Memory in whole cache lines, each for one thing. What several threads write side by side must not share lines: every
// one that changes hands costs 200 ns and more between cores that have no cache in common
// (docs/internals/memory-layout.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pliant/math/Api.h"

namespace pliant {

constexpr std::size_t kCacheLine = 64;  ///< Length of a cache line, bytes.

/// `bytes` from the start of a cache line on, of which no other piece has a part. Any thread.
/// @throws std::bad_alloc
PLIANT_INTERNAL_API void* allocateCacheAligned(std::size_t bytes);
/// Gives back what allocateCacheAligned(bytes) gave.
PLIANT_INTERNAL_API void freeCacheAligned(void* from, std::size_t bytes) noexcept;
/// Calls of allocateCacheAligned() so far: what shall take no memory can be seen to take none.
std::uint64_t cacheAlignedAllocations();

template <class T>
struct CacheAlignedAllocator {
    using value_type = T;

    CacheAlignedAllocator() = default;
    template <class U>
    CacheAlignedAllocator(const CacheAlignedAllocator<U>&) {}
    T* allocate(std::size_t count) {
        static_assert(alignof(T) <= kCacheLine, "lines are not aligned further");
        return static_cast<T*>(allocateCacheAligned(count * sizeof(T)));
    }
    void deallocate(T* from, std::size_t count) { freeCacheAligned(from, count * sizeof(T)); }
    friend bool operator==(const CacheAlignedAllocator&, const CacheAlignedAllocator&) { return true; }
    friend bool operator!=(const CacheAlignedAllocator&, const CacheAlignedAllocator&) { return false; }
};

template <class T>
using CacheAlignedVector = std::vector<T, CacheAlignedAllocator<T>>;

/// Base of what `new` makes one by one and shall lie there. `delete` by way of another base needs a virtual destructor
/// in that.
struct CacheAligned {
    static void* operator new(std::size_t bytes) { return allocateCacheAligned(bytes); }
    static void operator delete(void* from, std::size_t bytes) { freeCacheAligned(from, bytes); }
};

/// `count` rounded up to whole lines of Ts.
template <class T>
constexpr std::size_t roundUpToCacheLines(std::size_t count) {
    constexpr std::size_t each = kCacheLine / sizeof(T);
    return (count + each - 1) / each * each;
}

}  // namespace pliant
