// SPDX-License-Identifier: Zlib
// Distributed contact of one pair in one step, with the force at the end of the step: the minimum of a convex function
// of the generalised velocities, over all points at once.
//
// With velocities z = (v, q') of both bodies, the response z - z* = S J' P to impulses P along the rows J of the
// points, and depths at the end of the step e_1 = e_0 - h J_f v_1 - (h/2) J_q (q'_0 + q'_1) = g - h J D z_1, where D is
// 1 for frames and 1/2 for modes (frames move by h v_1, modes by the mean of both velocities), the impulses P = h A
// p(e_1) of the points, of area A, belong to the minimiser of
//
//     |z - z*|^2 / 2 in the metric D S^-1  +  sum A Phi(e_1),         Phi' = p.
//
// In whitened velocities, z = L zeta with L L' = D^-1/2 S D^-1/2, the metric is the identity and rows are b = L' D J.
//
// Energy: with constant normals E_1 + W_1 <= E_0 + W_0 + the work of others for every h, every stiffness, and points
// that enter or leave: W_0 - W_1 >= P.(e_0 - e_1)/h by convexity, modes gain P (u_0 + u_1) / 2 (BodyBatch.h), and
// frames lose |v_1 - v*|^2 / 2 besides. Forces that are taken at the start of the step, or of points that touched then,
// gain without bound.
//
// Friction: a bristle for each point (BristleFriction.h) with its force at the end of the step too; the limit of each
// belongs to the normal force of the solve before, so that this stays a minimum.
#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/touch/DistributedLaw.h"
#include "pliant/touch/ElementRowKernels.h"

namespace pliant {

/// A point of the element.
struct ConvexElementPoint {
    double area = 0.0;       ///< Area of the point, m^2.
    double depth = 0.0;      ///< Depth at the start of the step, m, > 0 inside: damping knows the rate by it.
    double freeDepth = 0.0;  ///< Depth g at the end of the step where zeta is zero, m.
    double bristle = 0.0;    ///< Stiffness of the bristle, N/m; 0: no friction.
    double limit = 0.0;      ///< Largest friction, N.
    /// Bend of its bristle at the end of the step where zeta is zero, along both tangents, m.
    double freeBend[2] = {0.0, 0.0};
};

class PLIANT_INTERNAL_API ConvexElement {
public:
    /// Starts a step without points; memory is kept, so that steps with no more points than before allocate
    /// nothing, whichever of them get bristles.
    /// @param dimension n of zeta @param h s
    void start(int dimension, const DistributedLaw& law, double h);
    /// @param normalRow b, n numbers, zeta to velocity out of the field, m/s; those of the tangents null where there is
    /// no friction  @return the point's number
    int add(const ConvexElementPoint& point, const double* normalRow, const double* firstTangent,
            const double* secondTangent);

    /// Gives a point that has none a bristle, which is not bent where its foot stands.
    /// @param stiffness N/m, > 0; rows as add() has them
    void addBristle(int i, double stiffness, const double* firstTangent, const double* secondTangent);

    int pointCount() const { return static_cast<int>(m_points.size()); }
    int dimension() const { return m_dimension; }
    const ConvexElementPoint& point(int i) const { return m_points[static_cast<std::size_t>(i)].given; }
    double step() const { return m_h; }  ///< Length h of the step, s.
    /// Sets numbers of ConvexElementPoint before a solve. @param bend of both tangents
    void setFree(int i, double depth, const double (&bend)[2]) {
        ConvexElementPoint& given = m_points[static_cast<std::size_t>(i)].given;
        given.freeDepth = depth;
        given.freeBend[0] = bend[0];
        given.freeBend[1] = bend[1];
    }
    /// Sets the largest friction, N: friction times normal force.
    void setLimit(int i, double limit) { m_points[static_cast<std::size_t>(i)].given.limit = limit; }

    /// Minimises, from the zeta of the last solve in this step. @param target zeta* @return whether it converged
    bool solve(const double* target);
    /// The minimiser, n numbers.
    const double* velocity() const { return m_velocity.data(); }
    /// Change zeta - zeta*, n numbers: what the impulses of all points do. From the sum of the impulses, so that both
    /// sides agree to rounding.
    const double* change() const { return m_change.data(); }
    /// Impulse along the point's normal, N s, >= 0.
    double normalImpulse(int i) const { return m_points[static_cast<std::size_t>(i)].impulse[0]; }
    /// Impulse along a tangent, N s. @param k 0 or 1
    double tangentImpulse(int i, int k) const { return m_points[static_cast<std::size_t>(i)].impulse[k + 1]; }
    /// Bend of the bristle at the end of the step, as far as it stays bent when its foot slides, m.
    double bend(int i, int k) const;
    /// Depth at the end of the step, m.
    double depth(int i) const { return m_points[static_cast<std::size_t>(i)].place[0]; }
    /// Potential of the pressure at the end of the step, J.
    double potential() const;
    int iterations() const { return m_iterations; }  ///< Iterations of Newton's method in the last solve.

private:
    static constexpr int kBlock = 64;  ///< squares of rows that are added together
    struct Point {
        ConvexElementPoint given;
        double damping = 0.0;     ///< Pa/m: pressure at the start times the law's damping over h
        double firstDepth = 0.0;  ///< m: the damped pressure is zero up to here
        double offset = 0.0;      ///< J/m^2, of the potential there
        double impulse[3] = {0.0, 0.0, 0.0};
        double place[3] = {0.0, 0.0, 0.0};  ///< depth, and bend along both tangents
        double way[3] = {0.0, 0.0, 0.0};    ///< change of these along the direction that is searched
        int bristle = -1;                   ///< number among the points that have one
    };
    double pressure(const Point& point, double depth) const;
    double slope(const Point& point, double depth) const;
    double energy(const Point& point, double depth) const;
    static double bristleEnergy(const Point& point, double x, double y);
    const double* normalRow(int i) const { return m_rows.data() + i * static_cast<std::ptrdiff_t>(m_dimension); }
    /// Of a point that has a bristle. @param k 0 or 1
    const double* tangentRow(const Point& point, int k) const {
        return m_tangents.data() + (2 * point.bristle + k) * static_cast<std::ptrdiff_t>(m_dimension);
    }
    void startDamping(Point& point) const;
    RowsView normalRows() const { return {m_rows.data(), pointCount(), m_dimension, m_dimension}; }
    RowsView tangentRows() const { return {m_tangents.data(), 2 * m_bristles, m_dimension, m_dimension}; }
    void multiply(const VectorX& z);
    double normalProduct(int i) const { return m_products[static_cast<std::size_t>(i)]; }
    double tangentProduct(const Point& point, int k) const {
        return m_products[m_points.size() + static_cast<std::size_t>(2 * point.bristle + k)];
    }
    void placePoints();
    void computeImpulses();
    void sumImpulses();
    void assemble();
    void addBristles(int i);
    void addSquare(double weight, const double* row);
    void addBlock();
    double objective(double along) const;
    double searchLine(double descent);

    int m_dimension = 0, m_iterations = 0;
    double m_h = 0.0;
    DistributedLaw m_law;
    std::vector<Point> m_points;
    std::vector<double> m_rows;      ///< Rows of normals, one of each point.
    std::vector<double> m_tangents;  ///< Rows of tangents, two of each point that has a bristle.
    int m_bristles = 0;              ///< How many have: most points within reach do not touch, and slide on nothing.
    std::vector<double> m_products;  ///< Working memory, a number for each row: of normals, then of tangents.
    VectorX m_velocity, m_target, m_change, m_gradient, m_direction;
    MatrixX m_hessian;
    MatrixX m_block, m_squares;  ///< Rows filled up with zeros (ElementRowKernels.h), and the sum of their squares.
    int m_blockSize = 0;
    Eigen::LLT<MatrixX> m_factor;
};

}  // namespace pliant
