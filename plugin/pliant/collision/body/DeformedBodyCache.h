// SPDX-License-Identifier: Zlib
// What a DeformedBody holds, and the parts of a move. Internal to collision/.
#pragma once

#include <limits>

#include "pliant/collision/body/DeformedBody.h"
#include "pliant/collision/kernels/SkinKernels.h"
#include "pliant/collision/kernels/SphereKernels.h"
#include "pliant/math/CacheAligned.h"

namespace pliant {

/// A move is beginMove(), then endBoundSpheres() after their pass over the coefficients (SphereKernels.h) where the
/// model has bound spheres, and endSlightMove() or, after a pass of all spheres, endMove().
struct DeformedBody::Cache : CacheAligned {
    Cache(std::shared_ptr<const CollisionModel> shared, std::shared_ptr<const CollisionSkin> bones);

    /// @param newQ null: as it is
    void beginMove(const double* newQ, const RigidTransform& newFrame);
    void endBoundSpheres(const MovingSpheres& moved);
    /// Whether the spheres may be left alone.
    bool isSlight() const;
    void endSlightMove();
    void endMove(const MovingSpheres& moved);
    void endEvaluation();
    /// A move of a character's body, whole.
    void moveSkinned(const NewState& state);
    /// Carries spheres of the body frame by the bones.
    void skinAll(const BonePlaces& at, float* spheres) const;
    /// A sphere or vertex of the body frame, carried by the bones of a character.
    /// @param rest where it rests
    SphereF skinned(const SphereF& at, const float* rest, const PackedSkin& points, int i) const;
    /// What a node covers, in the same way.
    SphereF skinnedNode(const SphereF& bent, const float* rest, const BoneLists& lists, int node) const;

    /// @param spheres 4 floats each, whole tiles
    MovingSpheres pass(float* spheres);
    /// A pass of its own over all spheres. @return its results
    MovingSpheres evaluateInto(float* spheres);
    void evaluate();
    void refit();
    /// Two spheres, which may be one, with x, y, z, radius each.
    void rotateTwo(int first, int second, float* eight) const;

    void prepareForPrediction();
    void predictMotion(const double* predictedQ, const RigidTransform& frame, const AffineMap* bones);

    std::shared_ptr<const CollisionModel> model;
    std::shared_ptr<const CollisionSkin> skin;  ///< Skin of a character; null of other bodies.
    BonePlaces places;                          ///< Places of a character's bones.
    /// How far q and its change may move what follows each bone, 3 numbers a bone, m.
    std::vector<double> reaches, changes;
    unsigned poseNumber = 0;
    CacheAlignedVector<float> q;                  ///< Coordinates, r.
    CacheAlignedVector<float> packedCoordinates;  ///< Coordinates (q_j, q_j, q_j, |q_j|), padded.
    CacheAlignedVector<float> rotated;            ///< Spheres along the world's axes, 4 floats each, whole tiles.
    CacheAlignedVector<float> boundSpheres;       ///< Bound spheres along the world's axes, current.
    CacheAlignedVector<BoxF> boxes;               ///< Boxes of the skeleton tree's nodes, around rotated spheres.
    bool spheresAreCurrent = false, boxesAreCurrent = false;
    BoxF outer{};  ///< Box around all rotated spheres.
    /// Metres that `outer` may be too large by; 0: made of all spheres in the last move.
    double slack = std::numeric_limits<double>::infinity();
    double surfaceExcess;  ///< How far drawn vertices may stand out of the spheres at this q, m.
    double motionBound = 0.0, relativeMotionBound = 0.0;
    RigidTransform worldFromBody;
    Eigen::Matrix3f rotation = Eigen::Matrix3f::Identity();  ///< Rotation of `worldFromBody`.

    // The end of the coming step.
    bool hasPrediction = false;
    CacheAlignedVector<float> predictedCoordinates;  ///< Predicted coordinates, r.
    CacheAlignedVector<float> predictedSpheres;      ///< Predicted spheres as `rotated`, about the origin then.
    CacheAlignedVector<BoxF> predictedBoxes;         ///< Predicted boxes as `boxes`, about the origin then.
    Vector3 predictedOrigin = Vector3::Zero();       ///< Predicted origin, world, m.

private:
    /// How far spheres come in a move at most, about the body's origin and in the world, metres.
    struct MoveBound {
        double relative = 0.0, total = 0.0;
    };
    MoveBound moveBoundOf(const MovingSpheres& moved) const;
    double residualMotionOf(const double* newQ, const RigidTransform& newFrame);
    double rounding() const;
    void setCoordinates(const double* newQ);
    void addTravel();
    void fitBoxes(const CacheAlignedVector<float>& spheres, CacheAlignedVector<BoxF>& around) const;

    // The move that is going on.
    Eigen::Vector3f shift = Eigen::Vector3f::Zero();  ///< Motion of the origin, m.
    MoveBound moveBound;
    double residualMotion = 0.0;       ///< How much farther a sphere may come than all bound spheres, m.
    bool isMeasured = false;           ///< Whether the spheres are those of the state before.
    CacheAlignedVector<float> change;  ///< Change of q, r.
};

}  // namespace pliant
