// SPDX-License-Identifier: Zlib
// A glTF 2.0 file: its JSON and its bytes, with every way from one to the other checked.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "pliant/rig/gltf/JsonPlace.h"

namespace pliant::gltf {

class GltfFile {
public:
    /// Reads .gltf or .glb with all of its buffers: inside, as data: addresses, or in files of the same folder or below
    /// it, each of which is read and counted once, and which are 4 GiB together at most.
    /// @throws Error for everything that is not glTF 2.0, or cut short
    explicit GltfFile(const std::string& path);
    /// A file that is in memory already. @param path where it came from, for messages and for files beside it
    GltfFile(const std::string& path, const std::string& bytes);
    GltfFile(const GltfFile&) = delete;
    GltfFile& operator=(const GltfFile&) = delete;

    const std::string& path() const { return m_path; }
    JsonPlace root() const { return {m_json, m_path + ": "}; }

    /// The entry of one of the root's lists that `index`, a number of the file, names. @throws Error out of range
    JsonPlace element(const char* list, const JsonPlace& index) const;
    /// The number that `index` says, below the length of the list. @throws Error out of range
    std::size_t indexIn(const char* list, const JsonPlace& index) const;

    /// The bytes of a bufferView, inside of its buffer. @throws Error
    std::string_view bytesOf(const JsonPlace& view) const;

    /// The file beside this one that an address names, or nothing where there is none. Escapes are resolved, and links.
    /// @throws Error for addresses that lead out of the folder of this file
    std::optional<std::filesystem::path> fileNamed(const JsonPlace& uri) const;

    /// Says that so many numbers are going to be kept. Small files may name the same bytes over and over: what is kept
    /// in memory stays in proportion to the bytes that were read. @throws Error(where)
    void take(std::size_t numbers, const std::string& where) const;

private:
    using Bytes = std::shared_ptr<const std::string>;
    using FileIdentity = std::pair<std::uint64_t, std::uint64_t>;  ///< device and number on it
    void readContainer(const std::string& bytes);
    void parse(std::string_view text);
    void readBuffers();
    Bytes readBuffer(const JsonPlace& buffer, std::size_t number);
    Bytes readExternal(const JsonPlace& uri);

    std::string m_path;
    Json m_json;
    Bytes m_inside;  ///< of a .glb, or null
    std::vector<Bytes> m_buffers;
    std::map<FileIdentity, Bytes> m_external;  ///< each file is read once, under whatever names
    std::uintmax_t m_externalBytes = 0;
    mutable std::size_t m_left = 0;  ///< numbers that may still be taken
};

}  // namespace pliant::gltf
