// SPDX-License-Identifier: Zlib
/// @file
/// What the expressions of a scene file know: the file's variables, and the numbers of repeated entries.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/scene/LiveNumber.h"

namespace pliant::scene {

/// Names with values that are given from outside: `--set rows=4`.
using GivenVariables = std::vector<std::pair<std::string, double>>;

/// What the expressions of a place know.
class PLIANT_API Scope {
public:
    /// Whether a variable may be called so: a word of letters, digits and underscores that is no function or constant.
    static bool isName(const std::string& name);

    Scope() = default;  ///< Knows functions and constants alone.
    /// With what `outer`, which may be null, knows.
    explicit Scope(std::shared_ptr<const Scope> outer) : m_outer(std::move(outer)) {}

    /// Gives a variable a value.
    void set(const std::string& name, double value) { m_values[name] = value; }
    const double* find(const std::string& name) const;  ///< Null: not known.
    std::vector<std::string> names() const;             ///< Names of all variables.

    /// The value of an expression without its "=": + - * / ^, comparisons, && || ?:, parentheses, pi, and the functions
    /// sin cos tan asin acos atan atan2 (degrees), sqrt abs exp ln log10 floor ceil round sign min max,
    /// clamp(x, least, most), smooth(x, from, to) (0 to 1 with level ends), random(seed, i) (0 to below 1).
    /// @throws Error without a place: syntax, a name that is not known, a value that is no finite number
    double evaluate(const std::string& expression) const;
    /// The same where `t`, the simulated time in seconds, may be used. @param least, most bounds of the value; it has
    /// to be between them at t = 0. @throws Error as evaluate(), and where it is not
    LiveNumber compile(const std::string& expression, double least, double most) const;

private:
    std::shared_ptr<const Scope> m_outer;
    std::map<std::string, double> m_values;
};

/// "name=number". @throws Error
PLIANT_API std::pair<std::string, double> parseGivenVariable(const std::string& text);

}  // namespace pliant::scene
