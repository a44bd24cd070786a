// SPDX-License-Identifier: Zlib
// The text of a .obj, checked line by line before the parser sees it.
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"

namespace pliant {

struct ObjText {
    std::string statements;          ///< only what describes a surface, comments removed, continued lines joined
    std::vector<Vector3> positions;  ///< of the v lines, rounded correctly
    std::vector<Vector3> colours;    ///< empty unless every v line has one
    std::vector<Eigen::Vector2d> texcoords;  ///< of the vt lines, rounded correctly; v is 0 where it is not given
    std::vector<Vector3> normals;            ///< of the vn lines, likewise, as long as they are there
    std::vector<int> faceGroup;              ///< of each face in `statements`: index into groupNames
    std::vector<std::vector<std::string>> groupNames;  ///< object and groups that hold at once
    std::vector<std::string> dropped;                  ///< warnings: faces of fewer than three corners
};

/// @throws Error with file:line for a number that is none, NaN or infinite, an index out of range or a face of more
/// than 255 corners; without line when there is no face at all
PLIANT_INTERNAL_API ObjText checkObjText(const std::string& text, const std::string& path);

}  // namespace pliant
