// SPDX-License-Identifier: Zlib
// The distance field of one body as it is bent now: points of the world are taken back to the rest shape through the
// deformed cells of its lattice (in place of the proxies of [B07 3.16]), and the field at rest is read there.
//
// Queries are const and may run on several threads at once; update() must not run beside them. No allocation after
// construction.
#pragma once

#include <memory>

#include "pliant/collision/body/DeformedBody.h"
#include "pliant/math/Api.h"
#include "pliant/touch/SurfaceModel.h"

namespace pliant {

/// What a field says of a point of the world.
struct FieldSample {
    double distance = 0.0;             ///< m, to the deformed surface, < 0 inside
    Vector3 normal = Vector3::Zero();  ///< unit, world, away from the body
    Vector3 rest = Vector3::Zero();    ///< where the point is at rest, mesh frame, m
};

class PLIANT_INTERNAL_API DeformedField {
public:
    explicit DeformedField(std::shared_ptr<const SurfaceModel> model);

    const SurfaceModel& model() const { return *m_model; }
    /// Brings the lattice up to date. @param q r
    void update(const double* q);
    /// Whether the lattice belongs to this q.
    bool isCurrent(const double* q) const;

    /// @param body the same one, at the q of the last update(); where that bends it by more than half a cell its boxes
    /// should be current (DeformedBody::refit), see needsBoxes(): strongly bent cells are found by them
    /// @param world m
    /// @param near  a sphere of the body near the point, from the last query beside it; takes the nearest one where the
    /// boxes were asked. May be null
    FieldSample sample(const DeformedBody& body, const Vector3& world, int* near = nullptr) const;
    /// Whether sample() descends the body's tree of boxes.
    bool needsBoxes() const { return m_largest > 0.5 * m_model->surface().lattice.spacing; }
    /// Outward normal of a surface point as the body is bent now, unit, world.
    Vector3 surfaceNormal(const DeformedBody& body, int sphere) const;

private:
    /// u and its derivatives at a point of the mesh frame: affine beyond the borders of the cell that carries it.
    void displacement(const Vector3& rest, Vector3& u, Matrix3& derivative) const;
    Vector3 pullBack(const Vector3& mesh, Vector3 start, Matrix3& gradient) const;

    std::shared_ptr<const SurfaceModel> m_model;
    VectorX m_q;               ///< r, of the displacements
    VectorXf m_displacements;  ///< 3v, mesh frame, m
    double m_largest = 0.0;    ///< largest of their components, m
};

/// The sphere of a body whose centre is nearest to a point. @param body with current boxes @param world m
/// @param guess  a sphere: the nearer it is, the sooner the answer is there; of several that are as near it may be
/// taken
int nearestSphere(const DeformedBody& body, const Vector3& world, int guess = 0);

}  // namespace pliant
