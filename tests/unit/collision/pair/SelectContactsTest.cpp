// SPDX-License-Identifier: Zlib
// The choice of the contacts that hold a patch.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

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

}  // namespace
}  // namespace pliant::test
