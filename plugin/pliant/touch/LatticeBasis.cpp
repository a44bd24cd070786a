// SPDX-License-Identifier: Zlib
#include "pliant/touch/LatticeBasis.h"

#include <algorithm>

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

}  // namespace pliant
