// SPDX-License-Identifier: Zlib
// The bytes of an array of VTK's XML files, raw or in base64, from the front on.
#pragma once

#include <string>
#include <string_view>

namespace pliant {

class VtuBytes {
public:
    /// @param source from where the array begins; may go on behind it  @param isBase64 else raw bytes
    VtuBytes(std::string_view source, bool isBase64, std::string where)
        : m_source(source), m_isBase64(isBase64), m_where(std::move(where)) {}

    /// The next bytes. Parts that were encoded in base64 one by one, each with its padding, follow each other.
    /// @throws Error(where, "the data ends ...") where there are not so many, "damaged base64 data"
    std::string take(std::size_t count, const std::string& what);

    /// How far the source has been read.
    std::size_t read() const { return m_at; }
    /// No more than this many bytes are left.
    std::size_t mostLeft() const { return m_source.size() - m_at + m_decoded.size(); }

private:
    /// Decodes a group of four digits. @return whether there was one
    bool decodeGroup();

    std::string_view m_source;
    bool m_isBase64;
    std::string m_where;
    std::size_t m_at = 0;
    std::string m_decoded;  ///< not taken yet: two bytes at most between two calls
};

}  // namespace pliant
