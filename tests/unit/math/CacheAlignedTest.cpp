// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <thread>

#include "pliant/math/CacheAligned.h"

namespace pliant {
namespace {

struct Piece {
    void* from;
    std::size_t bytes;
    unsigned char mark;

    bool isWhole() const {
        const auto* at = static_cast<const unsigned char*>(from);
        return std::all_of(at, at + bytes, [this](unsigned char byte) { return byte == mark; });
    }
};

Piece take(std::size_t bytes, unsigned char mark) {
    void* from = allocateCacheAligned(bytes);
    std::memset(from, mark, bytes);
    return {from, bytes, mark};
}

/// Takes and gives back pieces of all sizes in any order; what somebody else wrote into one is found.
void useAtRandom(unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Piece> held;
    for (int i = 0; i < 4000; ++i) {
        if (held.size() < 50 || random() % 2) {
            // 1 to 130,000 bytes, most of them few; also beyond a page
            const std::size_t bytes = 1 + random() % (std::size_t{1} << (random() % 18));
            held.push_back(take(bytes, static_cast<unsigned char>(random())));
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(held.back().from) % kCacheLine, 0u) << bytes;
        } else {
            std::swap(held[random() % held.size()], held.back());
            EXPECT_TRUE(held.back().isWhole()) << held.back().bytes;
            freeCacheAligned(held.back().from, held.back().bytes);
            held.pop_back();
        }
    }
    for (const Piece& piece : held) {
        EXPECT_TRUE(piece.isWhole()) << piece.bytes;
        freeCacheAligned(piece.from, piece.bytes);
    }
}

TEST(CacheAligned, PiecesDoNotOverlap) {
    useAtRandom(1);
}

TEST(CacheAligned, NorDoThoseOfSeveralThreads) {
    std::vector<std::thread> threads;
    for (unsigned seed = 2; seed < 6; ++seed) threads.emplace_back(useAtRandom, seed);
    for (std::thread& thread : threads) thread.join();
}

TEST(CacheAligned, CountWhatIsTaken) {
    const std::uint64_t before = cacheAlignedAllocations();
    CacheAlignedVector<double> numbers(10);
    numbers.resize(100000);
    EXPECT_EQ(cacheAlignedAllocations(), before + 2);
    numbers.resize(50000);
    EXPECT_EQ(cacheAlignedAllocations(), before + 2);
}

TEST(CacheAligned, ObjectsMayBeDeletedByTheirBase) {
    struct Base {
        virtual ~Base() = default;
    };
    struct Line : Base, CacheAligned {
        double numbers[20] = {};
    };
    const std::uint64_t before = cacheAlignedAllocations();
    auto made = std::make_unique<Line>();
    EXPECT_EQ(cacheAlignedAllocations(), before + 1);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(made.get()) % kCacheLine, 0u);
    std::unique_ptr<Base> base = std::move(made);
    base.reset();  // by the operator of Line: the address sanitizer would tell of another
}

}  // namespace
}  // namespace pliant
