// SPDX-License-Identifier: Zlib
/// @file
/// How long work tells what it is doing. The library never prints; the caller decides what to show.
#pragma once

#include <functional>
#include <string>

#include "pliant/math/Error.h"

namespace pliant {

/// Called from the thread that started the work, with the short name of a stage ("modal derivatives") and the fraction
/// in [0, 1] of it that is done. Return false to cancel; the work then throws Cancelled and leaves nothing behind.
using ProgressCallback = std::function<bool(const std::string& stage, double fraction)>;

/// Calls the callback, if it is not empty, and throws Cancelled when it says so.
inline void reportProgress(const ProgressCallback& callback, const std::string& stage, double fraction) {
    if (callback && !callback(stage, fraction)) throw Cancelled(stage);
}

}  // namespace pliant
