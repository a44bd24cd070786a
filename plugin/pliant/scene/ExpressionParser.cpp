// SPDX-License-Identifier: Zlib
#include "pliant/scene/ExpressionParser.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "pliant/math/Error.h"
#include "pliant/scene/NearestWord.h"
#include "pliant/scene/UnknownName.h"

namespace pliant::scene {
namespace {

/// Of live names: "first[0].speed".
constexpr const char* kNameCharacters = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.[]";
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

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

template <class List>
bool holds(const List& list, const std::string& name) {
    return std::any_of(list.begin(), list.end(), [&](const auto& entry) { return name == entry.first; });
}

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
[[noreturn]] void tellUnknown(const std::string& name, const Scope& scope, const LiveNames& live) {
    if (name == "t" && live.empty())
        throw Error("", "nothing changes with time here", "\"t\" stands in position and rotation of kinematic bodies");
    std::vector<std::string> known = scope.names();
    for (const auto& [liveName, value] : live)
        if (liveName != "t") known.push_back(liveName);
    const std::string near = nearestWord(name, known);
    if (known.size() > kMostNames) known.resize(kMostNames);
    known.push_back("pi");
    if (!live.empty()) known.push_back("t");
    throw UnknownName("sensor", name, "", "\"" + name + "\" is not defined",
                      near.empty() ? "here are: " + joined(known) : "did you mean \"" + near + "\"?");
}

void setExpression(LanguageParser& parser, const std::string& expression) {
    if (expression.size() > kMostCharacters)
        throw Error("", "the expression is longer than " + std::to_string(kMostCharacters) + " characters",
                    "use variables");
    refuseAssignment(expression);
    parser.ClearConst();
    parser.DefineConst("pi", kHalfTurn);
    parser.SetExpr(expression);
}

const double* find(const LiveNames& live, const std::string& name) {
    for (const auto& [liveName, value] : live)
        if (liveName == name) return value;
    return nullptr;
}

}  // namespace

LanguageParser::LanguageParser(bool dotted) {
    ClearFun();
    defineAll(*this, functionsOfOne());
    defineAll(*this, functionsOfTwo());
    defineAll(*this, functionsOfThree());
    if (dotted) DefineNameChars(kNameCharacters);
}

void prepareParser(LanguageParser& parser, const Scope& scope, const std::string& expression, const LiveNames& live) {
    setExpression(parser, expression);
    const mu::varmap_type used = parser.GetUsedVar();
    for (const auto& [name, unset] : used) {
        const double* value = scope.find(name);
        if (value)
            parser.DefineConst(name, *value);
        else if (const double* changing = find(live, name))
            parser.DefineVar(name, const_cast<double*>(changing));  // expressions that assign are refused
        else
            tellUnknown(name, scope, live);
    }
}

std::vector<std::string> namesIn(const std::string& expression, const Scope& scope) {
    std::vector<std::string> names;
    thread_local LanguageParser parser(true);  // made once: to define the functions takes longer than most expressions
    try {
        setExpression(parser, expression);
        for (const auto& [name, unset] : parser.GetUsedVar())
            if (!scope.find(name)) names.push_back(name);
    } catch (const mu::Parser::exception_type&) {  // whoever binds it tells what is wrong
        names.clear();
    } catch (const Error&) {
        names.clear();
    }
    return names;
}

std::string cureOfExpression(const std::string& expression) {
    const std::string names = kNameCharacters;
    for (std::size_t at = expression.find("if"); at != std::string::npos; at = expression.find("if", at + 1)) {
        const std::size_t next = expression.find_first_not_of(' ', at + 2);
        const bool isWord = at == 0 || names.find(expression[at - 1]) == std::string::npos;
        if (isWord && next != std::string::npos && expression[next] == '(')
            return "there is no if(): write CONDITION ? VALUE : OTHER";
    }
    return "";
}

bool isTakenName(const std::string& name) {
    return name == "pi" || name == "t" || holds(functionsOfOne(), name) || holds(functionsOfTwo(), name) ||
           holds(functionsOfThree(), name);
}

}  // namespace pliant::scene
