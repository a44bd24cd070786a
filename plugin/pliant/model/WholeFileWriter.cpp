// SPDX-License-Identifier: Zlib
#include "pliant/model/WholeFileWriter.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "pliant/math/Error.h"
#include "pliant/mesh/FilesThere.h"

namespace pliant {

WholeFileWriter::WholeFileWriter(const std::string& path)
    : m_path(path), m_place(files::placeOfWholeFile(path).string()), m_temporary(m_place + ".XXXXXX") {
    m_file = ::mkostemp(m_temporary.data(), O_CLOEXEC);
    if (m_file < 0) fail("cannot be written");
    // mkostemp makes a private file; the result gets the permissions of any file that the user makes.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(m_file, static_cast<mode_t>(0666) & ~mask);
}

WholeFileWriter::~WholeFileWriter() {
    if (m_file < 0) return;
    ::close(m_file);
    ::unlink(m_temporary.c_str());
}

void WholeFileWriter::write(const void* bytes, std::size_t size) {
    const char* from = static_cast<const char*>(bytes);
    while (size > 0) {
        const ssize_t written = ::write(m_file, from, size);
        if (written < 0) {
            if (errno == EINTR) continue;
            fail("cannot be written");
        }
        from += written;
        size -= static_cast<std::size_t>(written);
    }
}

void WholeFileWriter::commit() {
    if (::fsync(m_file) != 0) fail("cannot be written");
    if (std::rename(m_temporary.c_str(), m_place.c_str()) != 0) fail("cannot be given its name");
    ::close(m_file);
    m_file = -1;
}

void WholeFileWriter::fail(const char* action) const {
    throw Error(m_path, std::string(action) + " (" + std::strerror(errno) + ")");
}

}  // namespace pliant
