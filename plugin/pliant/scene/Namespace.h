// SPDX-License-Identifier: Zlib
/// @file
/// Where names of a scene file hold: those of an instance of a prefab are its own.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "pliant/math/Types.h"

namespace pliant::scene {

/// An instance of a prefab: "hook" in it is "crane.hook" everywhere else.
struct Namespace {
    std::string prefix;                      ///< "crane."
    std::set<std::string> names;             ///< Names of what stands in the prefab, without prefix and brackets.
    RigidTransform frame;                    ///< World from prefab.
    std::string usedBy;                      ///< The instance and its place, for messages.
    std::shared_ptr<const Namespace> outer;  ///< The names around an instance that stands within another one.

    /// The name as the whole scene knows it: with the prefix of the innermost instance that has it.
    static std::string qualified(const Namespace* innermost, const std::string& name) {
        const std::string first = name.substr(0, name.find_first_of(".["));
        for (const Namespace* space = innermost; space; space = space->outer.get())
            if (space->names.count(first) != 0) return space->prefix + name;
        return name;
    }
};

}  // namespace pliant::scene
