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
    SphereF skinnedNode(const SphereF& ball, const float* rest, const BoneLists& lists, int node) const;

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
    std::shared_ptr<const CollisionSkin> skin;  ///< of a character
    BonePlaces places, lastPlaces;              ///< of its bones, now and before the move
    std::vector<double> reaches, changes;       ///< of the same, 3 numbers a bone: what q and its change may move
    unsigned poseNumber = 0;
    CacheAlignedVector<float> q;                  ///< r
    CacheAlignedVector<float> packedCoordinates;  ///< (q_j, q_j, q_j, |q_j|), padded
    CacheAlignedVector<float> rotated;            ///< spheres along the world's axes, 4 floats each, whole tiles
    CacheAlignedVector<float> boundSpheres;       ///< the same of the bound spheres, current
    CacheAlignedVector<BoxF> boxes;               ///< of the skeleton tree's nodes, around rotated spheres
    bool spheresAreCurrent = false, boxesAreCurrent = false;
    BoxF outer{};  ///< around rotated spheres
    /// Metres that `outer` may be too large by; 0: made of all spheres in the last move.
    double slack = std::numeric_limits<double>::infinity();
    double surfaceExcess;  ///< metres, at this q
    double motionBound = 0.0, relativeMotionBound = 0.0;
    RigidTransform worldFromBody;
    Eigen::Matrix3f rotation = Eigen::Matrix3f::Identity();  ///< of the same

    // The end of the coming step.
    bool hasPrediction = false;
    CacheAlignedVector<float> predictedCoordinates;  ///< r
    CacheAlignedVector<float> predictedSpheres;      ///< as `rotated`, about the origin then
    CacheAlignedVector<BoxF> predictedBoxes;         ///< as `boxes`, about the origin then
    Vector3 predictedOrigin = Vector3::Zero();       ///< world

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
    Eigen::Vector3f shift = Eigen::Vector3f::Zero();  ///< of the origin
    MoveBound moveBound;
    double residualMotion = 0.0;       ///< metres that a sphere may come farther than all bound spheres
    bool isMeasured = false;           ///< the spheres are those of the state before
    CacheAlignedVector<float> change;  ///< r, of q
};

}  // namespace pliant
