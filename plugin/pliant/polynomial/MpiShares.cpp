// SPDX-License-Identifier: Zlib
#include "pliant/polynomial/MpiShares.h"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>

namespace pliant {
namespace {

constexpr Eigen::Index chunk = Eigen::Index(1) << 26;  // numbers per message: counts are ints

/// Calls transfer(first number, count) for chunks of the whole matrix.
template <typename Transfer>
void inChunks(MatrixX& matrix, const Transfer& transfer) {
    for (Eigen::Index first = 0; first < matrix.size(); first += chunk)
        transfer(matrix.data() + first, static_cast<int>(std::min(chunk, matrix.size() - first)));
}

/// Errors of MPI end the program by default, which is what we want of a broken run.
void sumInOrder(MatrixX& sum, int rank, int ranks) {
    if (rank > 0) {
        MatrixX before(sum.rows(), sum.cols());
        inChunks(before, [&](double* data, int count) {
            MPI_Recv(data, count, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        });
        sum = before + sum;
    }
    if (rank + 1 < ranks)
        inChunks(sum, [&](double* data, int count) { MPI_Send(data, count, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD); });
    inChunks(sum, [&](double* data, int count) { MPI_Bcast(data, count, MPI_DOUBLE, ranks - 1, MPI_COMM_WORLD); });
}

}  // namespace

ElementShares mpiShares() {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    ElementShares shares;
    shares.count = ranks;
    shares.own = rank;
    shares.sumOfAll = [rank, ranks](MatrixX& sum) { sumInOrder(sum, rank, ranks); };
    return shares;
}

}  // namespace pliant
