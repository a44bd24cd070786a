// SPDX-License-Identifier: Zlib
#include "pliant/touch/LatticeBasis.h"

#include <algorithm>

#include "pliant/touch/ElementRowKernels.h"
#include "pliant/touch/LatticeMap.h"

namespace pliant {

LatticePoint latticePointAt(const ContactLattice& lattice, const Vector3& rest) {
    LatticePoint point;
    point.cell = latticeCellAt(lattice, rest);
    point.place = (rest - lattice.origin) / lattice.spacing - lattice.cellPlaces.col(point.cell).cast<double>();
    point.place = point.place.cwiseMax(0.0).cwiseMin(1.0);
    return point;
}

void latticeBasisAlong(const ContactLattice& lattice, const LatticePoint& point, const Vector3* directions, int count,
                       double* out) {
    const Eigen::Index r = lattice.basis.cols(), rows = lattice.basis.rows();
    std::fill_n(out, count * r, 0.0);
    for (int corner = 0; corner < 8; ++corner) {
        double weight = 1.0;
        for (int k = 0; k < 3; ++k) weight *= (corner >> k) & 1 ? point.place[k] : 1.0 - point.place[k];
        if (weight == 0.0) continue;
        const float* basis = lattice.basis.data() + 3 * lattice.cellVertices(corner, point.cell);
        for (Eigen::Index j = 0; j < r; ++j, basis += rows) {
            const double x = weight * static_cast<double>(basis[0]), y = weight * static_cast<double>(basis[1]),
                         z = weight * static_cast<double>(basis[2]);
            for (int k = 0; k < count; ++k)
                out[k * r + j] += (directions[k].x() * x + directions[k].y() * y) + directions[k].z() * z;
        }
    }
}

namespace {

constexpr int kCorners = 8, kAxes = 3;

double cornerWeight(const Vector3& place, int corner) {
    double weight = 1.0;
    for (int k = 0; k < kAxes; ++k) weight *= (corner >> k) & 1 ? place[k] : 1.0 - place[k];
    return weight;
}

}  // namespace

void LatticeCellBasis::gather(const ContactLattice& lattice, int cell) {
    m_lattice = &lattice;
    m_cell = cell;
    const auto r = static_cast<int>(lattice.basis.cols());
    m_stride = (r + kSquareSide - 1) / kSquareSide * kSquareSide;  // whole registers
    m_rows.assign(static_cast<std::size_t>(kCorners * kAxes * m_stride), 0.0);
    m_sum.resize(static_cast<std::size_t>(m_stride));
    for (int corner = 0; corner < kCorners; ++corner) {
        const float* basis = lattice.basis.data() + kAxes * lattice.cellVertices(corner, cell);
        double* rows = m_rows.data() + kAxes * corner * m_stride;
        for (int j = 0; j < r; ++j, basis += lattice.basis.rows())
            for (int k = 0; k < kAxes; ++k) rows[k * m_stride + j] = static_cast<double>(basis[k]);
    }
}

void LatticeCellBasis::along(const ContactLattice& lattice, const LatticePoint& point, const Vector3* directions,
                             int count, double* out) {
    if (&lattice != m_lattice || point.cell != m_cell) gather(lattice, point.cell);
    const auto r = static_cast<int>(lattice.basis.cols());
    const RowsView rows{m_rows.data(), kCorners * kAxes, m_stride, m_stride};
    double weights[kCorners], factors[kCorners * kAxes];
    for (int corner = 0; corner < kCorners; ++corner) weights[corner] = cornerWeight(point.place, corner);
    for (int k = 0; k < count; ++k) {
        for (int corner = 0; corner < kCorners; ++corner)
            for (int axis = 0; axis < kAxes; ++axis)
                factors[kAxes * corner + axis] = weights[corner] * directions[k][axis];
        std::fill(m_sum.begin(), m_sum.end(), 0.0);
        addRows(rows, factors, m_sum.data());
        std::copy_n(m_sum.begin(), r, out + k * r);
    }
}

}  // namespace pliant
