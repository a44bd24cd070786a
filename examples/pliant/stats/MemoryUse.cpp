// SPDX-License-Identifier: Zlib
#include "stats/MemoryUse.h"

#include <unistd.h>

#include <fstream>
#if defined(__GLIBC__) && (__GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 33))
#include <malloc.h>
#define PLIANT_HAS_MALLINFO
#endif

namespace pliant::program {

MemoryUse memoryUse() {
    MemoryUse use;
    double whole = 0.0, resident = 0.0;  // pages
    if (std::ifstream("/proc/self/statm") >> whole >> resident)
        use.resident = resident * static_cast<double>(sysconf(_SC_PAGESIZE));
#ifdef PLIANT_HAS_MALLINFO
    const struct mallinfo2 heap = mallinfo2();
    use.allocated = static_cast<double>(heap.uordblks) + static_cast<double>(heap.hblkhd);
#endif
    return use;
}

}  // namespace pliant::program
