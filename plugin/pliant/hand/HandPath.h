// SPDX-License-Identifier: Zlib
/// @file
/// Paths of a hand, and their files.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "pliant/hand/ToolPose.h"

namespace pliant {

/// A pose at a time, and what was felt there.
struct HandKey {
    double time = 0.0;  ///< Time of the key, s.
    ToolPose pose;      ///< In the world.
    Wrench felt;        ///< Zero where it is not known.
};

/// Poses at rising times.
struct HandPath {
    std::vector<HandKey> keys;  ///< By time.

    /// The pose at a time, s: between keys positions go straight and rotations the shorter way; before the first and
    /// after the last key it is theirs. There is a key.
    PLIANT_API ToolPose at(double time) const;
};

/// Reads a path: a header line `time [s],x [m],y [m],z [m],qw,qx,qy,qz`, then a line for each key; records have the
/// columns `fx [N],fy [N],fz [N],tx [N m],ty [N m],tz [N m]` besides. Quaternions are brought to unit length unless
/// they have it already. Empty lines are passed over.
/// @param name what messages begin with; throws Error with the line where something is wrong
PLIANT_API HandPath readHandPath(std::istream& in, const std::string& name);

/// Writes a path as a record, with all digits: reading it gives the same bits.
PLIANT_API void writeHandPath(std::ostream& out, const HandPath& path);

}  // namespace pliant
