// SPDX-License-Identifier: Zlib
#include "osgPliant/BodyStates.h"

#include <algorithm>
#include <cmath>

#include "osgPliant/Conversions.h"
#include "osgPliant/TexelLayout.h"

namespace osgPliant {

namespace {

/// A map after a matrix of OpenSceneGraph's.
pliant::AffineMap after(const pliant::AffineMap& map, const osg::Matrixd& first) {
    if (first.isIdentity()) return map;
    const pliant::RigidTransform rest = fromOsg(first);
    pliant::AffineMap result;
    result.leftCols<3>() = map.leftCols<3>() * rest.rotation;
    result.col(3) = map.leftCols<3>() * rest.translation + map.col(3);
    return result;
}

}  // namespace

void BodyStates::setLayout(int newDimension, int newBoneCount) {
    if (dimension != newDimension) q.assign(bodies.size() * static_cast<std::size_t>(newDimension), 0.0);
    if (boneCount != newBoneCount)
        bones.assign(bodies.size() * static_cast<std::size_t>(newBoneCount), pliant::AffineMap::Identity());
    dimension = newDimension;
    boneCount = newBoneCount;
}

void BodyStates::setBones(int i, const pliant::AffineMap* nodeFromBones) {
    const pliant::Vector3 origin = nodeFromBones[0].col(3);
    for (int b = 0; b < boneCount; ++b) {
        bonesOf(i)[b] = nodeFromBones[b];
        bonesOf(i)[b].col(3) -= origin;
    }
    body(i).worldFromBody = osg::Matrixd::translate(toOsg(origin));
    body(i).placed = true;
}

std::vector<pliant::AffineMap> BodyStates::placedBones(const Deformation& deformation, int i) const {
    std::vector<pliant::AffineMap> placed;
    for (int b = 0; b < boneCount; ++b) placed.push_back(after(bonesOf(i)[b], deformation.getBodyFromRest()));
    return placed;
}

osg::BoundingBoxd BodyStates::placedBound(const Deformation& deformation, int i) const {
    if (boneCount == 0) return deformation.getBound(qOf(i));
    if (deformation.getBodyFromRest().isIdentity()) return deformation.getBound(qOf(i), bonesOf(i));
    return deformation.getBound(qOf(i), placedBones(deformation, i).data());
}

pliant::PointsF BodyStates::placedPositions(const Deformation& deformation, int i) const {
    if (boneCount == 0) return deformation.getPositions(qOf(i));
    return deformation.getPositions(qOf(i), placedBones(deformation, i).data());
}

osg::Matrixd BodyStates::nodeFromRest(const Deformation& deformation, int i) const {
    if (boneCount == 0) return nodeFromPlaced(deformation, i);
    const pliant::AffineMap bone = after(bonesOf(i)[0], deformation.getBodyFromRest());
    pliant::RigidTransform first;  // or a similarity
    first.rotation = bone.leftCols<3>();
    first.translation = bone.col(3);
    return toOsg(first) * body(i).worldFromBody;
}

osg::BoundingBoxd BodyStates::bound(const Deformation& deformation, int i) const {
    osg::BoundingBoxd box;
    if (!drawn(i)) return box;
    const osg::BoundingBoxd local = placedBound(deformation, i);
    if (!local.valid()) return box;
    const osg::Matrixd m = nodeFromPlaced(deformation, i);
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
               stride = static_cast<std::size_t>(texelWidth * InstanceTexels::of(chunks, boneCount));
    // Never shrunk: a buffer that changes its size is allocated anew by the driver.
    const std::size_t size = order.size() * stride;
    if (texels.size() < size) texels.resize(size);
    auto begin = texels.begin();
    for (const int i : order) {
        const auto at = [&](int texel) { return begin + texelWidth * texel; };
        const osg::Matrixd m = nodeFromPlaced(deformation, i) * onward;
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
        if (boneCount > 0) packBones(deformation, i, &*at(InstanceTexels::coordinates + chunks));
        begin += static_cast<std::ptrdiff_t>(stride);
    }
    texels.dirty();
}

void BodyStates::packBones(const Deformation& deformation, int i, float* texels) const {
    const bool moved = !deformation.getBodyFromRest().isIdentity();
    for (int b = 0; b < boneCount; ++b) {
        const pliant::AffineMap bone = moved ? after(bonesOf(i)[b], deformation.getBodyFromRest()) : bonesOf(i)[b];
        for (Eigen::Index row = 0; row < InstanceTexels::ofBone; ++row)
            for (Eigen::Index column = 0; column < texelWidth; ++column)
                *texels++ = static_cast<float>(bone(row, column));
    }
}

}  // namespace osgPliant
