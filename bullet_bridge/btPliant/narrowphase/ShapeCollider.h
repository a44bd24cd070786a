// SPDX-License-Identifier: Zlib
// Internal: how contacts with one kind of shape of Bullet's are found. shapes/ShapeColliders.cpp has the table, with a
// row for each kind. Beside it ask which kind a shape is: ShapeAxis.cpp (shapes of revolution), MotionPrediction.cpp
// (spheres) and btPliantScene/Silhouette.cpp (what an air stream sees).
#pragma once

#include <vector>

#include "btPliant/data/ContactPair.h"
#include "pliant/touch/TouchField.h"

namespace pliant {
struct ShapeEdges;
}

namespace btPliantInternal {

class ShapePointVisitor;

using SkeletonContacts = std::vector<pliant::SkeletonContact>;

/// The shape of the other object of a pair, where it stands in the world.
struct PlacedShape {
    const btCollisionShape& shape;
    const btTransform& transform;
};

/// Its signed distance in closed form, where it stands.
struct ShapeField {
    pliant::AnalyticField field;
    pliant::RigidTransform worldFromField;

    /// The distance alone. @param world m
    double distance(const pliant::Vector3& world) const {
        return field.distance(worldFromField.rotation.transpose() * (world - worldFromField.translation));
    }
    /// @param world m @return without the place at rest
    pliant::FieldSample sample(const pliant::Vector3& world) const {
        const pliant::Vector3 local = worldFromField.rotation.transpose() * (world - worldFromField.translation);
        pliant::FieldSample there;
        there.distance = field.distance(local);
        there.normal = worldFromField.rotation * field.normal(local, there.rest);
        return there;
    }
};

/// A row of the table. In all of its functions A is the reduced body `pair.a`, B the shape; distances are in metres.
struct ShapeCollider {
    const char* name;
    /// Whether the row is for this shape; the first row that says so is taken.
    bool (*takes)(const btCollisionObjectWrapper& other);
    /// Appends contacts within `reach`, unclustered, ascending by feature.
    void (*discrete)(ContactPair& pair, const PlacedShape& placed, double reach, SkeletonContacts& out);
    /// The same for what comes within `reach` during the step to the predicted state (MotionPrediction.h).
    /// @param step s
    void (*continuous)(ContactPair& pair, const PlacedShape& placed, double step, double reach, SkeletonContacts& out);
    /// Margin that the shape's contacts are found without, so that it is still to be subtracted. Null: none.
    double (*margin)(const ContactPair& pair, const btCollisionShape& shape);
    /// Whether bounds tell that a fast pair does not come within reach in the step. Null: they are not asked.
    bool (*staysApart)(const ContactPair& pair, const PlacedShape& placed, double step);
    /// What the discrete contacts of a pair found in parallel will need. Null: the bounding volumes.
    Requirement (*requirement)(const ContactPair& pair, const PlacedShape& placed, double step);
    /// Visits the points by which the shape touches the surface of a solid. Null: the surface's own points are enough.
    void (*points)(const btCollisionShape& shape, ShapePointVisitor& visitor);
    /// Collects the edges by which the shape touches edges of thin solids. Null: it has none, or all are round.
    void (*sharpEdges)(const PlacedShape& placed, const pliant::Aabb& near, pliant::ShapeEdges& out);
    /// The shape as a field of distributed contact. Null: it has none.
    void (*field)(const PlacedShape& placed, ShapeField& out);
    /// Leaves out contacts of a solid with edges that its points go past in the step: discrete ones, and where hasEdges
    /// those of fast steps. Null: none.
    /// @param margins m, of both, to be subtracted from distances as yet
    void (*leaveOutPassed)(const ContactPair& pair, const PlacedShape& placed, double step, double margins,
                           SkeletonContacts& found);
    /// Whether its contacts may be found by any thread, before Bullet asks for the pair.
    bool isParallel;
    /// Whether its field has edges: there a plane across a normal says nothing of the faces, and Bullet rounds them.
    bool hasEdges;
};

/// The row of a shape, which shapes/ShapeColliders.cpp has with all others; null: reduced bodies do not touch it.
const ShapeCollider* colliderOf(const btCollisionObjectWrapper& other);

}  // namespace btPliantInternal
