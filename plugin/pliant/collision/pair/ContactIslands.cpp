// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/ContactIslands.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace pliant {

namespace {

constexpr int kBits = 20;  ///< of a cell's number along each axis

/// Occupied cubes of a grid, and which of them hang together.
struct OccupiedCells {
    struct Entry {
        std::uint64_t cell = 0;
        std::size_t contact = 0;
        bool operator<(const Entry& other) const {
            return cell != other.cell ? cell < other.cell : contact < other.contact;
        }
    };
    std::vector<Entry> entries;        ///< ascending by cell
    std::vector<std::uint64_t> cells;  ///< ascending, each once
    std::vector<int> parents;          ///< of the cells, by number: a forest

    int rootOf(int cell) {
        while (parents[static_cast<std::size_t>(cell)] != cell) cell = parents[static_cast<std::size_t>(cell)];
        return cell;
    }
    /// The lower number becomes the root, so that the result does not depend on the order.
    void join(int x, int y) {
        x = rootOf(x);
        y = rootOf(y);
        parents[static_cast<std::size_t>(std::max(x, y))] = std::min(x, y);
    }
    int numberOf(std::uint64_t cell) const {
        const auto found = std::lower_bound(cells.begin(), cells.end(), cell);
        return found != cells.end() && *found == cell ? static_cast<int>(found - cells.begin()) : -1;
    }
};

/// Number of a cell, of which each coordinate is at least 1 so that its neighbours have numbers as well.
std::uint64_t cellOf(const Vector3& point, const Vector3& lowest, double gap) {
    constexpr double most = (1 << kBits) - 2;
    std::uint64_t cell = 0;
    for (int k = 0; k < 3; ++k) {
        const double at = (point[k] - lowest[k]) / gap;
        const double bounded = at > 0.0 ? std::min(at, most - 1.0) : 0.0;  // also of what is no number
        cell = (cell << kBits) | (static_cast<std::uint64_t>(bounded) + 1);
    }
    return cell;
}

void joinNeighbours(OccupiedCells& grid) {
    for (std::size_t i = 0; i < grid.cells.size(); ++i)
        for (int n = 14; n < 27; ++n) {  // of the 26 neighbours those with a higher number
            const std::int64_t step = (static_cast<std::int64_t>(n / 9 - 1) << (2 * kBits)) +
                                      static_cast<std::int64_t>(n / 3 % 3 - 1) * (std::int64_t{1} << kBits) +
                                      (n % 3 - 1);
            const int other = grid.numberOf(grid.cells[i] + static_cast<std::uint64_t>(step));
            if (other >= 0) grid.join(static_cast<int>(i), other);
        }
}

thread_local OccupiedCells workspace;

}  // namespace

int findIslands(const std::vector<SkeletonContact>& contacts, std::size_t first, std::size_t last, double gap,
                std::vector<int>& island) {
    island.assign(last - first, 0);
    if (!(gap > 0.0) || last - first < 2) return last > first ? 1 : 0;
    Vector3 lowest = Vector3::Constant(std::numeric_limits<double>::max());
    for (std::size_t i = first; i < last; ++i) lowest = lowest.cwiseMin(contacts[i].pointA);

    OccupiedCells& grid = workspace;
    grid.entries.clear();
    for (std::size_t i = first; i < last; ++i)
        grid.entries.push_back({cellOf(contacts[i].pointA, lowest, gap), i - first});
    std::sort(grid.entries.begin(), grid.entries.end());
    grid.cells.clear();
    for (const OccupiedCells::Entry& entry : grid.entries)
        if (grid.cells.empty() || grid.cells.back() != entry.cell) grid.cells.push_back(entry.cell);
    grid.parents.resize(grid.cells.size());
    std::iota(grid.parents.begin(), grid.parents.end(), 0);
    joinNeighbours(grid);

    int count = 0;  // roots come before what hangs on them: they become the islands' numbers
    for (std::size_t c = 0; c < grid.parents.size(); ++c) {
        const bool isRoot = grid.parents[c] == static_cast<int>(c);
        grid.parents[c] = isRoot ? count++ : grid.parents[static_cast<std::size_t>(grid.parents[c])];
    }
    std::size_t c = 0;
    for (const OccupiedCells::Entry& entry : grid.entries) {
        while (grid.cells[c] != entry.cell) ++c;
        island[entry.contact] = grid.parents[c];
    }
    return count;
}

}  // namespace pliant
