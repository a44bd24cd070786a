// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/FixedNeighbours.h"

#include <algorithm>
#include <cmath>

namespace btPliantInternal {

using pliant::FieldSample;
using pliant::Vector3;

namespace {

/// Cosine between the normals where something comes in and where it comes out again, from which on it has gone through.
constexpr double kThroughAPlate = -0.3;

}  // namespace

// It goes by what the field says is free, and in parts where that is little.
Entry MarginField::entryOn(const Vector3& from, const Vector3& way, double slop) const {
    constexpr double smallest = 1.0 / 64.0;
    constexpr int bisections = 8;
    const double length = way.norm();
    Entry first;
    for (double t = 0.0, before = 0.0;;) {
        const FieldSample there = at(from + t * way);
        if (there.distance <= -slop) {
            for (int i = 0; i < bisections; ++i) {
                const double middle = 0.5 * (before + t);
                (at(from + middle * way).distance <= -slop ? t : before) = middle;
            }
            return {true, t, at(from + t * way)};
        }
        if (there.distance < 0.0 && !first.isThere) first = {true, t, there};
        if (there.distance >= 0.0 && first.isThere) {
            if (there.normal.dot(first.sample.normal) < kThroughAPlate) return first;
            first.isThere = false;
        }
        if (!(t < 1.0) || !(length > 0.0)) return {};
        before = t;
        t = std::min(1.0, t + std::max(smallest, std::abs(there.distance) / length));
    }
}

namespace {

std::vector<MarginField>& fieldsOfThread() {
    static thread_local std::vector<MarginField> fields;
    return fields;
}

}  // namespace

FixedNeighbours::FixedNeighbours(const ContactPair& pair)
    : m_pair(pair), m_isListed(!pair.other->isStaticOrKinematicObject()), m_neighbours(fieldsOfThread()) {
    m_neighbours.clear();
}

Vector3 FixedNeighbours::wayLeft(const Vector3& from, const Vector3& way, double time) {
    if (!m_isListed) list();
    Entry earliest;
    for (const MarginField& neighbour : m_neighbours) {
        // Close to a seam nothing gets any deeper before it is beyond.
        const Entry own = neighbour.entryOn(from, way, 0.0);
        if (!own.isThere || own.time >= time || !(own.sample.normal.dot(way) < 0.0)) continue;
        time = own.time;
        earliest = own;
    }
    if (!earliest.isThere) return way;
    const Vector3& normal = earliest.sample.normal;
    const double ahead = std::max(0.0, earliest.sample.distance - earliest.time * normal.dot(way));
    return way - (normal.dot(way) + ahead) * normal;
}

double FixedNeighbours::distanceTo(const Vector3& place) {
    if (!m_isListed) list();
    double least = 1e30;
    for (const MarginField& neighbour : m_neighbours) least = std::min(least, neighbour.at(place).distance);
    return least;
}

void FixedNeighbours::list() {
    m_isListed = true;
    for (const ContactPair* pair : m_pair.system.pairs) {
        if (&pair->a != &m_pair.a || pair == &m_pair || pair->b || !pair->collider.field) continue;
        // Where a child of a compound stands Bullet alone knows.
        if (!pair->other->isStaticOrKinematicObject() || pair->shape != pair->other->getCollisionShape()) continue;
        MarginField neighbour;
        pair->collider.field({*pair->shape, pair->other->getWorldTransform()}, neighbour.shape);
        const double theirs = pair->collider.margin ? pair->collider.margin(*pair, *pair->shape) : 0.0;
        neighbour.margins = static_cast<double>(pair->system.info.m_margin) + theirs;
        m_neighbours.push_back(neighbour);
    }
}

}  // namespace btPliantInternal
