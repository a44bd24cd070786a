// SPDX-License-Identifier: Zlib
#include "pliant/hand/SpaceMouseDevice.h"

#include <dlfcn.h>
#include <poll.h>

#include "pliant/math/Error.h"

namespace pliant {

namespace {

/// spnav_event_motion of spnav.h, which a build need not have; larger than any event of libspnav.
struct MotionEvent {
    int type;
    int x, y, z;  ///< right, up, away from the user, and turns about these: what spacenavd makes of a cap's own axes
    int rx, ry, rz;
    unsigned int period;
    int* data;
    long spare[4];
};
constexpr int kMotion = 1;
constexpr double kFull = 350.0;  ///< of a cap that is pushed as far as it goes

/// Whether the other end of a socket is gone; without waiting. libspnav tells that as it tells a cap that rests.
bool hasHungUp(int socket) {
    pollfd state{socket, POLLIN, 0};
    return socket >= 0 && poll(&state, 1, 0) > 0 && (state.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

}  // namespace

SpaceMouseDevice::SpaceMouseDevice(const ToolPose& pose, const RateSettings& settings, const std::string& library)
    : m_hand(pose, settings), m_library(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!m_library)
        throw Error("SpaceMouse", library + " is not there", "install libspnav (Debian: libspnav0) and spacenavd");
    const auto open = reinterpret_cast<int (*)()>(dlsym(m_library, "spnav_open"));
    m_close = reinterpret_cast<int (*)()>(dlsym(m_library, "spnav_close"));
    m_poll = reinterpret_cast<int (*)(void*)>(dlsym(m_library, "spnav_poll_event"));
    const auto socket = reinterpret_cast<int (*)()>(dlsym(m_library, "spnav_fd"));
    const bool complete = open && m_close && m_poll && socket;
    if (complete && open() != -1) {
        m_socket = socket();
        return;
    }
    dlclose(m_library);
    if (!complete) throw Error("SpaceMouse", library + " is no libspnav", "install libspnav (Debian: libspnav0)");
    throw Error("SpaceMouse", "the service spacenavd does not answer", "start it, and close other users of the device");
}

SpaceMouseDevice::~SpaceMouseDevice() {
    m_close();
    dlclose(m_library);
}

bool SpaceMouseDevice::read(double time, ToolPose& pose) {
    if (hasHungUp(m_socket)) return false;
    // Bounded, so that a flood of events cannot hold the cycle.
    for (int i = 0; i < 64; ++i) {
        MotionEvent event{};
        const int type = m_poll(&event);
        if (type == 0) break;
        if (type != kMotion) continue;
        const double axes[6] = {event.x / kFull,  event.z / kFull,  event.y / kFull,
                                event.rx / kFull, event.rz / kFull, event.ry / kFull};
        for (int axis = 0; axis < 6; ++axis) m_hand.deflect(axis, axes[axis]);
    }
    pose = m_hand.at(time);
    return true;
}

void SpaceMouseDevice::write(double, const Wrench&) {}

}  // namespace pliant
