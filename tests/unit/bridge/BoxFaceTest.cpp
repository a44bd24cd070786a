// SPDX-License-Identifier: Zlib
// Segments above a face of a box are met without GJK: the same contacts.
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "btPliant/narrowphase/SegmentBox.h"

namespace {

using btPliantInternal::nearestAboveFace;
using btPliantInternal::SegmentBoxContact;

/// Distance of a point from the core of the box, by clamping.
double fromCore(const btBoxShape& box, const btVector3& local) {
    btVector3 nearest = local;
    nearest.setMin(box.getHalfExtentsWithoutMargin());
    nearest.setMax(-box.getHalfExtentsWithoutMargin());
    return static_cast<double>((local - nearest).length());
}

TEST(BoxFace, FindsTheNearestOfManySamplesOrNothing) {
    btBoxShape box(btVector3(1, btScalar(0.5), 2));
    std::mt19937 engine(7);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const auto random = [&](double size) { return static_cast<btScalar>(size * uniform(engine)); };
    int found = 0, refused = 0;
    for (int i = 0; i < 4000; ++i) {
        const btTransform place(btQuaternion(random(1), random(1), random(1), random(1) + btScalar(1.5)).normalized(),
                                btVector3(random(3), random(3), random(3)));
        const btVector3 local[2] = {btVector3(random(2), random(2), random(3)),
                                    btVector3(random(2), random(2), random(3))};
        const btVector3 ends[2] = {place * local[0], place * local[1]};
        const double radii[2] = {0.1, 0.1 + 0.05 * uniform(engine)};
        SegmentBoxContact contact;
        if (!nearestAboveFace(box, place, ends, radii, contact)) {
            ++refused;
            continue;
        }
        ++found;
        double least = 1e30;  // of the tapered sweep's surface from the core
        for (int s = 0; s <= 200; ++s) {
            const double share = s / 200.0;
            const btVector3 point = local[0].lerp(local[1], static_cast<btScalar>(share));
            least = std::min(least, fromCore(box, point) - (radii[0] + share * (radii[1] - radii[0])));
        }
        const int end = (contact.onAxis - ends[1]).length() < btScalar(1e-6) ? 1 : 0;
        const auto distance = static_cast<double>((contact.onAxis - contact.onBox).dot(contact.normal));
        EXPECT_NEAR(distance - radii[end], least - static_cast<double>(box.getMargin()), 1e-5) << i;
        EXPECT_NEAR(static_cast<double>(contact.normal.length()), 1.0, 1e-5);
        EXPECT_NEAR(fromCore(box, place.invXform(contact.onBox)), static_cast<double>(box.getMargin()), 1e-5);
    }
    EXPECT_GT(found, 400);
    EXPECT_GT(refused, 500) << "edges, corners and what is inside are for others";
}

}  // namespace
