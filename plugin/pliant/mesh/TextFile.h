// SPDX-License-Identifier: Zlib
// Whole text files in and out, and numbers that parse the same in every locale.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// @throws Error when the file is missing, a folder, or unreadable
std::string readTextFile(const std::string& path);

/// Writes beside `path` and renames, so that a reader sees the old file or the new one. @throws Error
void writeTextFile(const std::string& path, const std::string& text);

/// "path:line", lines counted from 1.
std::string fileAndLine(const std::string& path, int line);

/// Lines without their end (\n or \r\n); the views point into `text`.
std::vector<std::string_view> splitLines(std::string_view text);

/// Words separated by blanks, tabs and the characters of `separators`.
std::vector<std::string_view> splitWords(std::string_view line, std::string_view separators = "");

std::string_view trimmed(std::string_view text);

/// ASCII letters as capitals.
std::string upperCase(std::string_view text);

/// The whole word must be the number; nan and inf parse as such. @return false when it is none
bool parseNumber(std::string_view word, double& value);
bool parseNumber(std::string_view word, int& value);

/// Shortest text that parses back to the same bits.
std::string numberText(double value);

}  // namespace pliant
