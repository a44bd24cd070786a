// SPDX-License-Identifier: Zlib
#include "pliant/mesh/formats/ZlibBlocks.h"

#include <zlib.h>

#include "pliant/math/Error.h"

namespace pliant {

bool canInflateTo(std::size_t compressed, std::size_t size) {
    constexpr std::size_t largestRatio = 1032;  // zlib's documentation: 1032:1 in the limit
    return size / largestRatio <= compressed;
}

void inflateBlock(const std::string& compressed, std::size_t size, std::string& out, const std::string& where) {
    const std::size_t begin = out.size();
    if (!canInflateTo(compressed.size(), size))
        throw Error(
            where,
            "a compressed block of " + std::to_string(compressed.size()) + " bytes cannot hold " + std::to_string(size),
            "copy the file again");
    out.resize(begin + size);
    uLongf length = static_cast<uLongf>(size);
    const int outcome =
        uncompress(reinterpret_cast<Bytef*>(out.data() + begin), &length,
                   reinterpret_cast<const Bytef*>(compressed.data()), static_cast<uLong>(compressed.size()));
    if (outcome != Z_OK || length != size) throw Error(where, "damaged compressed data (zlib)", "copy the file again");
}

}  // namespace pliant
