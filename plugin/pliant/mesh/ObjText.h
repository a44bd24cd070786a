// SPDX-License-Identifier: Zlib
// The text of a .obj, checked line by line before the parser sees it.
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"

namespace pliant {

struct ObjText {
    /// Only what describes a surface, comments removed, continued lines joined. "mtllib" and "usemtl" are followed by
    /// the number of a name below: names may have blanks and '#', at which parsers cut them.
    std::string statements;
    std::vector<std::string> materialFiles;  ///< What follows "mtllib": a file, or several.
    std::vector<std::string> materialNames;  ///< What follows "usemtl", each name once.
    std::vector<Vector3> positions;          ///< Positions of the v lines, rounded correctly.
    std::vector<Vector3> colours;            ///< Colours of the v lines; empty unless every one has one.
    /// Texture coordinates of the vt lines, rounded correctly; v is 0 where it is not given.
    std::vector<Eigen::Vector2d> texcoords;
    std::vector<Vector3> normals;  ///< Normals of the vn lines, rounded correctly, not scaled to length 1.
    std::vector<int> faceGroup;    ///< Index into groupNames of each face in `statements`.
    std::vector<std::vector<std::string>> groupNames;  ///< Names of the object and the groups that hold at once.
    std::vector<std::string> dropped;                  ///< Warnings of faces of fewer than three corners.
};

/// Files that an "mtllib" in a file of `folder` names: the one that is called like all of it, blanks included, or
/// those of its words that are there; as named, with '\\' for '/', or by the bare name in the folder.
PLIANT_INTERNAL_API std::vector<std::string> materialFilesThere(const std::string& named, const std::string& folder);

/// @throws Error with file:line for a number that is none, NaN or infinite, an index out of range or a face of more
/// than 255 corners; without line when there is no face at all
PLIANT_INTERNAL_API ObjText checkObjText(const std::string& text, const std::string& path);

}  // namespace pliant
