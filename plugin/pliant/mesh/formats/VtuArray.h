// SPDX-License-Identifier: Zlib
// The DataArray elements of VTK's XML files, in every encoding that VTK writes: ASCII, base64 in place, and at the end
// of the file, raw or in base64; the latter three as they are or compressed with zlib.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// What the root of the file says about its arrays, and the data at its end.
struct VtuEncoding {
    bool bigEndian = false;
    bool longHeaders = false;   ///< Whether byte counts are UInt64, else UInt32.
    std::string compressor;     ///< VTK's name of the compressor, or empty.
    std::string_view appended;  ///< Data behind the underscore of AppendedData; empty where there is none.
    bool appendedIsBase64 = false;
    std::size_t appendedTaken = 0;  ///< Bytes of `appended` that arrays have been made of.
};

/// An array as its element stands in the file.
struct VtuElement {
    std::string type;    ///< VTK's name of the numbers' type, such as "Float64".
    std::string format;  ///< Encoding: "ascii", "binary" or "appended".
    std::string offset;  ///< Where the array begins in appended data, as its element says it.
    const char* text = "";
};

/// The numbers of an array. Arrays at the end of the file may not overlap: a small file would take any memory.
/// @throws Error(where, ...) for encodings that are not VTK's, other compressors, and damaged data
std::vector<double> vtuNumbers(const VtuElement& element, VtuEncoding& encoding, const std::string& where);

}  // namespace pliant
