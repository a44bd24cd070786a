// SPDX-License-Identifier: Zlib
#include "pliant/mesh/formats/VtuBytes.h"

#include "pliant/math/Error.h"
#include "pliant/mesh/formats/Base64.h"

namespace pliant {

bool VtuBytes::decodeGroup() {
    char group[4];
    std::size_t taken = 0;
    for (; m_at < m_source.size() && taken < 4; ++m_at) {
        const char c = m_source[m_at];
        if (c != ' ' && c != '\n' && c != '\r' && c != '\t') group[taken++] = c;
    }
    if (taken == 0) return false;
    std::string bytes;
    if (taken < 4 || !base64Decoded(std::string_view(group, 4), bytes))
        throw Error(m_where, "damaged base64 data", "copy the file again");
    m_decoded += bytes;
    return true;
}

std::string VtuBytes::take(std::size_t count, const std::string& what) {
    const auto fail = [&] { throw Error(m_where, "the data ends before " + what, "copy the file again"); };
    if (count > mostLeft()) fail();
    if (!m_isBase64) {
        m_at += count;
        return std::string(m_source.substr(m_at - count, count));
    }
    while (m_decoded.size() < count)
        if (!decodeGroup()) fail();
    const std::string taken = m_decoded.substr(0, count);
    m_decoded.erase(0, count);
    return taken;
}

}  // namespace pliant
