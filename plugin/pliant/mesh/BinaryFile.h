// SPDX-License-Identifier: Zlib
// Bytes of binary formats, read with bounds and written whole. All of them are little-endian, as is every machine that
// Pliant builds for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "pliant/math/Api.h"
#include "pliant/math/Error.h"

namespace pliant {

#ifdef __BYTE_ORDER__
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "binary mesh files are read as this machine stores numbers");
#endif

/// The file's bytes, unchanged. @throws Error when the file is missing, a folder, or unreadable
PLIANT_INTERNAL_API std::string readBytes(const std::string& path);

/// Takes numbers one after another; asking for more than there is throws Error(where, "ends before WHAT").
class ByteReader {
public:
    /// @param bytes must outlive the reader
    ByteReader(std::string_view bytes, std::string where) : m_bytes(bytes), m_where(std::move(where)) {}

    std::size_t remaining() const { return m_bytes.size() - m_at; }
    const std::string& where() const { return m_where; }

    template <typename Number>
    Number take(const std::string& what) {
        Number value;
        take(&value, 1, what);
        return value;
    }

    template <typename Number>
    void take(Number* values, std::size_t count, const std::string& what) {
        if (count > remaining() / sizeof(Number)) throw Error(m_where, "the file ends before " + what, "copy it again");
        if (count > 0) std::memcpy(values, m_bytes.data() + m_at, count * sizeof(Number));
        m_at += count * sizeof(Number);
    }

    std::string takeText(std::size_t size, const std::string& what) {
        if (size > remaining()) throw Error(m_where, "the file ends before " + what, "copy it again");
        m_at += size;
        return std::string(m_bytes.substr(m_at - size, size));
    }

    /// @throws Error when bytes are left
    void expectEnd() const {
        if (remaining() > 0)
            throw Error(m_where, std::to_string(remaining()) + " bytes too many", "is it a file of this format?");
    }

private:
    std::string_view m_bytes;
    std::string m_where;
    std::size_t m_at = 0;
};

/// Numbers one after another as bytes.
class ByteWriter {
public:
    template <typename Number>
    void put(Number value) {
        put(&value, 1);
    }
    template <typename Number>
    void put(const Number* values, std::size_t count) {
        m_bytes.append(reinterpret_cast<const char*>(values), count * sizeof(Number));
    }
    void putText(const std::string& text) { m_bytes += text; }
    const std::string& bytes() const { return m_bytes; }

private:
    std::string m_bytes;
};

}  // namespace pliant
