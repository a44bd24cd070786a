// SPDX-License-Identifier: Zlib
#include "pliant/touch/TouchingBody.h"

#include <algorithm>

namespace pliant {

namespace {

/// Of the distance between surface points, that points are followed behind a sheet.
constexpr double kBehindSurface = 1.0;
/// Of the thinner body's thickness, that what comes from where nobody has looked may be inside after a step: from there
/// the nearest way out is the one it came by.
constexpr double kUnseen = 0.5;

}  // namespace

double thicknessOf(const TouchingBody& body) {
    return body.field ? body.field->model().surface().thickness
                      : static_cast<double>(body.body->model().skeleton().radii.maxCoeff());
}

double thinnerOf(const TouchingBody& a, const TouchingBody& b) {
    return std::min(thicknessOf(a), thicknessOf(b));
}

double lookedWithin(double margin, const TouchingBody& solid, const SurfaceSides& sides) {
    return sides.anyIsThrough() ? std::max(margin, kBehindSurface * solid.field->model().pointSpacing()) : margin;
}

double lookedAhead(const SurfaceReach& reach, const TouchingBody& a, const TouchingBody& b) {
    return std::min(reach.margin, std::max(reach.ahead, reach.margin - kUnseen * thinnerOf(a, b)));
}

bool isAllSurface(const TouchingBody& body) {
    return body.field && body.field->model().hasOnlySurfacePoints();
}

}  // namespace pliant
