// SPDX-License-Identifier: Zlib
// What a DeformedBody holds, and the parts of a move. Internal to collision/.
#pragma once

#include <limits>

#include "pliant/collision/BallKernels.h"
#include "pliant/collision/DeformedBody.h"
#include "pliant/math/CacheLines.h"

namespace pliant {

/// A move is beginMove(), then endAnchors() after their pass over the coefficients (BallKernels.h) where the model has
/// anchors, and endSlightMove() or, after a pass of all balls, endMove().
struct DeformedBody::Cache : InCacheLines {
    explicit Cache(std::shared_ptr<const CollisionModel> shared);

    /// @param newQ null: as it is
    void beginMove(const double* newQ, const RigidTransform& newFrame);
    void endAnchors(const MovingBalls& moved);
    /// Whether the balls may be left alone.
    bool isSlight() const;
    void endSlightMove();
    void endMove(const MovingBalls& moved);
    void endEvaluation() { ballsAreCurrent = true; }

    /// @param balls 4 floats each, whole tiles
    MovingBalls pass(float* balls);
    /// A pass of its own over all balls. @return its results
    MovingBalls evaluateInto(float* balls);
    void evaluate();
    void refit();
    /// Two balls, which may be one, with x, y, z, radius each.
    void turnTwo(int first, int second, float* eight) const;

    void prepareToLookAhead();
    void lookAhead(const double* aheadQ, const RigidTransform& frame);

    std::shared_ptr<const CollisionModel> model;
    CacheLineVector<float> q;        ///< r
    CacheLineVector<float> lanes;    ///< (q_j, q_j, q_j, |q_j|), padded
    CacheLineVector<float> turned;   ///< balls along the world's axes, 4 floats each, whole tiles
    CacheLineVector<float> anchors;  ///< the same of CollisionModel::anchors(), up to date with every move
    CacheLineVector<BoxF> boxes;     ///< of the skeleton tree's nodes, around turned balls
    bool ballsAreCurrent = false, boxesAreCurrent = false;
    BoxF outer{};  ///< around turned balls
    /// Metres that `outer` may be too large by; 0: made of all balls in the last move.
    double slack = std::numeric_limits<double>::infinity();
    double surfaceExcess;  ///< metres, at this q
    double travelled = 0.0, swung = 0.0;
    RigidTransform worldFromBody;
    Eigen::Matrix3f rotation = Eigen::Matrix3f::Identity();  ///< of the same

    // The end of the coming step.
    bool looksAhead = false;
    CacheLineVector<float> coordinatesAhead;  ///< r
    CacheLineVector<float> turnedAhead;       ///< as `turned`, about the origin then
    CacheLineVector<BoxF> aheadBoxes;         ///< as `boxes`, about the origin then
    Vector3 aheadOrigin = Vector3::Zero();    ///< world

private:
    /// How far balls come in a move at most, about the body's origin and in the world, metres.
    struct Way {
        double swing = 0.0, travel = 0.0;
    };
    Way wayOf(const MovingBalls& moved) const;
    double leftOverOf(const double* newQ, const RigidTransform& newFrame);
    double rounding() const;
    void setCoordinates(const double* newQ);
    void addTravel();
    void fitBoxes(const CacheLineVector<float>& balls, CacheLineVector<BoxF>& around) const;

    // The move that is going on.
    Eigen::Vector3f shift = Eigen::Vector3f::Zero();  ///< of the origin
    Way way;
    double leftOver = 0.0;          ///< metres that a ball may come farther than all anchors
    bool isMeasured = false;        ///< the balls are those of the state before
    CacheLineVector<float> change;  ///< r, of q
};

}  // namespace pliant
