// SPDX-License-Identifier: Zlib
// What bones do to drawn vertices, on the CPU.
#include <cmath>

#include "osgPliant/Deformation.h"

namespace osgPliant {

void Deformation::measureBones() {
    _boneReach.assign(static_cast<std::size_t>(getBoneCount()), {osg::BoundingBoxd(), pliant::Points()});
    const pliant::SkinWeights& weights = _rows.bones.weights;
    for (BoneReach& reach : _boneReach) reach.columns.setZero(3, getDimension());
    for (int v = 0; v < (getBoneCount() > 0 ? getVertexCount() : 0); ++v) {
        const Eigen::Vector3f x = _rows.positions.col(v).cast<float>();
        const auto rows = _rows.basis.middleRows<3>(3 * v).cwiseAbs().cast<double>();
        for (Eigen::Index i = 0; i < 4; ++i) {
            if (!(weights.weights(i, v) > 0.0)) continue;
            BoneReach& reach = _boneReach[static_cast<std::size_t>(weights.bones(i, v))];
            reach.rest.expandBy(osg::Vec3d(x.x(), x.y(), x.z()));
            reach.columns = reach.columns.cwiseMax(rows).eval();
        }
    }
}

osg::BoundingBoxd Deformation::getBound(const double* q, const pliant::AffineMap* bones) const {
    osg::BoundingBoxd box;
    const Eigen::Map<const pliant::VectorX> coordinates(q, getDimension());
    const pliant::VectorX sizes = coordinates.cwiseAbs();
    for (std::size_t b = 0; b < _boneReach.size(); ++b) {
        const BoneReach& reach = _boneReach[b];
        if (!reach.rest.valid()) continue;
        const pliant::AffineMap& bone = bones[b];
        const double scale = bone.row(0).head<3>().norm();
        const osg::Vec3d middle = reach.rest.center(), half = (reach.rest._max - reach.rest._min) * 0.5;
        pliant::Vector3 bent = pliant::Vector3::Zero();
        if (getDimension() > 0) bent.noalias() = reach.columns * sizes;
        bent *= (1.0 + 1e-3) / scale;  // half floats round by up to 2^-11
        // Weights are rounded, too: their sum is 1 but for 1e-6.
        const pliant::Vector3 around = pliant::Vector3(half.x(), half.y(), half.z()) * (1.0 + 1e-5) + bent;
        const pliant::Vector3 centre =
            bone.leftCols<3>() * pliant::Vector3(middle.x(), middle.y(), middle.z()) + bone.col(3);
        const pliant::Vector3 extent = bone.leftCols<3>().cwiseAbs() * around;
        const pliant::Vector3 lower = centre - extent, upper = centre + extent;
        if (!(lower.allFinite() && upper.allFinite())) return {};
        box.expandBy(osg::Vec3d(lower.x(), lower.y(), lower.z()));
        box.expandBy(osg::Vec3d(upper.x(), upper.y(), upper.z()));
    }
    return box;
}

pliant::PointsF Deformation::getPositions(const double* q, const pliant::AffineMap* bones) const {
    const pliant::PointsF bent = getPositions(q);
    if (getBoneCount() == 0) return bent;
    pliant::PointsF positions(3, getVertexCount());
    for (Eigen::Index v = 0; v < positions.cols(); ++v) {
        const pliant::Vector3 x = _rows.positions.col(v), u = bent.col(v).cast<double>() - x;
        positions.col(v) = skinVertex(_rows.bones, v, bones, x, u).position.cast<float>();
    }
    return positions;
}

pliant::PointsF Deformation::getNormals(const double* q, const pliant::AffineMap* bones,
                                        const pliant::PointsF& normals) const {
    const pliant::PointsF bent = getPositions(q), changes = getNormalChanges(q);
    pliant::PointsF result(3, getVertexCount());
    for (Eigen::Index v = 0; v < result.cols(); ++v) {
        pliant::Vector3 normal = normals.col(v).cast<double>();
        if (getBoneCount() > 0) {
            const pliant::Vector3 x = _rows.positions.col(v), u = bent.col(v).cast<double>() - x;
            const SkinnedVertex skinned = skinVertex(_rows.bones, v, bones, x, u);
            normal = skinned.cofactors * (normal + skinned.bending * changes.col(v).cast<double>());
        } else {
            normal += changes.col(v).cast<double>();
        }
        result.col(v) = normal.normalized().cast<float>();
    }
    return result;
}

}  // namespace osgPliant
