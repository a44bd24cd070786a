// SPDX-License-Identifier: Zlib
#pragma once

#include <string>

namespace pliant::program {

/// "1280x720" as two even numbers. @throws CLI::ValidationError
void setSize(const std::string& text, int& width, int& height);

}  // namespace pliant::program
