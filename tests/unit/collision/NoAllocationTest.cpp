// SPDX-License-Identifier: Zlib
// Queries do not touch the heap once their output has room. Counts this program's allocations.
#include <atomic>
#include <cstdlib>
#include <new>

#include "pliant/collision/body/TriangleQueries.h"
#include "pliant/collision/pair/ClusterContacts.h"
#include "pliant/collision/pair/CollideBodies.h"
#include "pliant/collision/pair/PassedSegments.h"
#include "pliant/collision/pair/SkeletonQueries.h"
#include "unit/collision/SyntheticBasket.h"

namespace {

std::atomic<long> g_allocations{0};

void* counted(std::size_t bytes) {
    ++g_allocations;
    if (void* memory = std::malloc(bytes ? bytes : 1)) return memory;
    throw std::bad_alloc();
}

}  // namespace

// GCC warns where it has inlined the one of these operators and not the other.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

void* operator new(std::size_t bytes) {
    return counted(bytes);
}
void* operator new[](std::size_t bytes) {
    return counted(bytes);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    ++g_allocations;
    return std::malloc(bytes ? bytes : 1);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    std::free(memory);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace pliant {
namespace {

TEST(NoAllocation, InASettledStep) {
    const auto model = std::make_shared<CollisionModel>(test::basketModel(test::BasketShape{}));
    DeformedBody a(model), b(model);
    std::mt19937 random(2);
    const VectorX qa = test::randomCoordinates(random, 7, 0.01), qb = test::randomCoordinates(random, 7, 0.01);
    const RigidTransform pa = test::randomPose(random, 0.05), pb = test::randomPose(random, 0.05);
    std::vector<SkeletonContact> contacts;
    ContactHistory history;
    std::size_t found = 0;
    VectorX slight = qa;
    const auto step = [&] {
        slight[0] += 1e-5;
        DeformedBody* const both[2] = {&a, &b};
        const DeformedBody::NewState moved{&a, slight.data(), pa};
        DeformedBody::moveTogether(&moved, 1);
        if (!a.spheresAreCurrent()) found += static_cast<std::size_t>(a.segment(3).index);
        DeformedBody::evaluateTogether(both, 2);
        a.update(qa.data(), pa);
        b.update(qb.data(), pb);
        contacts.clear();
        collideBodies(a, b, 0.002, contacts, &history);
        found = contacts.size();
        history.remember(a, contacts);
        clusterContacts(contacts);
        history.markKept(contacts);
        contacts.clear();
        collideHalfSpace(a, Vector3::UnitZ(), pa.translation.z() - 0.05, 0.002, contacts);
        visitSegmentsNear(a, b.worldBounds(), 0.01, [&](const CapsuleSegment& s) { found += s.index >= 0; });
        visitTriangles(a, a.bodyBounds(), [&](const Vector3&, const Vector3&, const Vector3&, int) { ++found; });
        TriangleHit hit;
        found += rayTriangles(a, pa.translation, pb.translation, hit);
    };
    step();
    step();  // the second one has a history and may find more
    const long before = g_allocations;
    const std::uint64_t linesBefore = cacheAlignedAllocations();
    step();
    EXPECT_EQ(g_allocations - before, 0);
    EXPECT_EQ(cacheAlignedAllocations(), linesBefore);
    EXPECT_GT(found, 100u);
}

/// A blow is rare: its lists are those of every step, and room of the history by whole sixteens.
TEST(NoAllocation, OfStrandsThatHavePassedInAHistoryWithRoom) {
    const auto model = std::make_shared<CollisionModel>(test::basketModel(test::BasketShape{}));
    DeformedBody a(model), b(model);
    const VectorX q = VectorX::Zero(7);
    RigidTransform from, to;
    from.translation = Vector3(0.05, 0.31, 0.02);
    to.translation = Vector3(0.05, 0.27, 0.02);
    std::vector<SkeletonContact> contacts;
    contacts.reserve(1000);
    ContactHistory history;
    const auto step = [&] {
        history.clear();
        a.update(q.data(), to);
        a.predictMotion(q.data(), from);
        b.update(q.data(), RigidTransform());
        b.predictMotion(q.data(), RigidTransform());
        rememberPassedSegments(a, b, history);
        contacts.clear();
        addContactsBehind(a, b, history, contacts);
    };
    step();
    const long before = g_allocations;
    const std::uint64_t linesBefore = cacheAlignedAllocations();
    step();
    EXPECT_EQ(g_allocations - before, 0);
    EXPECT_EQ(cacheAlignedAllocations(), linesBefore);
    EXPECT_GT(history.entries().size(), 2u);
    EXPECT_GT(contacts.size(), 2u);
}

}  // namespace
}  // namespace pliant
