// SPDX-License-Identifier: Zlib
#include "pliant/math/WorkShares.h"

#include <new>

#include "pliant/math/Error.h"

namespace pliant {
namespace {

/// What became of the work of one process, in words that travel: empty, or a letter and a text.
constexpr char failedMark = 'e', stoppedMark = 'c';

std::string outcomeOf(const std::function<void()>& work) {
    try {
        work();
        return {};
    } catch (const Cancelled& cancelled) {
        return stoppedMark + std::string(cancelled.what());
    } catch (const std::bad_alloc&) {
        return failedMark + std::string("out of memory");
    } catch (const std::exception& problem) {
        return failedMark + std::string(problem.what());
    }
}

void throwOutcome(const std::string& outcome) {
    if (outcome.empty()) return;
    if (outcome.front() == stoppedMark) throw Cancelled(Cancelled::Whole{}, outcome.substr(1));
    throw Error("", outcome.substr(1));
}

}  // namespace

std::pair<std::size_t, std::size_t> piecesOf(std::size_t total, const WorkShares& shares, int share) {
    const auto count = static_cast<std::size_t>(shares.count), s = static_cast<std::size_t>(share);
    return {total * s / count, total * (s + 1) / count};
}

std::vector<MatrixX> workInShares(const WorkShares& shares, const std::function<MatrixX(int share)>& work) {
    std::vector<MatrixX> results(static_cast<std::size_t>(shares.count));
    if (shares.own < 0) {
        for (int s = 0; s < shares.count; ++s) results[static_cast<std::size_t>(s)] = work(s);
        return results;
    }
    MatrixX& own = results[static_cast<std::size_t>(shares.own)];
    const std::string ownOutcome = outcomeOf([&] { own = work(shares.own); });
    std::string first;
    for (int s = 0; s < shares.count; ++s) {
        std::string outcome = s == shares.own ? ownOutcome : std::string();
        shares.broadcast(s, outcome, results[static_cast<std::size_t>(s)]);
        if (first.empty()) first = outcome;
    }
    throwOutcome(first);
    return results;
}

MatrixX sideBySide(const std::vector<MatrixX>& blocks) {
    Eigen::Index columns = 0;
    for (const MatrixX& block : blocks) columns += block.cols();
    MatrixX all(blocks.front().rows(), columns);
    columns = 0;
    for (const MatrixX& block : blocks) {
        all.middleCols(columns, block.cols()) = block;
        columns += block.cols();
    }
    return all;
}

MatrixX workOfFirst(const WorkShares& shares, const std::function<MatrixX()>& work) {
    if (shares.own < 0) return work();
    MatrixX result;
    std::string outcome;
    if (shares.own == 0) outcome = outcomeOf([&] { result = work(); });
    shares.broadcast(0, outcome, result);
    throwOutcome(outcome);
    return result;
}

}  // namespace pliant
