// SPDX-License-Identifier: Zlib
#include "pliant/touch/TouchingBody.h"

#include <algorithm>

namespace pliant {

namespace {

/// Of the distance between surface points, that points are followed behind a sheet.
constexpr double kBehind = 1.0;

}  // namespace

double thicknessOf(const TouchingBody& body) {
    return body.field ? body.field->model().surface().thickness
                      : static_cast<double>(body.body->model().skeleton().radii.maxCoeff());
}

double thinnerOf(const TouchingBody& a, const TouchingBody& b) {
    return std::min(thicknessOf(a), thicknessOf(b));
}

double lookedWithin(double margin, const TouchingBody& solid, const SurfaceSides& sides) {
    return sides.anyIsThrough() ? std::max(margin, kBehind * solid.field->model().pointSpacing()) : margin;
}

bool isAllSurface(const TouchingBody& body) {
    return body.field && body.field->model().hasOnlySurfacePoints();
}

}  // namespace pliant
