// SPDX-License-Identifier: Zlib
// What the points of a shell are held against: the signed distance of a body of any kind, in a frame that moves with
// it. Const and may be asked by several threads at once.
#pragma once

#include "pliant/math/Api.h"
#include "pliant/touch/DeformedField.h"

namespace pliant {

class PLIANT_INTERNAL_API TouchField {
public:
    virtual ~TouchField() = default;
    /// Signed distances, m, < 0 inside, of several points. @param x in the field's frame, m
    virtual void distances(const Vector3* x, int count, double* out) const = 0;
    /// The same, but that infinity may stand for what is above `most`. @param clear receives what clearance() is at
    /// least, as far as that comes by the way; not above zero: nothing is known
    virtual void distancesUpTo(double most, const Vector3* x, int count, double* out, double* clear) const {
        static_cast<void>(most);
        distances(x, count, out);
        for (int i = 0; i < count; ++i) clear[i] = freeWay(out[i]);
    }
    /// Metres: whatever lies nearer to x than this is outside by more than what is left of it. Not above zero: nothing
    /// is known.
    virtual double clearance(const Vector3& x) const = 0;
    /// Metres that a point outside at this distance may go in any direction and stay outside: a share of it.
    virtual double freeWay(double distance) const = 0;
    /// Outward unit normal, field's frame; zero where there is none. @param rest where the field's material is at rest
    virtual Vector3 normal(const Vector3& x, Vector3& rest) const = 0;

    double distance(const Vector3& x) const {
        double d = 0.0;
        distances(&x, 1, &d);
        return d;
    }
};

/// A sampled field of a body that does not deform, in the field's mesh frame.
class PLIANT_INTERNAL_API RigidField : public TouchField {
public:
    /// @param field to live as long as this
    explicit RigidField(const DistanceField& field) : m_field(field) {}
    void distances(const Vector3* x, int count, double* out) const override;
    double clearance(const Vector3& x) const override;
    double freeWay(double distance) const override;
    Vector3 normal(const Vector3& x, Vector3& rest) const override;

private:
    const DistanceField& m_field;
};

/// The field of a body as it is bent now, in its mesh frame.
class PLIANT_INTERNAL_API BentField : public TouchField {
public:
    /// @param field up to date with body (DeformedField::update, and updateBounds: else more is looked at); both to
    /// live as long as this
    BentField(const DeformedField& field, const DeformedBody& body);
    void distances(const Vector3* x, int count, double* out) const override;
    void distancesUpTo(double most, const Vector3* x, int count, double* out, double* clear) const override;
    double clearance(const Vector3& x) const override;
    double freeWay(double distance) const override;
    Vector3 normal(const Vector3& x, Vector3& rest) const override;
    /// World from the field's frame.
    const RigidTransform& worldFromField() const { return m_worldFromField; }

private:
    const DeformedField& m_field;
    const DeformedBody& m_body;
    RigidTransform m_worldFromField;
};

/// Shapes with distances in closed form, in their own frame.
class PLIANT_INTERNAL_API AnalyticField : public TouchField {
public:
    /// The half space below a plane through `offset` times `normal`, of unit length.
    static AnalyticField plane(const Vector3& normal, double offset);
    static AnalyticField sphere(double radius);
    /// Rounded by `radius`. @param halfExtents of the box inside, m
    static AnalyticField box(const Vector3& halfExtents, double radius = 0.0);
    /// Along y. @param halfLength of its axis, m
    static AnalyticField capsule(double radius, double halfLength);
    /// Along y. @param halfLength m
    static AnalyticField cylinder(double radius, double halfLength);

    void distances(const Vector3* x, int count, double* out) const override;
    double clearance(const Vector3& x) const override { return distance(x); }
    double freeWay(double distance) const override { return distance; }
    Vector3 normal(const Vector3& x, Vector3& rest) const override;

private:
    enum class Kind { Plane, Box, Cylinder };  ///< a sphere and a capsule are rounded boxes without a volume
    double at(const Vector3& x) const;

    Kind m_kind = Kind::Plane;
    Vector3 m_size = Vector3::Zero();  ///< normal of the plane; half extents; radius, half length, 0
    double m_radius = 0.0;             ///< offset of the plane; of the rounding
};

}  // namespace pliant
