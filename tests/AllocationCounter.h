// SPDX-License-Identifier: Zlib
// Counts every way of this program to the heap: operator new, the aligned one and Eigen all end in malloc or
// aligned_alloc, which are replaced here. For one source of a program; sanitizers bring their own malloc.
#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

namespace pliant::test {

/// Calls so far, of all threads.
inline std::atomic<long> allocations{0};

/// Goes to the heap once. @return how often that was counted
inline long countOneAllocation() {
    const long before = allocations;
    ::operator delete(::operator new(100));  // by name: of a vector that nobody reads Clang leaves out both
    return allocations - before;
}

}  // namespace pliant::test

// glibc's own under their other names.
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* __libc_memalign(std::size_t alignment, std::size_t size);

extern "C" void* malloc(std::size_t size) {
    ++pliant::test::allocations;
    return __libc_malloc(size);
}

extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) {
    ++pliant::test::allocations;
    return __libc_memalign(alignment, size);
}
