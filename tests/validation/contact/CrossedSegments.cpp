// SPDX-License-Identifier: Zlib
// Baskets that fall into each other: no segment passes through another one. What the contacts say cannot tell, since a
// segment that went through between two steps is apart again; so every step is looked at as a motion. Two axes cross
// where the volume that they span changes its sign while their nearest points lie within both segments.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <random>

#include "ReducedOnce.h"
#include "btPliant/btPliantBody.h"
#include "btPliant/btPliantShape.h"
#include "pliant/collision/pair/CollideBodies.h"
#include "unit/bridge/TestWorld.h"

namespace pliant::test {
namespace {

constexpr double kReach = 0.02;  // m: pairs of segments farther apart after a step are not asked whether they crossed

std::shared_ptr<const ReducedModel> basket() {
    static const std::shared_ptr<const ReducedModel> model = [] {
        ReduceOptions options;
        options.modes = 8;
        options.dimension = 12;
        options.youngsModulus = 1.0e7;
        options.density = 400;
        options.solid = false;
        return reducedOnce(PLIANT_MEDIA_DIR "/basket/basket.obj", options);
    }();
    return model;
}

using Axes = std::array<Vector3, 4>;  // ends of a segment of one body, then of the other's

double spannedVolume(const Axes& x) {
    return (x[2] - x[0]).dot((x[1] - x[0]).cross(x[3] - x[2]));
}

/// Whether the nearest points of the two lines lie within the segments.
bool meetWithin(const Axes& x) {
    const Vector3 u = x[1] - x[0], v = x[3] - x[2], w = x[0] - x[2];
    const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), uw = u.dot(w), vw = v.dot(w), size = uu * vv - uv * uv;
    if (size <= 1e-12 * uu * vv) return false;
    const double s = (uv * vw - vv * uw) / size, t = (uu * vw - uv * uw) / size;
    return s >= 0 && s <= 1 && t >= 0 && t <= 1;
}

bool crossed(const Axes& before, const Axes& after) {
    const double start = spannedVolume(before);
    if (start * spannedVolume(after) >= 0) return false;
    double low = 0, high = 1;
    Axes between;
    for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (low + high);
        for (std::size_t k = 0; k < 4; ++k) between[k] = (1 - middle) * before[k] + middle * after[k];
        (start * spannedVolume(between) > 0 ? low : high) = middle;
    }
    return meetWithin(between);
}

/// The segments of all bodies of a system before and after a step.
class SkeletonSegments {
public:
    explicit SkeletonSegments(btPliantSystem& system) : m_system(system) {
        const auto model = std::make_shared<CollisionModel>(system.getBody(0)->getSharedModel());
        for (int i = 0; i < system.getNumBodies(); ++i) m_bodies.emplace_back(model);
        look(m_after);
    }

    /// Pairs of segments that have crossed since the last call.
    int crossings() {
        std::swap(m_before, m_after);
        look(m_after);
        int count = 0;
        for (int a = 0; a < m_system.getNumBodies(); ++a)
            for (int b = a + 1; b < m_system.getNumBodies(); ++b) count += crossingsOf(a, b);
        return count;
    }

private:
    using Centres = std::vector<std::vector<Vector3>>;  ///< of every body's spheres

    void look(Centres& places) {
        places.resize(m_bodies.size());
        for (std::size_t i = 0; i < m_bodies.size(); ++i) {
            const btPliantBody& body = *m_system.getBody(static_cast<int>(i));
            const btTransform& frame = body.getWorldTransform();
            RigidTransform world;
            for (int row = 0; row < 3; ++row) {
                world.translation[row] = static_cast<double>(frame.getOrigin()[row]);
                for (int k = 0; k < 3; ++k) world.rotation(row, k) = static_cast<double>(frame.getBasis()[row][k]);
            }
            m_bodies[i].update(body.getReducedCoordinates().data(), world);
            places[i].clear();
            for (Eigen::Index number = 0; number < m_bodies[i].model().skeleton().radii.size(); ++number) {
                const SphereF sphere = m_bodies[i].rotatedSphere(static_cast<int>(number));
                places[i].push_back(centreOf(sphere) + world.translation);
            }
        }
    }

    int crossingsOf(int a, int b) {
        const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
        const Aabb first = m_bodies[i].worldBounds(), second = m_bodies[j].worldBounds();
        if (((first.lower - second.upper).array() > kReach).any() ||
            ((second.lower - first.upper).array() > kReach).any())
            return 0;
        m_contacts.clear();
        collideBodies(m_bodies[i], m_bodies[j], kReach, m_contacts);
        int count = 0;
        for (const SkeletonContact& contact : m_contacts) {
            if ((contact.feature & 1u) != 0) continue;  // a second point of the same two segments
            const auto& ends = m_bodies[i].model().skeleton().segments;
            const auto axes = [&](const Centres& places) {
                const auto at = [&](std::size_t body, int end, int segment) {
                    return places[body][static_cast<std::size_t>(ends(end, segment))];
                };
                return Axes{at(i, 0, contact.segmentA), at(i, 1, contact.segmentA), at(j, 0, contact.segmentB),
                            at(j, 1, contact.segmentB)};
            };
            count += crossed(axes(m_before), axes(m_after));
        }
        return count;
    }

    btPliantSystem& m_system;
    std::vector<DeformedBody> m_bodies;
    Centres m_before, m_after;
    std::vector<SkeletonContact> m_contacts;
};

/// Crossings while four layers of 16 baskets fall onto the ground and each other.
int crossingsOfADrop(double stepsPerSecond, double seconds, unsigned seed, int contactsPerPair) {
    btPliantSystemInfo info;
    info.m_threads = 2;
    info.m_maxContactsPerPair = contactsPerPair;
    TestWorld scene(info);
    scene.addGround();
    scene.world.getSolverInfo().m_numIterations = 14;
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const auto some = [&](double size) { return static_cast<btScalar>(size * uniform(random)); };
    btPliantBodyInfo body;
    body.m_damping.mass = 0.2;
    body.m_damping.stiffness = 0.002;
    const btQuaternion upright(btVector3(1, 0, 0), -SIMD_HALF_PI);  // z of the basket, y of this world
    for (int i = 0; i < 64; ++i) {
        const btVector3 place(btScalar(0.48 * (i % 4)) + some(0.04), btScalar(0.3 + 0.48 * (i / 16)) + some(0.02),
                              btScalar(0.48 * (i / 4 % 4)) + some(0.04));
        const btQuaternion turn(btVector3(some(1), some(1), btScalar(1.2)).normalized(), some(0.5));
        scene.addBar(basket(), place, body, turn * upright);
    }
    SkeletonSegments segments(*scene.system);
    int crossings = 0;
    for (int step = 0; step < static_cast<int>(seconds * stepsPerSecond); ++step) {
        scene.world.stepSimulation(static_cast<btScalar>(1.0 / stepsPerSecond), 0);
        crossings += segments.crossings();
    }
    EXPECT_GT(scene.system->getStats().m_contacts, 100) << "no heap";
    return crossings;
}

// The paths are chaotic, and other processors take other ones: several drops, of which each has other bits everywhere.
class CrossedSegmentsOf : public testing::TestWithParam<unsigned> {};

TEST_P(CrossedSegmentsOf, ADropOfBasketsAreNone) {
    EXPECT_EQ(crossingsOfADrop(240, 1.0, GetParam(), btPliantSystemInfo().m_maxContactsPerPair), 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, CrossedSegmentsOf, testing::Values(1U, 2U, 3U));

// In steps twice as long one drop of 28 had crossings, with the energy guard shortening steps and without. At that rate
// two of eight are one chance in thirty.
TEST(CrossedSegments, InOneDropOfEightAtMostInStepsTwiceAsLong) {
    const int most = btPliantSystemInfo().m_maxContactsPerPair;
    int drops = 0;
    for (unsigned seed = 1; seed <= 8; ++seed) {
        const int crossings = crossingsOfADrop(120, 1.2, seed, most);
        EXPECT_LT(crossings, 20) << seed;
        drops += crossings > 0 ? 1 : 0;
    }
    EXPECT_LE(drops, 1);
}

TEST(CrossedSegments, AreSeenWhereContactsAreTooFew) {
    EXPECT_GT(crossingsOfADrop(60, 0.45, 1, 4), 10);
}

}  // namespace
}  // namespace pliant::test
