// SPDX-License-Identifier: Zlib
// Makes BD-Trees [JP04] offline. Wrapped centres: c0_k and Uc_k are the same average over the covered points, so the
// centre follows them; radii and coefficients bound every covered point (with its sphere radius) for every q.
#pragma once

#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/model/BDTree.h"
#include "pliant/model/ContactSkeleton.h"

namespace pliant {

/// Tree over the segments of a skeleton. @param leafSize segments per leaf at most, >= 1
BDTree buildSkeletonTree(const ContactSkeleton& skeleton, int leafSize = 2);

/// Tree over triangles. @param restPositions 3 x d @param basis 3d x r, of the vertices @param triangles 3 x m
BDTree buildTriangleTree(const PointsF& restPositions, const MatrixXf& basis, const Triangles& triangles,
                         int leafSize = 4);

}  // namespace pliant
