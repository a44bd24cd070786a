// SPDX-License-Identifier: Zlib
// What a pair of distributed contact is booked at in a step: stated times of its parts, in place of those of a clock,
// so that a budget allows the same work on every machine. They are thread CPU times of one core of a virtual AMD EPYC
// with AVX-512; docs/contact-figures.md (What budgets are booked at) has the frames that they were taken from, and by
// how much a frame differs from what it is booked at. Not booked are more solves than one: of more iterations of a
// step, and up to three more in one for points that have come to touch (TouchIteration.cpp); and the two places more at
// which the field is asked for points whose normal is tilted against its own (DistributedTouch.cpp).
#pragma once

#include <algorithm>

namespace pliant {

struct TouchCost {
    static constexpr double kCell = 30.0;               ///< Of a cell of the shell that is placed, ns.
    static constexpr double kPointOfRigidField = 75.0;  ///< Of a point that is looked at in a field that stands, ns.
    static constexpr double kPointOfBentField = 215.0;  ///< The same in the field of a body that bends, ns.
    static constexpr double kRow = 62.0;                ///< Of a point's row in the element, which is solved once, ns.
    static constexpr double kRowOfUnknown = 4.0;        ///< For each unknown besides, ns.
    static constexpr double kSquare = 14.0;  ///< Of the solve whatever touches, for each square of the unknowns, ns.

    bool isBent = false;  ///< Whether the body of the field bends.
    int cells = 0;        ///< Cells of the shell.
    int unknowns = 0;     ///< Unknowns of the element: frames and modes of both bodies.
    int roles = 1;        ///< Roles of the pair, each with its budget, that one solve is for.

    /// Of where the shell is and of its share of a solve, ns, whatever is near.
    double places() const { return kCell * cells + kSquare * unknowns * unknowns / roles; }
    /// Of a point of a cluster that is near, ns: as if it did not rest, and pressed.
    double point() const { return (isBent ? kPointOfBentField : kPointOfRigidField) + kRow + kRowOfUnknown * unknowns; }
    /// Of a step in which so many points are near, us.
    double step(int points) const { return 1e-3 * (places() + point() * points); }
    /// Of a step with one point, us: in less time none fits, so that the coarsest level is taken whatever is near.
    double least() const { return step(1); }
    /// Points that fit a step's time; one where it is below least().
    /// @param microseconds 0: any number, which is told by 0
    int pointsWithin(double microseconds) const {
        if (!(microseconds > 0.0)) return 0;
        return std::max(1, static_cast<int>(std::min(1e9, (1e3 * microseconds - places()) / point())));
    }
};

}  // namespace pliant
