// SPDX-License-Identifier: Zlib
// How far the spheres of a body come at most in a move, without a look at each of them: a few, the bound spheres, tell
// for all. Internal to collision/.
//
// The way of sphere i from (q0, R0, t0) to (q1, R1, t1) is linear in its rest centre x_i and its rows U_i of the basis.
// Once for a model, every (x_i, U_i) is made of the bound spheres' with weights >= 0 that add up to 1, as well as it
// goes, and (xi_i, V_i) is left over. No weighted mean of ways is longer than the longest of them, so with dq = q1 - q0
//     |way of i| <= max over bound spheres |way| + |V_i dq| + |R1 - R0| (|xi_i| + |V_i q0|)
//                <= max over bound spheres |way| + c |D dq| + |R1 - R0| (rho + c |D q0|),
// c = max |V_i D^-1|_2, rho = max |xi_i|, for any diagonal D > 0: here the root mean square of each column of what is
// left over.
#pragma once

#include <vector>

#include "pliant/collision/body/SphereTiles.h"

namespace pliant {

class MotionBoundSpheres {
public:
    MotionBoundSpheres() = default;
    /// Of few spheres there are none: all of them cost no more than their bound.
    explicit MotionBoundSpheres(const ContactSkeleton& skeleton);

    bool exist() const { return m_tiles.tiles > 0; }
    const SphereTiles& tiles() const { return m_tiles; }
    /// |D q|. @param q r floats
    double size(const float* q) const;
    /// Metres, c |D dq| + |R1 - R0| (rho + c |D q0|): to be added to the longest way of a bound sphere.
    /// @param bend |D dq| @param bent |D q0| @param turn >= |R1 - R0|_2
    double residualMotion(double bend, double bent, double turn) const {
        return m_residual * bend + turn * (m_restResidual + m_residual * bent);
    }
    /// Metres that the box around a body may be too large by; a fraction of a segment and of the body.
    double mostSlack() const { return m_mostSlack; }

private:
    SphereTiles m_tiles;
    std::vector<double> m_scale;  ///< r, diagonal of D
    double m_residual = 0.0;      ///< c
    double m_restResidual = 0.0;  ///< rho, metres
    double m_mostSlack = 0.0;
};

}  // namespace pliant
