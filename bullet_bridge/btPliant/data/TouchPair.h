// SPDX-License-Identifier: Zlib
// Internal: the distributed contact of one pair, from substep to substep.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "btPliant/btPliantTouch.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/touch/DistributedQuery.h"

class btPliantBody;
class btCollisionObject;
class btCollisionShape;

namespace btPliantInternal {

/// In btPersistentManifold::m_companionIdA of those whose points no constraints are made of: an element does their
/// work.
constexpr int kTouchManifold = -7;

/// What a user has asked for.
struct TouchRequest {
    const btPliantBody* body = nullptr;
    const btCollisionObject* other = nullptr;  ///< The other object; null: any.
    btPliantTouchSettings settings;
    std::shared_ptr<const pliant::DistributedShell> shell;  ///< Shell of the body.
};

/// The points of one body in the field of the other.
struct TouchRole {
    bool shellIsA = true;                               ///< Whether the pair's body `a` has the shell.
    std::shared_ptr<const pliant::ReducedModel> model;  ///< Model of the shell, whose lattice `query` refers to.
    std::unique_ptr<pliant::DistributedQuery> query;
    double share = 1.0;                           ///< Share of the pressure.
    pliant::VectorX fieldCoordinates;             ///< Coordinates q of the field's body in the last substep.
    const btCollisionShape* shape = nullptr;      ///< That the field was of in the last substep; of a shape.
    btVector3 shapeLower, shapeUpper;             ///< Its box then.
    pliant::RigidTransform worldFromField;        ///< Place of the field when the points were found.
    std::vector<pliant::DistributedPoint> found;  ///< Points of the substep, ascending.
    std::vector<pliant::Vector3> fieldNormal;     ///< Normals of the field at `found`, outward, field's frame.
    /// How flat the field is around those of `found` whose normal is tilted against its own, 0 to 1; 0 for the others.
    std::vector<double> flatness;
    std::vector<pliant::Vector3> fieldRest;  ///< Rest places of `found`, mesh frame of the field's body, m.

    /// The bristle of a point that touched in the last substep.
    struct Bristle {
        int point = -1;
        pliant::Vector3 bend = pliant::Vector3::Zero();  ///< Bend in the field's frame, m.
        double normalForce = 0.0;                        ///< Normal force, N.
    };
    std::vector<Bristle> bristles;  ///< Bristles, ascending by point.

    /// What a point gave to the pair's body `a` when the pair was last solved, for contact sensors. What sleeps keeps
    /// it.
    struct Given {
        int point = -1;
        pliant::Vector3 place = pliant::Vector3::Zero();      ///< World, m, where its force acts.
        pliant::Vector3 normal = pliant::Vector3::Zero();     ///< Unit, world, the way that `a` is pushed.
        pliant::Vector3 friction = pliant::Vector3::Zero();   ///< Impulse beside the normal, on `a`, N s.
        pliant::Vector3 fieldRest = pliant::Vector3::Zero();  ///< As TouchRole::fieldRest, m.
        double normalImpulse = 0.0, depth = 0.0;              ///< N s, m.
    };
    std::vector<Given> given;  ///< Points that pressed, ascending by point.
};

struct TouchPair {
    btPliantTouchSettings settings;
    std::vector<TouchRole> roles;
    btPliantContactPatch patch;  ///< Patch on the pair's body `a`, of when it was last solved. What sleeps keeps it.
    /// What the other object gets, N m, about its own centre where the points pressed: the centres go on in the step.
    btVector3 otherTorque = btVector3(0, 0, 0);

    /// Nothing is pressed any more. Keeps the memory of the points.
    void clearPatch() {
        std::vector<btPliantContactPatch::Point> points = std::move(patch.m_points);
        points.clear();
        patch = {};
        patch.m_points = std::move(points);
        otherTorque.setZero();
    }
};

}  // namespace btPliantInternal
