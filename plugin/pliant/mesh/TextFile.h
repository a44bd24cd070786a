// SPDX-License-Identifier: Zlib
// Whole text files in and out, and numbers that parse the same in every locale.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pliant/math/Api.h"

namespace pliant {

/// @throws Error when the file is missing, a folder, or unreadable
PLIANT_INTERNAL_API std::string readTextFile(const std::string& path);

/// Writes beside `path` and renames, so that a reader sees the old file or the new one. @throws Error
PLIANT_INTERNAL_API void writeTextFile(const std::string& path, const std::string& text);

/// "path:line", lines counted from 1.
PLIANT_INTERNAL_API std::string fileAndLine(const std::string& path, int line);

/// Lines without their end (\n or \r\n); the views point into `text`.
PLIANT_INTERNAL_API std::vector<std::string_view> splitLines(std::string_view text);

/// Words separated by blanks, tabs and the characters of `separators`.
PLIANT_INTERNAL_API std::vector<std::string_view> splitWords(std::string_view line, std::string_view separators = "");

PLIANT_INTERNAL_API std::string_view trimmed(std::string_view text);

/// ASCII letters as capitals.
std::string upperCase(std::string_view text);

/// The whole word must be the number; nan and inf parse as such. @return false when it is none
PLIANT_INTERNAL_API bool parseNumber(std::string_view word, double& value);
PLIANT_INTERNAL_API bool parseNumber(std::string_view word, int& value);

/// Shortest text that parses back to the same bits.
PLIANT_INTERNAL_API std::string numberText(double value);

/// A field of a table of comma-separated values: in quotes where it holds what separates fields [RFC 4180].
PLIANT_INTERNAL_API std::string csvField(const std::string& text);

}  // namespace pliant
