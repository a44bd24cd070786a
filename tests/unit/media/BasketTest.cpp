// SPDX-License-Identifier: Zlib
// The basket is wicker: weavers alternate, strands keep clear of each other, every strand is a closed surface.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "Basket.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/ReadObj.h"

namespace {

using basket::Part;
using basket::Strand;
using pliant::Vector3;

std::vector<const Strand*> strandsOf(const basket::Basket& basket, Part part) {
    std::vector<const Strand*> found;
    for (const Strand& strand : basket.strands)
        if (strand.part == part) found.push_back(&strand);
    return found;
}

/// Sample of a ring that lies nearest the direction `angle`.
const Vector3& sampleAt(const Strand& ring, double angle) {
    const Vector3 direction(std::cos(angle), std::sin(angle), 0.0);
    const Vector3* best = &ring.centreline.front();
    for (const Vector3& p : ring.centreline)
        if (Vector3(p.x(), p.y(), 0.0).normalized().dot(direction) >
            Vector3(best->x(), best->y(), 0.0).normalized().dot(direction))
            best = &p;
    return *best;
}

TEST(Basket, WeaversPassInFrontAndBehindInTurn) {
    const basket::Basket made = basket::makeBasket({});
    const int stakes = made.options.stakes;
    for (const Strand* weaver : strandsOf(made, Part::Weaver)) {
        double previousRow = 0.0;
        for (int i = 0; i <= stakes; ++i) {
            const Vector3& p = sampleAt(*weaver, 2.0 * M_PI * (i % stakes) / stakes);
            const double side = std::hypot(p.x(), p.y()) - made.wall.radiusAt(p.z());
            EXPECT_GT(std::abs(side), weaver->radius) << "weaver " << weaver->number << " at stake " << i;
            if (i > 0) {
                EXPECT_LT(side * previousRow, 0.0) << "weaver " << weaver->number << " at stake " << i;
            }
            previousRow = side;
        }
    }
    // Rows above each other are on opposite sides of a stake.
    const auto weavers = strandsOf(made, Part::Weaver);
    ASSERT_EQ(static_cast<int>(weavers.size()), made.options.rows);
    for (std::size_t row = 1; row < weavers.size(); ++row) {
        const Vector3 &a = sampleAt(*weavers[row - 1], 0.0), &b = sampleAt(*weavers[row], 0.0);
        EXPECT_LT((a.x() - made.wall.radiusAt(a.z())) * (b.x() - made.wall.radiusAt(b.z())), 0.0) << "row " << row;
    }
}

TEST(Basket, BaseRingsPassOverAndUnderInTurn) {
    const basket::Basket made = basket::makeBasket({});
    for (const Strand* ring : strandsOf(made, Part::BaseRing))
        for (int i = 0; i < made.options.stakes; ++i) {
            const double here = sampleAt(*ring, 2.0 * M_PI * i / made.options.stakes).z() - made.wall.floorHeight;
            const double next =
                sampleAt(*ring, 2.0 * M_PI * ((i + 1) % made.options.stakes) / made.options.stakes).z() -
                made.wall.floorHeight;
            EXPECT_LT(here * next, 0.0) << "ring " << ring->number << " at stake " << i;
        }
}

TEST(Basket, StrandsKeepClearOfEachOther) {
    const basket::Basket made = basket::makeBasket({});
    for (std::size_t a = 0; a < made.strands.size(); ++a)
        for (std::size_t b = a + 1; b < made.strands.size(); ++b)
            EXPECT_GE(basket::clearance(made.strands[a], made.strands[b]), 0.0)
                << "part " << static_cast<int>(made.strands[a].part) << " number " << made.strands[a].number
                << " and part " << static_cast<int>(made.strands[b].part) << " number " << made.strands[b].number;
}

// A closed surface: with seams welded, every edge is used once in each direction.
TEST(Basket, EveryStrandIsAClosedSurface) {
    const pliant::SurfaceMesh mesh = basket::makeSurface(basket::makeBasket({}));
    std::map<std::tuple<long, long, long>, int> number;
    std::vector<int> welded(static_cast<std::size_t>(mesh.vertexCount()));
    for (int i = 0; i < mesh.vertexCount(); ++i) {
        const Vector3 p = mesh.positions.col(i) * 1e8;
        welded[static_cast<std::size_t>(i)] =
            number
                .emplace(std::make_tuple(std::lround(p.x()), std::lround(p.y()), std::lround(p.z())),
                         static_cast<int>(number.size()))
                .first->second;
    }
    std::map<std::pair<int, int>, int> edges;
    for (int t = 0; t < mesh.triangleCount(); ++t)
        for (int k = 0; k < 3; ++k) {
            const int a = welded[static_cast<std::size_t>(mesh.triangles(k, t))],
                      b = welded[static_cast<std::size_t>(mesh.triangles((k + 1) % 3, t))];
            ASSERT_NE(a, b);
            edges[{a, b}] += 1;
        }
    for (const auto& [edge, count] : edges) {
        EXPECT_EQ(count, 1);
        EXPECT_EQ(edges.count({edge.second, edge.first}), 1u);
    }
}

TEST(Basket, SurfaceHasTheSizeAndNormalsOfItsStrands) {
    const basket::Basket made = basket::makeBasket({});
    const pliant::SurfaceMesh mesh = basket::makeSurface(made);
    EXPECT_GE(mesh.vertexCount(), 3000);
    EXPECT_LE(mesh.vertexCount(), 8000);
    EXPECT_NEAR(mesh.positions.row(2).minCoeff(), 0.0, 0.002) << "it stands on the floor";
    // Outward: triangle normals agree with vertex normals, and the enclosed volume is positive.
    double volume = 0.0;
    for (int t = 0; t < mesh.triangleCount(); ++t) {
        const Vector3 a = mesh.positions.col(mesh.triangles(0, t)), b = mesh.positions.col(mesh.triangles(1, t)),
                      c = mesh.positions.col(mesh.triangles(2, t));
        volume += a.dot(b.cross(c)) / 6.0;
        const Vector3 normal = (b - a).cross(c - a);
        EXPECT_GT(normal.dot(mesh.normals.col(mesh.triangles(0, t))), 0.0) << "triangle " << t;
    }
    double tubes = 0.0;
    for (const Strand& s : made.strands) {
        const std::size_t n = s.centreline.size();
        for (std::size_t i = 0; i + (s.closed ? 0 : 1) < n; ++i)
            tubes += (s.centreline[(i + 1) % n] - s.centreline[i]).norm() * M_PI * s.radius * s.radius;
    }
    EXPECT_NEAR(volume, tubes, 0.35 * tubes) << "hexagons hold 83 % of their circle, the hub adds";
}

TEST(Basket, CommittedFileIsTheGeneratorsOutput) {
    const pliant::SurfaceMesh made = basket::makeSurface(basket::makeBasket({}));
    const pliant::SurfaceMesh file = pliant::readObj(std::string(PLIANT_MEDIA_DIR) + "/basket/basket.obj");
    ASSERT_EQ(file.triangleCount(), made.triangleCount());
    for (int t = 0; t < made.triangleCount(); ++t)
        for (int k = 0; k < 3; ++k) {
            const Vector3 a = made.positions.col(made.triangles(k, t)), b = file.positions.col(file.triangles(k, t));
            ASSERT_LT((a - b).norm(), 1e-6) << "triangle " << t;
        }
    EXPECT_EQ(file.materials.size(), made.materials.size());
    EXPECT_EQ(file.texcoords.cols(), file.vertexCount());
    EXPECT_EQ(file.colours.cols(), file.vertexCount());
}

TEST(Basket, RefusesWhatCannotBeWoven) {
    basket::Options odd;
    odd.stakes = 17;
    EXPECT_THROW(basket::makeBasket(odd), pliant::Error);
    basket::Options crowded;
    crowded.stakes = 60;
    EXPECT_THROW(basket::makeBasket(crowded), pliant::Error);
}

}  // namespace
