// SPDX-License-Identifier: Zlib
// A look at a YAML file before it is made into nodes: nothing may take more memory or time than its size explains.
#pragma once

#include <cstdint>
#include <string>

namespace pliant::scene {

/// Reads `text` event by event, without making nodes of it.
/// @param path, name of the file and of what it is to be, for messages
/// @throws Error: text above 64 MiB, more than 64 levels of blocks and lists, more than 150,000 values and one for
/// every 25 bytes, with those of aliases counted where they stand, a second document, text that YAML finds nothing in
/// @throws YAML::Exception syntax
void guardYaml(const std::string& text, const std::string& path, const std::string& name);

/// The first of these, before the text is read. @param bytes of the file; what cannot be told is let through
void guardSize(std::uintmax_t bytes, const std::string& path, const std::string& name);

}  // namespace pliant::scene
