// SPDX-License-Identifier: Zlib
#include "pliant/model/MappedFile.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "pliant/math/Error.h"

namespace pliant {

MappedFile::MappedFile(const std::string& path) {
    // O_NONBLOCK: opening a pipe that nobody writes to would wait.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        throw Error(path, std::string("cannot be read: ") + std::strerror(errno), "check the name and the path");
    struct stat info {};
    if (::fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
        ::close(file);
        throw Error(path, S_ISDIR(info.st_mode) ? "is a folder, not a file" : "is not a plain file",
                    S_ISDIR(info.st_mode) ? "" : "write what it holds to a file");
    }
    m_size = static_cast<std::size_t>(info.st_size);
    void* data = m_size == 0 ? nullptr : ::mmap(nullptr, m_size, PROT_READ, MAP_PRIVATE, file, 0);
    const int reason = errno;
    ::close(file);  // the mapping keeps the file alive
    if (data == MAP_FAILED) throw Error(path, std::string("cannot be read (") + std::strerror(reason) + ")");
    m_data = static_cast<const std::uint8_t*>(data);
}

MappedFile::~MappedFile() {
    if (m_data != nullptr) ::munmap(const_cast<std::uint8_t*>(m_data), m_size);
}

}  // namespace pliant
