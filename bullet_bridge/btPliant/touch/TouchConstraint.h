// SPDX-License-Identifier: Zlib
// Internal: the elements of distributed contact (pliant/touch/ConvexElement.h) in one group of Bullet's solver. Plain
// data: what the stages do with them is told by TouchSetUp.h, TouchIteration.h and TouchWriteBack.h.
//
// An element is a block of the iterations: it solves for all points of its pair at once, against the velocities that
// the other rows leave. With z the velocities of both bodies now, z_t = z - L zeta those without the element's own last
// solution, it minimises over the new zeta, and the change of its impulses acts on the bodies by their full response.
// The metric L L' is exact where frames and modes respond apart; where they are coupled it is the symmetric part of
// what the theorem asks for, and the iterations settle the rest.
//
// The depth of a point changes by its velocity along the field's normal g. The force A p n of its pressure, n the
// shell's normal and c = n.g, sums up over a closed surface on flat ground to what presses along g alone, and is the
// gradient of an energy for whatever bends the surface. So modes feel A p n, but frames A p (c / c') m, with m = g
// where the field is flat and c' = m.g: the sum over all faces is the same, and what slides is not held by its points
// in front, which the others balance only where all of them are there. Beside edges of the field, where g looks to the
// next face, m is n (TouchSetUp.cpp). A row is c' m for frames and n c'^2 / c for modes, and the area A c / c'^2:
// forces as above, a symmetric slope, so that the theorem holds as it stands, and depths that change by v.g where m is
// g. Where it is n frames that move across g seem to press, too, by c n.v; with depths along n, not c n, the faces
// beside the edges of a sliding cube would brake it.
#pragma once

#include <memory>
#include <vector>

#include "btPliant/data/ContactPair.h"
#include "btPliant/solver/ContactConstraints.h"
#include "pliant/touch/ConvexElement.h"
#include "pliant/touch/LatticeBasis.h"

namespace btPliantInternal {

/// One of the two bodies of an element. Its part of z: v, omega (world) where the frame moves, then q'.
struct TouchSide {
    const btCollisionObject* object = nullptr;
    btPliantBody* body = nullptr;  ///< The reduced body; null where it is none.
    int solverBody = -1;
    int reduced = -1;  ///< Number of the reduced body in the group; -1: none.
    int frame = 0;     ///< Numbers of the frame: 6 where it moves, else 0.
    int modes = 0;     ///< Number r of modes.
    int first = 0;     ///< First number of its part in z.
    int size() const { return frame + modes; }
    pliant::MatrixX metric;                            ///< Metric's root L, size x size.
    pliant::MatrixX whitening;                         ///< Whitening U'^-1, r x r, of whitened bodies (BodyBatch.h).
    pliant::VectorX applied;                           ///< Generalised impulse got so far, `size` numbers.
    pliant::Vector3 turned = pliant::Vector3::Zero();  ///< Change of angular velocity by it, rad/s.
    bool isWhitened = false;
    // Working memory, kept so that a step allocates nothing.
    pliant::MatrixX angular, modal, turns, bends, response;
    Eigen::LLT<pliant::MatrixX> factor;
    pliant::VectorX change;  ///< Of the impulse, `size` numbers.
    pliant::VectorX found;   ///< Of the modes.
    pliant::LatticeCellBasis basis;
};

/// Where a point of the element comes from.
struct TouchPoint {
    int role = 0, found = 0;                           ///< Places in TouchPair::roles and TouchRole::found.
    pliant::Vector3 normal, tangent[2];                ///< Unit vectors m, and beside it, world.
    double cosine = 1.0;                               ///< Cosine c' between `normal` and the field's.
    pliant::Vector3 pressure;                          ///< What the row of modes goes along, n c'^2 / c, world.
    pliant::Vector3 place;                             ///< Place of the point, world, m.
    pliant::Vector3 lever;                             ///< Where its force acts for torques, world, m.
    double baseDepth = 0.0, baseBend[2] = {0.0, 0.0};  ///< Depth and bend at the end of the step where z is zero, m.
    int bristle = -1;  ///< Number among the points that have a bristle; -1: it has none, and no rows of tangents.
};

struct TouchConstraint {
    ContactPair* pair = nullptr;
    TouchSide side[2];  ///< Sides of the pair's `a`, and of the other.
    pliant::ConvexElement element;
    std::vector<TouchPoint> points;
    std::vector<double> rows;      ///< Rows J D of the normal of every point, each of the size of z.
    std::vector<double> tangents;  ///< The same of both tangents of every point that has a bristle.
    int bristles = 0;              ///< How many have.
    double friction = 0.0;
    bool hasSolved = false;
    /// Velocities z_t, z_t of the last solve, and z, and the generalised impulse of all points.
    pliant::VectorX target, lastTarget, velocity, impulse;
    std::vector<double> scratch;

    int dimension() const { return side[0].size() + side[1].size(); }
};

struct TouchConstraints {
    std::vector<std::unique_ptr<TouchConstraint>> elements;  ///< Elements; beyond `count` kept for their memory.
    int count = 0;
};

inline void clear(TouchConstraints& all) {
    all.count = 0;
}

}  // namespace btPliantInternal
