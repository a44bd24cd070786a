// SPDX-License-Identifier: Zlib
#include "Door.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

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
    std::string path = this->path(name);
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    expect(file >= 0 && ::write(file, data, size) == static_cast<ssize_t>(size), "a file can be written");
    ::close(file);
    return path;
}

std::string MemoryFolder::read(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    expect(file >= 0 && ::fstat(file, &status) == 0, "a file can be opened");
    std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
    expect(::read(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "a file can be read");
    ::close(file);
    return bytes;
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
