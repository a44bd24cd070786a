// SPDX-License-Identifier: Zlib
/// @file
/// The one exception type of the offline side and of loading. Steps of a
/// world or a batch never throw: they report a status; making and setting up what takes part in them may.
#pragma once

#include <stdexcept>
#include <string>

#include "pliant/math/Api.h"

namespace pliant {

/// What went wrong, where, and what to do about it; what() is one line: "WHERE: PROBLEM; CURE".
class PLIANT_API Error : public std::runtime_error {
public:
    /// @param where   file, file:line or file:line:column, or the element ("brick 17"); empty when there is none
    /// @param problem what is wrong, with the numbers
    /// @param cure    what the user can do; empty when `problem` says it
    Error(const std::string& where, const std::string& problem, const std::string& cure = {})
        : std::runtime_error((where.empty() ? std::string() : where + ": ") + problem +
                             (cure.empty() ? std::string() : "; " + cure)) {}
};

/// Thrown out of long work after the progress callback asked to stop.
class PLIANT_API Cancelled : public Error {
public:
    /// Cancelled during the stage of that name.
    explicit Cancelled(const std::string& stage) : Error("", "cancelled during " + stage) {}
    struct Whole {};  ///< Tag of the constructor that takes the whole text.
    /// With the whole text, as another process has told it.
    Cancelled(Whole, const std::string& text) : Error("", text) {}
};

}  // namespace pliant
