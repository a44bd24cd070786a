// SPDX-License-Identifier: Zlib
// A solid that tests bend by hand, and its field.
#pragma once

#include <memory>

#include "pliant/touch/DistributedQuery.h"

namespace pliant::test {

struct BentSolid {
    explicit BentSolid(const std::shared_ptr<const ReducedModel>& model)
        : collision(std::make_shared<CollisionModel>(model)),
          surface(std::make_shared<SurfaceModel>(collision)),
          body(collision),
          field(surface) {}
    void move(const VectorX& q, const RigidTransform& worldFromBody) {
        body.update(q.data(), worldFromBody);
        field.update(body, q.data());
        field.updateBounds();
    }
    RigidTransform worldFromMesh() const { return BentField(field, body).worldFromField(); }

    std::shared_ptr<const CollisionModel> collision;
    std::shared_ptr<const SurfaceModel> surface;
    DeformedBody body;
    DeformedField field;
};

}  // namespace pliant::test
