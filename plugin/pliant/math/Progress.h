// SPDX-License-Identifier: Zlib
// How long work tells what it is doing. The library never prints; the caller decides what to show.
#pragma once

#include <functional>
#include <string>

#include "pliant/math/Error.h"

namespace pliant {

/// Called from the thread that started the work. @param stage short name, "modal derivatives"; @param fraction in [0,
/// 1] of that stage. Return false to cancel; the work then throws Cancelled and leaves nothing behind.
using ProgressCallback = std::function<bool(const std::string& stage, double fraction)>;

/// Reports and throws Cancelled when the callback says so; an empty callback is fine.
inline void reportProgress(const ProgressCallback& callback, const std::string& stage, double fraction) {
    if (callback && !callback(stage, fraction)) throw Cancelled(stage);
}

}  // namespace pliant
