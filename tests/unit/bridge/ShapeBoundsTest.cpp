// SPDX-License-Identifier: Zlib
// Boxes that Bullet asks for, at frames that are not the body's present one: they hold the body, and not much more.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

#include "TestWorld.h"

namespace {

using pliant::Matrix3;
using pliant::Vector3;
using pliant::test::doublePrecision;
using pliant::test::makeBar;
using pliant::test::TestWorld;

struct Bounds {
    Vector3 lower = Vector3::Constant(1e30), upper = Vector3::Constant(-1e30);
    void add(const Vector3& x, double radius = 0) {
        lower = lower.cwiseMin(Vector3(x.array() - radius));
        upper = upper.cwiseMax(Vector3(x.array() + radius));
    }
    /// Metres that `other` stands out of this box; negative: how far it stays inside on every side.
    double outside(const Bounds& other) const {
        return std::max((lower - other.lower).maxCoeff(), (other.upper - upper).maxCoeff());
    }
    Vector3 farthest() const { return lower.cwiseAbs().cwiseMax(upper.cwiseAbs()); }
};

/// A bar whose drawn surface lies within its spheres whatever q is, so that no margin of the surface hides a box that
/// is too narrow.
std::shared_ptr<const pliant::ReducedModel> slimBar() {
    auto model = std::make_shared<pliant::ReducedModel>(*makeBar());
    for (int v = 0; v < model->surfaceVertexCount(); ++v) {  // four for each sphere
        auto vertex = model->surface.positions.col(v);
        vertex =
            Vector3(0.0, 0.6 * vertex.y(), 0.6 * vertex.z()) + model->skeleton.restCentres.col(v / 4).cast<double>();
        model->surfaceBasis.middleRows<3>(3 * v) = model->skeleton.basis.middleRows<3>(3 * (v / 4));
    }
    return model;
}

/// A bent and turned bar somewhere in the world, without margins.
class ShapeBounds : public testing::Test {
protected:
    ShapeBounds() : m_scene(withoutMargins()), m_model(slimBar()) {
        m_body = m_scene.addBar(m_model, btVector3(4, -7, 3), btPliantBodyInfo(),
                                btQuaternion(btVector3(1, 2, 3).normalized(), btScalar(0.8)));
    }
    static btPliantSystemInfo withoutMargins() {
        btPliantSystemInfo info = TestWorld::oneThread();
        info.m_margin = 0;
        info.m_speculativeRadii = 0;
        return info;
    }
    double uniform(double most) { return std::uniform_real_distribution<double>(-most, most)(m_random); }
    void bend() {
        pliant::VectorX q(3);
        q << uniform(0.2), uniform(0.2), uniform(0.1);
        m_body->setReducedCoordinates(q);
    }

    /// The deformed body at a frame, in double precision: its spheres, or its drawn vertices.
    Bounds exact(const btTransform& frame, bool drawn) const {
        Matrix3 rotation;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) rotation(i, j) = static_cast<double>(frame.getBasis()[i][j]);
        const pliant::VectorX q = m_body->getReducedCoordinates();
        const pliant::ContactSkeleton& skeleton = m_model->skeleton;
        const pliant::Points rest =
            drawn ? m_model->surface.positions : pliant::Points(skeleton.restCentres.cast<double>());
        const pliant::VectorX moved = (drawn ? m_model->surfaceBasis : skeleton.basis).cast<double>() * q;
        Bounds box;
        for (Eigen::Index i = 0; i < rest.cols(); ++i)
            box.add(rotation * (rest.col(i) + moved.segment<3>(3 * i)) + originOf(frame),
                    drawn ? 0.0 : static_cast<double>(skeleton.radii[i]));
        return box;
    }
    static Vector3 originOf(const btTransform& frame) { return toVector(frame.getOrigin()); }
    static Vector3 toVector(const btVector3& v) {
        return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
    }
    Bounds told(const btTransform& frame) const {
        btVector3 lower, upper;
        m_body->getPliantShape().getAabb(frame, lower, upper);
        Bounds box;
        box.lower = toVector(lower);
        box.upper = toVector(upper);
        return box;
    }
    /// The body's frame, turned about an axis of chance and shifted.
    btTransform turned(double angle, double shift) {
        const btVector3 axis(btScalar(uniform(1)), btScalar(uniform(1)), btScalar(uniform(1)));
        btTransform frame = m_body->getWorldTransform();
        frame.setBasis(btMatrix3x3(btQuaternion(axis.normalized(), btScalar(angle))) * frame.getBasis());
        frame.getOrigin() += btVector3(btScalar(uniform(shift)), btScalar(uniform(shift)), btScalar(uniform(shift)));
        return frame;
    }
    static double turn(const btTransform& a, const btTransform& b) {  // Frobenius norm
        double sum = 0;
        for (int i = 0; i < 3; ++i) sum += static_cast<double>((a.getBasis()[i] - b.getBasis()[i]).length2());
        return std::sqrt(sum);
    }

    const double rounding = doublePrecision ? 1e-5 : 2e-5;  ///< spheres are rounded along the world's axes
    std::mt19937 m_random{77};
    TestWorld m_scene;
    std::shared_ptr<const pliant::ReducedModel> m_model;
    btPliantBody* m_body;
};

TEST_F(ShapeBounds, HoldTheBodyAtAnyFrame) {
    double mostTurned = 0;
    for (int i = 0; i < 400; ++i) {
        if (i % 20 == 0) bend();
        // Not turned, a little as between two substeps, and anyhow.
        const double angle = i % 4 == 0 ? 0.0 : i % 4 == 3 ? uniform(3.0) : uniform(0.06);
        const btTransform frame = turned(angle, i % 3 ? 0.1 : 20.0);
        const Bounds box = told(frame), balls = exact(frame, false), skin = exact(frame, true);
        EXPECT_LE(box.outside(balls), rounding) << "balls, turned by " << angle;
        EXPECT_LE(box.outside(skin), 0.0) << "drawn vertices, turned by " << angle;
        if (std::abs(angle) < 0.07)
            mostTurned = std::max(mostTurned, exact(m_body->getWorldTransform(), false).outside(balls));
    }
    EXPECT_GT(mostTurned, 0.01) << "the turns are worth looking at";
}

TEST_F(ShapeBounds, AreNotWiderThanTheTurnExcuses) {
    const btTransform present = m_body->getWorldTransform();
    int small = 0;
    for (int i = 0; i < 400; ++i) {
        if (i % 20 == 0) bend();
        const btTransform frame = turned(i % 4 == 0 ? 0.0 : i % 4 == 3 ? uniform(3.0) : uniform(0.06), 1.0);
        Bounds around = exact(present, false);
        around.lower -= originOf(present);
        around.upper -= originOf(present);
        // Every point moves by no more than |R - R0| |x|; where that is more than a sphere's radius, all are looked at.
        const double moved = turn(frame, present) * around.farthest().norm();
        const bool slight = moved < 0.05;
        small += slight && moved > 0;
        const double allowed = rounding + (slight ? 2.01 * moved : 0.0);
        EXPECT_LE(exact(frame, false).outside(told(frame)), allowed) << "moved " << moved;
    }
    EXPECT_GT(small, 100);
}

}  // namespace
