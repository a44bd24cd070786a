// SPDX-License-Identifier: Zlib
// What the fuzz programs share: a file in memory, a limit of memory, and how a broken promise is told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace pliant::fuzz {

/// Ends the program where a promise does not hold; libFuzzer keeps the input.
void expect(bool promise, const char* what);

/// A folder in memory (/dev/shm, else the folder for temporary files) for files that readers take by their path; gone
/// with the program.
class MemoryFolder {
public:
    MemoryFolder();
    ~MemoryFolder();
    MemoryFolder(const MemoryFolder&) = delete;
    MemoryFolder& operator=(const MemoryFolder&) = delete;
    std::string path(const std::string& name) const { return m_path + "/" + name; }
    /// Writes a file, in place of an older one. @return its path
    std::string write(const std::string& name, const void* data, std::size_t size) const;
    static std::string read(const std::string& path);

private:
    std::string m_path;
};

/// While it lives, memory from malloc and new may grow by no more than 20 times the input plus 64 MiB. Watched where
/// the address sanitizer counts; elsewhere it does nothing.
class MemoryLimit {
public:
    explicit MemoryLimit(std::size_t inputBytes);
    ~MemoryLimit();
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;
};

/// Counts inputs that were accepted, and tells their share when the program ends.
class Acceptance {
public:
    explicit Acceptance(const char* door) : m_door(door) {}
    ~Acceptance();
    Acceptance(const Acceptance&) = delete;
    Acceptance& operator=(const Acceptance&) = delete;
    void note(bool accepted);

private:
    const char* m_door;
    std::uint64_t m_inputs = 0, m_accepted = 0;
};

}  // namespace pliant::fuzz

// What libFuzzer calls, or the program that stands in for it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
