// SPDX-License-Identifier: Zlib
// The fields of a scene at work.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <vector>

#include "btPliantScene/SceneData.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/scene/FieldDescription.h"

namespace btPliantInternal {

/// A triangle of a drawn surface that stands for an equal share of it.
struct SurfacePatch {
    std::array<pliant::MaterialPoint, 3> corners;
    double areaShare = 0.0;  ///< Area of the share over that of the triangle, at rest.
};

/// A field with its formulas bound. What they look at moves with the object, which therefore stays where it is.
struct SceneField {
    explicit SceneField(const pliant::scene::Field& description);
    SceneField(const SceneField&) = delete;
    SceneField& operator=(const SceneField&) = delete;

    const pliant::scene::Field& field;
    double t = 0.0;
    pliant::Vector3 x = pliant::Vector3::Zero();
    std::array<std::function<double()>, 3> vector;
    std::function<double()> strength;
    std::vector<btRigidBody*> bodies;

    /// Velocity of the air, m/s, or acceleration, m/s^2, at a place; zero where a formula has no value.
    pliant::Vector3 at(const pliant::Vector3& place);
    bool isAir() const { return field.kind <= pliant::scene::FieldKind::Vortex; }
};

struct SceneFields {
    explicit SceneFields(const SceneData& data);

    std::vector<std::unique_ptr<SceneField>> fields;
    std::map<const btRigidBody*, int> modelOf;       ///< Model of each reduced body.
    std::vector<std::vector<SurfacePatch>> patches;  ///< Patches of each model.
};

/// Forces on all bodies during the coming step, which begins at data.time.
void applyFields(SceneData& data);

}  // namespace btPliantInternal
