// SPDX-License-Identifier: Zlib
// Sets that grow together: the lowest member stands for its set, so numbering does not depend on the order of joining.
#pragma once

#include <numeric>
#include <utility>
#include <vector>

namespace pliant {

class DisjointSets {
public:
    /// `count` sets of one member each, numbered from 0.
    explicit DisjointSets(std::size_t count) : m_parent(count) { std::iota(m_parent.begin(), m_parent.end(), 0); }

    /// The lowest member of the set that holds `i`; shortens the way there.
    int lowest(int i) {
        while (parent(i) != i) {
            parent(i) = parent(parent(i));
            i = parent(i);
        }
        return i;
    }
    /// Makes one set of two. @return false when they were one already
    bool join(int a, int b) {
        a = lowest(a);
        b = lowest(b);
        if (a > b) std::swap(a, b);
        parent(b) = a;
        return a != b;
    }

private:
    int& parent(int i) { return m_parent[static_cast<std::size_t>(i)]; }
    std::vector<int> m_parent;
};

}  // namespace pliant
