// SPDX-License-Identifier: Zlib
// Writes a file so that it appears whole or not at all.
#pragma once

#include <cstddef>
#include <string>

#include "pliant/math/Api.h"

namespace pliant {

/// Writes into a temporary file beside the target; commit() renames it, and links go on to
/// lead to it. Destroyed before that, it leaves nothing.
class PLIANT_INTERNAL_API WholeFileWriter {
public:
    /// @throws Error naming `path` when its folder cannot be written to.
    explicit WholeFileWriter(const std::string& path);
    ~WholeFileWriter();
    WholeFileWriter(const WholeFileWriter&) = delete;
    WholeFileWriter& operator=(const WholeFileWriter&) = delete;

    /// Appends. @throws Error when the disk is full.
    void write(const void* bytes, std::size_t size);
    /// Flushes to the disk and gives the file its name. @throws Error.
    void commit();

private:
    [[noreturn]] void fail(const char* action) const;

    std::string m_path, m_place, m_temporary;
    int m_file = -1;
};

}  // namespace pliant
