// SPDX-License-Identifier: Zlib
// Work in shares, with threads in the place of processes.
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "pliant/math/Error.h"
#include "pliant/math/WorkShares.h"

namespace {

using namespace pliant;

/// What goes from one thread to all: the owner writes, all meet, all read, all meet again.
class Board {
public:
    explicit Board(int count) : m_count(count) {}

    WorkShares shares(int own) {
        WorkShares shares;
        shares.count = m_count;
        shares.own = own;
        shares.broadcast = [this, own](int owner, std::string& text, MatrixX& numbers) {
            if (own == owner) {
                m_text = text;
                m_numbers = numbers;
            }
            meet();
            text = m_text;
            numbers = m_numbers;
            meet();
        };
        return shares;
    }

    /// work(shares) in every thread
    template <typename Work>
    void inAll(const Work& work) {
        std::vector<std::thread> threads;
        for (int own = 0; own < m_count; ++own) threads.emplace_back([&, own] { work(shares(own)); });
        for (std::thread& thread : threads) thread.join();
    }

private:
    void meet() {
        std::unique_lock<std::mutex> lock(m_mutex);
        const int round = m_round;
        if (++m_arrived == m_count) {
            m_arrived = 0;
            ++m_round;
            m_all.notify_all();
        } else {
            m_all.wait(lock, [&] { return m_round != round; });
        }
    }

    int m_count, m_arrived = 0, m_round = 0;
    std::mutex m_mutex;
    std::condition_variable m_all;
    std::string m_text;
    MatrixX m_numbers;
};

/// `total` pieces of work, a column each that tells the piece and the share.
MatrixX pieces(const WorkShares& shares, std::size_t total) {
    return sideBySide(workInShares(shares, [&](int share) {
        const auto [begin, end] = piecesOf(total, shares, share);
        MatrixX columns(2, static_cast<Eigen::Index>(end - begin));
        for (std::size_t p = begin; p < end; ++p)
            columns.col(static_cast<Eigen::Index>(p - begin)) << static_cast<double>(p), share;
        return columns;
    }));
}

TEST(WorkShares, EveryProcessGetsEveryPieceInOrder) {
    for (const std::size_t total : {0u, 2u, 11u}) {  // fewer pieces than processes, too
        WorkShares alone;
        alone.count = 3;
        const MatrixX expected = pieces(alone, total);
        ASSERT_EQ(expected.cols(), static_cast<Eigen::Index>(total));
        for (Eigen::Index p = 0; p < expected.cols(); ++p) EXPECT_EQ(expected(0, p), static_cast<double>(p));
        Board board(3);
        board.inAll([&](const WorkShares& shares) { EXPECT_EQ(pieces(shares, total), expected); });
    }
}

TEST(WorkShares, TheFirstProcessWorksForAll) {
    Board board(3);
    board.inAll([&](const WorkShares& shares) {
        const MatrixX result = workOfFirst(shares, [&] { return MatrixX::Constant(2, 1, 7.0 + shares.own); });
        EXPECT_EQ(result, MatrixX::Constant(2, 1, 7.0));
    });
    EXPECT_EQ(workOfFirst({}, [] { return MatrixX::Constant(1, 1, 3.0); })(0, 0), 3.0);
}

TEST(WorkShares, ErrorsOfOneAreErrorsOfAll) {
    Board board(3);
    for (const int bad : {0, 1, 2})
        board.inAll([&](const WorkShares& shares) {
            std::string message;
            try {
                workInShares(shares, [&](int share) -> MatrixX {
                    if (share >= bad) throw Error("share " + std::to_string(share), "is bad");
                    return MatrixX::Zero(1, 1);
                });
            } catch (const Error& problem) {
                message = problem.what();
            }
            EXPECT_EQ(message, "share " + std::to_string(bad) + ": is bad");
        });
    board.inAll([&](const WorkShares& shares) {
        EXPECT_THROW(workOfFirst(shares, []() -> MatrixX { throw Cancelled("modes"); }), Cancelled);
        EXPECT_THROW(workOfFirst(shares, []() -> MatrixX { throw std::bad_alloc(); }), Error);
    });
}

}  // namespace
