// SPDX-License-Identifier: Zlib
#include "pliant/scene/Scope.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "pliant/math/Error.h"
#include "pliant/scene/ExpressionParser.h"

namespace pliant::scene {

bool Scope::isName(const std::string& name) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const bool word = !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
        return letter(c) || (c >= '0' && c <= '9');
    });
    return word && !isTakenName(name);
}

std::vector<std::string> Scope::names() const {
    std::vector<std::string> all;
    for (const Scope* scope = this; scope; scope = scope->m_outer.get())
        for (const auto& [name, value] : scope->m_values) all.push_back(name);
    return all;
}

const double* Scope::find(const std::string& name) const {
    for (const Scope* scope = this; scope; scope = scope->m_outer.get()) {
        const auto found = scope->m_values.find(name);
        if (found != scope->m_values.end()) return &found->second;
    }
    return nullptr;
}

struct LiveNumber::Expression {
    LanguageParser parser;
    double t = 0.0, last = 0.0, least = 0.0, most = 0.0;
};

double LiveNumber::at(double t) const {
    if (!m_expression) return m_value;
    Expression& expression = *m_expression;
    expression.t = t;
    const double value = expression.parser.Eval();
    if (!std::isnan(value)) expression.last = std::min(std::max(value, expression.least), expression.most);
    return expression.last;
}

namespace {

double firstValue(const mu::Parser& parser) {
    const double value = parser.Eval();
    if (parser.GetNumResults() != 1) throw Error("", "the expression has several values", "write one");
    if (!std::isfinite(value)) throw Error("", "the expression's value is no finite number");
    return value;
}

void expectAtStart(double value, double least, double most) {
    if (value >= least && value <= most) return;
    std::ostringstream told;
    told << "the value at t = 0 is " << value << "; it must be at ";
    value < least ? told << "least " << least : told << "most " << most;
    throw Error("", told.str());
}

}  // namespace

double Scope::evaluate(const std::string& expression) const {
    thread_local LanguageParser parser;  // as in namesIn()
    try {
        prepareParser(parser, *this, expression, {});
        return firstValue(parser);
    } catch (const mu::Parser::exception_type& problem) {
        throw Error("", "the expression cannot be read: " + problem.GetMsg(), cureOfExpression(expression));
    }
}

LiveNumber Scope::compile(const std::string& expression, double least, double most) const {
    const auto live = std::make_shared<LiveNumber::Expression>();
    live->least = least;
    live->most = most;
    try {
        prepareParser(live->parser, *this, expression, {{"t", &live->t}});
        LiveNumber number(live->last = firstValue(live->parser));
        expectAtStart(live->last, least, most);
        if (live->parser.GetVar().count("t") != 0) number.m_expression = live;
        return number;
    } catch (const mu::Parser::exception_type& problem) {
        throw Error("", "the expression cannot be read: " + problem.GetMsg(), cureOfExpression(expression));
    }
}

std::pair<std::string, double> parseGivenVariable(const std::string& text) {
    const std::size_t equals = text.find('=');
    double value = 0.0;
    if (equals != std::string::npos && Scope::isName(text.substr(0, equals))) {
        const char *first = text.data() + equals + 1, *last = text.data() + text.size();
        const auto [end, problem] = std::from_chars(first, last, value);
        if (problem == std::errc() && end == last && std::isfinite(value)) return {text.substr(0, equals), value};
    }
    throw Error("--set " + text, "is not NAME=NUMBER", "for example --set rows=4");
}

}  // namespace pliant::scene
