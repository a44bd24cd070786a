// SPDX-License-Identifier: Zlib
// A tool of a scene that goes in cycles of its own beside the world.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "btPliant/btPliantHandThread.h"
#include "btPliantScene/SceneData.h"

namespace btPliantInternal {

/// What the thread of a hand asks in place of the scene's device, which may be exchanged meanwhile.
class SceneDevice : public pliant::HandDevice {
public:
    /// @param scale factor on the device's ways from its first pose on
    explicit SceneDevice(double scale) : m_scale(scale) {}
    bool read(double time, pliant::ToolPose& pose) override;
    void write(double time, const pliant::Wrench& wrench) override;
    /// @param device null: none  @param origin that its ways are scaled from; none: its first pose
    void set(std::shared_ptr<pliant::HandDevice> device, std::optional<pliant::ToolPose> origin);

private:
    std::mutex m_mutex;
    const double m_scale;
    std::shared_ptr<pliant::HandDevice> m_device;
    std::optional<pliant::ToolPose> m_origin;
};

struct HandBeside {
    std::shared_ptr<SceneDevice> device;
    std::unique_ptr<btPliantHandThread> hand;
    btRigidBody* body = nullptr;  ///< Shown where the tool is; it touches nothing.
    bool hasBegun = false;        ///< Whether the hand has seen the world.
};

/// Makes the hand of a tool, and takes its body out of the world's contacts. @throws pliant::Error
std::unique_ptr<HandBeside> makeHandBeside(SceneData& data, const pliant::scene::Tool& tool, btRigidBody& body);
/// Before a step of the world, of `step` seconds: the bodies get what the hand has done to them.
void stepBeside(HandBeside& beside, double step);
/// After it: the hand sees the world anew, and the body stands where the tool is. @return what the device was sent
pliant::Wrench showBeside(HandBeside& beside, double step);

}  // namespace btPliantInternal
