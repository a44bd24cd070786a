// SPDX-License-Identifier: Zlib
// A hidapi with a keyboard, a mouse and a cap, whose reports a test chooses. It is made with hidapi's own header, so
// that what the library under test knows of it is held against that.
#include "MockHidapi.h"

#include <hidapi.h>

#include <cstring>
#include <deque>
#include <string>
#include <vector>

struct hid_device_ {};

namespace {

MockHidapi state;
std::deque<std::vector<unsigned char>> reports;
hid_device_ cap;
char keyboardPath[] = "keyboard", mousePath[] = "mouse", capPath[] = "cap";
hid_device_info keyboard{}, mouse{}, capInfo{};

}  // namespace

#define SHOWN extern "C" __attribute__((visibility("default")))

SHOWN MockHidapi* mock_hidapi_state() {
    return &state;
}

SHOWN void mock_hidapi_send(const unsigned char* report, std::size_t length) {
    reports.emplace_back(report, report + length);
}

SHOWN hid_device_info* hid_enumerate(unsigned short vendor, unsigned short product) {
    ++state.listed;
    if (product != 0) return nullptr;
    keyboard = {}, mouse = {}, capInfo = {};
    keyboard.path = keyboardPath;
    keyboard.usage_page = mouse.usage_page = capInfo.usage_page = 1;
    keyboard.usage = 6;
    mouse.path = mousePath;
    mouse.usage = 2;
    capInfo.path = capPath;
    capInfo.usage = 8;
    keyboard.vendor_id = mouse.vendor_id = capInfo.vendor_id = vendor;
    keyboard.next = &mouse;
    mouse.next = vendor == state.vendor ? &capInfo : nullptr;
    return &keyboard;
}

SHOWN void hid_free_enumeration(hid_device_info* all) {
    if (all == &keyboard) --state.listed;
}

SHOWN hid_device* hid_open_path(const char* path) {
    if (!state.mayBeRead || std::strcmp(path, capPath) != 0) return nullptr;
    ++state.open;
    reports.clear();
    return &cap;
}

SHOWN int hid_set_nonblocking(hid_device* device, int nonblock) {
    return device == &cap && nonblock == 1 && state.mayBeAsked ? 0 : -1;
}

SHOWN int hid_read(hid_device* device, unsigned char* data, std::size_t length) {
    if (device != &cap || !state.isPlugged) return -1;
    if (reports.empty()) return 0;
    const std::vector<unsigned char> report = reports.front();
    reports.pop_front();
    const std::size_t count = report.size() < length ? report.size() : length;
    std::memcpy(data, report.data(), count);
    return static_cast<int>(count);
}

SHOWN void hid_close(hid_device* device) {
    if (device == &cap) --state.open;
}
