// SPDX-License-Identifier: Zlib
// Neighbours among a fixed set of points (nanoflann). Internal to buildSkeleton.
#pragma once

#include <memory>
#include <vector>

#include "pliant/math/Types.h"

namespace pliant {

class PointTree {
public:
    /// Keeps a reference. @param points 3 x n, n >= 1 @param count the first so many are searched; -1 = all
    explicit PointTree(const Points& points, int count = -1);
    ~PointTree();

    int nearest(const Vector3& x) const;
    /// Numbers of the points within `radius` of x, ascending.
    void within(const Vector3& x, double radius, std::vector<int>& found) const;

private:
    struct Index;
    std::unique_ptr<Index> m_index;
};

}  // namespace pliant
