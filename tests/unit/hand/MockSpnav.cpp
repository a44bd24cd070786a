// SPDX-License-Identifier: Zlib
// A libspnav whose cap is pushed fully to the right, up and towards the user, and rolled, once, and whose service can
// be ended.
#include <sys/socket.h>
#include <unistd.h>

namespace {
bool isOpen = false, isTold = false;
int ends[2] = {-1, -1};  // The library's and the service's.
}  // namespace

extern "C" {

__attribute__((visibility("default"))) int spnav_open() {
    if (isOpen) return -1;
    isOpen = socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0;
    if (!isOpen) return -1;
    isTold = false;
    return 0;
}

__attribute__((visibility("default"))) int spnav_close() {
    isOpen = false;
    for (int& end : ends) {
        if (end >= 0) close(end);
        end = -1;
    }
    return 0;
}

__attribute__((visibility("default"))) int spnav_fd() {
    return ends[0];
}

// What happens when spacenavd ends.
__attribute__((visibility("default"))) void mock_spnav_end_service() {
    close(ends[1]);
    ends[1] = -1;
}

__attribute__((visibility("default"))) int spnav_poll_event(void* to) {
    int* event = static_cast<int*>(to);
    if (isTold) return 0;
    isTold = true;
    const int motion[] = {1, 350, 350, -350, 0, 0, 350};
    for (int i = 0; i < 7; ++i) event[i] = motion[i];
    return 1;
}
}
