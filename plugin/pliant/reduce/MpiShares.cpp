// SPDX-License-Identifier: Zlib
#include "pliant/reduce/MpiShares.h"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace pliant {
namespace {

constexpr Eigen::Index chunk = Eigen::Index(1) << 26;  // numbers per message: counts are ints

MPI_Comm& failures() {  // where ranks meet that have failed, apart from all other talk
    static MPI_Comm communicator = MPI_COMM_NULL;
    return communicator;
}

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

void broadcast(int owner, std::string& text, MatrixX& numbers) {
    std::array<long long, 3> sizes = {static_cast<long long>(text.size()), numbers.rows(), numbers.cols()};
    MPI_Bcast(sizes.data(), 3, MPI_LONG_LONG, owner, MPI_COMM_WORLD);
    text.resize(static_cast<std::size_t>(sizes[0]));
    numbers.resize(sizes[1], sizes[2]);
    MPI_Bcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, owner, MPI_COMM_WORLD);
    inChunks(numbers, [&](double* data, int count) { MPI_Bcast(data, count, MPI_DOUBLE, owner, MPI_COMM_WORLD); });
}

}  // namespace

MpiRanks::MpiRanks() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_dup(MPI_COMM_WORLD, &failures());
}

MpiRanks::~MpiRanks() {
    MPI_Comm_free(&failures());
    MPI_Finalize();
}

int MpiRanks::rank() const {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int MpiRanks::count() const {
    int count = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    return count;
}

WorkShares MpiRanks::shares() const {
    WorkShares shares;
    shares.count = count();
    shares.own = rank();
    shares.sumOfAll = [rank = shares.own, ranks = shares.count](MatrixX& sum) { sumInOrder(sum, rank, ranks); };
    shares.broadcast = broadcast;
    return shares;
}

bool MpiRanks::allFailed(double seconds) const {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    MPI_Request request;
    MPI_Ibarrier(failures(), &request);
    for (int done = 0; Clock::now() < end; std::this_thread::sleep_for(std::chrono::milliseconds(10))) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done) return true;
    }
    return false;
}

void MpiRanks::abort() const {
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::abort();
}

}  // namespace pliant
