// SPDX-License-Identifier: Zlib
/// @file
/// Contacts of deformed bodies for an engine that has its own rigid bodies and its own solver. How an
/// engine uses them can be read in examples/own_engine; Bullet's bridge has pairs of its own.
///
/// A contact acts on three things of a body: its linear velocity along the normal n, its angular velocity by the arm
/// crossed with n, and its modes by J = U_s' n, which CollidingBody::project() gives. BodyBatch::response() says what
/// an impulse does to the last two.
///
/// Nothing here throws after construction. Bodies may be asked by several threads at once; what changes a body or a
/// memory of contacts must not run beside them. The same calls give the same bits on every processor.
#pragma once

#include <memory>
#include <vector>

#include "pliant/collision/body/CapsuleSegment.h"
#include "pliant/collision/pair/SkeletonContact.h"
#include "pliant/math/Api.h"
#include "pliant/model/ReducedModel.h"

namespace pliant {

class CollisionModel;

/// What all bodies of one model share for collision; to be made once and given to each of them.
/// @throws Error where the skeleton or its tree is malformed, which models from loadModel() are not
PLIANT_API std::shared_ptr<const CollisionModel> makeCollisionModel(std::shared_ptr<const ReducedModel> model);

/// One body as collision sees it: its skeleton, bent by q and carried by its frame.
class PLIANT_API CollidingBody {
public:
    /// A body at rest at the origin.
    /// @param model from makeCollisionModel()
    explicit CollidingBody(std::shared_ptr<const CollisionModel> model);
    ~CollidingBody();
    CollidingBody(CollidingBody&&) noexcept;             ///< Takes the body over.
    CollidingBody& operator=(CollidingBody&&) noexcept;  ///< Takes the body over.

    /// Moves the body. What is not finite leaves it where it is.
    /// @param q r x 1, m sqrt(kg)
    /// @param worldFromBody of the body frame (ReducedModel.h), not of the mesh frame
    /// @return whether it was moved
    bool move(const double* q, const RigidTransform& worldFromBody);
    /// The frame that move() has set.
    const RigidTransform& worldFromBody() const;
    /// Bounds of all segments, world, m: for a broad phase.
    void bounds(Vector3& lower, Vector3& upper) const;
    /// The segments that may come within `margin` metres of a box of the world; none is missed.
    /// @param found replaced, in the order of the tree
    void segmentsNear(const Vector3& lower, const Vector3& upper, double margin,
                      std::vector<CapsuleSegment>& found) const;
    /// The modal part J = U_s' d of a direction at a point of the skeleton: r x 1, 1/sqrt(kg).
    /// @param segment of a contact, @param parameter of it, as SkeletonContact has it
    /// @param direction d, world
    /// @param modal r x 1, written
    void project(int segment, float parameter, const Vector3& direction, double* modal) const;

private:
    friend class PairContacts;
    friend class PlaneContacts;
    struct PLIANT_HIDDEN Data;
    std::unique_ptr<Data> m_data;
};

/// The contacts of a pair of bodies, and what they remember: sides that segments are on, so that they do not pass
/// through each other, and candidates. One for each pair, always asked with the same two bodies.
class PLIANT_API PairContacts {
public:
    PairContacts();
    ~PairContacts();
    PairContacts(PairContacts&&) noexcept;             ///< Takes the memory over.
    PairContacts& operator=(PairContacts&&) noexcept;  ///< Takes the memory over.

    /// The contacts with a distance of at most `margin` metres, thinned out to at most three of each region that
    /// touches and 64 in all, the deepest regions first; ascending by feature. Normals point from B to A. Valid until
    /// the next call.
    const std::vector<SkeletonContact>& find(const CollidingBody& a, const CollidingBody& b, double margin);

private:
    struct PLIANT_HIDDEN Data;
    std::unique_ptr<Data> m_data;
};

/// The contacts of a body with a half-space normal . x <= offset, and what they remember.
class PLIANT_API PlaneContacts {
public:
    PlaneContacts();
    ~PlaneContacts();
    PlaneContacts(PlaneContacts&&) noexcept;             ///< Takes the memory over.
    PlaneContacts& operator=(PlaneContacts&&) noexcept;  ///< Takes the memory over.

    /// The contacts with a distance of at most `margin` metres, thinned out as those of PairContacts; segmentB is -1.
    /// @param normal unit, out of the half-space
    /// @param offset m
    const std::vector<SkeletonContact>& find(const CollidingBody& a, const Vector3& normal, double offset,
                                             double margin);

private:
    struct PLIANT_HIDDEN Data;
    std::unique_ptr<Data> m_data;
};

/// The contact of a segment with a shape of the engine's own, which the engine has found.
/// @param segment from CollidingBody::segmentsNear()
/// @param axisPoint on the segment's axis, world
/// @param pointOnOther on the other shape's surface, world
/// @param normal unit, from the other shape to the body
PLIANT_API SkeletonContact contactWithShape(const CapsuleSegment& segment, const Vector3& axisPoint,
                                            const Vector3& pointOnOther, const Vector3& normal);

}  // namespace pliant
