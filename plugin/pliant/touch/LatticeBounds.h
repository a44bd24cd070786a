// SPDX-License-Identifier: Zlib
// How far what is known of a bent lattice at one place reaches: the least stretch of its cells, and how near parts of
// it come to each other that are apart at rest.
//
// In a cell F = 1 + du/dX is a mean of F at the middle and of differences E of edges against it, so that its least
// singular value is at least that of the middle (Gershgorin's bound of F'F) less |E|. A place of the world that a way
// of length w joins to the image of X has then a preimage within w / stretch of X, as long as that stays in cells that
// are the lattice's own.
//
// Bounds are taken of a state and hold while no vertex has gone farther from it than a share of a cell: edges change by
// twice that way at most. No allocation after the first.
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/model/ContactSurface.h"

namespace pliant {

class PLIANT_INTERNAL_API LatticeBounds {
public:
    /// Brings the bounds up to date. @param displacements x, y, z, 0 of every vertex, m
    void update(const ContactLattice& lattice, const float* displacements);

    /// Least singular value of F in a cell and the cells around it; 0: nothing is known.
    double leastStretch(int cell) const;
    double leastStretch() const;  ///< The same of all cells.
    /// Metres that separate the cell, as it is bent, from all cells that are not beside it; no more than half a cell.
    double gap(int cell) const;

private:
    void takeReference(const ContactLattice& lattice, const float* displacements);
    void forget(const ContactLattice& lattice);
    double change() const;
    void stretchCells(const ContactLattice& lattice);
    void separateCells(const ContactLattice& lattice);

    std::vector<float> m_reference;          ///< displacements that the bounds are of
    std::vector<double> m_stretches, m_own;  ///< of cells with those around them; of cells
    std::vector<double> m_gaps;
    std::vector<Vector3> m_lower, m_upper;  ///< boxes around the cells, m
    std::vector<int> m_order;               ///< of the cells, by their lower ends along x
    double m_least = 0.0;                   ///< of m_own
    double m_moved = 0.0;                   ///< m, from the reference, of the vertex that has moved farthest
    double m_spacing = 1.0;                 ///< m
};

}  // namespace pliant
