// SPDX-License-Identifier: Zlib
#include "pliant/touch/TouchField.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "pliant/touch/FieldLookup.h"

namespace pliant {

namespace {

constexpr double kSlopeStep = 1e-6;  ///< m, of differences between distances in closed form

}  // namespace

void RigidField::distances(const Vector3* x, int count, double* out) const {
    for (int i = 0; i < count; ++i) prefetchField(m_field, x[i]);
    for (int i = 0; i < count; ++i) out[i] = fieldDistance(m_field, x[i]) - m_field.offset;
}

double RigidField::clearance(const Vector3& x) const {
    return (fieldDistance(m_field, x) - m_field.offset) / m_field.lipschitz;
}

double RigidField::freeWay(double distance) const {
    return distance / m_field.lipschitz;
}

Vector3 RigidField::normal(const Vector3& x, Vector3& rest) const {
    Vector3 gradient;
    fieldDistance(m_field, x, gradient);
    rest = x;
    const double length = gradient.norm();
    return length > kNoDirection ? Vector3(gradient / length) : Vector3(Vector3::Zero());
}

BentField::BentField(const DeformedField& field, const DeformedBody& body) : m_field(field), m_body(body) {
    const RigidTransform &world = body.worldFromBody(), &mesh = field.model().meshFromBody();
    m_worldFromField.rotation = world.rotation * mesh.rotation.transpose();
    m_worldFromField.translation = world.translation - m_worldFromField.rotation * mesh.translation;
}

void BentField::distances(const Vector3* x, int count, double* out) const {
    constexpr int most = 32;
    std::array<Vector3, most> world;
    std::array<FieldSample, most> samples;
    for (int first = 0; first < count; first += most) {
        const int n = std::min(most, count - first);
        for (int i = 0; i < n; ++i) world[static_cast<std::size_t>(i)] = m_worldFromField.point(x[first + i]);
        m_field.sampleTogether(m_body, world.data(), nullptr, n, samples.data());
        for (int i = 0; i < n; ++i) out[first + i] = samples[static_cast<std::size_t>(i)].distance;
    }
}

void BentField::distancesUpTo(double most, const Vector3* x, int count, double* out, double* clear) const {
    constexpr int room = 32;
    std::array<Vector3, room> world;
    for (int first = 0; first < count; first += room) {
        const int n = std::min(room, count - first);
        for (int i = 0; i < n; ++i) world[static_cast<std::size_t>(i)] = m_worldFromField.point(x[first + i]);
        m_field.distancesUpTo(m_body, most, world.data(), n, out + first, clear + first);
    }
}

double BentField::clearance(const Vector3& x) const {
    return m_field.clearance(m_body, m_worldFromField.point(x));
}

double BentField::freeWay(double distance) const {
    return distance / (DeformedField::kMostStretch * m_field.model().surface().field.lipschitz);
}

Vector3 BentField::normal(const Vector3& x, Vector3& rest) const {
    const FieldSample sample = m_field.sample(m_body, m_worldFromField.point(x));
    rest = sample.rest;
    return m_worldFromField.rotation.transpose() * sample.normal;
}

AnalyticField AnalyticField::plane(const Vector3& normal, double offset) {
    AnalyticField field;
    field.m_size = normal;
    field.m_radius = offset;
    return field;
}

AnalyticField AnalyticField::box(const Vector3& halfExtents, double radius) {
    AnalyticField field;
    field.m_kind = Kind::Box;
    field.m_size = halfExtents;
    field.m_radius = radius;
    return field;
}

AnalyticField AnalyticField::sphere(double radius) {
    return box(Vector3::Zero(), radius);
}

AnalyticField AnalyticField::capsule(double radius, double halfLength) {
    return box(Vector3(0.0, halfLength, 0.0), radius);
}

AnalyticField AnalyticField::cylinder(double radius, double halfLength) {
    AnalyticField field;
    field.m_kind = Kind::Cylinder;
    field.m_size = Vector3(radius, halfLength, 0.0);
    return field;
}

double AnalyticField::at(const Vector3& x) const {
    if (m_kind == Kind::Plane) return m_size.dot(x) - m_radius;
    Vector3 beyond = x.cwiseAbs() - m_size;
    if (m_kind == Kind::Cylinder)
        beyond = Vector3(std::hypot(x.x(), x.z()) - m_size.x(), std::abs(x.y()) - m_size.y(), -1e30);
    return beyond.cwiseMax(0.0).norm() + std::min(0.0, beyond.maxCoeff()) - m_radius;
}

void AnalyticField::distances(const Vector3* x, int count, double* out) const {
    for (int i = 0; i < count; ++i) out[i] = at(x[i]);
}

Vector3 AnalyticField::normal(const Vector3& x, Vector3& rest) const {
    rest = x;
    if (m_kind == Kind::Plane) return m_size;
    Vector3 slope;
    for (int k = 0; k < 3; ++k) {
        const Vector3 step = kSlopeStep * Vector3::Unit(k);
        slope[k] = at(x + step) - at(x - step);
    }
    const double length = slope.norm();
    return length > 0.0 ? Vector3(slope / length) : Vector3(Vector3::Zero());
}

}  // namespace pliant
