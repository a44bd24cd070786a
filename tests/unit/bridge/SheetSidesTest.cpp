// SPDX-License-Identifier: Zlib
// What points remember of the sides of sheets (touch/SurfaceSides.h) in worlds: it goes into saved states and comes
// back, does not depend on the number of workers, and is kept where a sheet's field knows no side.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "OpenedState.h"
#include "TestWorld.h"
#include "btPliant/data/ContactPair.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/snapshot/SideState.h"
#include "pliant/runtime/DefaultDamping.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

constexpr double kSheetThickness = 2e-3;  // m
constexpr double kStep = 1.0 / 60.0;      // s: floppy sheets that hit each other go through in steps as long

std::shared_ptr<const ReducedModel> floppySheet() {
    SolidMaterial material;
    material.young = 1e7;
    material.density = 1000;
    material.modes = 10;
    material.dimension = 16;
    static const auto sheet = solidBox({0.4, kSheetThickness, 0.3}, material);
    return sheet;
}

/// Sheets that fall on each other.
struct FallingSheets {
    explicit FallingSheets(int workers = 1) : scene(withWorkers(workers)) {
        scene.world.getDispatchInfo().m_deterministicOverlappingPairs = true;
        scene.addGround();
        btPliantBodyInfo info;
        info.m_damping = defaultDamping(*floppySheet());
        info.m_friction = btScalar(0.5);
        for (int i = 0; i < 6; ++i) {
            const double angle = 1.1 * i;
            const btVector3 axis(static_cast<btScalar>(std::cos(angle)), 0, static_cast<btScalar>(std::sin(angle)));
            scene.addBar(floppySheet(),
                         btVector3(btScalar(0.02 * (i % 3)), btScalar(0.2 + 0.06 * i), btScalar(0.01 * i)), info,
                         btQuaternion(axis, btScalar(0.1)));
        }
    }
    static btPliantSystemInfo withWorkers(int workers) {
        btPliantSystemInfo info;
        info.m_threads = workers;
        return info;
    }
    /// Numbers of points that are behind a sheet.
    int throughCount() const {
        int count = 0;
        for (const auto* pair : btPliantInternal::dataOf(*scene.system).pairs)
            for (const SurfaceSides* sides : {&pair->surfaceSides.ofA, &pair->surfaceSides.ofB})
                for (const SurfaceSide& side : sides->entries()) count += side.isThrough;
        return count;
    }
    /// Until points are behind a sheet. @return steps made; -1: none came behind one
    int stepUntilThrough() {
        for (int i = 1; i <= 120; ++i) {
            scene.step(1, kStep);
            if (throughCount() > 0) return i;
        }
        return -1;
    }
    std::vector<double> bits() const {
        std::vector<double> result;
        for (int i = 0; i < scene.system->getNumBodies(); ++i) {
            const btPliantBody& body = *scene.system->getBody(i);
            for (const double q : body.getReducedCoordinates()) result.push_back(q);
            for (const double v : body.getReducedVelocities()) result.push_back(v);
            for (int k = 0; k < 3; ++k) {
                result.push_back(static_cast<double>(body.getCenterOfMassPosition()[k]));
                result.push_back(static_cast<double>(body.getAngularMomentum()[k]));
            }
        }
        return result;
    }
    TestWorld scene;
};

TEST(SheetSides, OfASavedWorldComeBackWithTheSameBits) {
    FallingSheets sheets;
    ASSERT_GT(sheets.stepUntilThrough(), 0);
    const int through = sheets.throughCount();
    std::vector<std::byte> blob, again;
    sheets.scene.system->saveState(blob);
    sheets.scene.step(20, kStep);
    const std::vector<double> expected = sheets.bits();
    FallingSheets fresh;
    fresh.scene.step(3, kStep);
    ASSERT_EQ(fresh.scene.system->restoreState(blob.data(), blob.size()), StateStatus::Ok);
    EXPECT_EQ(fresh.throughCount(), through);
    fresh.scene.system->saveState(again);
    EXPECT_TRUE(again == blob);
    fresh.scene.step(20, kStep);
    EXPECT_TRUE(fresh.bits() == expected);
}

TEST(SheetSides, AreTheSameWithAnyNumberOfWorkers) {
    FallingSheets alone;
    const int steps = alone.stepUntilThrough();
    ASSERT_GT(steps, 0);
    alone.scene.step(20, kStep);
    for (const int workers : {2, 3, 8}) {
        FallingSheets together(workers);
        together.scene.step(steps + 20, kStep);
        EXPECT_TRUE(together.bits() == alone.bits()) << workers << " workers";
    }
}

/// A saved world whose first remembered points can be changed.
struct OpenedSides : OpenedState {
    explicit OpenedSides(FallingSheets& sheets) : OpenedState(sheets.scene) {
        for (const auto* pair : btPliantInternal::dataOf(*sheets.scene.system).pairs) {
            if (pair->surfaceSides.ofA.entries().size() < 2) continue;
            std::vector<std::byte> part;
            StateWriter writer(StateKind::World, part);
            btPliantInternal::putSides(pair->surfaceSides.ofA, writer);
            points = find(part) + apart + count;
            return;
        }
    }
    static constexpr std::size_t apart = 24, count = 8;
    /// Of one point: segment, flag, place and normal.
    static constexpr std::size_t flag = 4, rest = 5, outward = 29, size = 53;
    std::size_t points = 0;  ///< where the first one begins
};

TEST(SheetSides, ThatCannotBeAreRefused) {
    FallingSheets sheets;
    ASSERT_GT(sheets.stepUntilThrough(), 0);
    const OpenedSides good(sheets);
    ASSERT_GT(good.points, 0u);
    const std::vector<double> before = sheets.bits();
    const double none = std::numeric_limits<double>::quiet_NaN();
    const auto refused = [&](std::size_t at, auto value) {
        OpenedSides bad(good);
        bad.put(at, value);
        EXPECT_EQ(bad.restore(sheets.scene), StateStatus::BadNumber) << at - good.points;
        EXPECT_TRUE(sheets.bits() == before) << "the world was touched";
    };
    refused(good.points + OpenedSides::rest, none);
    refused(good.points + OpenedSides::rest + 8, 1e300);
    refused(good.points + OpenedSides::outward, none);
    refused(good.points + OpenedSides::outward + 16, 3.0);
    refused(good.points + OpenedSides::size, std::int32_t{-1});  // behind the first
    refused(good.points, std::numeric_limits<std::int32_t>::max());
    EXPECT_EQ(good.restore(sheets.scene), StateStatus::Ok);
}

// A cube that nothing stops moves through a sheet: its points are as deep as they are behind the side they came by,
// where the nearest way out is the other one, too.
TEST(SheetSides, AreKeptThroughTheMiddleOfASheet) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    constexpr double kHalfCube = 1.0 / 16.0;  // m, half of the cube
    static const auto sheet = solidBox({0.4, kSheetThickness, 0.3});
    static const auto cube = solidBox({2 * kHalfCube, 2 * kHalfCube, 2 * kHalfCube});
    btPliantBody* lower = scene.addBar(sheet, btVector3(0, 0, 0));
    constexpr double step = 1.0 / 128.0;      // s
    constexpr double advance = 1.0 / 2048.0;  // m, in a step: sums of it are exact
    btPliantBodyInfo info;
    info.m_linearVelocity = btVector3(0, static_cast<btScalar>(-advance / step), 0);
    btPliantBody* upper = scene.addBar(cube, btVector3(0, btScalar(kHalfCube + 6 * advance), 0), info);
    for (btPliantBody* body : {lower, upper}) {
        body->setCollisionFlags(body->getCollisionFlags() | btCollisionObject::CF_NO_CONTACT_RESPONSE);
        body->setActivationState(DISABLE_DEACTIVATION);
    }
    int behind = 0;
    for (int i = 0; i < 12; ++i) {
        const double place = static_cast<double>(upper->getMeshTransform().getOrigin().y()) - kHalfCube;
        scene.step(1, step);
        for (const auto* pair : btPliantInternal::dataOf(*scene.system).pairs)
            for (const SkeletonContact& contact : pair->contacts) {
                const bool isFirst = &pair->a == upper;
                if ((contact.feature % 2 == 0) != isFirst) continue;  // a point of the sheet, in the cube
                EXPECT_GT((isFirst ? 1.0 : -1.0) * contact.normal.y(), 0.9) << place;
                EXPECT_NEAR(contact.distance, place - kSheetThickness / 2, 1e-4) << place;
                behind += place < 0;
            }
    }
    EXPECT_GT(behind, 20);
}

}  // namespace
}  // namespace pliant::test
