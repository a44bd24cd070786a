// SPDX-License-Identifier: Zlib
// Colouring of contact constraints, and what the iterations find.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>
#include <set>
#include <tuple>

#include "TestWorld.h"
#include "btPliant/solver/ConstraintColouring.h"
#include "btPliant/solver/ContactIteration.h"
#include "pliant/runtime/kernels/Kernels.h"

namespace {

using pliant::test::doublePrecision;
using pliant::test::makeBar;
using pliant::test::TestWorld;

/// Contacts between spheres that a generator has thrown into a box, and a body that does not move.
class RandomContacts {
public:
    RandomContacts(int count, const btVector3& size) {
        std::mt19937 random(static_cast<unsigned>(count));
        std::uniform_real_distribution<double> place(-0.5, 0.5);
        btSolverBody blank;
        std::memset(static_cast<void*>(&blank), 0, sizeof blank);
        bodies.resize(count + 1, blank);
        for (int i = 0; i < count; ++i) {
            btRigidBody::btRigidBodyConstructionInfo info(1, nullptr, &m_shape, btVector3(1, 1, 1));
            info.m_startWorldTransform.setIdentity();
            const btVector3 at(btScalar(place(random)), btScalar(place(random)), btScalar(place(random)));
            info.m_startWorldTransform.setOrigin(at * size);
            m_bodies.push_back(std::make_unique<btRigidBody>(info));
            bodies[i].m_originalBody = m_bodies.back().get();
        }
        for (int i = 0; i < count; ++i) {
            for (int j = 0; j < i; ++j)
                if ((centre(i) - centre(j)).length() < btScalar(1.5)) add(i, j, 1 + (i + j) % 3);
            if (i % 4 == 0) add(i, count, 2);  // on the ground
        }
    }

    btVector3 centre(int i) const { return m_bodies[static_cast<std::size_t>(i)]->getWorldTransform().getOrigin(); }
    /// Which of its pair's contacts the c-th is.
    int numberOf(std::size_t c) const { return static_cast<int>(constraints.descriptors[c].point - m_points); }
    std::multiset<std::tuple<int, int, int>> keys() const {
        std::multiset<std::tuple<int, int, int>> found;
        for (std::size_t c = 0; c < constraints.descriptors.size(); ++c)
            found.insert({constraints.descriptors[c].bodyA, constraints.descriptors[c].bodyB, numberOf(c)});
        return found;
    }

    btPliantInternal::ContactConstraints constraints;
    btAlignedObjectArray<btSolverBody> bodies;

private:
    void add(int a, int b, int contacts) {
        btPliantInternal::ContactDescriptor descriptor;
        descriptor.bodyA = a;
        descriptor.bodyB = b;
        for (int k = 0; k < contacts; ++k) {
            descriptor.point = &m_points[k];
            constraints.descriptors.push_back(descriptor);
        }
    }

    btManifoldPoint m_points[3];
    btSphereShape m_shape{1};
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;
};

TEST(ConstraintColouring, BatchesOfAColourShareNoBodyThatMoves) {
    // Long, flat and so small that most contacts reach across several partitions.
    for (const btVector3& size : {btVector3(40, 4, 4), btVector3(15, 15, 3), btVector3(6, 6, 6)}) {
        RandomContacts scene(600, size);
        const auto before = scene.keys();
        btPliantInternal::colourContacts(scene.bodies, scene.constraints);
        EXPECT_EQ(scene.keys(), before);
        std::size_t widest = 0;
        std::size_t visitedContacts = 0;
        for (std::size_t colour = 0; colour + 1 < scene.constraints.order.colours.size(); ++colour) {
            std::set<int> others;
            const auto first = static_cast<std::size_t>(scene.constraints.order.colours[colour]),
                       last = static_cast<std::size_t>(scene.constraints.order.colours[colour + 1]);
            for (std::size_t batch = first; batch < last; ++batch) {
                std::set<int> own;
                for (int r = scene.constraints.order.batches[batch]; r < scene.constraints.order.batches[batch + 1];
                     ++r) {
                    const btPliantInternal::PairRange& range =
                        scene.constraints.order.pairRanges[static_cast<std::size_t>(r)];
                    for (const int body : range.bodies)
                        if (body >= 0) own.insert(body);
                    for (int c = range.first; c < range.first + range.count; ++c, ++visitedContacts) {
                        const btPliantInternal::ContactDescriptor& descriptor =
                            scene.constraints.descriptors[static_cast<std::size_t>(c)];
                        EXPECT_EQ(descriptor.bodyA, range.bodies[0]);
                        EXPECT_EQ(descriptor.movesB, descriptor.bodyB < 600);
                    }
                }
                for (const int body : own) EXPECT_EQ(others.count(body), 0u) << "stage " << colour;
                others.insert(own.begin(), own.end());
            }
            widest = std::max(widest, last - first);
        }
        EXPECT_EQ(visitedContacts, scene.constraints.descriptors.size());
        EXPECT_GT(widest, 4u);  // there is work for several threads
    }
}

TEST(ConstraintColouring, ContactsOfAPairStayTogetherAndInOrder) {
    RandomContacts scene(300, btVector3(20, 4, 4));
    btPliantInternal::colourContacts(scene.bodies, scene.constraints);
    for (const btPliantInternal::PairRange& range : scene.constraints.order.pairRanges)
        for (int k = 0; k < range.count; ++k) EXPECT_EQ(scene.numberOf(static_cast<std::size_t>(range.first + k)), k);
}

/// Bars across each other, two in each layer.
struct LogCabin {
    explicit LogCabin(int layers) {
        scene.addGround()->setFriction(1);
        static const auto model = makeBar();
        btPliantBodyInfo info;
        info.m_damping.mass = 1.0;
        info.m_damping.stiffness = 1e-3;
        info.m_friction = btScalar(0.6);
        for (int i = 0; i < 2 * layers; ++i) {
            const int layer = i / 2;
            const btScalar side = i % 2 ? btScalar(0.3) : btScalar(-0.3), height = btScalar(0.06 + 0.105 * layer);
            const bool turned = layer % 2 != 0;
            scene.addBar(model, turned ? btVector3(side, height, 0) : btVector3(0, height, side), info,
                         btQuaternion(btVector3(0, 1, 0), turned ? SIMD_HALF_PI : btScalar(0)));
        }
        for (int i = 0; i < scene.system->getNumBodies(); ++i)
            scene.system->getBody(i)->forceActivationState(DISABLE_DEACTIVATION);
    }
    std::vector<double> state() const {
        std::vector<double> numbers;
        for (int i = 0; i < scene.system->getNumBodies(); ++i) {
            const btPliantBody& body = *scene.system->getBody(i);
            for (const double q : body.getReducedCoordinates()) numbers.push_back(q);
            for (const double v : body.getReducedVelocities()) numbers.push_back(v);
            for (int k = 0; k < 3; ++k) {
                numbers.push_back(static_cast<double>(body.getWorldTransform().getOrigin()[k]));
                numbers.push_back(static_cast<double>(body.getAngularVelocity()[k]));
            }
        }
        return numbers;
    }
    TestWorld scene;
};

/// Balls of 1 kg on each other, each touching the next; the lowest stands on what does not move. One step of 1 s under
/// 1 m/s^2: contact i carries everything above it.
class Column {
public:
    explicit Column(int count) : m_count(count) {
        btSolverBody blank;
        std::memset(static_cast<void*>(&blank), 0, sizeof blank);
        m_solverBodies.resize(count + 1, blank);
        for (int i = 0; i < count; ++i) {
            btRigidBody::btRigidBodyConstructionInfo info(1, nullptr, &m_shape, btVector3(1, 1, 1));
            m_bodies.push_back(std::make_unique<btRigidBody>(info));
            m_solverBodies[i].m_originalBody = m_bodies.back().get();
            m_solverBodies[i].internalSetInvMass(btVector3(1, 1, 1));
            btPliantInternal::ContactDescriptor descriptor;
            descriptor.bodyA = i;
            descriptor.bodyB = i == 0 ? count : i - 1;
            m_contactConstraints.descriptors.push_back(descriptor);
        }
        btPliantInternal::colourContacts(m_solverBodies, m_contactConstraints);
        for (const btPliantInternal::ContactDescriptor& descriptor : m_contactConstraints.descriptors) {
            btPliantInternal::ContactConstraint contact;
            contact.bodyA = descriptor.bodyA;
            contact.bodyB = descriptor.bodyB;
            contact.movesA = descriptor.movesA;
            contact.movesB = descriptor.movesB;
            contact.hasResponse = true;
            contact.rows[0].axis = btVector3(0, 1, 0);
            contact.rows[1].axis = btVector3(1, 0, 0);
            contact.rows[2].axis = btVector3(0, 0, 1);
            const bool isLowest = descriptor.bodyA == 0;
            for (auto& row : contact.rows) row.effectiveMass = isLowest ? 1 : btScalar(0.5);
            contact.rows[0].rhs = isLowest ? 1 : 0;  // all fall alike
            contact.gapRhs = -1000;
            m_contactConstraints.contacts.push_back(contact);
        }
    }

    /// @return largest error of an impulse, in weights of a ball @param rowsOfBullet beside ours, without effect
    double errorAfter(int iterations, bool extrapolates, int rowsOfBullet = 0) {
        btConstraintArray none, some;
        btSolverConstraint blank;
        std::memset(static_cast<void*>(&blank), 0, sizeof blank);
        some.resize(rowsOfBullet, blank);
        pliant::CacheAlignedVector<btScalar> noModes;
        const btPliantInternal::ConjugateDirections::State state{noModes, m_solverBodies, {&some, &none, &none, &none}};
        const pliant::Workers workers(1);
        btPliantInternal::ConjugateDirections directions;
        for (int k = 0; k < iterations; ++k) {
            directions.beforeIteration(state);
            const auto change =
                btPliantInternal::iterateContacts(directions, m_solverBodies, workers, m_contactConstraints);
            if (extrapolates && k + 1 < iterations) directions.afterIteration(change.squaredNorm);
        }
        double error = 0;
        for (int c = 0; c < m_contactConstraints.contacts.size(); ++c) {
            const btPliantInternal::ContactConstraint& contact = m_contactConstraints.contacts[c];
            const double weight = m_count - contact.bodyA;
            error = std::max(error, std::abs(static_cast<double>(contact.rows[0].impulse) - weight));
        }
        return error;
    }

private:
    int m_count;
    btSphereShape m_shape{1};
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;
    btAlignedObjectArray<btSolverBody> m_solverBodies;
    btPliantInternal::ContactConstraints m_contactConstraints;
};

TEST(ContactIteration, DirectionsCarryWeightToTheGroundInAQuarterOfTheIterations) {
    // Of the 16 weights that the lowest contact carries.
    EXPECT_LT(Column(16).errorAfter(30, true), 0.5 * Column(16).errorAfter(120, false));
    EXPECT_LT(Column(16).errorAfter(120, true), 0.01);
    EXPECT_LT(Column(4).errorAfter(200, false), 0.01);  // they find the same
    EXPECT_LT(Column(4).errorAfter(40, true), 0.01);
}

TEST(ContactIteration, ExtrapolatesAlikeWhetherOrNotRowsOfBulletAreIteratedBefore) {
    for (const int count : {4, 200}) {  // one partition, several: whose bodies their own threads extrapolate
        const double alone = Column(count).errorAfter(30, true), beside = Column(count).errorAfter(30, true, 3);
        EXPECT_EQ(alone, beside);
        EXPECT_NE(alone, Column(count).errorAfter(30, false));
    }
}

TEST(ContactIteration, BodiesLieInMemoryAlongTheLongestSideOfTheirGroup) {
    const auto nowhere = std::numeric_limits<btScalar>::quiet_NaN();
    const btVector3 places[] = {btVector3(1, 0, 7), btVector3(0, 1, 3), btVector3(nowhere, nowhere, nowhere),
                                btVector3(2, 0, 5), btVector3(0, 2, 1)};
    std::vector<btCollisionObject> bodies(5);
    std::vector<btCollisionObject*> group;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        bodies[i].getWorldTransform().setOrigin(places[i]);
        group.push_back(&bodies[i]);
    }
    std::vector<btCollisionObject*> ordered;
    btPliantInternal::orderBodies(group.data(), 5, ordered);
    const std::vector<btCollisionObject*> wanted = {group[2], group[4], group[1], group[3], group[0]};
    EXPECT_EQ(ordered, wanted);
    btPliantInternal::orderBodies(nullptr, 0, ordered);
    EXPECT_TRUE(ordered.empty());
}

TEST(ContactIteration, HasTheSameBitsWithEveryInstructionSet) {
    LogCabin cabin(6);
    cabin.scene.step(40);
    std::vector<std::byte> start;
    std::vector<double> first;
    cabin.scene.system->saveState(start);
    for (const auto set : {pliant::kernels::InstructionSet::Sse2, pliant::kernels::InstructionSet::Avx2,
                           pliant::kernels::InstructionSet::Avx512}) {
        if (!pliant::kernels::isSupported(set)) continue;
        ASSERT_EQ(cabin.scene.system->restoreState(start.data(), start.size()), pliant::StateStatus::Ok);
        pliant::kernels::force(set);  // batches keep what they were made with
        cabin.scene.step(20);
        pliant::kernels::forceNone();
        if (first.empty()) first = cabin.state();
        EXPECT_EQ(first, cabin.state());
    }
}

/// Lowest distance of the contacts that the solver sees, 0 where there is none, m.
double deepestKnown(const TestWorld& scene, const btPliantBody& a, const btPliantBody& b) {
    btScalar deepest = 0;
    for (int i = 0; i < scene.dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold& manifold =
            *const_cast<btCollisionDispatcher&>(scene.dispatcher).getManifoldByIndexInternal(i);
        const btCollisionObject *first = manifold.getBody0(), *second = manifold.getBody1();
        if (!(first == &a && second == &b) && !(first == &b && second == &a)) continue;
        for (int k = 0; k < manifold.getNumContacts(); ++k)
            deepest = btMin(deepest, manifold.getContactPoint(k).getDistance());
    }
    return static_cast<double>(deepest);
}

/// The same of a whole test.
double deepestOfAll(TestWorld& scene, btPliantBody& a, btPliantBody& b) {
    struct : btCollisionWorld::ContactResultCallback {
        btScalar distance = 0;
        btScalar addSingleResult(btManifoldPoint& point, const btCollisionObjectWrapper*, int, int,
                                 const btCollisionObjectWrapper*, int, int) override {
            distance = btMin(distance, point.getDistance());
            return 0;
        }
    } deepest;
    scene.world.contactPairTest(&a, &b, deepest);
    return static_cast<double>(deepest.distance);
}

/// m, of a bar's end.
double motionOfAStep(const btPliantBody& body) {
    const double turn = 0.5 * static_cast<double>(body.getAngularVelocity().length());
    return (static_cast<double>(body.getLinearVelocity().length()) + turn + body.getReducedVelocities().norm()) / 120;
}

// Whole tests are left out while two bodies hardly move; what they would find must not lie deeper than what is known.
TEST(ContactCache, KnowsTheDeepestContactOfPairsThatHardlyMove) {
    LogCabin cabin(5);
    TestWorld& scene = cabin.scene;
    scene.step(300);
    const int count = scene.system->getNumBodies();
    int touching = 0;
    for (int step = 0; step < 240; ++step) {
        btPliantBody& top = *scene.system->getBody(count - 1);
        // At rest; then one is pushed on, a sixtieth of a radius a step, until it touches by other segments.
        if (step >= 40) top.setLinearVelocity(btVector3(btScalar(0.1), top.getLinearVelocity().y(), 0));
        scene.step();
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < i; ++j) {
                btPliantBody &a = *scene.system->getBody(i), &b = *scene.system->getBody(j);
                const double whole = deepestOfAll(scene, a, b);
                touching += whole < 0;
                // A twentieth of a radius, and what the bodies move from the contacts of a step to its end.
                const double allowed = 0.05 * 0.05 + 1.2 * (motionOfAStep(a) + motionOfAStep(b));
                EXPECT_GT(whole, deepestKnown(scene, a, b) - allowed) << "step " << step;
            }
    }
    EXPECT_GT(touching, 1500);
}

}  // namespace
