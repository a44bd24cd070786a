// SPDX-License-Identifier: Zlib
#include "pliant/rig/gltf/GltfFile.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "pliant/mesh/BinaryFile.h"
#include "pliant/mesh/formats/Base64.h"

namespace pliant::gltf {

namespace {

constexpr std::uint32_t magic = 0x46546C67, jsonChunk = 0x4E4F534A, binaryChunk = 0x004E4942;
constexpr std::int64_t mostBytes = std::int64_t{1} << 40;
constexpr std::uintmax_t mostExternal = std::uintmax_t{1} << 32;

/// %20 and the like. @throws Error at `uri` for what is none
std::string withoutEscapes(const std::string& text, const JsonPlace& uri) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            plain += text[i];
            continue;
        }
        const auto digit = [&](std::size_t at) -> int {
            const char c = at < text.size() ? text[at] : '\0';
            return c >= '0' && c <= '9'   ? c - '0'
                   : c >= 'a' && c <= 'f' ? c - 'a' + 10
                   : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                          : -1;
        };
        const int high = digit(i + 1), low = digit(i + 2);
        if (high < 0 || low < 0 || high + low == 0) uri.fail("is no address");
        plain += static_cast<char>(16 * high + low);
        i += 2;
    }
    return plain;
}

/// Whether `file` is below `folder`. Both without links.
bool isInside(const std::filesystem::path& file, const std::filesystem::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

}  // namespace

GltfFile::GltfFile(const std::string& path) : GltfFile(path, readBytes(path)) {}

GltfFile::GltfFile(const std::string& path, const std::string& bytes) : m_path(path) {
    std::uint32_t start = 0;
    if (bytes.size() >= 4) std::memcpy(&start, bytes.data(), 4);
    if (start == magic)
        readContainer(bytes);
    else
        parse(bytes);
    m_left = bytes.size();
    const JsonPlace asset = root().at("asset");
    const std::string version = asset.at("version").text();
    if (version.substr(0, 2) != "2.") asset.at("version").fail("is \"" + version + "\"", "export it as glTF 2.0");
    readBuffers();
    for (const auto& [name, content] : m_external) m_left += content->size();
    m_left = 16 * m_left + 4096;
}

void GltfFile::readContainer(const std::string& bytes) {
    ByteReader reader(bytes, m_path);
    reader.take<std::uint32_t>("its header");
    const auto version = reader.take<std::uint32_t>("its version");
    if (version != 2) throw Error(m_path, "is .glb of version " + std::to_string(version), "export it as glTF 2.0");
    const auto length = reader.take<std::uint32_t>("its length");
    if (length != bytes.size())
        throw Error(m_path,
                    "has " + std::to_string(bytes.size()) + " bytes and says that it has " + std::to_string(length),
                    "copy it again");
    for (int chunk = 0; reader.remaining() > 0; ++chunk) {
        const auto size = reader.take<std::uint32_t>("the length of a chunk");
        const auto kind = reader.take<std::uint32_t>("the kind of a chunk");
        if (chunk == 0 && kind != jsonChunk) throw Error(m_path, "does not begin with its JSON", "export it again");
        const std::string content = reader.takeText(size, "the end of chunk " + std::to_string(chunk));
        if (chunk == 0) parse(content);
        if (chunk == 1 && kind == binaryChunk) m_inside = std::make_shared<const std::string>(content);
    }
    if (m_json.is_null()) throw Error(m_path, "the file ends before its JSON", "copy it again");
}

void GltfFile::parse(std::string_view text) {
    try {
        m_json = Json::parse(text.begin(), text.end());
    } catch (const Json::exception& error) {
        const std::string told = error.what();  // begins with a number of the library's in brackets
        const std::size_t from = told.find("] ");
        throw Error(m_path, "its JSON cannot be read: " + (from == std::string::npos ? told : told.substr(from + 2)),
                    "check it with a glTF validator, or export it again");
    }
    if (!m_json.is_object()) throw Error(m_path, "is no glTF: its JSON is no object");
}

void GltfFile::readBuffers() {
    const std::size_t count = root().sizeOf("buffers");
    for (std::size_t b = 0; b < count; ++b) {
        const JsonPlace buffer = root().at("buffers").at(b);
        const auto length = static_cast<std::size_t>(buffer.at("byteLength").integer(1, mostBytes));
        const Bytes bytes = readBuffer(buffer, b);
        if (bytes->size() < length)
            buffer.fail("has " + std::to_string(bytes->size()) + " bytes instead of " + std::to_string(length),
                        "copy it again");
        m_buffers.push_back(bytes);
    }
}

GltfFile::Bytes GltfFile::readBuffer(const JsonPlace& buffer, std::size_t number) {
    if (!buffer.has("uri")) {
        if (number != 0 || !m_inside) buffer.fail("has no address, and is not inside of the file");
        return m_inside;
    }
    const JsonPlace uri = buffer.at("uri");
    const std::string text = uri.text();
    if (text.compare(0, 5, "data:") != 0) return readExternal(uri);
    const std::size_t comma = text.find(',');
    const std::string kind = text.substr(0, comma);
    std::string bytes;
    if (comma == std::string::npos || kind.size() < 7 || kind.compare(kind.size() - 7, 7, ";base64") != 0 ||
        !base64Decoded(std::string_view(text).substr(comma + 1), bytes))
        uri.fail("is no base64", "export it again");
    return std::make_shared<const std::string>(std::move(bytes));
}

std::optional<std::filesystem::path> GltfFile::fileNamed(const JsonPlace& uri) const {
    namespace fs = std::filesystem;
    const std::string name = withoutEscapes(uri.text(), uri);
    std::error_code error;
    const fs::path parent = fs::path(m_path).parent_path();
    const fs::path folder = fs::canonical(parent.empty() ? "." : parent, error);
    const fs::path file = error ? fs::path() : fs::weakly_canonical(folder / name, error);
    if (error || name.empty() || name.find(':') != std::string::npos || fs::path(name).is_absolute() ||
        !isInside(file, folder))
        uri.fail("\"" + name + "\" is not in the folder of the file", "put it beside the file");
    if (!fs::is_regular_file(file, error)) return std::nullopt;
    return file;
}

GltfFile::Bytes GltfFile::readExternal(const JsonPlace& uri) {
    const auto file = fileNamed(uri);
    if (!file) uri.fail("there is no file \"" + withoutEscapes(uri.text(), uri) + "\" beside it");
    struct stat status {};
    if (::stat(file->c_str(), &status) != 0) uri.fail("\"" + file->string() + "\" cannot be read");
    const FileIdentity identity(status.st_dev, status.st_ino);
    const auto known = m_external.find(identity);
    if (known != m_external.end()) return known->second;
    m_externalBytes += static_cast<std::uintmax_t>(status.st_size);
    if (m_externalBytes > mostExternal) uri.fail("the files beside it are larger than 4 GiB together");
    return m_external[identity] = std::make_shared<const std::string>(readBytes(file->string()));
}

std::size_t GltfFile::indexIn(const char* list, const JsonPlace& index) const {
    const std::size_t count = root().sizeOf(list);
    const auto value = static_cast<std::size_t>(index.integer(0, std::int64_t{1} << 50));
    if (value >= count)
        index.fail("is " + std::to_string(value) + ", and there are " + std::to_string(count) + " " + list);
    return value;
}

JsonPlace GltfFile::element(const char* list, const JsonPlace& index) const {
    const std::size_t number = indexIn(list, index);
    return root().at(list).at(number);
}

std::string_view GltfFile::bytesOf(const JsonPlace& view) const {
    const std::string_view buffer = *m_buffers[indexIn("buffers", view.at("buffer"))];
    const auto offset =
        static_cast<std::size_t>(view.has("byteOffset") ? view.at("byteOffset").integer(0, mostBytes) : 0);
    const auto length = static_cast<std::size_t>(view.at("byteLength").integer(1, mostBytes));
    if (offset > buffer.size() || length > buffer.size() - offset)
        view.fail("bytes " + std::to_string(offset) + " to " + std::to_string(offset + length) + " of a buffer of " +
                  std::to_string(buffer.size()));
    return buffer.substr(offset, length);
}

void GltfFile::take(std::size_t numbers, const std::string& where) const {
    if (numbers > m_left)
        throw Error(where, "the file asks for far more numbers than it holds", "it uses the same bytes over and over");
    m_left -= numbers;
}

}  // namespace pliant::gltf
