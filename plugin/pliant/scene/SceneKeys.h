// SPDX-License-Identifier: Zlib
/// @file
/// The tables of the language of scenes: every key of every block, with type, range, unit, default and meaning. The
/// reader takes keys, ranges and words from them; documentation and schema are made of them.
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Api.h"

namespace pliant::scene {

/// A key of a block.
struct KeyRow {
    std::string key;  ///< As it stands in a file.
    /// Number, integer, seed, boolean, text, condition, moment (a time or "end"), vector, colour, integers, pair, four,
    /// size, spacing, colours, keys, texts, name, names, live_number, word (one of `words`), block, list or map (of the
    /// block, or the type, in `words`), shadow, output, actions, phase (a number or "random"). Behind "of" stands what
    /// an expression may use besides variables.
    std::string type;
    std::vector<std::string> words;  ///< What the type names.
    bool hasRange = false;           ///< Whether numbers are between two others:
    double least = 0.0;              ///< The least one.
    double most = 0.0;               ///< The greatest number that is taken.
    std::string unit;                ///< Empty: a plain number, or none at all.
    std::string fallback;            ///< What holds where the key is missing; "required".
    std::string sentence;            ///< What it means.
};

/// A block of the language.
struct PLIANT_API KeyTable {
    std::string name;          ///< By which others call it.
    std::string sentence;      ///< What it is.
    std::vector<KeyRow> rows;  ///< In the order in which one writes them.

    /// The row of a key; null where the block has none.
    const KeyRow* find(const std::string& key) const;
    /// All keys, in the order of the rows.
    std::vector<std::string> words() const;
};

/// All blocks; the first one is the file.
PLIANT_API const std::vector<KeyTable>& sceneKeys();
/// A block by its name; one without rows where there is none.
PLIANT_API const KeyTable& sceneKeys(const std::string& block);

/// The tables in Markdown, a table a block.
PLIANT_API std::string sceneKeysAsMarkdown();
/// A JSON Schema (2020-12) of scene files: editors complete keys by it and mark what is wrong.
PLIANT_API std::string sceneSchema();

}  // namespace pliant::scene
