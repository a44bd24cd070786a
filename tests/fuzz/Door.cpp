// SPDX-License-Identifier: Zlib
#include "Door.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/allocator_interface.h>
#define PLIANT_COUNTS_MEMORY
#endif
#endif

namespace pliant::fuzz {

void expect(bool promise, const char* what) {
    if (promise) return;
    std::fprintf(stderr, "broken promise: %s\n", what);
    std::abort();
}

MemoryFolder::MemoryFolder() {
    const bool hasMemory = ::access("/dev/shm", W_OK) == 0;
    m_path =
        (hasMemory ? std::string("/dev/shm") : std::filesystem::temp_directory_path().string()) + "/pliant-fuzz-XXXXXX";
    expect(::mkdtemp(m_path.data()) != nullptr, "a folder can be made");
}

MemoryFolder::~MemoryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

std::string MemoryFolder::write(const std::string& name, const void* data, std::size_t size) const {
    std::string file = path(name);
    std::ofstream(file, std::ios::binary | std::ios::trunc)
        .write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
    return file;
}

std::string MemoryFolder::read(const std::string& path) {
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    return bytes.str();
}

#ifdef PLIANT_COUNTS_MEMORY
namespace {

std::atomic<std::int64_t> held{0}, limit{-1};  // bytes since the input came; -1: nothing is watched

void onMalloc(const volatile void* address, std::size_t size) {
    const std::int64_t most = limit.load(std::memory_order_relaxed);
    if (!address || most < 0) return;
    const auto bytes = static_cast<std::int64_t>(size);
    if (held.fetch_add(bytes, std::memory_order_relaxed) + bytes <= most) return;
    limit = -1;
    expect(false, "memory is at most 20 times the input plus 64 MiB");
}

void onFree(const volatile void* address) {
    if (!address || limit.load(std::memory_order_relaxed) < 0) return;
    held.fetch_sub(static_cast<std::int64_t>(__sanitizer_get_allocated_size(const_cast<const void*>(address))),
                   std::memory_order_relaxed);
}

}  // namespace

MemoryLimit::MemoryLimit(std::size_t inputBytes) {
    static const int hooks = __sanitizer_install_malloc_and_free_hooks(onMalloc, onFree);
    expect(hooks > 0, "memory can be watched");
    held = 0;
    limit = static_cast<std::int64_t>(20 * inputBytes + (std::size_t{64} << 20U));
}

MemoryLimit::~MemoryLimit() {
    limit = -1;
}
#else
MemoryLimit::MemoryLimit(std::size_t) {}
MemoryLimit::~MemoryLimit() = default;
#endif

Acceptance::~Acceptance() {
    std::fprintf(stderr, "%s: %llu of %llu inputs accepted\n", m_door, static_cast<unsigned long long>(m_accepted),
                 static_cast<unsigned long long>(m_inputs));
}

void Acceptance::note(bool accepted) {
    ++m_inputs;
    if (accepted) ++m_accepted;
}

}  // namespace pliant::fuzz
