// SPDX-License-Identifier: Zlib
#include "osgPliant/BodyStates.h"

#include <algorithm>
#include <cmath>

#include "osgPliant/TexelLayout.h"

namespace osgPliant {

osg::BoundingBoxd BodyStates::bound(const Deformation& deformation, int i) const {
    osg::BoundingBoxd box;
    if (!drawn(i)) return box;
    const osg::BoundingBoxd local = deformation.getBound(qOf(i));
    if (!local.valid()) return box;
    const osg::Matrixd m = nodeFromRest(deformation, i);
    const osg::Vec3d centre = local.center() * m;
    const osg::Vec3d half = (local._max - local._min) * 0.5;
    osg::Vec3d reach;
    for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 3; ++row) reach[column] += std::abs(m(row, column)) * half[row];
    }
    if (!(std::isfinite(reach.length2()) && std::isfinite(centre.length2()))) return box;
    box.expandBy(centre - reach);
    box.expandBy(centre + reach);
    return box;
}

osg::BoundingBoxd BodyStates::bound(const Deformation& deformation) const {
    osg::BoundingBoxd box;
    for (int i = 0; i < count(); ++i) box.expandBy(bound(deformation, i));
    return box;
}

void BodyStates::pack(const Deformation& deformation, const std::vector<int>& order, const osg::Matrixd& onward,
                      osg::FloatArray& texels) const {
    const auto r = static_cast<std::size_t>(dimension);
    const int chunks = deformation.getChunkCount();
    const auto padded = static_cast<std::size_t>(texelWidth * chunks),
               stride = static_cast<std::size_t>(texelWidth * InstanceTexels::of(chunks));
    // Never shrunk: a buffer that changes its size is allocated anew by the driver.
    const std::size_t size = order.size() * stride;
    if (texels.size() < size) texels.resize(size);
    auto begin = texels.begin();
    for (const int i : order) {
        const auto at = [&](int texel) { return begin + texelWidth * texel; };
        const osg::Matrixd m = nodeFromRest(deformation, i) * onward;
        for (int axis = 0; axis < 3; ++axis) {
            for (int row = 0; row < 4; ++row) at(InstanceTexels::frame + axis)[row] = static_cast<float>(m(row, axis));
        }
        std::copy_n(body(i).colour.ptr(), 4, at(InstanceTexels::colour));
        const double* coordinates = qOf(i);
        const auto packed = at(InstanceTexels::coordinates);
        for (std::size_t j = 0; j < padded; ++j) {
            packed[static_cast<std::ptrdiff_t>(j)] =
                j < r ? static_cast<float>(coordinates[j]) * deformation.getColumnScale()[j] : 0.0f;
        }
        begin += static_cast<std::ptrdiff_t>(stride);
    }
    texels.dirty();
}

}  // namespace osgPliant
