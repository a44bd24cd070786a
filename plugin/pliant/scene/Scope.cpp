// SPDX-License-Identifier: Zlib
#include "pliant/scene/Scope.h"

#include <muParser.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "pliant/math/Error.h"
#include "pliant/scene/NearestWord.h"

namespace pliant::scene {
namespace {

constexpr double kHalfTurn = 3.14159265358979323846;
constexpr double kOneDegree = kHalfTurn / 180.0;
constexpr std::size_t kMostNames = 20;         ///< of variables in a message
constexpr std::size_t kMostCharacters = 1000;  ///< characters; muParser goes one level deeper for each parenthesis

double smooth(double x, double from, double to) {
    if (from == to) return x < from ? 0.0 : 1.0;
    const double s = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return s * s * (3.0 - 2.0 * s);
}

/// The same number for the same arguments on every machine (the finaliser of SplitMix64).
double randomNumber(double seed, double i) {
    const auto bits = [](double x) { return static_cast<std::uint64_t>(std::fabs(x) < 9e15 ? std::llround(x) : 0); };
    std::uint64_t z = bits(seed) * 0x9e3779b97f4a7c15u + bits(i) * 0xd1b54a32d192ed03u + 0x2545f4914f6cdd1du;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return static_cast<double>(z >> 11) * 0x1.0p-53;
}

using One = double (*)(double);
using Two = double (*)(double, double);
using Three = double (*)(double, double, double);

const std::vector<std::pair<const char*, One>>& functionsOfOne() {
    static const std::vector<std::pair<const char*, One>> all = {
        {"sin", [](double x) { return std::sin(x * kOneDegree); }},
        {"cos", [](double x) { return std::cos(x * kOneDegree); }},
        {"tan", [](double x) { return std::tan(x * kOneDegree); }},
        {"asin", [](double x) { return std::asin(x) / kOneDegree; }},
        {"acos", [](double x) { return std::acos(x) / kOneDegree; }},
        {"atan", [](double x) { return std::atan(x) / kOneDegree; }},
        {"sqrt", [](double x) { return std::sqrt(x); }},
        {"abs", [](double x) { return std::fabs(x); }},
        {"exp", [](double x) { return std::exp(x); }},
        {"ln", [](double x) { return std::log(x); }},
        {"log10", [](double x) { return std::log10(x); }},
        {"floor", [](double x) { return std::floor(x); }},
        {"ceil", [](double x) { return std::ceil(x); }},
        {"round", [](double x) { return std::round(x); }},
        {"sign", [](double x) { return static_cast<double>((x > 0.0) - (x < 0.0)); }},
    };
    return all;
}

const std::vector<std::pair<const char*, Two>>& functionsOfTwo() {
    static const std::vector<std::pair<const char*, Two>> all = {
        {"atan2", [](double y, double x) { return std::atan2(y, x) / kOneDegree; }},
        {"min", [](double a, double b) { return std::min(a, b); }},
        {"max", [](double a, double b) { return std::max(a, b); }},
        {"random", randomNumber},
    };
    return all;
}

const std::vector<std::pair<const char*, Three>>& functionsOfThree() {
    static const std::vector<std::pair<const char*, Three>> all = {
        {"clamp", [](double x, double least, double most) { return std::min(std::max(x, least), most); }},
        {"smooth", smooth},
    };
    return all;
}

template <class List>
void defineAll(mu::Parser& parser, const List& list) {
    for (const auto& [name, function] : list) parser.DefineFun(name, function);
}

template <class List>
bool holds(const List& list, const std::string& name) {
    return std::any_of(list.begin(), list.end(), [&](const auto& entry) { return name == entry.first; });
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

}  // namespace

bool Scope::isName(const std::string& name) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const bool word = !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
        return letter(c) || (c >= '0' && c <= '9');
    });
    const bool taken = name == "pi" || name == "t" || holds(functionsOfOne(), name) || holds(functionsOfTwo(), name) ||
                       holds(functionsOfThree(), name);
    return word && !taken;
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
    mu::Parser parser;
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

/// muParser lets expressions assign to variables; time is not theirs.
void refuseAssignment(const std::string& expression) {
    for (std::size_t i = 0; i < expression.size(); ++i) {
        if (expression[i] != '=') continue;
        if (i + 1 < expression.size() && expression[i + 1] == '=') {
            ++i;
            continue;
        }
        const char before = i > 0 ? expression[i - 1] : ' ';
        if (before != '<' && before != '>' && before != '!')
            throw Error("", "an expression sets nothing", "\"==\" compares");
    }
}

/// What the reader of a file is told of a name that nothing has.
[[noreturn]] void tellUnknown(const std::string& name, const Scope& scope, bool knowsTime) {
    if (name == "t" && !knowsTime)
        throw Error("", "nothing changes with time here", "\"t\" stands in position and rotation of kinematic bodies");
    std::vector<std::string> known = scope.names();
    const std::string near = nearestWord(name, known);
    if (known.size() > kMostNames) known.resize(kMostNames);
    known.push_back("pi");
    if (knowsTime) known.push_back("t");
    throw Error("", "\"" + name + "\" is not defined",
                near.empty() ? "here are: " + joined(known) : "did you mean \"" + near + "\"?");
}

/// @param time null: nothing changes with it
void prepare(mu::Parser& parser, const Scope& scope, const std::string& expression, double* time) {
    if (expression.size() > kMostCharacters)
        throw Error("", "the expression is longer than " + std::to_string(kMostCharacters) + " characters",
                    "use variables");
    refuseAssignment(expression);
    parser.ClearFun();
    parser.ClearConst();
    defineAll(parser, functionsOfOne());
    defineAll(parser, functionsOfTwo());
    defineAll(parser, functionsOfThree());
    parser.DefineConst("pi", kHalfTurn);
    parser.SetExpr(expression);
    const mu::varmap_type used = parser.GetUsedVar();
    for (const auto& [name, unset] : used) {
        const double* value = scope.find(name);
        if (value)
            parser.DefineConst(name, *value);
        else if (time && name == "t")
            parser.DefineVar(name, time);
        else
            tellUnknown(name, scope, time != nullptr);
    }
}

double firstValue(const mu::Parser& parser) {
    const double value = parser.Eval();
    if (parser.GetNumResults() != 1) throw Error("", "the expression has several values", "write one");
    if (!std::isfinite(value)) throw Error("", "the expression's value is no finite number");
    return value;
}

}  // namespace

double Scope::evaluate(const std::string& expression) const {
    mu::Parser parser;
    try {
        prepare(parser, *this, expression, nullptr);
        return firstValue(parser);
    } catch (const mu::Parser::exception_type& problem) {
        throw Error("", "the expression cannot be read: " + problem.GetMsg());
    }
}

LiveNumber Scope::compile(const std::string& expression, double least, double most) const {
    const auto live = std::make_shared<LiveNumber::Expression>();
    live->least = least;
    live->most = most;
    try {
        prepare(live->parser, *this, expression, &live->t);
        LiveNumber number(live->last = firstValue(live->parser));
        if (live->parser.GetVar().count("t") != 0) number.m_expression = live;
        return number;
    } catch (const mu::Parser::exception_type& problem) {
        throw Error("", "the expression cannot be read: " + problem.GetMsg());
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
