// SPDX-License-Identifier: Zlib
#include "pliant/math/CacheAligned.h"

#include <array>
#include <atomic>
#include <mutex>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define PLIANT_SMALL_PIECES 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PLIANT_SMALL_PIECES 0
#endif
#endif
#ifndef PLIANT_SMALL_PIECES
#define PLIANT_SMALL_PIECES 1  ///< not where every piece is to be watched by itself
#endif

namespace pliant {

namespace {

constexpr std::size_t kLargestSmall = 32768;  ///< bytes; larger pieces come from the heap
constexpr std::size_t kChunk = 2u << 20;      ///< bytes: a large page of x86-64 and of most ARM systems

std::size_t linesOf(std::size_t bytes) {
    return bytes == 0 ? 1 : (bytes + kCacheLine - 1) / kCacheLine;
}

/// One large page, or as many small ones.
void* takeChunk() {
#if defined(__linux__)
    // Twice as much as needed has an aligned chunk in it; the ends go back.
    void* mapped = mmap(nullptr, 2 * kChunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    auto* begin = static_cast<std::byte*>(mapped);
    const std::size_t before = (kChunk - reinterpret_cast<std::uintptr_t>(begin) % kChunk) % kChunk;
    if (before > 0) munmap(begin, before);
    munmap(begin + before + kChunk, kChunk - before);
    madvise(begin + before, kChunk, MADV_HUGEPAGE);  // a wish: small pages do as well
    return begin + before;
#else
    return ::operator new (kChunk, std::align_val_t{kCacheLine});
#endif
}

/// A piece that nobody has; it holds this in its own first bytes.
struct FreePiece {
    FreePiece* next;
};

/// Small pieces cut from chunks, one behind the other, and lists of those given back by size. Standard pools
/// (std::pmr) keep every size apart, where the pieces of one body shall lie together.
class SmallPieces {
public:
    void* take(std::size_t lines) {
        const std::lock_guard<std::mutex> lock(m_mutex);
        FreePiece*& list = m_free[lines];
        if (!list) return cut(lines * kCacheLine);
        FreePiece* piece = list;
        list = piece->next;
        return piece;
    }
    void giveBack(void* from, std::size_t lines) {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_free[lines] = ::new (from) FreePiece{m_free[lines]};
    }

private:
    void* cut(std::size_t bytes) {
        if (m_left < bytes) startChunk();
        void* piece = m_next;
        m_next += bytes;
        m_left -= bytes;
        return piece;
    }
    void startChunk() {
        m_next = static_cast<std::byte*>(takeChunk());
        m_left = kChunk;
    }

    std::mutex m_mutex;
    std::byte* m_next = nullptr;
    std::size_t m_left = 0;
    std::array<FreePiece*, kLargestSmall / kCacheLine + 1> m_free{};  ///< by number of lines
};

/// Never destroyed: bodies may be static objects of the program.
SmallPieces& smallPieces() {
    static SmallPieces& pieces = *new SmallPieces;
    return pieces;
}

std::atomic<std::uint64_t> timesTaken{0};

bool isSmall(std::size_t bytes) {
    return PLIANT_SMALL_PIECES && bytes <= kLargestSmall;
}

}  // namespace

void* allocateCacheAligned(std::size_t bytes) {
    timesTaken.fetch_add(1, std::memory_order_relaxed);
    if (isSmall(bytes)) return smallPieces().take(linesOf(bytes));
    // The address sanitizer shall see the end.
    const std::size_t taken = PLIANT_SMALL_PIECES ? linesOf(bytes) * kCacheLine : bytes;
    return ::operator new (taken, std::align_val_t{kCacheLine});
}

std::uint64_t cacheAlignedAllocations() {
    return timesTaken.load(std::memory_order_relaxed);
}

void freeCacheAligned(void* from, std::size_t bytes) noexcept {
    if (!from) return;
    if (isSmall(bytes))
        smallPieces().giveBack(from, linesOf(bytes));
    else
        ::operator delete (from, std::align_val_t{kCacheLine});
}

}  // namespace pliant
