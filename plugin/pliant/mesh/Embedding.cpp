// SPDX-License-Identifier: Zlib
#include "pliant/mesh/Embedding.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <numeric>

#include "pliant/math/Error.h"
#include "pliant/mesh/ElementShape.h"

namespace pliant {

namespace {

using Box = Eigen::AlignedBox3d;

/// A node of the bounding box tree: the elements order[first .. first + count) of it; leaves have no children.
struct Node {
    Box box;
    int first = 0, count = 0;
    int left = -1, right = -1;
};

constexpr int leafSize = 4;

}  // namespace

/// A tree of bounding boxes over the elements. One search serves points inside and outside: the nearest element, where
/// inside means distance 0. Among elements equally near (a point on a shared face) the lowest wins, so the answer does
/// not depend on the order of the search.
struct PointLocator::Index {
    VolumeMesh mesh;  ///< geometry only
    std::vector<Box> boxes;
    std::vector<int> order;
    std::vector<Node> nodes;
    double tolerance = 0.0;  ///< metres; distances closer than this are equal: rounding of the coordinates

    explicit Index(const VolumeMesh& source) {
        mesh.kind = source.kind;
        mesh.positions = source.positions;
        mesh.elements = source.elements;
        tolerance = 1e-12 * std::max(mesh.positions.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
        for (int e = 0; e < mesh.elementCount(); ++e) {
            Box box;
            const Corners corners = elementCorners(mesh, e);
            for (Eigen::Index c = 0; c < corners.cols(); ++c) box.extend(Vector3(corners.col(c)));
            boxes.push_back(box);
        }
        order.resize(boxes.size());
        std::iota(order.begin(), order.end(), 0);
        build(0, mesh.elementCount());
    }

    /// Splits at the median centre along the longest side. @return the node's number
    int build(int first, int count) {
        const int number = static_cast<int>(nodes.size());
        nodes.emplace_back();
        Box box;
        for (int i = first; i < first + count; ++i)
            box.extend(boxes[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]);
        Node node{box, first, count, -1, -1};
        if (count > leafSize) {
            Eigen::Index axis = 0;
            box.sizes().maxCoeff(&axis);
            const auto before = [&](int a, int b) {
                const double ca = boxes[static_cast<std::size_t>(a)].center()[axis];
                const double cb = boxes[static_cast<std::size_t>(b)].center()[axis];
                return ca != cb ? ca < cb : a < b;
            };
            const auto begin = order.begin() + first;
            std::nth_element(begin, begin + count / 2, begin + count, before);
            node.left = build(first, count / 2);
            node.right = build(first + count / 2, count - count / 2);
        }
        nodes[static_cast<std::size_t>(number)] = node;
        return number;
    }

    double distance(int element, const Vector3& x) const {
        const Corners corners = elementCorners(mesh, element);
        const double d =
            mesh.kind == ElementKind::Brick ? distanceToBrick(corners, x) : distanceToTetrahedron(corners, x);
        return d > tolerance ? d : 0.0;
    }

    struct Nearest {
        double distance = std::numeric_limits<double>::infinity();
        std::vector<std::pair<double, int>> candidates;  ///< every element that was within tolerance of the best so far
    };

    void search(int number, const Vector3& x, Nearest& nearest) const {
        const Node& node = nodes[static_cast<std::size_t>(number)];
        if (node.left < 0) {
            for (int i = node.first; i < node.first + node.count; ++i) {
                const int e = order[static_cast<std::size_t>(i)];
                if (boxes[static_cast<std::size_t>(e)].exteriorDistance(x) > nearest.distance + tolerance) continue;
                const double d = distance(e, x);
                if (d > nearest.distance + tolerance) continue;
                nearest.candidates.emplace_back(d, e);
                nearest.distance = std::min(nearest.distance, d);
            }
            return;
        }
        int children[2] = {node.left, node.right};
        double d[2];
        for (int k = 0; k < 2; ++k) d[k] = nodes[static_cast<std::size_t>(children[k])].box.exteriorDistance(x);
        if (d[1] < d[0]) {
            std::swap(d[0], d[1]);
            std::swap(children[0], children[1]);
        }
        for (int k = 0; k < 2; ++k)
            if (d[k] <= nearest.distance + tolerance) search(children[k], x, nearest);
    }
};

PointLocator::PointLocator(const VolumeMesh& mesh) {
    if (mesh.elementCount() == 0) throw Error("", "a mesh without elements holds no point");
    m_index = std::make_unique<Index>(mesh);
}
PointLocator::~PointLocator() = default;
PointLocator::PointLocator(PointLocator&&) noexcept = default;
PointLocator& PointLocator::operator=(PointLocator&&) noexcept = default;

MaterialPoint PointLocator::locate(const Vector3& x) const {
    if (!x.allFinite()) throw Error("", "a point to embed is NaN or infinite");
    Index::Nearest nearest;
    m_index->search(0, x, nearest);
    MaterialPoint point;
    point.element = std::numeric_limits<int>::max();
    for (const auto& [distance, element] : nearest.candidates) {
        if (distance > nearest.distance + m_index->tolerance || element >= point.element) continue;
        point.element = element;
        point.distance = distance;
    }
    const VolumeMesh& mesh = m_index->mesh;
    for (int c = 0; c < mesh.cornersPerElement(); ++c)
        point.vertex[static_cast<std::size_t>(c)] = mesh.elements(c, point.element);
    const Corners corners = elementCorners(mesh, point.element);
    if (mesh.kind == ElementKind::Brick) {
        point.weight = brickWeights(corners, x);
    } else {
        const std::array<double, 4> weight = tetrahedronWeights(corners, x);
        std::copy(weight.begin(), weight.end(), point.weight.begin());
    }
    return point;
}

std::vector<MaterialPoint> embed(const VolumeMesh& mesh, const Points& points) {
    const PointLocator locator(mesh);
    std::vector<MaterialPoint> result;
    result.reserve(static_cast<std::size_t>(points.cols()));
    for (Eigen::Index i = 0; i < points.cols(); ++i) result.push_back(locator.locate(points.col(i)));
    return result;
}

MatrixX interpolateBasis(const std::vector<MaterialPoint>& points, const MatrixX& basis) {
    MatrixX rows = MatrixX::Zero(3 * static_cast<Eigen::Index>(points.size()), basis.cols());
    for (Eigen::Index j = 0; j < basis.cols(); ++j)
        for (std::size_t i = 0; i < points.size(); ++i)
            for (std::size_t c = 0; c < 8; ++c) {
                const double weight = points[i].weight[c];
                if (weight != 0.0)
                    rows.col(j).segment<3>(3 * static_cast<Eigen::Index>(i)) +=
                        weight * basis.col(j).segment<3>(3 * static_cast<Eigen::Index>(points[i].vertex[c]));
            }
    return rows;
}

}  // namespace pliant
