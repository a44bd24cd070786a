// SPDX-License-Identifier: Zlib
// A libspnav whose cap is pushed fully up and to the right, once.
namespace {
bool isOpen = false, isTold = false;
}  // namespace

extern "C" {

__attribute__((visibility("default"))) int spnav_open() {
    if (isOpen) return -1;
    isOpen = true;
    isTold = false;
    return 0;
}

__attribute__((visibility("default"))) int spnav_close() {
    isOpen = false;
    return 0;
}

__attribute__((visibility("default"))) int spnav_poll_event(void* to) {
    int* event = static_cast<int*>(to);
    if (isTold) return 0;
    isTold = true;
    const int motion[] = {1, 350, 350, 0, 0, 0, 0};
    for (int i = 0; i < 7; ++i) event[i] = motion[i];
    return 1;
}
}
