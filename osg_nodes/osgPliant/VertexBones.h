// SPDX-License-Identifier: Zlib
/// @file
/// Which bones drawn vertices follow, and where bones put them.
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/rig/PoseMotion.h"
#include "pliant/rig/SkinWeights.h"

namespace osgPliant {

/// Which bones d drawn vertices follow. A vertex that is at x at rest and moves by u there is now at
///
///     p = sum_b w_b y_b,   y_b = L_b x + t_b + R_b u
///
/// with maps x -> L_b x + t_b of the bones, L_b = s_b R_b. Its normal is that of the deformation gradient
///
///     n ~ cof(F) (N + a dN q),   F = sum_b w_b L_b + sum_b (y_b - p) g_b',   a = sum_b w_b / s_b
///
/// where g_b is the gradient of w_b along the surface: exact where u = 0, of first order in u as N + dN q is. Without
/// g_b the shading of a bent joint would be that of a stiff one.
struct PLIANT_API VertexBones {
    int boneCount = 0;            ///< B; 0: there are no bones.
    pliant::SkinWeights weights;  ///< Weights of the d vertices, a column each.
    pliant::Matrix<float, 12, Eigen::Dynamic>
        weightGradients;  ///< Gradients of the weights, 12 x d, 1/m: rows 3i to 3i + 2 are g of bone i.

    /// Whether vertices follow bones at all.
    bool any() const { return boneCount > 0; }
};

/// Vertices that follow bones. Gradients of the weights are means over the triangles around a vertex, by area, in the
/// plane of its normal; vertices at one place count as one where their normals agree.
/// @param surface at rest, with normals  @param weights one column a vertex
PLIANT_API VertexBones followBones(const pliant::SurfaceMesh& surface, const pliant::SkinWeights& weights,
                                   int boneCount);

/// Where bones put a vertex, and what turns its normal.
struct SkinnedVertex {
    pliant::Vector3 position = pliant::Vector3::Zero();       ///< Position p, m.
    pliant::Matrix3 cofactors = pliant::Matrix3::Identity();  ///< Cofactors cof(F) of the deformation gradient.
    double bending = 1.0;                                     ///< Factor a of the bending.
};
/// @param vertex its number  @param bones B maps  @param rest x  @param bent u
PLIANT_API SkinnedVertex skinVertex(const VertexBones& vertices, Eigen::Index vertex, const pliant::AffineMap* bones,
                                    const pliant::Vector3& rest, const pliant::Vector3& bent);

}  // namespace osgPliant
