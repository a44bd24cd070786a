// SPDX-License-Identifier: Zlib
// What a character adds to the CollisionModel of its flesh: which bones carry spheres, vertices, tree nodes and the
// lattice, and bounds of all that a bone carries. Made once per CharacterModel, immutable.
//
// A sphere that rests at x is now at sum_b w_b p_b, a convex combination of the p_b = T_b x + R_b U q (R_b the rotation
// of T_b: bones scale the shape at rest, not the bending). So what holds p_b for every bone b of a set holds whatever
// follows bones of that set alone:
//   - the sphere around the images of a tree's node under all of its bones;
//   - the box around the boxes of the bones that carry a sphere together: what is apart from all of these boxes is
//     apart from the body (mayMeet());
//   - for a whole body the box around the images, bone by bone, of the box that holds what follows the bone at rest,
//     grown by what q may move it: |(U q)_k| <= sum_j g_kj |q_j|, where g_kj is the largest |U_kj| of any follower.
//     One by one, for soft ends have modes of their own, which the rest of the body has no part in.
// In a move p_b goes by (T1 - T0)(c) + (L1 - L0)(x - c) + (R1 - R0) u1 + R0 (u1 - u0), c the middle of that box: the
// largest over the bones bounds the way of every sphere.
#pragma once

#include <memory>
#include <vector>

#include "pliant/collision/body/CollisionModel.h"
#include "pliant/math/Api.h"
#include "pliant/math/CacheAligned.h"
#include "pliant/model/CharacterModel.h"
#include "pliant/rig/PoseMotion.h"

namespace pliant {

/// Weights as the kernels read them: four a point.
struct PackedSkin {
    std::vector<int> bones;
    std::vector<float> weights;

    PackedSkin() = default;
    explicit PackedSkin(const SkinWeights& skin);
    int count() const { return static_cast<int>(weights.size() / 4); }
    /// Calls visit(bone, weight) for the bones of a point.
    template <typename Visit>
    void forBones(int point, const Visit& visit) const {
        for (auto k = 4 * static_cast<std::size_t>(point); k < 4 * static_cast<std::size_t>(point) + 4; ++k)
            if (weights[k] > 0.0f) visit(bones[k], static_cast<double>(weights[k]));
    }
};

/// The bones' maps at one moment.
struct BonePlaces {
    std::vector<AffineMap> maps;        ///< Maps T_b, body frame -> world, of the B bones.
    CacheAlignedVector<float> columns;  ///< The same maps about `origin`, as skinSpheres() reads them.
    Vector3 origin = Vector3::Zero();   ///< Origin of `columns`, world, m.
    bool isScaled = false;              ///< Whether a bone's scale is not 1.

    /// The rotation R_b of a bone; of one that is not scaled L_b itself.
    Matrix3 rotation(int bone) const {
        const auto map = maps[static_cast<std::size_t>(bone)].leftCols<3>();
        return isScaled ? Matrix3(map / scaleOf(bone)) : Matrix3(map);
    }
    /// What skinSpheres() takes for places at rest.
    const float* restFor(const float* rest) const { return isScaled ? rest : nullptr; }

    /// @param bones B maps  @param about the origin
    void set(const AffineMap* bones, int count, const Vector3& about);
    /// The same bone by bone: first this, then setBone() of each.
    void begin(const AffineMap* bones, int count, const Vector3& about);
    void setBone(int bone, const AffineMap& map);  ///< May be its own map.

private:
    double scaleOf(int bone) const;
};

class PLIANT_INTERNAL_API CollisionSkin {
public:
    explicit CollisionSkin(std::shared_ptr<const CharacterModel> character);

    const CharacterModel& character() const { return *m_character; }
    int boneCount() const { return m_character->skeleton.boneCount(); }
    const PackedSkin& spheres() const { return m_spheres; }
    const PackedSkin& vertices() const { return m_vertices; }
    const PackedSkin& lattice() const { return m_lattice; }  ///< Weights of the contact lattice's vertices, if any.
    /// The contact lattice's vertices in the body frame, radius 0; none where there is no lattice.
    const AffineSpheres& latticeVertices() const { return m_latticeVertices; }
    /// Mass of the flesh that follows the bones of a sphere, kg: the mean by its weights of int rho w_b.
    double massBehind(int sphere) const;
    const float* sphereRests() const { return m_sphereRests.data(); }  ///< Where the spheres rest, four floats each.
    const BoneLists& segmentNodes() const { return m_character->skin.segmentNodes; }
    const BoneLists& triangleNodes() const { return m_character->skin.triangleNodes; }
    /// Largest side of what follows any bone at rest, m.
    double size() const { return m_size; }

    /// Sphere around what a node covers, about the origin of `places`: x, y, z, radius. @param sphere body frame, at
    /// this q
    /// @param rest where its centre is at rest
    static void nodeSphere(const BoneLists& lists, int node, const BonePlaces& places, const float* sphere,
                           const float* rest, float* out);

    /// How far coordinates may move what follows each bone: 3 a bone, along the body's axes, m; of q and of its change.
    /// @param q, change `r` numbers, the first of the model's: a body with less detail has fewer
    void reach(const float* q, const float* change, int r, double* reaches, double* changes) const;
    /// Box about the origin of `places` that holds all spheres and drawn vertices: lower corner, 0, negated upper
    /// corner, 0. @param reaches of this q
    void bounds(const BonePlaces& places, const double* reaches, float* box) const;
    /// Whether a sphere may reach into a box, both about the origin of `places`. @param reaches of this q
    bool mayMeet(const BonePlaces& places, const double* reaches, const Vector3& lower, const Vector3& upper) const;
    /// The longest ways, m, of anything in a move.
    struct Ways {
        double whole = 0.0;     ///< The longest way.
        double relative = 0.0;  ///< The longest way with the shift of the origin taken off.
    };
    /// Carries `places` on to other bones about another origin, in one pass, as they are many where there are crowds.
    /// @param bones B maps; may be those of `places`  @param reaches of the q after the move
    /// @param changes of the change of q  @return ways of any sphere
    Ways moveTo(BonePlaces& places, const AffineMap* bones, const Vector3& origin, const double* reaches,
                const double* changes) const;

    /// Of anything that rests, between two poses of the bones. @param shift of the origin
    Ways longestWays(const AffineMap* before, const AffineMap* after, const Vector3& shift = Vector3::Zero()) const;

private:
    struct BoneBounds {
        int bone = 0;
        Vector3 centre, half;        ///< of what follows it at rest, body frame, m
        double halfLength = 0.0;     ///< |half|, m
        std::vector<double> growth;  ///< r x 3
    };
    struct BoneBox {
        Vector3 lower, upper;
    };
    void boundBone(int bone);
    void listCompanies();
    void packGrowth();
    void weighBones();
    BoneBox boxOf(const BoneBounds& bone, const BonePlaces& places, const double* reaches) const;

    std::shared_ptr<const CharacterModel> m_character;
    PackedSkin m_spheres, m_vertices, m_lattice;
    AffineSpheres m_latticeVertices;
    CacheAlignedVector<float> m_sphereRests;
    std::vector<double> m_boneMasses;  ///< Mass that follows each bone, kg.
    std::vector<BoneBounds> m_bounds;  ///< Bounds of bones that carry something.
    /// Growth of all bones side by side, three columns a bone, in panels of kGrowthColumns with r rows each.
    CacheAlignedVector<double> m_growth;
    int m_growthRows = 0;
    /// Sets of bones that carry a sphere together, numbers in m_bounds, each set once.
    std::vector<std::vector<int>> m_companies;
    double m_size = 0.0;
};

}  // namespace pliant
