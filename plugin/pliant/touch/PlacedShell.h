// SPDX-License-Identifier: Zlib
// A shell where it is now, in the frame of the field that it is held against: a polynomial for each of its cells, that
// of the frame before, and how far each cell has come.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/touch/DistributedShell.h"

namespace pliant {

/// Where the shell's body is, seen from the field.
struct ShellPose {
    RigidTransform fieldFromMesh;  ///< Map from the shell's mesh frame to the field's.
    /// Numbers x, y, z, 0 of each vertex of the shell's lattice, mesh frame, m; null: as at rest.
    const float* displacements = nullptr;
};

/// No allocation after construction.
class PLIANT_INTERNAL_API PlacedShell {
public:
    /// @param lattice that the shell was made with, or null; to live as long as this
    PlacedShell(std::shared_ptr<const DistributedShell> shell, const ContactLattice* lattice);

    const DistributedShell& shell() const { return *m_shell; }
    void place(const ShellPose& pose);

    Vector3 point(int point) const { return at(m_now, point); }
    /// Before the last place(); where there was none, as now.
    Vector3 lastPoint(int point) const { return at(m_last, point); }
    /// What the surface at rest beside a point is multiplied with: d(place) / d(rest place, mesh frame).
    Matrix3 gradient(int point) const;
    /// Metres that any point of a cell has come in all place() calls, at most; in the field's frame.
    double travelled(int cell) const { return m_travelled[static_cast<std::size_t>(cell)]; }
    /// The same of the cell that has come farthest.
    double mostTravelled() const;
    /// Begins all these sums anew.
    void forgetTravelled();
    /// All of them, a cell each, and the same going on from there.
    const std::vector<double>& travelledSums() const { return m_travelled; }
    void assignTravelled(const std::vector<double>& sums) { m_travelled = sums; }
    /// The same as travelled() of the last call alone.
    double lastStep(int cell) const { return m_lastStep[static_cast<std::size_t>(cell)]; }
    struct Sphere {
        Vector3 centre = Vector3::Zero();
        double radius = 0.0;
    };
    /// Holds all points of a box of a cell. @param low, high as in DistributedShell
    Sphere boundingSphere(int cell, const Vector3& low, const Vector3& high) const;
    bool wasPlaced() const { return m_wasPlaced; }

    /// Of monomials 1, x, y, xy, z, xz, yz, xyz of the place in the cell.
    using Polynomial = std::array<Vector3, 8>;
    /// Where the last place() has put all cells.
    const std::vector<Polynomial>& polynomials() const { return m_now; }
    /// As if the last place() had put all cells there. @param polynomials as many as there are cells, finite
    void assign(const std::vector<Polynomial>& polynomials);

private:
    static Vector3 value(const Polynomial& polynomial, const Vector3& place);
    Vector3 at(const std::vector<Polynomial>& polynomials, int point) const {
        return value(polynomials[static_cast<std::size_t>(m_shell->cellOf(point))], m_shell->placeInCell(point));
    }
    Polynomial polynomialOf(const DistributedShell::Cell& cell, const ShellPose& pose) const;

    std::shared_ptr<const DistributedShell> m_shell;
    const ContactLattice* m_lattice;
    std::vector<Polynomial> m_now, m_last;
    std::vector<double> m_travelled, m_lastStep;  ///< m, of cells
    bool m_wasPlaced = false;
};

}  // namespace pliant
