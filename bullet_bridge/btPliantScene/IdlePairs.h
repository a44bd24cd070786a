// SPDX-License-Identifier: Zlib
// Pairs of which neither moves freely do nothing to each other: no constraint could move either. At the start of a
// scene such pairs are told by the program; those that come to meet later are noted here.
#pragma once

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "btPliantScene/BodyNames.h"

namespace btPliantInternal {

class IdlePairs {
public:
    /// Takes pairs that stand in each other already as known.  @param data in its world, before its first step
    explicit IdlePairs(const SceneData& data);
    /// Between steps: notes pairs that have come to meet, once a pair of groups. Looks at what has moved, ten times in
    /// a second of the scene.
    void look(const SceneData& data);
    /// A sentence for each, with the place in the file, names and time, and what to do.
    const std::vector<std::string>& told() const { return m_told; }

private:
    /// A body that does not move freely.
    struct Standing {
        const btRigidBody* body;
        int group;  ///< Number of its group, rigid ones after reduced ones; -1: the ground.
        bool bends;
        std::string where;       ///< Of its group in the file.
        btVector3 lower, upper;  ///< Box in the world when it was looked at last, m.
        bool hasMoved;
        bool wasThere;  ///< Whether it was in the world when boxes were compared last.
    };
    void refresh();
    bool meet(const SceneData& data, const Standing& a, const Standing& b) const;
    template <class Found>
    void forMeeting(const SceneData& data, const Found& found);

    BodyNames m_names;
    std::vector<Standing> m_standing;
    std::set<std::pair<const btRigidBody*, const btRigidBody*>> m_known;
    std::set<std::pair<int, int>> m_groups;
    std::vector<std::string> m_told;
    double m_next = 0.0;  ///< Time of the next look, s.
};

}  // namespace btPliantInternal
