// SPDX-License-Identifier: Zlib
// Characters in formats that others read for us: FBX, Collada, DirectX .x, BVH.
#pragma once

#include <string>
#include <vector>

namespace pliant::import {

/// A file as the .glb that a rig of it is, and what was left out.
struct Imported {
    std::string glb;                 ///< Not checked yet: to be read as any other file.
    std::vector<std::string> notes;  ///< "FILE: what".
};

/// Whether pliant-import reads files of this name.
bool isImported(const std::string& path);
/// Their extensions.
const std::vector<std::string>& importedExtensions();

/// What is said of files without one where a rig is wanted.
constexpr const char* kNoSkin = "has no surface with a skin";

/// What is wanted of a file.
enum class Wanted {
    Rig,     ///< Skin, bones and clips.
    Motion,  ///< Bones and clips; a skin is passed over.
    Surface  ///< All surfaces as they stand, without bones and clips.
};

/// Reads a file in a process of its own, with limits of time and memory that grow with the file.
/// @throws Error naming the file
Imported importFile(const std::string& path, Wanted wanted);

/// What pliant-import tells: notes and a .glb, or an error.
std::string packImported(const Imported& imported, const std::string& error);
/// The other way. @param path of the file, for errors  @throws Error for the error, and for what is no such message
Imported unpackImported(const std::string& message, const std::string& path);

}  // namespace pliant::import
