// SPDX-License-Identifier: Zlib
#include "pliant/reduce/SheetSurface.h"

#include <algorithm>

#include "pliant/field/OffsetSurface.h"

namespace pliant {

double sheetThickness(const SurfaceMesh& surface, double wall) {
    constexpr double thinnest = 0.003, thickest = 0.005;
    const double diagonal = (surface.positions.rowwise().maxCoeff() - surface.positions.rowwise().minCoeff()).norm();
    return wall > 0.0 ? std::clamp(wall, thinnest * diagonal, thickest * diagonal) : thickest * diagonal;
}

SurfaceMesh sheetSurface(const SurfaceMesh& surface, double thickness) {
    return offsetSurface(surface, 0.5 * thickness, 0.7 * thickness);
}

}  // namespace pliant
