// SPDX-License-Identifier: Zlib
/// @file
/// What the shared libraries show. They are compiled with hidden symbols; these macros show what stands behind them.
/// Before a class they show all of its members. Exceptions need one too, or else a program cannot catch them by type.
#pragma once

/// Belongs to a public header: users link against it.
#define PLIANT_API __attribute__((visibility("default")))

/// Belongs to a header that is not installed, and is called by another library of Pliant (the bridge, the nodes, the
/// offline side). No promise is made about it: the libraries of one version belong together.
#define PLIANT_INTERNAL_API __attribute__((visibility("default")))

/// Takes a nested class out of what its class shows.
#define PLIANT_HIDDEN __attribute__((visibility("hidden")))
