// SPDX-License-Identifier: Zlib
// What a test sees and chooses of the mock of hidapi, which is loaded as the true one is.
#pragma once

#include <cstddef>

struct MockHidapi {
    unsigned short vendor = 0x256f;  // Of the cap; 0: there is none.
    bool mayBeRead = true, mayBeAsked = true, isPlugged = true;
    int listed = 0;  // Lists that nobody has freed.
    int open = 0;    // Devices that nobody has closed.
};

extern "C" {
using MockHidapiState = MockHidapi* (*)();
using MockHidapiSend = void (*)(const unsigned char*, std::size_t);
}
