// SPDX-License-Identifier: Zlib
// The choice of the contacts that hold a patch.
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

#include "pliant/collision/pair/ContactIslands.h"
#include "pliant/collision/pair/SelectContacts.h"

namespace pliant::test {
namespace {

SkeletonContact contactAt(const Vector3& point, const Vector3& normal, double distance, std::uint64_t feature) {
    SkeletonContact c;
    c.pointA = c.pointB = point;
    c.normal = normal;
    c.distance = distance;
    c.feature = feature;
    return c;
}

// What lies in the middle of a solid has no way out that is the shortest, so its normal may be zero.
TEST(SelectContacts, NormalsWithoutADirectionAreHeldToo) {
    for (const double component : {0.0, std::numeric_limits<double>::quiet_NaN()}) {
        std::vector<SkeletonContact> contacts;
        for (int i = 0; i < 5; ++i) {
            const Vector3 normal = i == 2 ? Vector3::Constant(component).eval() : Vector3::UnitZ().eval();
            contacts.push_back(
                contactAt({0.1 * i, 0, 0}, normal, -0.1 * (i == 2 ? 2 : 1), static_cast<std::uint64_t>(i)));
        }
        contacts.shrink_to_fit();
        selectContacts(contacts);
        ASSERT_LE(contacts.size(), 5u);
        for (std::size_t i = 1; i < contacts.size(); ++i) EXPECT_LT(contacts[i - 1].feature, contacts[i].feature);
    }
}

// The four corners carry a flat patch; what lies between them is covered.
TEST(SelectContacts, TheCornersOfASquareHoldIt) {
    std::vector<SkeletonContact> contacts;
    for (int y = 0; y <= 4; ++y)
        for (int x = 0; x <= 4; ++x)
            contacts.push_back(
                contactAt({0.1 * x, 0.1 * y, 0}, Vector3::UnitZ(), -1e-4, static_cast<std::uint64_t>(5 * y + x)));
    selectContacts(contacts);
    for (const std::uint64_t corner : {0u, 4u, 20u, 24u}) {
        bool isKept = false;
        for (const SkeletonContact& c : contacts) isKept = isKept || c.feature == corner;
        EXPECT_TRUE(isKept) << corner;
    }
    EXPECT_LT(contacts.size(), 25u);
}

// One side of a plate ends the step ten millimetres inside and the other stays where it is. Chosen by depth alone, all
// contacts lie on the side that comes down, and when it has struck the other falls into the ground.
TEST(SelectContacts, BothSidesHoldWhatSwingsDown) {
    std::vector<SkeletonContact> contacts;
    for (int y = 0; y <= 8; ++y)
        for (int x = 0; x <= 8; ++x) {
            contacts.push_back(contactAt({0.05 * x, 0.05 * y, 2e-4 + 1e-3 * x}, Vector3::UnitZ(), 2e-4 + 1e-3 * x,
                                         static_cast<std::uint64_t>(9 * y + x)));
            contacts.back().closing = x > 0 ? 2.5e-3 * x : 0.0;
            contacts.back().kept = x > 4;
        }
    SelectOptions options;
    options.minimumOfTilted = options.maximumPerPatch;
    selectContacts(contacts, options);
    EXPECT_EQ(contacts.size(), 24u);
    for (const std::uint64_t corner : {0u, 8u, 72u, 80u}) {
        bool isKept = false;
        for (const SkeletonContact& c : contacts) isKept = isKept || c.feature == corner;
        EXPECT_TRUE(isKept) << corner;
    }
}

// What is bent more than tilted, as solids that have no room are, is held where it is deepest.
TEST(SelectContacts, WhatIsBentIsHeldWhereItIsDeepest) {
    std::vector<SkeletonContact> all;
    for (int y = 0; y <= 8; ++y)
        for (int x = 0; x <= 8; ++x) {
            const double deep = 1e-3 * ((5 * x + 3 * y) % 7);
            all.push_back(
                contactAt({0.05 * x, 0.05 * y, -deep}, Vector3::UnitZ(), -deep, static_cast<std::uint64_t>(9 * y + x)));
            all.back().closing = 1e-3;
        }
    std::vector<SkeletonContact> holding = all, ordinary = all;
    SelectOptions options;
    selectContacts(ordinary, options);
    options.minimumOfTilted = options.maximumPerPatch;
    selectContacts(holding, options);
    ASSERT_EQ(holding.size(), ordinary.size());
    for (std::size_t i = 0; i < holding.size(); ++i) EXPECT_EQ(holding[i].feature, ordinary[i].feature);
}

// A plank with points along both of its edges. Each edge is within what covers a patch as long as the plank, so that
// one covered the other: held now here, now there, it rocked about its line for ever.
TEST(SelectContacts, BothEdgesOfAPlankAreHeld) {
    std::vector<SkeletonContact> all;
    for (int side = 0; side < 2; ++side)
        for (int x = 0; x <= 20; ++x)
            all.push_back(contactAt({0.05 * x, 0.05 * side, 0}, Vector3::UnitZ(), -1e-4,
                                    static_cast<std::uint64_t>(21 * side + x)));
    std::vector<SkeletonContact> contacts = all;
    SelectOptions options;
    selectContacts(contacts, options);
    for (const std::uint64_t corner : {0u, 20u, 21u, 41u}) {
        bool isKept = false;
        for (const SkeletonContact& c : contacts) isKept = isKept || c.feature == corner;
        EXPECT_TRUE(isKept) << corner;
    }
    EXPECT_LE(contacts.size(), 12u);
    options.minimumOfNarrow = 20;
    contacts = all;
    selectContacts(contacts, options);
    EXPECT_EQ(contacts.size(), 20u) << "what bends between the corners";
    // One edge alone is a line, whose width is rounding.
    contacts.assign(all.begin(), all.begin() + 21);
    for (SkeletonContact& c : contacts) c.pointA.y() = 1e-9 * static_cast<double>(c.feature % 3);
    selectContacts(contacts, options);
    EXPECT_LE(contacts.size(), 6u);
}

// What a table stands on: a foot that is held at one of its corners rocks on it.
TEST(SelectContacts, EachFootOfATableIsHeldByItsCorners) {
    std::vector<SkeletonContact> all;
    for (const double y : {0.0, 0.6})
        for (const double x : {0.0, 1.1})
            for (int corner = 0; corner < 4; ++corner)
                all.push_back(contactAt({x + 0.06 * (corner % 2), y + 0.06 * (corner / 2), 0}, Vector3::UnitZ(),
                                        -1e-6 * corner, all.size()));
    SelectOptions options;
    options.islandGap = 0.15;
    std::vector<SkeletonContact> contacts = all;
    selectContacts(contacts, options);
    EXPECT_EQ(contacts.size(), 16u);
    options.maximumPerPatch = 10;
    contacts = all;
    selectContacts(contacts, options);
    EXPECT_EQ(contacts.size(), 10u);
    options.islandGap = 0.0;
    contacts = all;
    selectContacts(contacts, options);
    EXPECT_EQ(contacts.size(), 4u) << "one island, of which each foot is a corner";
}

// A cup in a cup: patches all around, each with more contacts than a pair has room for. The deepest ones had taken all
// of it, so that the other side was the deepest one in the next step.
TEST(SelectContacts, PatchesShareTheRoomOfAPair) {
    constexpr int sides = 6;
    std::vector<SkeletonContact> contacts;
    for (int side = 0; side < sides; ++side) {
        const Eigen::AngleAxisd turn(2 * M_PI * side / sides, Vector3::UnitZ());
        for (int y = 0; y < 6; ++y)
            for (int z = 0; z < 6; ++z)
                contacts.push_back(contactAt(turn * Vector3(1, 0.05 * y, 0.05 * z), turn * -Vector3::UnitX(),
                                             -1e-3 * (1 + side) - 1e-5 * (y * z), contacts.size()));
    }
    SelectOptions options;
    options.coverage = 0.01;  // each patch asks for all that it may have
    selectContacts(contacts, options);
    EXPECT_EQ(static_cast<int>(contacts.size()), options.maximum);
    int ofSide[sides] = {};
    for (const SkeletonContact& c : contacts) ++ofSide[c.feature / 36];
    for (const int count : ofSide) EXPECT_GE(count, options.maximum / sides);
    options.maximum = 4;
    selectContacts(contacts, options);
    EXPECT_EQ(contacts.size(), 4u) << "fewer than there are patches: the deepest ones";
}

// The islands of random points against all distances between them: near ones share an island, far ones do not.
TEST(ContactIslands, AreWhatIsApart) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> anywhere(-1.0, 1.0);
    const double gap = 0.12;
    for (int round = 0; round < 20; ++round) {
        std::vector<SkeletonContact> contacts(static_cast<std::size_t>(5 + 10 * round));
        for (SkeletonContact& contact : contacts)
            contact.pointA = {anywhere(random), anywhere(random), anywhere(random)};
        std::vector<int> island;
        const int count = findIslands(contacts, 0, contacts.size(), gap, island);
        // Joined by ways of at most `reach` from point to point.
        const auto isJoined = [&](std::size_t from, double reach) {
            std::vector<std::size_t> found = {from};
            std::vector<char> seen(contacts.size(), 0);
            seen[from] = 1;
            for (std::size_t next = 0; next < found.size(); ++next)
                for (std::size_t i = 0; i < contacts.size(); ++i)
                    if (!seen[i] && (contacts[i].pointA - contacts[found[next]].pointA).norm() < reach) {
                        seen[i] = 1;
                        found.push_back(i);
                    }
            return seen;
        };
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            ASSERT_GE(island[i], 0);
            ASSERT_LT(island[i], count);
            const std::vector<char> near = isJoined(i, gap), far = isJoined(i, 3.47 * gap);
            for (std::size_t j = 0; j < contacts.size(); ++j) {
                EXPECT_TRUE(!near[j] || island[i] == island[j]);
                EXPECT_TRUE(far[j] || island[i] != island[j]);
            }
        }
    }
    std::vector<int> island;
    EXPECT_EQ(findIslands({}, 0, 0, gap, island), 0);
    SkeletonContact nowhere;
    nowhere.pointA = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());
    EXPECT_GE(findIslands({nowhere, SkeletonContact()}, 0, 2, gap, island), 1);
}

}  // namespace
}  // namespace pliant::test
