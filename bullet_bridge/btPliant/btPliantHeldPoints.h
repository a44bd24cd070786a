// SPDX-License-Identifier: Zlib
/// @file
/// Any number of material points of a body, held exactly and together.
#pragma once

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>

#include <string>

#include "btPliant/btPliantJoint.h"
#include "pliant/math/Api.h"

/// Material points of a reduced body that are held at places of the world, still or moving, or to points of another
/// body ([HSO03] section 4.2, [C02] section 4.4).
///
///     btPliantHeldPoints hands(*flag);
///     const int corner = hands.addPoint(btVector3(0, 0, 1));  // mesh frame, at rest; held where it is now
///     hands.addPoint(btVector3(0, 0, 0));
///     world.addConstraint(&hands);
///     ... hands.setTarget(corner, where, velocity); world.stepSimulation(h); ...
///
/// All are solved as one block by btPliantConstraintSolver: of all impulses that give the points the velocities that
/// they need, those that change the energy least. A body of r coordinates can follow 6 + r numbers (r where its frame
/// stands still), so that more points, or such as depend on each other, may contradict. They are taken in the order in
/// which they were added: each holds all directions that those before it leave free, and comes as near as it can in the
/// others, least squares in the metric of its effective mass. A direction counts as free while those before leave it
/// setTolerance() of its mobility, and it them. What the targets ask for beyond a rigid motion is cut where it takes
/// more energy than to move the easiest point ten times as far as the largest gap. isGivenUp() and getStatus() name the
/// points that are not where they should be.
///
/// With another solver the points hold the body's frame and do not bend it. getLinearImpulse() is the sum over all
/// points; getAppliedImpulse() is the root of the sum of the squares of the points' impulses, which
/// getBreakingImpulseThreshold() bounds.
class PLIANT_API btPliantHeldPoints : public btTypedConstraint, public btPliantJoint {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();
    static constexpr int kMostPoints = 1024;  ///< That one constraint holds.

    /// Holds no points yet.
    /// @param A the body whose points are held in the world
    explicit btPliantHeldPoints(btPliantBody& A);
    /// Holds no points yet.
    /// @param A the body whose points are held
    /// @param B the body whose points hold them
    btPliantHeldPoints(btPliantBody& A, btRigidBody& B);

    /// Holds another point: where it is now, in the world or on B. The bodies wake up.
    /// @param restPoint of A: mesh frame at rest, m
    /// @return its number, from 0
    /// @throws pliant::Error where the point is not finite, or there are kMostPoints
    int addPoint(const btVector3& restPoint);
    /// Holds another point at a point of B. The bodies wake up.
    /// @param restPoint of A: mesh frame at rest, m
    /// @param restPointInB mesh frame at rest of a btPliantBody, body frame of a plain body; of the world itself, m
    /// @return its number, from 0
    /// @throws pliant::Error as the other one
    int addPoint(const btVector3& restPoint, const btVector3& restPointInB);
    /// Lets go of all points. Where there were any, the bodies wake up.
    void clearPoints();
    /// The number of points.
    int getNumPoints() const;

    /// Where a point has to be at the end of the coming step, and how fast it moves there: to be told before every
    /// substep while it moves, and once with no velocity where it stops. Wakes the body where it changes. Nothing
    /// where the points are held to a body, for a number that is none of a point, and for what is not finite.
    /// @param point its number  @param position world frame, m
    /// @param velocity of the target, m/s: without it a moving target is followed with a lag
    /// @return whether it was taken
    bool setTarget(int point, const btVector3& position, const btVector3& velocity = btVector3(0, 0, 0));
    /// Where a point has to be now, world frame, m.
    btVector3 getTarget(int point) const;
    /// Where a point is now, world frame, m.
    btVector3 getPosition(int point) const;
    /// The impulse of the last substep on a point of A, world frame, N s.
    btVector3 getPointImpulse(int point) const;
    /// How many directions of a point were held in the last substep: 3, or fewer where points before it leave it less
    /// or what it asks for was cut.
    int getHeldDirections(int point) const;
    /// Whether a point had fewer than three directions of its own and is farther from its target than a thousandth of
    /// the body's size: what the points before it ask for and what it asks for contradict.
    bool isGivenUp(int point) const;
    /// The number of points that are given up.
    int getNumGivenUp() const;
    /// Empty, or a sentence that names the points that are given up, and says what to do.
    std::string getStatus() const;

    /// The share of its mobility, from 0 to 1, that a direction must keep beside the points before it to be held.
    /// Smaller ones hold more, by deformations that grow as 1 over its root. 1e-4 at first. Cut to that range; what is
    /// no number is not taken.
    void setTolerance(btScalar tolerance);
    /// What setTolerance() has set.
    btScalar getTolerance() const { return m_tolerance; }

    /// Bullet's callback at the start of a solve; the points follow the material.
    void buildJacobian() override;
    /// Bullet's callback: three rows a point.
    void getInfo1(btConstraintInfo1* info) override;
    /// Bullet's callback: rows along the axes of the world.
    void getInfo2(btConstraintInfo2* info) override;
    /// Bullet's parameters: BT_CONSTRAINT_ERP, the share of a gap that a step takes back, is all there is.
    void setParam(int num, btScalar value, int axis = -1) override;
    /// Bullet's parameters: BT_CONSTRAINT_ERP. @return 0 for others
    btScalar getParam(int num, int axis = -1) const override;

    /// Numbers that a saved world holds of the points: targets, velocities and impulses.
    void getNumbers(std::vector<double>& numbers) const override;
    /// Whether these are such numbers, for as many points.
    bool acceptsNumbers(const std::vector<double>& numbers) const override;
    /// Goes on from such numbers.
    void setNumbers(const std::vector<double>& numbers) override;

protected:
    /// The body's own frame; points have their own.
    btTransform getFrame(int side) const override;
    /// Nothing: points follow by themselves.
    void setFrame(int side, const btTransform& frame) override;

private:
    btScalar m_tolerance;
    btScalar m_erp = -1;  ///< negative: the world's
};
