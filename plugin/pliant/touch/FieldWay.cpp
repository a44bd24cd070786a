// SPDX-License-Identifier: Zlib
// No place that is nearer than the distance over the field's Lipschitz number is on the other side of the surface, so
// that the way is gone in steps of this length.
#include "pliant/touch/FieldWay.h"

#include <algorithm>
#include <cmath>

#include "pliant/touch/FieldLookup.h"

namespace pliant {
namespace {

constexpr double kLeastStep = 1.0 / 3.0;  ///< of the distance between samples
constexpr int kMostSteps = 1000;

class Way {
public:
    Way(const DistanceField& field, const Vector3& from, const Vector3& along)
        : m_field(field), m_from(from), m_along(along) {}

    Vector3 place() const { return m_from + m_at * m_along; }
    double at() const { return m_at; }
    double distance() const { return fieldDistance(m_field, place()) - m_field.offset; }
    void step(double distance) {
        m_at += std::max(std::abs(distance) / m_field.lipschitz, kLeastStep * m_field.spacing);
    }
    void set(double at) { m_at = at; }

private:
    const DistanceField& m_field;
    Vector3 m_from, m_along;
    double m_at = 0.0;  ///< m
};

}  // namespace

bool leadsThrough(const DistanceField& field, const Vector3& from, const Vector3& to) {
    const double length = (to - from).norm();
    if (!(length > 0.0)) return fieldDistance(field, from) < field.offset;
    Way way(field, from, (to - from) / length);
    for (int i = 0; i < kMostSteps && way.at() < length; ++i) {
        const double distance = way.distance();
        if (distance < 0.0) return true;
        way.step(distance);
    }
    return fieldDistance(field, to) < field.offset;
}

bool findWayOut(const DistanceField& field, const Vector3& from, const Vector3& along, double most, Vector3& out) {
    Way way(field, from, along);
    bool isInside = false;
    double lastAt = 0.0, last = 0.0;
    for (int i = 0; i < kMostSteps && way.at() <= most; ++i) {
        const double distance = way.distance();
        if (isInside && distance >= 0.0) {
            way.set(lastAt + (way.at() - lastAt) * last / (last - distance));
            out = way.place();
            return true;
        }
        isInside = distance < 0.0;
        lastAt = way.at();
        last = distance;
        way.step(distance);
    }
    return false;
}

}  // namespace pliant
