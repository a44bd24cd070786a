// SPDX-License-Identifier: Zlib
/// @file
/// A character as the run time knows it: a reduced model bent at rest, then skinned to bones.
///
/// A rest point x of the flesh is now at
///
///     p = s(x) + B(x) U(x) q,      s(x) = sum_b w_b(x) T_b x,      B(x) = sum_b w_b(x) R_b
///
/// with the maps T_b x = L_b x + t_b of the bones, L_b = scale times R_b. Mass and stiffness of q are constant in every
/// pose (docs/internals/characters.md).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/rig/Clip.h"
#include "pliant/rig/SkinWeights.h"

namespace pliant {

/// What flesh without inertia looks like in a pose.
enum class RestShape {
    Skin,  ///< The artist's skin: linear blend skinning as it is.
    Flesh  ///< The equilibrium of the flesh between its bones.
};

/// Bones of many things, of each one a list: those of thing i are bones[first[i]] to bones[first[i + 1] - 1],
/// ascending.
struct BoneLists {
    std::vector<int> first;  ///< One more than there are things; empty: none.
    std::vector<int> bones;  ///< Numbers of bones.
};

/// Which bones everything follows. Weights are >= 0 with the sum 1, at most four a point.
struct BodySkin {
    SkinWeights vertices;     ///< Weights of the d drawn vertices.
    SkinWeights spheres;      ///< Weights of the b spheres of the contact skeleton.
    SkinWeights nodes;        ///< Weights of the n simulation vertices; a material point has the mean of its vertices'.
    BoneLists segmentNodes;   ///< Bones of all that a node of the model's skeletonTree covers.
    BoneLists triangleNodes;  ///< Bones of all that a node of the model's triangleTree covers.
};

/// What bones do to the flesh: reduced forces that are linear in twelve numbers of each pair of bones that share flesh,
/// the pairs (b, b) included. Entry (i, k) of pair p has the column 12 p + i + 3 k.
struct SkinForcing {
    Matrix<int, 2, Eigen::Dynamic> pairs;  ///< The bones b and c of each pair, 2 x P.
    /// A, r x 12P: A_bc,j = int rho w_b w_c psi_j (x; 1)', against [R_b' L''_c | R_b' (t''_c - g)].
    MatrixX inertia;
    /// G, r x 12P: G_bc,j(i, k) = psi_j' S_b (w_c e_i x_k), against [R_b' L_c - scale_b | R_b' (t_c - t_b)].
    MatrixX pose;

    /// The number P of pairs.
    int pairCount() const { return static_cast<int>(pairs.cols()); }
};

/// A character, immutable and shared. The rest space of its bones is the *body frame* of the flesh: bind frames and
/// ends are given in it, so that restToNow() and motionAt() are the maps of surface, spheres and basis as they are.
struct CharacterModel {
    /// The flesh, held where the cores of the bones are. Basis: eigenvectors of its rest stiffness, softest first.
    std::shared_ptr<const ReducedModel> flesh;
    Skeleton skeleton;                  ///< B bones, bind frames and ends in the body frame of the flesh.
    std::vector<Clip> clips;            ///< May be empty.
    VectorX coreRadii;                  ///< B: radius of the core that each bone holds, m; 0: it holds none.
    RestShape base = RestShape::Flesh;  ///< Whether the forcing of poses counts, unless the user says otherwise.
    bool linear = true;                 ///< The strain energy has no cubic and quartic part.
    BodySkin skin;                      ///< What follows which bone.
    SkinForcing forcing;                ///< What bones do to the flesh.
};

/// Loads a character (docs/model-file.md), every byte verified as by loadModel().
/// @throws Error naming the file, the section and the reason, and for models that have no bones
PLIANT_API std::shared_ptr<const CharacterModel> loadCharacter(const std::string& path);

/// Writes a character's file: that of its flesh with sections for the bones, whole or not at all.
/// @throws Error when it is not consistent or cannot be written
PLIANT_API void saveCharacter(const CharacterModel& character, const std::string& path);

/// Whether a model file has bones. @throws Error when the file is missing or damaged
PLIANT_API bool isCharacterFile(const std::string& path);

/// At rest, the weights of a material point: the mean of its vertices', the four largest with the sum 1.
/// @param bones, weights 4 numbers each, written, as a column of SkinWeights
PLIANT_API void weightsAt(const SkinWeights& nodes, const MaterialPoint& point, int* bones, double* weights);

}  // namespace pliant
