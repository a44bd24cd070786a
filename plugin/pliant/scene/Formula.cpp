// SPDX-License-Identifier: Zlib
#include "pliant/scene/Formula.h"

#include <cmath>
#include <limits>
#include <sstream>

#include "pliant/math/Error.h"
#include "pliant/scene/ExpressionParser.h"
#include "pliant/scene/UnknownName.h"

namespace pliant::scene {
namespace {

/// A parser that is ready; what it throws gets the place of the formula.
std::shared_ptr<mu::Parser> parserOf(const std::string& expression, const Scope* scope, const std::string& where,
                                     const LiveNames& names) {
    const auto parser = std::make_shared<LanguageParser>(true);
    try {
        prepareParser(*parser, scope ? *scope : Scope(), expression, names);
        parser->Eval();
        if (parser->GetNumResults() != 1) throw Error("", "the expression has several values", "write one");
    } catch (const mu::Parser::exception_type& problem) {
        throw Error(where, "= " + expression + ": the expression cannot be read: " + problem.GetMsg(),
                    cureOfExpression(expression));
    } catch (const UnknownName& problem) {
        throw UnknownName(problem, where, "= " + expression + ": " + problem.what());
    } catch (const Error& problem) {
        throw Error(where, "= " + expression + ": " + problem.what());
    }
    return parser;
}

}  // namespace

namespace {

/// What never changes has to be within its bounds from the start.
void expectWithin(double value, double least, double most, const std::string& expression, const std::string& where) {
    if (std::isnan(value) || (value >= least && value <= most)) return;
    std::ostringstream told;
    told << "= " << expression << ": the value is " << value << "; it must be at ";
    value < least ? told << "least " << least : told << "most " << most;
    throw Error(where, told.str());
}

}  // namespace

std::function<double()> Formula::bind(const LiveNames& names) const {
    if (m_expression.empty()) return [number = m_number] { return number; };
    const std::shared_ptr<mu::Parser> parser = parserOf(m_expression, m_scope.get(), m_where, names);
    if (parser->GetVar().empty()) expectWithin(parser->Eval(), m_least, m_most, m_expression, m_where);
    return [parser] {
        try {
            return parser->Eval();
        } catch (const mu::Parser::exception_type&) {
            return std::numeric_limits<double>::quiet_NaN();
        }
    };
}

std::string Formula::text() const {
    if (!m_expression.empty()) return m_expression;
    std::ostringstream text;
    text << m_number;
    return text.str();
}

std::vector<std::string> Formula::used(const LiveNames& names) const {
    std::vector<std::string> found;
    if (m_expression.empty()) return found;
    const std::shared_ptr<mu::Parser> parser = parserOf(m_expression, m_scope.get(), m_where, names);
    for (const auto& [name, value] : parser->GetVar()) found.push_back(name);
    return found;
}

std::vector<std::string> Formula::names() const {
    if (m_expression.empty()) return {};
    return namesIn(m_expression, m_scope ? *m_scope : Scope());
}

}  // namespace pliant::scene
