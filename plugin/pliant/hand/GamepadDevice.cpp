// SPDX-License-Identifier: Zlib
#include "pliant/hand/GamepadDevice.h"

#include "pliant/math/Error.h"

#ifdef __linux__
#include <fcntl.h>
#include <linux/input.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#endif

namespace pliant {

#ifdef __linux__

namespace {

constexpr int kMostFiles = 64;  // event0 and so on

/// The number of a file of events that can be read; negative: errno.
int openEvents(const std::string& file) {
    int descriptor = open(file.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);  // motors need writing
    if (descriptor < 0) descriptor = open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    return descriptor;
}

bool isGamepad(int descriptor) {
    unsigned char keys[KEY_MAX / 8 + 1] = {};
    if (ioctl(descriptor, EVIOCGBIT(EV_KEY, sizeof keys), keys) < 0) return false;
    return (keys[BTN_SOUTH / 8] >> (BTN_SOUTH % 8) & 1) != 0;
}

int openGamepad(const std::string& file) {
    if (!file.empty()) {
        const int descriptor = openEvents(file);
        if (descriptor < 0)
            throw Error(file, std::string("cannot read the gamepad: ") + std::strerror(errno),
                        "give your user the right to read it, or name another file");
        return descriptor;
    }
    bool mayNot = false;
    for (int i = 0; i < kMostFiles; ++i) {
        const int descriptor = openEvents("/dev/input/event" + std::to_string(i));
        mayNot = mayNot || (descriptor < 0 && errno == EACCES);
        if (descriptor < 0) continue;
        if (isGamepad(descriptor)) return descriptor;
        close(descriptor);
    }
    throw Error("gamepad", mayNot ? "none that may be read" : "there is none",
                mayNot ? "give your user the right to read /dev/input" : "plug one in");
}

constexpr int kGamepadAxes[6] = {ABS_X, ABS_Y, ABS_Z, ABS_RX, ABS_RY, ABS_RZ};

}  // namespace

GamepadDevice::GamepadDevice(const ToolPose& pose, const RateSettings& settings, double fullForce,
                             const std::string& file)
    : GamepadDevice(pose, settings, fullForce, openGamepad(file)) {}

GamepadDevice::GamepadDevice(const ToolPose& pose, const RateSettings& settings, double fullForce, int descriptor)
    : m_hand(pose, settings), m_fullForce(fullForce), m_file(descriptor) {
    readRanges();
}

GamepadDevice::~GamepadDevice() {
    close(m_file);
}

void GamepadDevice::readRanges() {
    for (int i = 0; i < 6; ++i) {
        const bool isTrigger = kGamepadAxes[i] == ABS_Z || kGamepadAxes[i] == ABS_RZ;
        m_ranges[static_cast<std::size_t>(i)] = isTrigger ? Range{0.0, 255.0} : Range{-32768.0, 32767.0};
        input_absinfo info{};
        if (ioctl(m_file, static_cast<unsigned long>(EVIOCGABS(kGamepadAxes[i])), &info) >= 0 &&
            info.maximum > info.minimum)
            m_ranges[static_cast<std::size_t>(i)] = {static_cast<double>(info.minimum),
                                                     static_cast<double>(info.maximum)};
    }
}

void GamepadDevice::take(int type, int code, int value) {
    if (type == EV_KEY && (code == BTN_TL || code == BTN_TR))
        m_hand.deflect(4, value == 0 ? 0.0 : code == BTN_TR ? 1.0 : -1.0);
    if (type != EV_ABS) return;
    const auto* axis = std::find(std::begin(kGamepadAxes), std::end(kGamepadAxes), code);
    if (axis == std::end(kGamepadAxes)) return;
    const Range range = m_ranges[static_cast<std::size_t>(axis - kGamepadAxes)];
    const double share = (value - range.least) / (range.most - range.least), stick = 2.0 * share - 1.0;
    switch (code) {
        case ABS_X:
            return m_hand.deflect(0, stick);
        case ABS_Y:  // down is positive
            return m_hand.deflect(1, -stick);
        case ABS_RX:
            return m_hand.deflect(5, stick);
        case ABS_RY:
            return m_hand.deflect(3, stick);
        default:
            m_lift[code == ABS_RZ ? 1 : 0] = share;
            return m_hand.deflect(2, m_lift[1] - m_lift[0]);
    }
}

bool GamepadDevice::read(double time, ToolPose& pose) {
    input_event events[64];
    const ssize_t length = m_isThere ? ::read(m_file, events, sizeof events) : 0;
    if (length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR)) m_isThere = false;
    if (!m_isThere) return false;
    for (ssize_t i = 0; i < length / static_cast<ssize_t>(sizeof(input_event)); ++i)
        take(events[i].type, events[i].code, events[i].value);
    pose = m_hand.at(time);
    return true;
}

void GamepadDevice::rumble(double strength) {
    ff_effect effect{};
    effect.type = FF_RUMBLE;
    effect.id = static_cast<__s16>(m_effect);
    effect.u.rumble.strong_magnitude = static_cast<__u16>(strength * 0xffff);
    effect.u.rumble.weak_magnitude = static_cast<__u16>(strength * strength * 0xffff);
    effect.replay.length = 1000;
    if (ioctl(m_file, EVIOCSFF, &effect) < 0) {
        m_effect = -2;
        return;
    }
    m_effect = effect.id;
    input_event play{};
    play.type = EV_FF;
    play.code = static_cast<__u16>(m_effect);
    play.value = 1;
    // A motor that does not hear of it is no failure of the cycle.
    if (::write(m_file, &play, sizeof play) < 0) m_effect = -2;
}

void GamepadDevice::write(double time, const Wrench& wrench) {
    if (m_effect == -2 || !m_isThere) return;
    const double strength = std::min(wrench.force.norm() / m_fullForce, 1.0);
    // Motors are slow and each change is a call into the system: when it is felt, and before an effect ends.
    const bool isNews = std::abs(strength - m_strength) > 0.03 || (strength > 0.03 && time - m_rumbleTime > 0.5);
    if (!(isNews && time - m_rumbleTime > 0.02)) return;
    m_strength = strength;
    m_rumbleTime = time;
    rumble(strength);
}

#else

GamepadDevice::GamepadDevice(const ToolPose& pose, const RateSettings& settings, double fullForce, const std::string&)
    : GamepadDevice(pose, settings, fullForce, -1) {}

GamepadDevice::GamepadDevice(const ToolPose& pose, const RateSettings& settings, double fullForce, int)
    : m_hand(pose, settings), m_fullForce(fullForce) {
    throw Error("gamepad", "gamepads are read on Linux alone", "use another device");
}

GamepadDevice::~GamepadDevice() = default;

bool GamepadDevice::read(double, ToolPose&) {
    return false;
}

void GamepadDevice::write(double, const Wrench&) {}

#endif

}  // namespace pliant
