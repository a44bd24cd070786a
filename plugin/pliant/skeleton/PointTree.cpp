// SPDX-License-Identifier: Zlib
#include "pliant/skeleton/PointTree.h"

#include <algorithm>
#include <nanoflann.hpp>

namespace pliant {

namespace {

struct Cloud {
    const Points& points;
    std::size_t count;

    std::size_t kdtree_get_point_count() const { return count; }
    double kdtree_get_pt(std::size_t i, std::size_t k) const {
        return points(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(i));
    }
    template <typename Box>
    bool kdtree_get_bbox(Box&) const {
        return false;
    }
};

using Tree =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud, double, int>, Cloud, 3, int>;

}  // namespace

struct PointTree::Index {
    Index(const Points& points, std::size_t count)
        : cloud{points, count}, tree(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(10)) {}
    Cloud cloud;
    Tree tree;
    mutable std::vector<std::pair<int, double>> found;
};

PointTree::PointTree(const Points& points, int count)
    : m_index(std::make_unique<Index>(points, static_cast<std::size_t>(count < 0 ? points.cols() : count))) {}
PointTree::~PointTree() = default;

int PointTree::nearest(const Vector3& x) const {
    int found = 0;
    double distance2 = 0.0;
    m_index->tree.knnSearch(x.data(), 1, &found, &distance2);
    return found;
}

void PointTree::within(const Vector3& x, double radius, std::vector<int>& found) const {
    m_index->tree.radiusSearch(x.data(), radius * radius, m_index->found, nanoflann::SearchParams(32, 0.0f, false));
    found.clear();
    for (const auto& [index, distance2] : m_index->found) found.push_back(index);
    std::sort(found.begin(), found.end());
}

}  // namespace pliant
