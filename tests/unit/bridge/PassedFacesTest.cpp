// SPDX-License-Identifier: Zlib
// Whether a point goes past the plane that is ahead of it, of fields that are known in closed form.
#include <gtest/gtest.h>

#include "btPliant/narrowphase/PassedFaces.h"

namespace btPliantInternal {
namespace {

using pliant::FieldSample;
using pliant::Vector3;

/// Of a face that bends away from its plane, going down.
/// @param from,end m above the face at both ends of the way
bool goesPastFace(double from, double planeAtEnd, double end, double slop) {
    const auto fieldAt = [&](double t) {
        FieldSample there;
        there.normal = Vector3(0.0, 1.0, 0.0);
        there.distance = from + t * (planeAtEnd - from) + t * t * (end - planeAtEnd);
        return there;
    };
    return goesPast(Vector3(0.0, 1.0, 0.0), planeAtEnd, fieldAt, slop);
}

// A box that rode on a bar lost one of the three contacts it stood on for a step, by 2e-12 m, and slid 2.7 mm.
TEST(PassedFaces, HoldWhatRestsOnThemButForRounding) {
    constexpr double slop = 1e-3;
    EXPECT_FALSE(goesPastFace(1e-6, -1e-6, -1e-6, slop));
    EXPECT_FALSE(goesPastFace(4.6e-8, -1e-11, 2e-12, slop));
    EXPECT_FALSE(goesPastFace(1e-6, -1e-6, 0.9e-9, slop)) << "a nanometre";
    EXPECT_TRUE(goesPastFace(1e-6, -1e-6, 2e-9, slop)) << "a face that bends away";
    EXPECT_TRUE(goesPastFace(1e-3, -5e-3, 1e-3, slop)) << "an edge";
}

}  // namespace
}  // namespace btPliantInternal
