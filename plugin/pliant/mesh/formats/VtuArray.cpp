// SPDX-License-Identifier: Zlib
#include "pliant/mesh/formats/VtuArray.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "pliant/math/Error.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/formats/VtuBytes.h"
#include "pliant/mesh/formats/ZlibBlocks.h"

namespace pliant {

namespace {

template <typename Number>
std::vector<double> numbersAs(const std::string& bytes, std::size_t begin, bool swapped) {
    std::vector<double> values;
    values.reserve((bytes.size() - begin) / sizeof(Number));
    for (std::size_t at = begin; at + sizeof(Number) <= bytes.size(); at += sizeof(Number)) {
        char native[sizeof(Number)];
        std::copy_n(bytes.data() + at, sizeof(Number), native);
        if (swapped) std::reverse(native, native + sizeof(Number));
        Number value;
        std::memcpy(&value, native, sizeof value);
        values.push_back(static_cast<double>(value));
    }
    return values;
}

std::vector<double> decoded(const std::string& type, const std::string& bytes, std::size_t begin, bool swapped,
                            const std::string& where) {
    if (type == "Float64") return numbersAs<double>(bytes, begin, swapped);
    if (type == "Float32") return numbersAs<float>(bytes, begin, swapped);
    if (type == "Int64") return numbersAs<std::int64_t>(bytes, begin, swapped);
    if (type == "UInt64") return numbersAs<std::uint64_t>(bytes, begin, swapped);
    if (type == "Int32") return numbersAs<std::int32_t>(bytes, begin, swapped);
    if (type == "UInt32") return numbersAs<std::uint32_t>(bytes, begin, swapped);
    if (type == "Int16") return numbersAs<std::int16_t>(bytes, begin, swapped);
    if (type == "UInt16") return numbersAs<std::uint16_t>(bytes, begin, swapped);
    if (type == "Int8") return numbersAs<std::int8_t>(bytes, begin, swapped);
    if (type == "UInt8") return numbersAs<std::uint8_t>(bytes, begin, swapped);
    throw Error(where, "an array of type \"" + type + "\"", "numbers are Float32, Float64 or whole");
}

std::vector<double> fromWords(const char* text, const std::string& where) {
    std::vector<double> values;
    for (const std::string_view word : splitWords(text, "\n")) {
        double value = 0.0;
        if (!parseNumber(word, value)) throw Error(where, "\"" + std::string(word) + "\" is not a number");
        values.push_back(value);
    }
    return values;
}

/// A byte count or the like.
std::size_t headerWord(VtuBytes& bytes, const VtuEncoding& encoding, const std::string& where) {
    const std::string word = bytes.take(encoding.longHeaders ? 8 : 4, "an array's length");
    const double value =
        decoded(encoding.longHeaders ? "UInt64" : "UInt32", word, 0, encoding.bigEndian, where).front();
    constexpr double most = 9007199254740992.0;  // 2^53: whole numbers up to here are exact
    if (!(value <= most)) throw Error(where, "an array of " + numberText(value) + " bytes", "copy the file again");
    return static_cast<std::size_t>(value);
}

/// Numbers of blocks, of bytes in a block and in the last one, of compressed bytes in each; then the blocks.
std::string inflated(VtuBytes& bytes, const VtuEncoding& encoding, const std::string& where) {
    const std::size_t blocks = headerWord(bytes, encoding, where), size = headerWord(bytes, encoding, where),
                      last = headerWord(bytes, encoding, where);
    if (blocks > bytes.mostLeft() / (encoding.longHeaders ? 8 : 4))
        throw Error(where, std::to_string(blocks) + " compressed blocks announced, which the file does not hold",
                    "copy the file again");
    std::vector<std::size_t> lengths;
    for (std::size_t b = 0; b < blocks; ++b) lengths.push_back(headerWord(bytes, encoding, where));
    std::string all;
    for (std::size_t b = 0; b < blocks; ++b)
        inflateBlock(bytes.take(lengths[b], "a compressed block"), b + 1 == blocks && last > 0 ? last : size, all,
                     where);
    return all;
}

std::vector<double> fromBytes(const std::string& type, VtuBytes& bytes, const VtuEncoding& encoding,
                              const std::string& where) {
    if (encoding.compressor.empty()) {
        const std::size_t length = headerWord(bytes, encoding, where);
        return decoded(type, bytes.take(length, "byte " + std::to_string(length) + " of an array"), 0,
                       encoding.bigEndian, where);
    }
    if (encoding.compressor != "vtkZLibDataCompressor")
        throw Error(where, "data compressed by " + encoding.compressor, "save it with the compressor ZLib or None");
    return decoded(type, inflated(bytes, encoding, where), 0, encoding.bigEndian, where);
}

}  // namespace

std::vector<double> vtuNumbers(const VtuElement& element, VtuEncoding& encoding, const std::string& where) {
    if (element.format == "ascii") return fromWords(element.text, where);
    if (element.format == "binary") {
        VtuBytes bytes(element.text, true, where);
        return fromBytes(element.type, bytes, encoding, where);
    }
    if (element.format != "appended")
        throw Error(where, "an array of format \"" + element.format + "\"", "VTK writes ascii, binary and appended");
    double offset = 0.0;
    if (!parseNumber(element.offset, offset) ||
        !(offset >= 0.0 && offset < static_cast<double>(encoding.appended.size())))
        throw Error(where,
                    "the offset \"" + element.offset + "\" is outside of the " +
                        std::to_string(encoding.appended.size()) + " bytes of AppendedData",
                    "copy the file again");
    VtuBytes bytes(encoding.appended.substr(static_cast<std::size_t>(offset)), encoding.appendedIsBase64, where);
    std::vector<double> numbers = fromBytes(element.type, bytes, encoding, where);
    encoding.appendedTaken += bytes.read();
    if (encoding.appendedTaken > encoding.appended.size())
        throw Error(where, "arrays of AppendedData overlap", "copy the file again");
    return numbers;
}

}  // namespace pliant
