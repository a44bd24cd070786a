// SPDX-License-Identifier: Zlib
// The bodies of a scene one by one, as poses have them: what files of a run need to name and find each.
#pragma once

#include <string>
#include <vector>

#include "pliant/scene/SceneDescription.h"
#include "pliant/scene/ScenePoses.h"

namespace pliant::program {

/// A body of a scene: a reduced one is `number` of `model`, a rigid one `number` of all rigid ones.
struct SceneBody {
    std::string name;            ///< The group's, or its model's or shape's; "crate[4]" where there are several copies.
    int model = -1;              ///< Index in SceneDescription::models; -1: it is rigid.
    std::size_t group = 0;       ///< Index in SceneDescription::bodies, or of rigid ones in SceneDescription::rigid.
    std::size_t number = 0;      ///< Index in the Poses of the model, or in ScenePoses::rigid.
    bool isFirstOfGroup = true;  ///< Whether it is the first copy.

    bool isRigid() const { return model < 0; }
    bool isShownIn(const scene::ScenePoses& poses) const {
        if (isRigid()) return poses.isRigidShown[number] != 0;
        return poses.isShown[static_cast<std::size_t>(model)][number] != 0;
    }
    /// World from body; of characters it counts not.
    const RigidTransform& placeIn(const scene::ScenePoses& poses) const {
        if (isRigid()) return poses.rigid[number];
        return poses.models[static_cast<std::size_t>(model)].worldFromBody[number];
    }
    /// The reduced coordinates; null for rigid bodies.
    const double* coordinatesIn(const scene::ScenePoses& poses) const {
        return isRigid() ? nullptr : poses.models[static_cast<std::size_t>(model)].qOf(static_cast<int>(number));
    }
};

/// All bodies, reduced ones before rigid ones, in the order of the file.
std::vector<SceneBody> bodiesOf(const scene::SceneDescription& scene);

}  // namespace pliant::program
