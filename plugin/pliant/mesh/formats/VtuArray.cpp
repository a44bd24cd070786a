// SPDX-License-Identifier: Zlib
#include "pliant/mesh/formats/VtuArray.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "pliant/math/Error.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/formats/Base64.h"

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

/// The bytes of the data, then their number, as one base64 text.
std::vector<double> fromBase64(const std::string& type, const char* text, const VtuEncoding& encoding,
                               const std::string& where) {
    std::string bytes;
    if (!base64Decoded(text, bytes)) throw Error(where, "damaged base64 data", "copy the file again");
    const std::size_t header = encoding.longHeaders ? 8 : 4;
    if (bytes.size() < header) throw Error(where, "an array without its length");
    const std::vector<double> length =
        decoded(encoding.longHeaders ? "UInt64" : "UInt32", bytes.substr(0, header), 0, encoding.bigEndian, where);
    if (length[0] != static_cast<double>(bytes.size() - header))
        throw Error(where,
                    "an array of " + numberText(length[0]) + " bytes holds " + std::to_string(bytes.size() - header),
                    "copy the file again");
    return decoded(type, bytes, header, encoding.bigEndian, where);
}

}  // namespace

std::vector<double> vtuNumbers(const std::string& type, const std::string& format, const char* text,
                               const VtuEncoding& encoding, const std::string& where) {
    const char* const cure = "save it with data mode ASCII or Binary, compressor None";
    if (format == "ascii") return fromWords(text, where);
    if (format == "appended") throw Error(where, "data appended at the end of the file", cure);
    if (format != "binary") throw Error(where, "an array of format \"" + format + "\"", cure);
    if (encoding.compressed) throw Error(where, "compressed data", cure);
    return fromBase64(type, text, encoding, where);
}

}  // namespace pliant
