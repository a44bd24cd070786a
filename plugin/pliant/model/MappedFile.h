// SPDX-License-Identifier: Zlib
// A file seen as memory, read-only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace pliant {

class MappedFile {
public:
    /// Maps the whole file. @throws Error naming it when it cannot be opened or is no plain file.
    explicit MappedFile(const std::string& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    const std::uint8_t* data() const {
        return m_data;
    }                                            ///< First byte, aligned to a page; null when the file is empty.
    std::size_t size() const { return m_size; }  ///< Length of the file, bytes.

private:
    const std::uint8_t* m_data = nullptr;
    std::size_t m_size = 0;
};

}  // namespace pliant
