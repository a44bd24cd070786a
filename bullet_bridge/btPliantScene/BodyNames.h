// SPDX-License-Identifier: Zlib
// What the bodies of a scene are called in files that a run writes.
#pragma once

#include <string>
#include <unordered_map>

class btCollisionObject;

namespace btPliantInternal {

struct SceneData;

/// Names of bodies: of their group, or where it has none of its model or its shape; with the number of the copy where
/// there are several. The ground is "ground", and what is not the scene's "other".
class BodyNames {
public:
    explicit BodyNames(const SceneData& data);
    const std::string& of(const btCollisionObject& object) const;

private:
    std::unordered_map<const btCollisionObject*, std::string> m_names;
    std::string m_other = "other";
};

}  // namespace btPliantInternal
