// SPDX-License-Identifier: Zlib
#include "btPliant/data/BodyPlace.h"

#include "btPliant/data/Convert.h"

namespace btPliantInternal {

pliant::AffineMap framePlace(const BodyData& data) {
    pliant::AffineMap map;
    map.leftCols<3>() = toEigen(data.body->getWorldTransform().getBasis());
    map.col(3) = toEigen(data.body->getWorldTransform().getOrigin());
    return map;
}

pliant::AffineMap placeOf(const BodyData& data, const pliant::MaterialPoint& point) {
    if (!data.character) return framePlace(data);
    return Carriers(*data.character->model, point).map(data.character->bones);
}

pliant::Matrix3 turnOf(const BodyData& data, const pliant::MaterialPoint& point) {
    if (!data.character) return framePlace(data).leftCols<3>();
    return Carriers(*data.character->model, point).turn(data.character->bones);
}

}  // namespace btPliantInternal
