// SPDX-License-Identifier: Zlib
#include "pliant/exchange/BulletFiles.h"

#include <cstdint>

#include "pliant/math/Error.h"
#include "pliant/mesh/BinaryFile.h"
#include "pliant/mesh/TextFile.h"

namespace pliant {

VectorX readBulletNumbers(const std::string& path) {
    const std::string bytes = readBytes(path);
    ByteReader in(bytes, path);
    const auto count = in.take<std::uint32_t>("its count");
    if (count == 0 || in.remaining() != sizeof(double) * static_cast<std::size_t>(count))
        throw Error(path,
                    std::to_string(count) + " numbers announced, " + std::to_string(in.remaining() / sizeof(double)) +
                        " are there",
                    "is it a file of btReducedDeformableBody?");
    VectorX values(static_cast<Eigen::Index>(count));
    in.take(values.data(), count, "its numbers");
    if (!values.allFinite()) throw Error(path, "a number is not finite");
    return values;
}

void writeBulletNumbers(const double* values, std::size_t count, const std::string& path) {
    ByteWriter out;
    out.put(static_cast<std::uint32_t>(count));
    out.put(values, count);
    writeTextFile(path, out.bytes());
}

}  // namespace pliant
