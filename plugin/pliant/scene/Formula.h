// SPDX-License-Identifier: Zlib
/// @file
/// An expression whose names change while a scene runs: sensors, the time, the number of times an event has happened.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/scene/Scope.h"

namespace pliant::scene {

/// Names with values that change, and where these stand. "t" is one of them.
using LiveNames = std::vector<std::pair<std::string, const double*>>;

/// A number, or an expression of variables and live names that is bound to their values before it is asked.
class PLIANT_API Formula {
public:
    /// A number.
    explicit Formula(double number = 0.0) : m_number(number) {}
    /// An expression without its "=".
    Formula(std::string expression, std::shared_ptr<const Scope> scope, std::string where)
        : m_expression(std::move(expression)), m_scope(std::move(scope)), m_where(std::move(where)) {}

    /// Bounds of the value. What does not change has to be within them; who asks for what does looks by himself.
    void setBounds(double least, double most) {
        m_least = least;
        m_most = most;
    }
    /// Whether a value is within the bounds.
    bool holds(double value) const { return value >= m_least && value <= m_most; }

    /// Something that gives the present value; not a number where the expression has none.
    /// @param names outlive the result
    /// @throws Error with the place: syntax, names that nothing has, a value beyond the bounds that does not change
    std::function<double()> bind(const LiveNames& names) const;
    /// The expression; of a number the number.
    std::string text() const;
    /// The live names that the expression uses. @throws Error as bind() does
    std::vector<std::string> used(const LiveNames& names) const;
    /// Names in the expression that are none of the file's variables, known or not; none where it cannot be read.
    std::vector<std::string> names() const;
    /// Where it stands in the file: file:line:column; empty for a number.
    const std::string& where() const { return m_where; }

private:
    double m_number = 0.0;
    double m_least = -std::numeric_limits<double>::max(), m_most = std::numeric_limits<double>::max();
    std::string m_expression;
    std::shared_ptr<const Scope> m_scope;
    std::string m_where;
};

}  // namespace pliant::scene
