// SPDX-License-Identifier: Zlib
#include "pliant/collision/DeformedBody.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <vector>

namespace pliant {

namespace {

std::uint64_t pack(float a, float b) {
    std::uint64_t bits;
    const float pair[2] = {a, b};
    std::memcpy(&bits, pair, sizeof bits);
    return bits;
}

void unpack(std::uint64_t bits, float& a, float& b) {
    float pair[2];
    std::memcpy(pair, &bits, sizeof bits);
    a = pair[0];
    b = pair[1];
}

/// One cached sphere. Several threads may fill it at once: all write the same bits, then release the stamp.
struct Cell {
    std::atomic<std::uint64_t> xy{0}, zw{0};
    std::atomic<std::uint32_t> stamp{0};
};

/// The cached spheres of one AffineSpheres table.
class Cells {
public:
    explicit Cells(const AffineSpheres& spheres)
        : m_spheres(&spheres), m_cells(new Cell[static_cast<std::size_t>(spheres.count())]) {}

    SphereF get(int i, std::uint32_t stamp, const float* lanes) const {
        Cell& cell = m_cells[static_cast<std::size_t>(i)];
        SphereF sphere;
        if (cell.stamp.load(std::memory_order_acquire) == stamp) {
            unpack(cell.xy.load(std::memory_order_relaxed), sphere.x, sphere.y);
            unpack(cell.zw.load(std::memory_order_relaxed), sphere.z, sphere.radius);
            return sphere;
        }
        sphere = m_spheres->evaluate(i, lanes);
        cell.xy.store(pack(sphere.x, sphere.y), std::memory_order_relaxed);
        cell.zw.store(pack(sphere.z, sphere.radius), std::memory_order_relaxed);
        cell.stamp.store(stamp, std::memory_order_release);
        return sphere;
    }

    void forget() {
        for (int i = 0; i < m_spheres->count(); ++i)
            m_cells[static_cast<std::size_t>(i)].stamp.store(0, std::memory_order_relaxed);
    }
    int count() const { return m_spheres->count(); }

private:
    const AffineSpheres* m_spheres;
    std::unique_ptr<Cell[]> m_cells;
};

}  // namespace

struct DeformedBody::Cache {
    explicit Cache(std::shared_ptr<const CollisionModel> shared)
        : model(std::move(shared)),
          lanes(4 * static_cast<std::size_t>(model->dimension()), 0.0f),
          balls(model->balls()),
          skeletonNodes(model->skeletonNodes()),
          triangleNodes(model->triangleNodes()),
          vertices(model->vertices()) {}

    std::shared_ptr<const CollisionModel> model;
    std::vector<float> lanes;  ///< (q_j, q_j, q_j, |q_j|)
    std::uint32_t stamp = 1;   ///< cells that carry it are up to date
    RigidTransform worldFromBody;
    Cells balls, skeletonNodes, triangleNodes, vertices;
};

DeformedBody::DeformedBody(std::shared_ptr<const CollisionModel> model)
    : m_cache(std::make_unique<Cache>(std::move(model))) {}
DeformedBody::~DeformedBody() = default;
DeformedBody::DeformedBody(DeformedBody&&) noexcept = default;
DeformedBody& DeformedBody::operator=(DeformedBody&&) noexcept = default;

const CollisionModel& DeformedBody::model() const {
    return *m_cache->model;
}

void DeformedBody::update(const double* q, const RigidTransform& worldFromBody) {
    Cache& c = *m_cache;
    c.worldFromBody = worldFromBody;
    float* lane = c.lanes.data();
    for (int j = 0; j < c.model->dimension(); ++j, lane += 4) {
        lane[0] = lane[1] = lane[2] = static_cast<float>(q[j]);
        lane[3] = std::fabs(lane[0]);
    }
    if (++c.stamp != 0) return;
    for (Cells* cells : {&c.balls, &c.skeletonNodes, &c.triangleNodes, &c.vertices}) cells->forget();
    c.stamp = 1;
}

void DeformedBody::setTransform(const RigidTransform& worldFromBody) {
    m_cache->worldFromBody = worldFromBody;
}

const RigidTransform& DeformedBody::worldFromBody() const {
    return m_cache->worldFromBody;
}

SphereF DeformedBody::ball(int i) const {
    return m_cache->balls.get(i, m_cache->stamp, m_cache->lanes.data());
}

SphereF DeformedBody::skeletonNode(int i) const {
    return m_cache->skeletonNodes.get(i, m_cache->stamp, m_cache->lanes.data());
}

SphereF DeformedBody::triangleNode(int i) const {
    return m_cache->triangleNodes.get(i, m_cache->stamp, m_cache->lanes.data());
}

SphereF DeformedBody::vertex(int i) const {
    return m_cache->vertices.get(i, m_cache->stamp, m_cache->lanes.data());
}

SweptSegment DeformedBody::segment(int index) const {
    SweptSegment swept;
    swept.index = index;
    for (int end = 0; end < 2; ++end) {
        const SphereF s = ball(model().skeleton().segments(end, index));
        swept.end[end] = worldFromBody().point(Eigen::Vector3f(s.x, s.y, s.z).cast<double>());
        swept.radius[end] = static_cast<double>(s.radius);
    }
    return swept;
}

Vector3 DeformedBody::segmentPoint(int index, double parameter) const {
    const SweptSegment swept = segment(index);
    return (1.0 - parameter) * swept.end[0] + parameter * swept.end[1];
}

namespace {

/// max over balls of direction . centre + radius, by depth-first search of the tree that skips every node that cannot
/// beat the best ball by more than `slack`; what was skipped is included through its node's bound.
double supportAlong(const DeformedBody& body, const Vector3& direction, double slack) {
    const BDTree& tree = body.model().skeletonTree();
    const auto& segments = body.model().skeleton().segments;
    const auto reach = [&](const SphereF& s) {
        return direction.x() * static_cast<double>(s.x) + direction.y() * static_cast<double>(s.y) +
               direction.z() * static_cast<double>(s.z) + static_cast<double>(s.radius);
    };
    struct Open {
        int node;
        double bound;
    };
    std::array<Open, CollisionModel::maximumTreeDepth + 2> stack;
    int open = 0;
    stack[static_cast<std::size_t>(open++)] = {0, reach(body.skeletonNode(0))};
    double best = -1e300, skipped = -1e300;
    while (open > 0) {
        const Open top = stack[static_cast<std::size_t>(--open)];
        if (top.bound <= best + slack) {
            skipped = std::max(skipped, top.bound);
            continue;
        }
        const BDTreeNode& node = tree.nodes[static_cast<std::size_t>(top.node)];
        if (node.firstChild < 0) {
            for (int k = node.firstItem; k < node.firstItem + node.itemCount; ++k)
                for (int end = 0; end < 2; ++end)
                    best = std::max(best, reach(body.ball(segments(end, tree.items[static_cast<std::size_t>(k)]))));
            continue;
        }
        Open first{node.firstChild, reach(body.skeletonNode(node.firstChild))};
        Open second{node.firstChild + 1, reach(body.skeletonNode(node.firstChild + 1))};
        if (first.bound > second.bound) std::swap(first, second);
        stack[static_cast<std::size_t>(open++)] = first;  // the more promising one is looked at first
        stack[static_cast<std::size_t>(open++)] = second;
    }
    return std::max(best, skipped);
}

}  // namespace

Aabb DeformedBody::bounds(const RigidTransform& frame, double looseness) const {
    Aabb box{frame.translation, frame.translation};
    if (model().skeletonTree().nodes.empty()) return box;
    const double slack = looseness * static_cast<double>(skeletonNode(0).radius);
    for (int k = 0; k < 3; ++k) {
        const Vector3 axis = frame.rotation.row(k).transpose();
        box.upper[k] += supportAlong(*this, axis, slack);
        box.lower[k] -= supportAlong(*this, -axis, slack);
    }
    return box;
}

void DeformedBody::evaluateAll() const {
    for (int i = 0; i < m_cache->balls.count(); ++i) ball(i);
    for (int i = 0; i < m_cache->skeletonNodes.count(); ++i) skeletonNode(i);
}

}  // namespace pliant
