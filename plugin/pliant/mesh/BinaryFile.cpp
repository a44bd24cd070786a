// SPDX-License-Identifier: Zlib
#include "pliant/mesh/BinaryFile.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace pliant {

std::string readBytes(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) throw Error(path, "is a folder, not a file");
    // A pipe would be waited for, and a device may have no end.
    if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
        throw Error(path, "is not a plain file", "write what it holds to a file");
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Error(path, std::string("cannot be read: ") + std::strerror(errno), "check the name and the path");
    std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (file.bad()) throw Error(path, "reading stopped in the middle of the file");
    return bytes;
}

}  // namespace pliant
