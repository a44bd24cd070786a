// SPDX-License-Identifier: Zlib
/// @file
/// A number that may change with time: an expression of t, compiled once.
#pragma once

#include <memory>

#include "pliant/math/Api.h"

namespace pliant::scene {

/// A number that may change with time.
class PLIANT_API LiveNumber {
public:
    /// @param value that it has always
    explicit LiveNumber(double value = 0.0) : m_value(value) {}

    /// Whether it may change.
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
