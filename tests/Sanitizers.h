// SPDX-License-Identifier: Zlib
// Long tests do less where the sanitizers watch, on the same code; the release build runs them whole.
#pragma once

namespace pliant::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

}  // namespace pliant::test
