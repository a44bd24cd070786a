// SPDX-License-Identifier: Zlib
// The bound of every node holds for every q, evaluated in the single precision of the run time.
#include <cmath>
#include <functional>

#include "Sanitizers.h"
#include "pliant/math/Error.h"
#include "pliant/skeleton/BuildBDTree.h"
#include "unit/collision/SyntheticBasket.h"

namespace pliant {
namespace {

/// Largest excess of a covered point (with its radius) over a sphere that covers it, over all nodes; <= 0 is right.
double worstExcess(const BDTree& tree, const std::function<SphereF(int)>& node,
                   const std::function<std::vector<SphereF>(int)>& points) {
    double worst = -1e300;
    for (int k = 0; k < tree.nodeCount(); ++k) {
        const BDTreeNode& n = tree.nodes[static_cast<std::size_t>(k)];
        const SphereF bound = node(k);
        for (int i = n.firstItem; i < n.firstItem + n.itemCount; ++i)
            for (const SphereF& p : points(tree.items[static_cast<std::size_t>(i)]))
                worst = std::max(worst, (centreOf(p) - centreOf(bound)).norm() + static_cast<double>(p.radius) -
                                            static_cast<double>(bound.radius));
    }
    return worst;
}

double worstExcess(const DeformedBody& body) {
    const CollisionModel& model = body.model();
    const double skeleton = worstExcess(
        model.skeletonTree(), [&](int k) { return body.skeletonNode(k); },
        [&](int s) {
            return std::vector<SphereF>{body.sphere(model.skeleton().segments(0, s)),
                                        body.sphere(model.skeleton().segments(1, s))};
        });
    const double triangles = worstExcess(
        model.triangleTree(), [&](int k) { return body.triangleNode(k); },
        [&](int t) {
            const auto& corners = model.reduced().surface.triangles;
            return std::vector<SphereF>{body.vertex(corners(0, t)), body.vertex(corners(1, t)),
                                        body.vertex(corners(2, t))};
        });
    return std::max(skeleton, triangles);
}

class BDTreeBounds : public testing::Test {
protected:
    BDTreeBounds()
        : m_model(std::make_shared<CollisionModel>(test::basketModel(test::BasketShape{}))), m_body(m_model) {}

    void expectBounded(const VectorX& q) {
        m_body.update(q.data(), RigidTransform());
        ASSERT_LE(worstExcess(m_body), 0.0) << "q = " << q.transpose();
    }

    std::shared_ptr<const CollisionModel> m_model;
    DeformedBody m_body;
};

TEST_F(BDTreeBounds, HoldForRandomCoordinatesOfEverySize) {
    std::mt19937 random(11);
    for (double size : {0.0, 1e-30, 1e-6, 0.01, 0.1, 1.0, 1e3, 1e10, 1e30})
        for (int i = 0; i < 10; ++i) expectBounded(test::randomCoordinates(random, m_model->dimension(), size));
}

TEST_F(BDTreeBounds, HoldAlongSingleCoordinates) {
    for (int j = 0; j < m_model->dimension(); ++j)
        for (double size : {-1e4, -0.3, 1e-3, 0.07, 5.0, 1e6})
            expectBounded(size * VectorX::Unit(m_model->dimension(), j));
}

TEST_F(BDTreeBounds, HoldForSignsThatDriveAPointOutward) {
    // For one covered point: q_j = size * sign of the component of (U_s - U_c)_j along the way from centre to point.
    const BDTree& tree = m_model->skeletonTree();
    const ContactSkeleton& skeleton = m_model->skeleton();
    for (int k = 0; k < tree.nodeCount(); k += test::sanitized ? 30 : 3) {
        const BDTreeNode& node = tree.nodes[static_cast<std::size_t>(k)];
        const int sphere = skeleton.segments(0, tree.items[static_cast<std::size_t>(node.firstItem)]);
        const Eigen::Vector3f out = skeleton.restCentres.col(sphere) - tree.restCentres.col(k);
        for (double size : {0.05, 100.0}) {
            VectorX q(m_model->dimension());
            for (int j = 0; j < q.size(); ++j) {
                const Eigen::Vector3f away =
                    skeleton.basis.block<3, 1>(3 * sphere, j) - tree.centreBasis.block<3, 1>(3 * k, j);
                q[j] = away.dot(out) < 0.0f ? -size : size;
            }
            expectBounded(q);
            expectBounded(-q);
        }
    }
}

TEST_F(BDTreeBounds, AreNotWildlyLoose) {
    // One mode that moves a point by the whole coefficient: the bound is attained at some node within rounding.
    const BDTree& tree = m_model->skeletonTree();
    std::mt19937 random(3);
    double loosest = 0.0;
    const VectorX q = 1e3 * VectorX::Unit(m_model->dimension(), 2);
    m_body.update(q.data(), RigidTransform());
    for (int k = 0; k < tree.nodeCount(); ++k) {
        const BDTreeNode& node = tree.nodes[static_cast<std::size_t>(k)];
        const SphereF bound = m_body.skeletonNode(k);
        double reach = 0.0;
        for (int i = node.firstItem; i < node.firstItem + node.itemCount; ++i)
            for (int end = 0; end < 2; ++end) {
                const SphereF sphere =
                    m_body.sphere(m_model->skeleton().segments(end, tree.items[static_cast<std::size_t>(i)]));
                reach =
                    std::max(reach, (centreOf(sphere) - centreOf(bound)).norm() + static_cast<double>(sphere.radius));
            }
        loosest = std::max(loosest, static_cast<double>(bound.radius) / reach);
    }
    EXPECT_LT(loosest, 1.01);
}

TEST(BDTree, IsBreadthFirstWithLeavesOfTheAskedSize) {
    const auto model = test::basketModel(test::BasketShape{});
    for (int leafSize : {1, 2, 5}) {
        const BDTree tree = buildSkeletonTree(model->skeleton, leafSize);
        int next = 1, covered = 0;
        for (const BDTreeNode& node : tree.nodes) {
            if (node.firstChild < 0) {
                EXPECT_LE(node.itemCount, leafSize);
                covered += node.itemCount;
                continue;
            }
            EXPECT_EQ(node.firstChild, next);
            next += 2;
        }
        EXPECT_EQ(next, tree.nodeCount());
        EXPECT_EQ(covered, model->skeleton.segmentCount());
    }
    EXPECT_THROW(buildSkeletonTree(model->skeleton, 0), Error);
}

TEST(CollisionModelChecks, RefuseMalformedTrees) {
    const auto good = test::basketModel(test::BasketShape{});
    const auto refuses = [&](const std::function<void(ReducedModel&)>& damage) {
        auto bad = std::make_shared<ReducedModel>(*good);
        damage(*bad);
        EXPECT_THROW(CollisionModel{bad}, Error);
    };
    EXPECT_NO_THROW(CollisionModel{good});
    refuses([](ReducedModel& m) { m.skeletonTree.nodes[3].firstChild = 0; });
    refuses([](ReducedModel& m) { m.skeletonTree.nodes[1].itemCount = 100000; });
    refuses([](ReducedModel& m) { m.skeletonTree.items[5] = -1; });
    refuses([](ReducedModel& m) { m.skeletonTree.nodes[0].firstChild = -1; });
    refuses([](ReducedModel& m) { m.skeleton.segments(1, 0) = m.skeleton.sphereCount(); });
    refuses([](ReducedModel& m) { m.triangleTree.centreBasis.resize(3, 7); });
    refuses([](ReducedModel& m) { m.surface.triangles(2, 4) = -2; });
}

}  // namespace
}  // namespace pliant
