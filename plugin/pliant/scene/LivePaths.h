// SPDX-License-Identifier: Zlib
// The table of the numbers of a running scene that may be set: the reader, the comparison of two versions of a file,
// documentation and schema take names, ranges and units from it.
#pragma once

#include <string>
#include <vector>

#include "pliant/scene/CheckedYaml.h"
#include "pliant/scene/TimelineDescription.h"

namespace pliant::scene {

/// A number that may be set, or a vector of three.
struct LivePathRow {
    /// As it stands in a file, after the name of whose it is: a word in capital letters. None is the world's own.
    const char* path;
    bool isVector;        ///< Whether .x, .y or .z stands behind.
    LivePath::Kind kind;  ///< What it is.
    Range range;          ///< What it may be, SI or degrees.
    const char* unit;     ///< Empty: a plain number.
    bool hasLength;       ///< Whether it is told in the file's unit of length.
    const char* sentence;
};

/// All rows; whoever looks for the row of a path takes the first that fits.
const std::vector<LivePathRow>& livePathRows();

/// A path against the table.
struct LivePathMatch {
    const LivePathRow* row = nullptr;  ///< Null: nothing that may be set is called so.
    std::string name;                  ///< Whose it is.
    int axis = 0;                      ///< Of a vector.
};
LivePathMatch matchLivePath(const std::string& path);

/// The row of a kind. Every kind has one.
const LivePathRow& livePathRow(LivePath::Kind kind);

/// What is nearest to an unknown path, or what there is, as the cure of a message.
/// @param path  the path
/// @param name  what it begins with that the scene has: a body, a joint, a lamp, a camera; empty: nothing
/// @param kinds numbers that this has
std::string livePathCure(const std::string& path, const std::string& name, const std::vector<LivePath::Kind>& kinds);

/// A regular expression of JSON Schema that all paths match.
std::string livePathPattern();

/// The table in Markdown.
std::string livePathsAsMarkdown();

}  // namespace pliant::scene
