// SPDX-License-Identifier: Zlib
#include "pliant/hand/SpaceMouseHidDevice.h"

#include <dlfcn.h>

#include "pliant/math/Error.h"

namespace pliant {

namespace {

/// The beginning of hid_device_info of hidapi.h, which a build need not have. Versions have added to its end.
struct HidInfo {
    char* path;
    unsigned short vendor, product;
    wchar_t* serial;
    unsigned short release;
    wchar_t *maker, *name;
    unsigned short usagePage, usage;
    int interface;
    HidInfo* next;
};
constexpr unsigned short kVendors[] = {0x256f, 0x046d};            // 3Dconnexion, and Logitech, which sold caps first.
constexpr unsigned short kDesktopPage = 1, kControllerOfAxes = 8;  // USB HID Usage Tables, chapter 4.
constexpr double kSilentPush = 0.25;  // s; a cap that is pushed tells it 60 to 125 times a second, changed or not

/// The functions of hidapi that find and open a cap.
struct HidDoor {
    HidInfo* (*enumerate)(unsigned short, unsigned short) = nullptr;
    void (*free)(HidInfo*) = nullptr;
    void* (*open)(const char*) = nullptr;
    int (*setNonblocking)(void*, int) = nullptr;
    void (*close)(void*) = nullptr;
};

template <class Function>
void find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
}

/// The path of the first cap that is plugged in; empty: there is none. One receiver is several devices, and Logitech's
/// mice and keyboards are others, so that the use is asked for and not the product.
std::string pathOfCap(const HidDoor& hid) {
    std::string path;
    for (const unsigned short vendor : kVendors) {
        HidInfo* const all = hid.enumerate(vendor, 0);
        for (const HidInfo* info = all; info && path.empty(); info = info->next)
            if (info->usagePage == kDesktopPage && info->usage == kControllerOfAxes && info->path) path = info->path;
        hid.free(all);
    }
    return path;
}

/// The open cap. Throws Error when there is none that can be read.
void* openCap(const HidDoor& hid) {
    const std::string path = pathOfCap(hid);
    if (path.empty()) throw Error("SpaceMouse", "there is none", "plug one or its receiver in");
    void* const device = hid.open(path.c_str());
    // A cycle must not wait for the cap.
    if (device && hid.setNonblocking(device, 1) == 0) return device;
    if (device) hid.close(device);
    throw Error("SpaceMouse", path + " cannot be opened", "give your user the right to read and write it");
}

}  // namespace

SpaceMouseHidDevice::SpaceMouseHidDevice(const ToolPose& pose, const RateSettings& settings, const std::string& library)
    // The library stays: it keeps a message of its own, which nobody may free as long as others use it.
    : m_hand(pose, settings),
      m_deadZone(settings.deadZone),
      m_library(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) {
    if (!m_library) throw Error("SpaceMouse", library + " is not there", "install hidapi (Debian: libhidapi-hidraw0)");
    HidDoor hid;
    find(m_library, "hid_enumerate", hid.enumerate);
    find(m_library, "hid_free_enumeration", hid.free);
    find(m_library, "hid_open_path", hid.open);
    find(m_library, "hid_set_nonblocking", hid.setNonblocking);
    find(m_library, "hid_close", hid.close);
    find(m_library, "hid_read", m_read);
    m_close = hid.close;
    try {
        if (!(hid.enumerate && hid.free && hid.open && hid.setNonblocking && m_read && m_close))
            throw Error("SpaceMouse", library + " is no hidapi", "install hidapi (Debian: libhidapi-hidraw0)");
        m_device = openCap(hid);
    } catch (...) {
        dlclose(m_library);
        throw;
    }
}

SpaceMouseHidDevice::~SpaceMouseHidDevice() {
    m_close(m_device);
    dlclose(m_library);
}

void SpaceMouseHidDevice::takeReports(double time) {
    // Bounded, so that a flood of reports cannot hold the cycle.
    for (int i = 0; i < 64; ++i) {
        unsigned char report[64];
        const int length = m_read(m_device, report, sizeof report);
        if (length < 0) m_isThere = false;
        if (length <= 0) return;
        if (takeCapReport(report, static_cast<std::size_t>(length), m_cap) == CapReport::Motion) m_heard = time;
    }
}

bool SpaceMouseHidDevice::isPushed() const {
    return deflectionsOf(m_cap).cwiseAbs().maxCoeff() > m_deadZone;
}

bool SpaceMouseHidDevice::read(double time, ToolPose& pose) {
    if (m_isThere) takeReports(time);
    if (!m_isThere || (isPushed() && time - m_heard > kSilentPush)) return false;
    const Vector6 deflections = deflectionsOf(m_cap);
    for (int axis = 0; axis < 6; ++axis) m_hand.deflect(axis, deflections[axis]);
    pose = m_hand.at(time);
    return true;
}

void SpaceMouseHidDevice::write(double, const Wrench&) {}

}  // namespace pliant
