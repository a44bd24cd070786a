// SPDX-License-Identifier: Zlib
// Run on two ranks: the polynomials of all of them, and of one process with as many shares, have the same bits.
#include "pliant/polynomial/MpiShares.h"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <cstdio>

#include "PolynomialMeshes.h"
#include "pliant/polynomial/ReducePolynomial.h"

int main(int argc, char** argv) {
    using namespace pliant;
    MPI_Init(&argc, &argv);
    const VolumeMesh mesh = test::mixedBlock(ElementKind::Brick, 6, 5, 4);
    const MatrixX U = test::randomBasis(mesh, 11);
    const ElementShares ranks = mpiShares();
    const std::vector<EnergyParts> together = reduceEnergyParts(mesh, U, {}, ranks);
    const std::vector<EnergyParts> alone = reduceEnergyParts(mesh, U, {}, {ranks.count});
    int different = ranks.count < 2;
    for (std::size_t m = 0; m < alone.size(); ++m)
        for (std::size_t i = 0; i < alone[m].size(); ++i)
            different += together[m][i].quartic != alone[m][i].quartic || together[m][i].cubic != alone[m][i].cubic ||
                         together[m][i].linearStiffness != alone[m][i].linearStiffness;
    std::printf("rank %d of %d: %s\n", ranks.own, ranks.count, different ? "different" : "same bits");
    MPI_Finalize();
    return different;
}
