// SPDX-License-Identifier: Zlib
// The DataArray elements of VTK's XML files: ASCII, or inline base64 without compression.
#pragma once

#include <string>
#include <vector>

namespace pliant {

/// What the root of the file says about its arrays.
struct VtuEncoding {
    bool bigEndian = false;
    bool longHeaders = false;  ///< byte counts are UInt64, else UInt32
    bool compressed = false;
};

/// The numbers of an array. @param type VTK's name, "Float64"  @param format "ascii" or "binary"
/// @throws Error(where, ...) for anything else, and for damaged data
std::vector<double> vtuNumbers(const std::string& type, const std::string& format, const char* text,
                               const VtuEncoding& encoding, const std::string& where);

}  // namespace pliant
