// SPDX-License-Identifier: Zlib
// Solids of which one lies around the origin of the other.
#include <gtest/gtest.h>

#include "pliant/touch/SurfaceContacts.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

/// A solid at rest with its centre of mass at the world's origin, or beside it.
struct RestingSolid {
    RestingSolid(const std::shared_ptr<const ReducedModel>& model, const Vector3& at)
        : collision(std::make_shared<const CollisionModel>(model)),
          surface(std::make_shared<const SurfaceModel>(collision)),
          body(collision),
          field(surface) {
        RigidTransform pose;
        pose.translation = at;
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

}  // namespace
}  // namespace pliant::test
