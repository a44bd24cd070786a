// SPDX-License-Identifier: Zlib
// Internal: which directions of many points are held (HeldRows.h), and what is asked of them.
//
// W of the directions is factored as L L' in double precision, of Jacobians and responses that are not rounded to
// Bullet's numbers: a Schur complement of rounded ones has the rounding of W over its smallest pivot, which in single
// precision passes for mobility. L^-1 is kept beside L. Its columns tell what share of its mobility a direction keeps
// beside all others, which bounds how far rounding and gaps are magnified.
//
// What is asked: the ways d_p from where the points would be at rest, in the present frame, to where they have to be.
// A motion of a rigid body is fitted to them, which costs no deformation; what is left asks for one. With y = L^-1 of
// that, |y|^2 is twice the energy of what it takes, and each direction adds its own y_i^2. Points that contradict ask
// for far more than bodies that move by their gaps would take; there y_i is cut, in the order of the directions, and
// the target of the row with it.
#pragma once

#include <vector>

#include "btPliant/data/Convert.h"
#include "btPliant/joints/JointConstraints.h"

namespace btPliantInternal {

/// Directions of a joint with many points. Their memory is the thread's, so that one object lives at a time.
class HeldDirections {
public:
    /// A unit direction of a point, a sum of the point's three candidate rows.
    struct Direction {
        int point;
        pliant::Vector3 weights;
    };

    HeldDirections(const ReducedBodies& reducedBodies, const SolverBodies& bodies, const JointConstraint& joint,
                   const JointConstraints& all)
        : m_reducedBodies(reducedBodies), m_bodies(bodies), m_joint(joint), m_all(all) {}

    /// Chooses. @param tolerance share of its mobility that a direction keeps
    void take(double tolerance);
    /// Cuts what the directions ask for to what the bodies can follow, and adds what large turns lack.
    /// @param h length of the step, s @param share of a gap that is taken back in it
    void ask(double h, double share);
    /// What the points' last impulses have beside the directions goes on as directions behind them.
    void addRetiring(const JointData& last);

    const std::vector<Direction>& all() const { return m_directions; }
    /// Inverse of W of the directions taken, row by row.
    void invert(btScalar* out) const;
    /// Whether a direction gets all the deformation that it asks for. What only turns the bodies too fast comes later.
    bool isMet(std::size_t k) const { return m_isMet[k] != 0; }
    /// Velocity that is taken from what a direction asks for, m/s.
    double cut(std::size_t k) const { return m_cuts[k]; }

private:
    /// Where row i of a triangle begins that is kept row by row, each up to its diagonal.
    static std::size_t rowAt(std::size_t i) { return i * (i + 1) / 2; }

    int mostDirections() const;
    double exactCoupling(int k, int l) const;
    pliant::Matrix3 block(int p, int q) const;
    void reduce(int p, std::vector<pliant::Vector3>& x) const;
    void takePoint(int p);
    bool append(int p, const pliant::Vector3& unit, const pliant::Matrix3& own, const pliant::Matrix3& S,
                const pliant::Matrix3& before, int count, pliant::Matrix3& L);
    bool leavesEnough();

    bool isFree(int side) const;
    pliant::Vector3 place(int p) const;
    pliant::Vector3 velocity(int p) const;
    pliant::Vector3 gap(int p) const;
    pliant::Vector3 carried(int p) const;
    pliant::Vector3 carriedVelocity(int p) const;
    void fitMotion(double h, double share);
    pliant::Vector3 carriedAlong(int p) const;
    void fitTurn(double h, double share);
    void fitVelocity();
    bool turnTogether() const;
    void fitArc(double h);
    bool knowsArc() const;
    pliant::Vector3 startOfArc(int p) const;
    pliant::Vector3 besideArc(int p) const;
    pliant::Vector3 arcVelocity(int p) const;
    double fastestBend() const;
    double bendOf(const Direction& direction) const;
    double wayOf(double h, const Direction& direction) const;
    double swing(double h, int side, const std::vector<double>& impulses) const;
    double steadyShare(double h) const;
    pliant::Vector3 turn(std::size_t i, int side) const;
    double largestShare(double wanted, const pliant::Vector3 turns[2], const pliant::Vector3 turned[2]) const;

    const ReducedBodies& m_reducedBodies;
    const SolverBodies& m_bodies;
    const JointConstraint& m_joint;
    const JointConstraints& m_all;
    double m_largest = 0.0;               ///< Largest mobility of a point, 1/kg.
    double m_least = 0.0;                 ///< Mobility of what cannot move, 1/kg.
    double m_noise = 0.0;                 ///< What W is uncertain by, 1/kg.
    double m_tolerance = 0.0;             ///< As take() has it.
    std::size_t m_most = 0;               ///< Largest number of directions.
    double m_rate = 0.0;                  ///< Share of a gap that is taken back, 1/s.
    double m_spin = 0.0;                  ///< Largest angular velocity that is asked for, rad/s.
    bool m_isFree = false;                ///< Whether a frame moves.
    bool m_isCarried = false;             ///< Whether a rigid motion is taken out of the gaps.
    pliant::Matrix3 m_turn;               ///< Rotation of the rigid motion that is asked for.
    bool m_turnsAlong = false;            ///< Whether rows go along that rotation, not its chord.
    pliant::Vector3 m_turnRate;           ///< Angular velocity of it, rad/s.
    pliant::Vector3 m_move;               ///< Velocity of the centre of mass of it, m/s.
    pliant::Vector3 m_centreNow;          ///< Centre of mass, m.
    pliant::Vector3 m_from, m_to;         ///< Means of the points before and after it, m.
    pliant::Vector3 m_linear, m_angular;  ///< Rigid part of the targets' own velocities, at m_to, m/s and rad/s.
    double m_step = 0.0;                  ///< Length of the step where targets turn in the world, s; else 0.
    pliant::Matrix3 m_arc;                ///< Rotation by which they do in the step.
    pliant::Vector3 m_centre;             ///< About which the frame of the first body turns, m.
    static thread_local std::vector<Direction> m_directions;
    static thread_local std::vector<double> m_factor;         ///< L, row by row, each up to its diagonal.
    static thread_local std::vector<double> m_inverse;        ///< L^-1, as L.
    static thread_local std::vector<double> m_mobilities;     ///< Of the directions by themselves, 1/kg.
    static thread_local std::vector<double> m_rigid, m_bent;  ///< L^-1 of what is asked for and granted.
    static thread_local std::vector<double> m_cuts;           ///< See cut().
    static thread_local std::vector<char> m_isMet;            ///< See isMet().
    static thread_local std::vector<pliant::Vector3> m_column;
};

}  // namespace btPliantInternal
