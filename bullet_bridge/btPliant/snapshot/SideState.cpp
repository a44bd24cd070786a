// SPDX-License-Identifier: Zlib
#include "btPliant/snapshot/SideState.h"

#include <cmath>

namespace btPliantInternal {

void putSides(const pliant::SurfaceSides& sides, pliant::StateWriter& out) {
    const PutNumbers put{out};
    put(sides.apart());
    out.put(static_cast<std::uint64_t>(sides.entries().size()));
    for (const pliant::SurfaceSide& side : sides.entries()) {
        put(side.segment);
        put(side.isThrough);
        put(pliant::Vector3(side.rest.cast<double>()));
        put(pliant::Vector3(side.outward.cast<double>()));
    }
}

void getSides(pliant::StateReader& in, SavedSides& sides) {
    constexpr std::size_t most = 10000000;
    const GetNumbers get{in};
    get(sides.apart);
    const std::size_t count = in.getCount(most);
    for (std::size_t i = 0; i < count && in.ok(); ++i) {
        pliant::SurfaceSide side;
        pliant::Vector3 rest, outward;
        get(side.segment);
        get(side.isThrough);
        get(rest);
        get(outward);
        side.rest = rest.cast<float>();
        side.outward = outward.cast<float>();
        const bool ascends = sides.entries.empty() || sides.entries.back().segment < side.segment;
        const double length = outward.norm();
        const bool isNormal = length == 0.0 || std::abs(length - 1.0) < 1e-3;
        if (!ascends || !side.rest.allFinite() || !isNormal) in.fail(pliant::StateStatus::BadNumber);
        sides.entries.push_back(side);
    }
}

void applySides(const SavedSides& saved, int segments, pliant::SurfaceSides& sides) {
    std::vector<pliant::SurfaceSide> known;
    for (const pliant::SurfaceSide& side : saved.entries)
        if (side.segment >= 0 && side.segment < segments) known.push_back(side);
    sides.assign(known, saved.apart);
}

}  // namespace btPliantInternal
