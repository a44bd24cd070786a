// SPDX-License-Identifier: Zlib
// Internal: which rows hold many points of a body at once ([HSO03] section 4.2, [C02] section 4.4).
//
// Three candidate rows for each of n points, along the axes of the world, have the Gram matrix W = J M^-1 J' (M the
// mass of the step: frames, and Y^-1 of the modes). Impulses P that give the velocities J v = t with the least change
// of energy |dv|^2_M / 2 are P = W^-1 (t - J v*). W has the rank 6 + r at most, so points beyond depend on those
// before.
//
// Point by point, in their order: with S the Schur complement of the point's 3 x 3 block W_i in W of the rows chosen so
// far, and W_i = V L V', the eigenvalues s in [0, 1] of L^(-1/2) V' S V L^(-1/2) are the shares of its mobility that
// the rows before leave to the point, the eigenvectors e the directions. Those with s above the tolerance are held:
// rows are unit vectors at right angles that span the V L^(-1/2) e. In the others the point comes as near as it can:
// the residual is orthogonal to what is held in the metric W_i^-1, the least squares of effective mass. The choice does
// not depend on the axes. HeldDirections.h has what more is asked of a direction.
//
// Behind these rows stand others that are not solved: what the points' last impulses have in directions that are held
// no longer. Bodies have stepped with it, so it acts in this step too; by the factor of the warm start it dies away.
#pragma once

#include "btPliant/joints/JointConstraints.h"

namespace btPliantInternal {

/// Replaces the candidate rows of a joint with many points by those that hold, and tells the points how many each has.
/// Reads candidate rows with Jacobians and responses; writes rows, vectors, `count` and the pseudo-inverse, which here
/// is the inverse.
/// @param h length of the step, s @param share of a gap that is taken back in it
void chooseHeldRows(const ReducedBodies& reducedBodies, const SolverBodies& bodies, JointConstraint& joint, double h,
                    double share, JointConstraints& all);

/// The impulses of the chosen rows that come nearest to the points' last ones.
void startFromLastPoints(const JointConstraint& joint, JointConstraints& all);

}  // namespace btPliantInternal
