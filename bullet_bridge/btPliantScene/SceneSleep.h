// SPDX-License-Identifier: Zlib
// Internal: who of a scene does not fall asleep yet.
#pragma once

namespace btPliantInternal {

struct SceneData;

/// After a step: what touches nothing that stands, neither itself nor through others that it touches, stays awake while
/// it moves, whatever it is joined to. Bullet puts to sleep whatever has been slower than 0.8 m/s and 1 rad/s for two
/// seconds, as a pendulum of 1 m and 10 degrees always is. Does not go to the heap once the bodies are there.
void keepAwakeWhatNothingCarries(SceneData& data);

}  // namespace btPliantInternal
