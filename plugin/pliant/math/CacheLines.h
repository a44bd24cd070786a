// SPDX-License-Identifier: Zlib
// Memory in whole cache lines, each for one thing. What several threads write side by side must not share lines: every
// one that changes hands costs 200 ns and more between cores that have no cache in common. And what belongs to bodies
// and pairs is many small pieces that a step visits one after the other: taken here, those that are made together lie
// together, on large pages where the system has them, and the way to each is short (docs/performance.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pliant {

constexpr std::size_t kCacheLine = 64;  ///< bytes

/// `bytes` from the start of a cache line on, of which no other piece has a part. Any thread. Small pieces that are
/// given back are used again for others of their size; the program keeps their memory.
/// @throws std::bad_alloc
void* takeLines(std::size_t bytes);
/// Gives back what takeLines(bytes) gave.
void giveLinesBack(void* from, std::size_t bytes) noexcept;
/// Calls of takeLines() so far: what shall take no memory can be seen to take none.
std::uint64_t timesLinesTaken();

template <class T>
struct CacheLineAllocator {
    using value_type = T;

    CacheLineAllocator() = default;
    template <class U>
    CacheLineAllocator(const CacheLineAllocator<U>&) {}
    T* allocate(std::size_t count) {
        static_assert(alignof(T) <= kCacheLine, "lines are not aligned further");
        return static_cast<T*>(takeLines(count * sizeof(T)));
    }
    void deallocate(T* from, std::size_t count) { giveLinesBack(from, count * sizeof(T)); }
    friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) { return true; }
    friend bool operator!=(const CacheLineAllocator&, const CacheLineAllocator&) { return false; }
};

template <class T>
using CacheLineVector = std::vector<T, CacheLineAllocator<T>>;

/// Base of what `new` makes one by one and shall lie there. `delete` by way of another base needs a virtual destructor
/// in that.
struct InCacheLines {
    static void* operator new(std::size_t bytes) { return takeLines(bytes); }
    static void operator delete(void* from, std::size_t bytes) { giveLinesBack(from, bytes); }
};

/// `count` rounded up to whole lines of Ts.
template <class T>
constexpr std::size_t inWholeLines(std::size_t count) {
    constexpr std::size_t each = kCacheLine / sizeof(T);
    return (count + each - 1) / each * each;
}

}  // namespace pliant
