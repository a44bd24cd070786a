// SPDX-License-Identifier: Zlib
// How checks of a model refuse it. Private to model/.
#pragma once

#include <algorithm>
#include <string>

#include "pliant/math/Error.h"
#include "pliant/math/Types.h"

namespace pliant {

/// Collects the file's name and the section for messages.
struct ModelChecks {
    std::string where, section;

    void require(bool condition, const char* reason) const {
        if (!condition) throw Error(where, "section '" + section + "': " + reason, "reduce the input again");
    }
    /// No number of a body of SI units is larger: products of a few of them stay numbers.
    static constexpr double kLargest = 1e30;
    /// Terms of the energy of third and fourth order grow by the fourth power as bodies become smaller: those of one of
    /// 10 um are 1e40.
    static constexpr double kLargestTerm = 1e60;
    /// Lengths, m, and displacements for one unit of a coordinate, 1 / sqrt(kg).
    static constexpr double kLongest = 1e12;

    template <typename Derived>
    void sized(const Eigen::DenseBase<Derived>& m, Eigen::Index rows, Eigen::Index columns, const char* reason,
               double largest = kLargest) const {
        require(m.rows() == rows && m.cols() == columns, reason);
        require(m.derived().array().isFinite().all(), "a number is not finite");
        require((m.derived().template cast<double>().array().abs() <= largest).all(),
                "a number is too large to be one");
    }
    template <typename Range>
    void indices(const Range& values, Eigen::Index count, const char* reason) const {
        require(
            std::all_of(values.data(), values.data() + values.size(), [count](int i) { return i >= 0 && i < count; }),
            reason);
    }
};

}  // namespace pliant
