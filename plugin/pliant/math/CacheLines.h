// SPDX-License-Identifier: Zlib
// Arrays that begin where a cache line does. What several threads write side by side must not share lines: every one
// that changes hands costs 200 ns and more between cores that have no cache in common (docs/performance.md).
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace pliant {

constexpr std::size_t kCacheLine = 64;  ///< bytes

template <class T>
struct CacheLineAllocator {
    using value_type = T;

    CacheLineAllocator() = default;
    template <class U>
    CacheLineAllocator(const CacheLineAllocator<U>&) {}
    T* allocate(std::size_t count) {
        return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{kCacheLine}));
    }
    void deallocate(T* from, std::size_t) { ::operator delete (from, std::align_val_t{kCacheLine}); }
    friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) { return true; }
    friend bool operator!=(const CacheLineAllocator&, const CacheLineAllocator&) { return false; }
};

template <class T>
using CacheLineVector = std::vector<T, CacheLineAllocator<T>>;

/// `count` rounded up to whole lines of Ts.
template <class T>
constexpr std::size_t inWholeLines(std::size_t count) {
    constexpr std::size_t each = kCacheLine / sizeof(T);
    return (count + each - 1) / each * each;
}

}  // namespace pliant
