// SPDX-License-Identifier: Zlib
// A number that may change with time: an expression of t, compiled once.
#pragma once

#include <memory>

namespace pliant::scene {

class LiveNumber {
public:
    /// @param value that it has always
    explicit LiveNumber(double value = 0.0) : m_value(value) {}

    bool changes() const { return m_expression != nullptr; }
    /// At time t, s. Where the expression's value is no number between its bounds: the nearer bound, or the last value.
    double at(double t) const;

private:
    friend class Scope;
    struct Expression;

    double m_value;
    std::shared_ptr<Expression> m_expression;  ///< shared by copies, which are asked one after the other
};

}  // namespace pliant::scene
