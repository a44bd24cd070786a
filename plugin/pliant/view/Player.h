// SPDX-License-Identifier: Zlib
/// @file
/// A recorded run at any moment, forwards and backwards.
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/view/StateLog.h"

namespace pliant {

/// A recorded run at any moment, forwards and backwards, between its frames too.
///
///     pliant::Player player(pliant::StateLog("drop.states"));
///     std::vector<pliant::Poses> poses;
///     player.at(1.25, poses);
///     for (std::size_t i = 0; i < poses.size(); ++i) groups[i]->show(poses[i]);
class PLIANT_API Player {
public:
    /// Plays a log.
    explicit Player(StateLog log);

    /// What is played.
    const StateLog& log() const { return m_log; }
    /// The time of the first frame, s; 0 where there is none.
    double start() const;
    /// The time of the last frame, s; 0 where there is none.
    double end() const;
    /// The frame that is shown at a time: the last one that is not later; the first one before it, -1 where there is
    /// none.
    int frameAt(double time) const;
    /// Where bodies are at a time, interpolated (InterpolatePoses.h); before the start and after the end as there.
    /// @param time s
    /// @param poses one Poses a group, written; memory is used again. Empty where the log has no frame
    void at(double time, std::vector<Poses>& poses);

private:
    void hold(int frame);

    StateLog m_log;
    int m_held = -1;  ///< the frame of m_before
    std::vector<Poses> m_before, m_after;
};

}  // namespace pliant
