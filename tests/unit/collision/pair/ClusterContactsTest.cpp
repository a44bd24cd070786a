// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "pliant/collision/pair/ClusterContacts.h"

namespace pliant {
namespace {

SkeletonContact contactAt(const Vector3& point, double distance, int id, const Vector3& normal = Vector3::UnitZ()) {
    SkeletonContact c;
    c.segmentA = c.segmentB = id;
    c.feature = contactFeature(id, id, 0);
    c.pointA = point;
    c.pointB = point - distance * normal;
    c.normal = normal;
    c.distance = distance;
    c.radiusA = c.radiusB = 0.1;
    return c;
}

std::vector<int> ids(const std::vector<SkeletonContact>& contacts) {
    std::vector<int> result;
    for (const SkeletonContact& c : contacts) result.push_back(c.segmentA);
    return result;
}

TEST(ClusterContacts, KeepsTheDeepestAndTheCornersOfAPatch) {
    std::vector<SkeletonContact> contacts;
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j)
            contacts.push_back(
                contactAt(Vector3(0.08 * i, 0.08 * j, 0.0), i == 0 && j == 0 ? -0.02 : -0.01, 5 * i + j));
    clusterContacts(contacts);
    EXPECT_EQ(ids(contacts), (std::vector<int>{0, 4, 24}));  // deepest, opposite corner, one beside their line
}

TEST(ClusterContacts, KeepsRegionsApart) {
    std::vector<SkeletonContact> contacts;
    for (int patch = 0; patch < 4; ++patch)
        for (int i = 0; i < 3; ++i)
            contacts.push_back(contactAt(Vector3(5.0 * patch + 0.01 * i, 0.0, 0.0), -0.01 * (i + 1), 3 * patch + i));
    contacts.push_back(contactAt(Vector3(0.0, 0.0, 0.0), -0.001, 50, -Vector3::UnitZ()));  // same place, other side
    clusterContacts(contacts);
    EXPECT_EQ(ids(contacts), (std::vector<int>{2, 5, 8, 11, 50}));
}

TEST(ClusterContacts, HonoursTheNumbersAskedFor) {
    std::mt19937 random(1);
    std::vector<SkeletonContact> contacts;
    for (int i = 0; i < 300; ++i)
        contacts.push_back(contactAt(Vector3(0.001 * static_cast<double>(random() % 5000), 0.0, 0.0),
                                     -1e-5 * static_cast<double>(random() % 1000), i));
    const auto deepest = *std::min_element(contacts.begin(), contacts.end(),
                                           [](const auto& x, const auto& y) { return x.distance < y.distance; });
    ClusterOptions options;
    options.maximum = 4;
    options.pointsPerRegion = 1;
    auto shuffled = contacts;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    clusterContacts(contacts, options);
    clusterContacts(shuffled, options);
    EXPECT_EQ(contacts.size(), 4u);
    EXPECT_EQ(ids(contacts), ids(shuffled));  // the order of the input does not matter
    EXPECT_TRUE(std::any_of(contacts.begin(), contacts.end(),
                            [&](const SkeletonContact& c) { return c.feature == deepest.feature; }));
}

TEST(ClusterContacts, PrefersWhatWasKeptBefore) {
    std::vector<SkeletonContact> contacts = {contactAt(Vector3(0.0, 0.0, 0.0), -0.010, 0),
                                             contactAt(Vector3(0.05, 0.0, 0.0), -0.011, 1)};
    contacts[0].kept = true;
    clusterContacts(contacts);
    EXPECT_EQ(ids(contacts), (std::vector<int>{0}));
}

TEST(ClusterContacts, LeavesNothingWhereThereIsNothing) {
    std::vector<SkeletonContact> contacts;
    clusterContacts(contacts);
    EXPECT_TRUE(contacts.empty());
}

}  // namespace
}  // namespace pliant
