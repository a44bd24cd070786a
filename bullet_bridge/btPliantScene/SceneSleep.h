// SPDX-License-Identifier: Zlib
// Internal: who of a scene does not fall asleep yet.
#pragma once

namespace btPliantInternal {

struct SceneData;

/// After a step: what nothing carries, or holds by a touch, stays awake while it moves. Bullet puts to sleep whatever
/// has been slower than 0.8 m/s and 1 rad/s for two seconds, as a pendulum of 1 m and 10 degrees always is.
void keepAwakeWhatNothingCarries(SceneData& data);

}  // namespace btPliantInternal
