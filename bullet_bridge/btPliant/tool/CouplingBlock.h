// SPDX-License-Identifier: Zlib
// Internal: the six rows of a tool's coupling, solved together at the end of the step.
//
// Along each row the grip comes from the gap y_0 to y_1 = y_0 - h (u_frames + (u_0,modes + u_1,modes) / 2) + h v, with
// the velocity v of the followed pose. The spring is W(y) with the gradient rho(|y|) y / |y|, which grows with y and is
// convex; the impulse is
//
//     P = h grad W(z),   z = y_1 + (d / k) (y_1 - y_0) / h,
//
// so that damping stays inside of the saturation. With v = 0 the grip's bodies gain at most P.(y_0 - y_1) / h, and
// W(y_1) - W(y_0) <= grad W(y_1).(y_1 - y_0). The sum is at most (grad W(z) - grad W(y_1)).(y_0 - y_1) <= 0, since
// grad W is monotone and z - y_1 is along y_1 - y_0: a still hand never gives energy, whatever h, k and d are.
//
// Of each group of three, z = b - A P with A the mobility of the grip (times 1 + d / h k). On the eigenvectors of A
// that is P_i = b_i / (a_i + c) with c = |z| / (h rho(|z|)): one equation for |z| with one root, found by a bracketing
// search, so that there is no stiffness and no saturation at which the solution is missed. Both groups take turns until
// they agree; an arm to the centre of mass couples them.
//
// The force F turns its body about the arm a, and the moment a x F changes as the arm turns. Taken from the start of
// the step alone that is unstable from h^2 F a / I = 2 on. The angular impulse has the part of the end of the step
// besides, -h^2 G w, with G the positive part of (a.F) 1 - (a F' + F a') / 2: it takes energy and gives none.
#pragma once

#include "btPliant/data/JointData.h"
#include "pliant/hand/ToolPose.h"

namespace btPliantInternal {

/// One of the two groups of rows.
struct CouplingGroup {
    double stiffness = 0.0, limit = 0.0;  ///< Both times how firmly the hand holds.
    bool isAngular = false;
    double lean = 0.0;                                ///< Ratio d / (h k).
    pliant::Vector3 gap = pliant::Vector3::Zero();    ///< Gap y_0 at the time of the frames, to the end of the step.
    pliant::Vector3 shift = pliant::Vector3::Zero();  ///< Shift in z = (1 + lean) y_1 - shift.
    double speedLimit = 0.0;
    pliant::Matrix3 axes = pliant::Matrix3::Identity();    ///< Eigenvectors of A.
    pliant::Vector3 mobility = pliant::Vector3::Zero();    ///< Eigenvalues of A, m/(N s).
    pliant::Matrix3 brake = pliant::Matrix3::Zero();       ///< Brake h^2 G.
    pliant::Matrix3 braked = pliant::Matrix3::Identity();  ///< Velocity with the brake, by that without.
};

struct CouplingBlock {
    double h = 0.0;  ///< Length of the step, s.
    CouplingGroup groups[2];
    pliant::Matrix6 response = pliant::Matrix6::Zero();  ///< Velocity along the rows by unit impulses of them.
    pliant::Matrix6 approach = pliant::Matrix6::Zero();  ///< Change of -z by unit impulses.
};

/// What the two parts of the material's motion do along the rows.
struct CouplingResponse {
    pliant::Matrix6 frames = pliant::Matrix6::Zero();      ///< Velocity of the frames by unit impulses.
    pliant::Matrix6 modes = pliant::Matrix6::Zero();       ///< Velocity of the modes by unit impulses.
    pliant::Vector6 startModes = pliant::Vector6::Zero();  ///< Velocity u_0,modes at the start of the step.
    pliant::Vector3 arm = pliant::Vector3::Zero();         ///< Arm from the centre of mass to the grip, world, m.
    double mass = 0.0;                                     ///< Mass for critical damping, kg; 0: that of the rows.
    double inertia = 0.0;                                  ///< Inertia of the same, kg m^2; 0: that of the rows.
};

/// @param h length of the step, s
CouplingBlock makeBlock(const ToolCoupling& coupling, const CouplingResponse& response, double h);

/// The impulses that solve the rows while everything else stays.
/// @param impulse present ones, N s and N m s  @param frames, modes present velocities along the rows
pliant::Vector6 solveBlock(const CouplingBlock& block, const pliant::Vector6& impulse, const pliant::Vector6& frames,
                           const pliant::Vector6& modes);

}  // namespace btPliantInternal
