// SPDX-License-Identifier: Zlib
#include "pliant/touch/SurfaceSides.h"

#include <algorithm>

#include "pliant/collision/pair/ReserveRounded.h"
#include "pliant/touch/FieldWay.h"

namespace pliant {
namespace {

/// Cosine between two ways out that are those of two sides of a sheet.
constexpr double kOtherSide = -0.5;
/// Inside, a way out whose cosine with the one before is less may be any: in the middle of a sheet the field has none.
constexpr double kKeptSide = 0.5;
/// Distances between surface points that a point is taken to be behind a sheet at most.
constexpr double kFarthest = 4.0;
constexpr std::size_t kStep = 32;

/// Of the pair that is under way on this thread.
struct SidePass {
    std::vector<SurfaceSide> now;
    std::size_t last = 0;  ///< of what is remembered, the first whose segment has not been passed
};

SidePass& pass() {
    static thread_local SidePass pass;
    return pass;
}

bool hasGoneThrough(const DeformedField& field, const SurfaceSide& before, const FieldSample& sample) {
    if (!(sample.outward.dot(before.outward.cast<double>()) < kOtherSide)) return false;
    return before.isThrough || leadsThrough(field.model().surface().field, before.rest.cast<double>(), sample.rest);
}

}  // namespace

void SurfaceSides::begin(const Vector3& apart, double way) {
    if (!((apart - m_apart).norm() <= way)) clear();
    m_apart = apart;
    pass().now.clear();
    pass().last = 0;
}

void SurfaceSides::keepSide(const DeformedField& field, const DeformedBody& body, int segment, const Vector3& world,
                            FieldSample& sample) {
    SidePass& p = pass();
    while (p.last < m_last.size() && m_last[p.last].segment < segment) ++p.last;
    SurfaceSide side;
    side.segment = segment;
    side.rest = sample.rest.cast<float>();
    bool keepsOutward = false;
    if (p.last < m_last.size() && m_last[p.last].segment == segment) {
        const SurfaceSide& before = m_last[p.last];
        const double most = kFarthest * field.model().pointSpacing();
        side.isThrough = hasGoneThrough(field, before, sample) &&
                         field.sampleFromSide(body, world, before.outward.cast<double>(), most, sample);
        keepsOutward =
            !side.isThrough && sample.distance < 0.0 && sample.outward.dot(before.outward.cast<double>()) < kKeptSide;
        if (keepsOutward) side.outward = before.outward;
    }
    if (!keepsOutward) side.outward = sample.outward.cast<float>();
    p.now.push_back(side);
}

void SurfaceSides::end() {
    assign(pass().now, m_apart);
}

void SurfaceSides::assign(const std::vector<SurfaceSide>& entries, const Vector3& apart) {
    reserveRounded(m_last, entries.size(), kStep);
    m_last.assign(entries.begin(), entries.end());
    m_apart = apart;
    m_anyIsThrough =
        std::any_of(entries.begin(), entries.end(), [](const SurfaceSide& side) { return side.isThrough; });
}

void SurfaceSides::clear() {
    m_last.clear();
    m_anyIsThrough = false;
}

}  // namespace pliant
