// SPDX-License-Identifier: Zlib
// The cores of bones: what of a simulation mesh moves with a bone as one rigid piece.
//
// A line holds nothing in an elastic solid (its capacity is zero): the first frequency falls for ever as the mesh is
// refined. So every bone holds the vertices within a radius, a share of the way from the bone to the surface, but not
// at its joints, where two bones would hold the same flesh.
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/VolumeMesh.h"
#include "pliant/rig/Rig.h"

namespace pliant {

/// Which vertices are held by which bones.
struct BoneCores {
    std::vector<int> boneOf;  ///< Bone that holds each of the n vertices, or -1.
    VectorX radii;            ///< Radii of the B cores, m; 0: the bone carries no skin and holds nothing.
    std::vector<int> held;    ///< Numbers of the held vertices, ascending.
};

/// Whether skin follows each bone. @return B
std::vector<bool> bonesWithSkin(const Rig& rig);

/// Mean length of the first edge of the elements, m.
double meanEdge(const VolumeMesh& mesh);

/// @param rig surface and bones in the mesh's frame, bones with their ends @param share (0, 1) of the way from the bone
/// to the surface  @param where the file, for errors
/// @param notes receives the bones whose cores are thinner than the mesh is fine, in one sentence
/// @throws Error naming the bone, for bones that carry skin and lie outside of the flesh, have no length, or find no
/// vertex that no other bone holds
BoneCores boneCores(const Rig& rig, const VolumeMesh& mesh, double share, const std::string& where,
                    std::vector<std::string>& notes);

}  // namespace pliant
