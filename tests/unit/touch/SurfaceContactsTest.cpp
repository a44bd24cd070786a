// SPDX-License-Identifier: Zlib
// Solids of which one lies around the origin of the other.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "pliant/touch/EdgeContacts.h"
#include "pliant/touch/SurfaceContacts.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

/// A solid at rest with its centre of mass at the world's origin, or beside it.
struct RestingSolid {
    RestingSolid(const std::shared_ptr<const ReducedModel>& model, const Vector3& at,
                 const Matrix3& rotation = Matrix3::Identity())
        : collision(std::make_shared<const CollisionModel>(model)),
          surface(std::make_shared<const SurfaceModel>(collision)),
          body(collision),
          field(surface) {
        RigidTransform pose;
        pose.translation = at;
        pose.rotation = rotation;
        const VectorX q = VectorX::Zero(model->dimension());
        body.update(q.data(), pose);
        body.refit();
        field.update(body, q.data());
    }
    TouchingBody touching() const { return {&body, &field}; }

    std::shared_ptr<const CollisionModel> collision;
    std::shared_ptr<const SurfaceModel> surface;
    DeformedBody body;
    DeformedField field;
};

std::vector<SkeletonContact> contactsOf(const TouchingBody& a, const TouchingBody& b) {
    SurfacePairSides sides;
    SurfacePairCandidates candidates;
    std::vector<SkeletonContact> found;
    collideSurfaces(a, b, 0.002, 0.0, sides, candidates, found);
    return found;
}

// What lies in the hole of a ring holds the ring's origin without touching it: a plate that fell through a tyre was
// thrown 35 mm aside by one contact of the depth of the whole tyre.
TEST(SurfaceContacts, ThereAreNoneInTheHoleOfARing) {
    SolidMaterial coarse;
    coarse.voxels = 20;
    const RestingSolid tyre(solidOfFile(PLIANT_MEDIA_DIR "/solids/tyre.obj", coarse), Vector3::Zero());
    for (const Vector3& size : {Vector3(0.05, 0.05, 0.05), Vector3(0.08, 0.01, 0.08)}) {
        const auto model = solidBox(size);
        for (const double aside : {0.0, 5e-4}) {
            const RestingSolid inside(model, Vector3(aside, 0.5 * aside, 0.0));
            EXPECT_TRUE(contactsOf(tyre.touching(), inside.touching()).empty()) << size.transpose();
            EXPECT_TRUE(contactsOf(inside.touching(), tyre.touching()).empty()) << size.transpose();
            const TouchingBody strands{&tyre.body, nullptr};
            EXPECT_TRUE(contactsOf(inside.touching(), strands).empty()) << size.transpose();
        }
    }
}

TEST(SurfaceContacts, PartBodiesThatCoincide) {
    const auto model = solidBox({0.05, 0.05, 0.05});
    const RestingSolid first(model, Vector3::Zero()), second(model, Vector3(0.0, 1e-3, 0.0));
    double deepest = 0.0;
    Vector3 normal = Vector3::Zero();
    for (const SkeletonContact& contact : contactsOf(second.touching(), first.touching())) {
        if (contact.distance >= deepest) continue;
        deepest = contact.distance;
        normal = contact.normal;
    }
    EXPECT_NEAR(deepest, -0.049, 1e-4);
    EXPECT_GT(normal.y(), 0.999);
}

Matrix3 turnedAbout(const Vector3& axis, double degrees) {
    return Eigen::AngleAxisd(degrees * std::acos(-1.0) / 180.0, axis).toRotationMatrix();
}

const Vector3 kThinPlate(0.4, 0.004, 0.24);  // m

TEST(SurfaceEdges, AreEachThereOnce) {
    const RestingSolid plate(solidBox(kThinPlate), Vector3::Zero()), cube(solidBox({0.2, 0.2, 0.2}), Vector3::Zero());
    double length = 0.0;
    for (const SharpEdge& edge : plate.surface->edges()) {
        length += (plate.surface->restPoint(edge.first) - plate.surface->restPoint(edge.second)).norm();
        EXPECT_NEAR(edge.halfTurn, std::acos(-1.0) / 4, 1e-6);
        EXPECT_NEAR(edge.outward.norm(), 1.0, 1e-9);
        EXPECT_LE(edge.room, 1.001 * kThinPlate.y());
        const Vector3 middle = 0.5 * (plate.surface->restPoint(edge.first) + plate.surface->restPoint(edge.second)),
                      out = plate.surface->meshFromBody().rotation * edge.outward;
        const Vector3 beside = middle + 1e-3 * out;
        EXPECT_TRUE((beside.array().abs() > 0.5 * kThinPlate.array()).any()) << "outward";
    }
    EXPECT_NEAR(length, 4.0 * kThinPlate.sum(), 1e-5) << "every edge is there once";
    EXPECT_TRUE(plate.surface->isThin());
    EXPECT_FALSE(cube.surface->isThin());
    length = 0.0;
    for (const SharpEdge& edge : cube.surface->edges())
        length += (cube.surface->restPoint(edge.first) - cube.surface->restPoint(edge.second)).norm();
    EXPECT_NEAR(length, 12.0 * 0.2, 1e-5);
}

TEST(SurfaceEdges, TouchWhereTheyCross) {
    const auto model = solidBox(kThinPlate);
    for (const double degrees : {90.0, 50.0, 12.0})
        for (const double gap : {0.0015, -0.0003}) {
            const Matrix3 onEdge = turnedAbout(Vector3::UnitX(), 90.0) * model->meshFromBody.rotation;
            const RestingSolid lower(model, Vector3::Zero(), onEdge),
                upper(model, Vector3(0.009, kThinPlate.z() + gap, 0.005),
                      turnedAbout(Vector3::UnitY(), degrees) * onEdge);
            for (const bool swapped : {false, true}) {
                int ofEdges = 0;  // their four edges cross each other four times
                const TouchingBody one = swapped ? lower.touching() : upper.touching(),
                                   two = swapped ? upper.touching() : lower.touching();
                for (const SkeletonContact& c : contactsOf(one, two))
                    EXPECT_NEAR((c.pointA - c.pointB).dot(c.normal), c.distance, 1e-9);
                std::vector<SkeletonContact> edges;  // without those of points that take their plane
                collideEdges(one, two, 0.002, 0, edges);
                for (const SkeletonContact& c : edges) {
                    const double up = swapped ? -c.normal.y() : c.normal.y();
                    ofEdges += up > 0.9999 && std::abs(c.distance - gap) < 1e-6 ? 1 : 0;
                }
                EXPECT_GE(ofEdges, 4) << degrees << " degrees, gap of " << gap << " m";
            }
        }
}

// The points of a cube are farther apart than a plate is thick, too.
TEST(SurfaceEdges, OfThickBodiesTouchThoseOfThinOnes) {
    const auto plate = solidBox(kThinPlate), cube = solidBox({0.2, 0.2, 0.2});
    const Matrix3 onItsEdge = turnedAbout(Vector3::UnitX(), 45.0) * cube->meshFromBody.rotation,
                  across = turnedAbout(Vector3::UnitY(), 90.0);
    constexpr double gap = 0.001;
    const double top = 0.1 * std::sqrt(2.0);
    const RestingSolid lower(cube, Vector3(0.0, -top, 0.0), onItsEdge),
        thin(plate, Vector3(0.003, 0.5 * kThinPlate.z() + gap, 0.0),
             across * turnedAbout(Vector3::UnitX(), 90.0) * plate->meshFromBody.rotation),
        thick(cube, Vector3(0.003, top + gap, 0.0), across * onItsEdge);
    for (const RestingSolid* upper : {&thin, &thick}) {
        contactsOf(upper->touching(), lower.touching());  // brings the places of both up to date
        std::vector<SkeletonContact> edges;
        collideEdges(upper->touching(), lower.touching(), 0.002, 0, edges);
        EXPECT_EQ(edges.empty(), upper == &thick);
        for (const SkeletonContact& c : edges) EXPECT_NEAR(c.distance, gap, 1e-5);
    }
}

/// Nothing moves, unless `way` says so, and nothing is covered, unless `covers` says so.
struct PlainSurroundings : ShapeSurroundings {
    Vector3 way = Vector3::Zero();
    bool covers = false;

    Vector3 wayOf(const Vector3&) override { return way; }
    bool isCovered(const Vector3&, const Vector3&) override { return covers; }
};

/// How many contacts a corner of a flat plate, an edge of 4 mm upright, has with the upper edge of a box a millimetre
/// ahead of it. @param height of that edge above the lower end of the corner, m
std::size_t contactsOfCorner(double height, ShapeSurroundings& around) {
    const auto model = solidBox(kThinPlate);
    const RestingSolid plate(model, Vector3::Zero(), model->meshFromBody.rotation);
    contactsOf(plate.touching(), plate.touching());  // brings its places up to date
    const double ahead = 0.5 * kThinPlate.x() + 0.001, up = height - 0.5 * kThinPlate.y();
    ShapeEdge edge;
    edge.start = Vector3(ahead, up, -0.5);
    edge.end = Vector3(ahead, up, 0.5);
    edge.outward = Vector3(-1.0, 1.0, 0.0).normalized();
    edge.halfTurn = 0.25 * std::acos(-1.0);
    edge.room = 0.1;
    ShapeEdges box;
    box.list = {edge};
    box.thickness = 0.05;
    box.slop = 4e-4;
    std::vector<SkeletonContact> found;
    collideEdges(plate.touching(), box, around, 0.002, 0, found);
    return found.size();
}

TEST(SurfaceEdges, OfShapesAreLeftToTheCornerWhereItSlidesOffThem) {
    PlainSurroundings around;
    EXPECT_GT(contactsOfCorner(0.002, around), 0u);
    EXPECT_EQ(contactsOfCorner(2e-4, around), 0u) << "the corner is as good as above it";
    around.way = Vector3(0.002, 0.0, 0.0);
    EXPECT_GT(contactsOfCorner(0.002, around), 0u);
    around.way = Vector3(0.002, 0.0039, 0.0);
    EXPECT_EQ(contactsOfCorner(0.002, around), 0u) << "it is above it before they meet";
}

TEST(SurfaceEdges, OfShapesThatAreCoveredTouchNothing) {
    PlainSurroundings around;
    around.covers = true;
    EXPECT_EQ(contactsOfCorner(0.002, around), 0u);
}

// What is farther behind than half of both plates is the far side of one of them.
TEST(SurfaceEdges, AreNoDeeperThanHalfOfBothBodies) {
    const auto model = solidBox(kThinPlate);
    const Matrix3 onEdge = turnedAbout(Vector3::UnitX(), 90.0) * model->meshFromBody.rotation;
    for (const double depth : {0.0039, 0.0041}) {
        const RestingSolid lower(model, Vector3::Zero(), onEdge),
            upper(model, Vector3(0.009, kThinPlate.z() - depth, 0.005), turnedAbout(Vector3::UnitY(), 90.0) * onEdge);
        contactsOf(upper.touching(), lower.touching());  // brings the places of both up to date
        std::vector<SkeletonContact> edges;
        collideEdges(upper.touching(), lower.touching(), 0.002, 0, edges);
        EXPECT_EQ(edges.empty(), depth > kThinPlate.y()) << depth;
    }
}

// The far side of a plate that lies on another has edges, too, which look the other way.
TEST(SurfaceEdges, OfPlatesThatLieOnEachOtherPushThemApart) {
    const auto model = solidBox(kThinPlate);
    for (const double gap : {0.001, -0.0005}) {
        const Matrix3& flat = model->meshFromBody.rotation;
        const RestingSolid lower(model, Vector3::Zero(), flat),
            upper(model, Vector3(0.0, kThinPlate.y() + gap, 0.0), turnedAbout(Vector3::UnitY(), 40.0) * flat);
        const std::vector<SkeletonContact> contacts = contactsOf(upper.touching(), lower.touching());
        EXPECT_GT(contacts.size(), 8u);
        int looked = 0;
        for (const SkeletonContact& c : contacts) {
            EXPECT_GT(c.normal.y(), 0.9) << c.normal.transpose();
            if (c.normal.y() < 0.999) continue;  // of a point beside an edge
            EXPECT_NEAR(c.distance, gap, 1e-4);
            ++looked;
        }
        EXPECT_GT(looked, 8);
    }
}

}  // namespace
}  // namespace pliant::test
