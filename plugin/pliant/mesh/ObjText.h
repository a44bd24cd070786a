// SPDX-License-Identifier: Zlib
// The text of a .obj, checked line by line before the parser sees it.
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"

namespace pliant {

struct ObjText {
    std::string statements;          ///< Only what describes a surface, comments removed, continued lines joined.
    std::vector<Vector3> positions;  ///< Positions of the v lines, rounded correctly.
    std::vector<Vector3> colours;    ///< Colours of the v lines; empty unless every one has one.
    /// Texture coordinates of the vt lines, rounded correctly; v is 0 where it is not given.
    std::vector<Eigen::Vector2d> texcoords;
    std::vector<Vector3> normals;  ///< Normals of the vn lines, rounded correctly, not scaled to length 1.
    std::vector<int> faceGroup;    ///< Index into groupNames of each face in `statements`.
    std::vector<std::vector<std::string>> groupNames;  ///< Names of the object and the groups that hold at once.
    std::vector<std::string> dropped;                  ///< Warnings of faces of fewer than three corners.
};

/// @throws Error with file:line for a number that is none, NaN or infinite, an index out of range or a face of more
/// than 255 corners; without line when there is no face at all
PLIANT_INTERNAL_API ObjText checkObjText(const std::string& text, const std::string& path);

}  // namespace pliant
