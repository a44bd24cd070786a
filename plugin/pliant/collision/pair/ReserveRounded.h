// SPDX-License-Identifier: Zlib
// Memory of small lists that pairs of bodies keep, thousands of them.
#pragma once

#include <cstddef>

namespace pliant {

/// Makes room for `count` items, by whole multiples of `step` and at once: lists that double from one item on would
/// leave holes of every size in the heap, and its pages would go on growing from one heap of bodies to the next.
/// What the list held may be lost.
template <typename Vector>
void reserveRounded(Vector& list, std::size_t count, std::size_t step) {
    if (count <= list.capacity()) return;
    Vector().swap(list);
    list.reserve((count + step - 1) / step * step);
}

/// The same of a list that keeps what it holds.
template <typename Vector>
void growRounded(Vector& list, std::size_t count, std::size_t step) {
    if (count > list.capacity()) list.reserve((count + step - 1) / step * step);
}

}  // namespace pliant
