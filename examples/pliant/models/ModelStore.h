// SPDX-License-Identifier: Zlib
// Reduced models on disk: made when they are missing or stale, read otherwise.
#pragma once

#include <memory>
#include <string>

#include "pliant/character/MakeCharacter.h"
#include "pliant/math/Progress.h"
#include "pliant/reduce/Reduce.h"

namespace pliant::program {

struct StoredModel {
    std::shared_ptr<const ReducedModel> model;
    bool reused = false;   ///< Whether the file was already there, made from the same input and options.
    double seconds = 0.0;  ///< Time of reducing or loading, s.
};

/// The reduction of `input` with `options`, kept at `path` (its folder is made). An existing file is taken when its
/// provenance tells the same input bytes and options and it is whole; otherwise it is replaced.
/// @param report what reduceFile has to tell; untouched where the file is taken; may be null
/// With several processes (options.shares) the first one looks and writes; `model` may be null in the others where the
/// file is taken. @throws Error; nothing is left half-written
StoredModel reduceOrReuse(const std::string& input, const ReduceOptions& options, const std::string& path,
                          const ProgressCallback& progress, ReductionReport* report = nullptr);

struct StoredCharacter {
    std::shared_ptr<const CharacterModel> character;
    bool reused = false;  ///< Whether the file was already there, made from the same input and options.
};

/// Flesh for the rigged character in `input`, kept at `path` in the same way.
/// @param report what makeCharacterOf has to tell; untouched where the file is taken; may be null  @throws Error
StoredCharacter rigOrReuse(const std::string& input, const CharacterOptions& options, const std::string& path,
                           const ProgressCallback& progress, CharacterReport* report = nullptr);

// Before hours of work are spent. All of them @throw Error.
/// Makes the folder and tries to write into it.
void expectWritableFolder(const std::string& folder);
/// The same with the folder of a file, which must not be a folder, a device or a pipe itself.
void expectWritableFile(const std::string& path);
/// The same with a file that is written in place as it comes, which may well be a pipe or a device.
void expectWritableStream(const std::string& path);
/// The same for a reduced model: its name ends in .pliant, which is how scenes know it. (A slip of the pen would else
/// write over the mesh.)
void expectWritableModel(const std::string& path);

}  // namespace pliant::program
