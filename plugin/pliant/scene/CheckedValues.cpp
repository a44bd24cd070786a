// SPDX-License-Identifier: Zlib
// Values of CheckedYaml: numbers and expressions in their ranges, words, texts and vectors.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "pliant/math/Error.h"
#include "pliant/scene/CheckedYaml.h"
#include "pliant/scene/NearestWord.h"
#include "pliant/scene/SceneText.h"
#include "pliant/scene/UnknownName.h"
#include "pliant/scene/YamlText.h"

namespace pliant::scene {
namespace {

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// What stands behind the "=" of an expression; nothing where the text is none.
std::optional<std::string> expressionIn(const std::string& text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string::npos || text[first] != '=') return std::nullopt;
    return trimmed(text.substr(first + 1));
}

}  // namespace

template <class Use>
auto CheckedYaml::inScope(const std::string& expression, const Use& use) const {
    try {
        return use(m_scope ? *m_scope : Scope());
    } catch (const UnknownName& problem) {
        throw UnknownName("variable", problem.name(), where(), "= " + shortened(expression) + ": " + problem.what(),
                          "");
    } catch (const Error& problem) {
        throw Error(where(), "= " + shortened(expression) + ": " + problem.what());
    }
}

double CheckedYaml::evaluate(const std::string& expression) const {
    return inScope(expression, [&](const Scope& scope) { return scope.evaluate(expression); });
}

std::string CheckedYaml::scalar(const char* wanted) const {
    if (!m_node.IsScalar()) fail(m_name + " must be " + std::string(wanted) + ", not " + kindOf(m_node));
    return m_node.Scalar();
}

std::vector<CheckedYaml> CheckedYaml::three(const std::string& wanted) const {
    std::vector<CheckedYaml> parts = items();
    if (parts.size() == 3) return parts;
    fail(m_name + " needs " + wanted + ", it has " + std::to_string(parts.size()), cureOfLength());
}

std::string CheckedYaml::cureOfLength() const {
    const std::vector<CheckedYaml> parts = items();
    const bool cut = std::any_of(parts.begin(), parts.end(), [](const CheckedYaml& part) {
        return part.m_node.IsScalar() && expressionIn(part.m_node.Scalar());
    });
    return cut ? "an expression with a comma in it is quoted" : "";
}

Range CheckedYaml::rangeOr(Range given) const {
    const bool isGiven = given.least != Range().least || given.most != Range().most;
    return isGiven || !m_row || !m_row->hasRange ? given : Range{m_row->least, m_row->most};
}

double CheckedYaml::number(Range range) const {
    range = rangeOr(range);
    const std::string text = scalar("a number");
    const std::optional<std::string> expression = expressionIn(text);
    const double value = (expression ? evaluate(*expression) : written(text)) * toSi();
    expectWithin(range, value);
    return value;
}

LiveNumber CheckedYaml::liveNumber(Range range) const {
    range = rangeOr(range);
    const std::optional<std::string> expression = expressionIn(scalar("a number"));
    if (!expression) return LiveNumber(number(range));
    return inScope(inSi(*expression),
                   [&](const Scope& scope) { return scope.compile(inSi(*expression), range.least, range.most); });
}

std::array<LiveNumber, 3> CheckedYaml::liveVector(Range range) const {
    const std::vector<CheckedYaml> parts = three("three numbers");
    return {parts[0].liveNumber(range), parts[1].liveNumber(range), parts[2].liveNumber(range)};
}

Formula CheckedYaml::formula(Range range) const {
    range = rangeOr(range);
    const std::optional<std::string> expression = expressionIn(scalar("a number"));
    Formula formula(expression ? 0.0 : number(range));
    if (expression) formula = Formula(inSi(*expression), m_scope, where());
    formula.setBounds(range.least, range.most);
    return formula;
}

std::array<Formula, 3> CheckedYaml::formulas(Range range) const {
    const std::vector<CheckedYaml> parts = three("three numbers");
    return {parts[0].formula(range), parts[1].formula(range), parts[2].formula(range)};
}

Formula CheckedYaml::condition() const {
    const std::string text = scalar("an expression");
    return Formula(expressionIn(text).value_or(text), m_scope, where());
}

void CheckedYaml::expectWithin(Range range, double value) const {
    const std::string text = m_node.Scalar();
    const bool isAsWritten = !expressionIn(text) && toSi() == 1.0;
    const std::string told = isAsWritten ? text : shortened(text) + " (" + printed(value) + ")";
    if (value < range.least) fail(m_name + " is " + told + "; it must be at least " + printed(range.least));
    if (value > range.most) fail(m_name + " is " + told + "; it must be at most " + printed(range.most));
}

double CheckedYaml::written(const std::string& text) const {
    if (m_node.Tag() == "!") fail(m_name + " must be a number, not quoted text");
    const std::size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    const std::string bare = lower(text.substr(sign));
    if (bare == ".nan" || bare == "nan" || bare == ".inf" || bare == "inf" || bare == "infinity")
        fail(m_name + " must be a finite number, not " + text);
    double value = 0.0;
    const char* first = text.data() + (!text.empty() && text[0] == '+' ? 1 : 0);
    const char* last = text.data() + text.size();
    const auto [end, problem] = std::from_chars(first, last, value);
    if (problem != std::errc() || end != last || !std::isfinite(value))
        fail(m_name + " must be a number, not \"" + text + "\"",
             m_scope && m_scope->find(text) ? "expressions begin with =: write = " + text : "");
    return value;
}

int CheckedYaml::integer(int least, int most) const {
    const double value = number({static_cast<double>(least), static_cast<double>(most)});
    if (value != std::floor(value)) fail(m_name + " must be a whole number, not " + m_node.Scalar());
    return static_cast<int>(value);
}

int CheckedYaml::integer() const {
    const Range own = rangeOr({}), range{std::max(own.least, -1e9), std::min(own.most, 1e9)};
    return integer(static_cast<int>(range.least), static_cast<int>(range.most));
}

std::uint64_t CheckedYaml::seed() const {
    return static_cast<std::uint64_t>(integer(0, std::numeric_limits<int>::max()));
}

bool CheckedYaml::boolean() const {
    const std::string text = scalar("true or false");
    if (text != "true" && text != "false") fail(m_name + " must be true or false, not \"" + text + "\"");
    return text == "true";
}

std::string CheckedYaml::text() const {
    const std::string text = scalar("text");
    if (text.empty()) fail(m_name + " is empty");
    return text;
}

Vector3 CheckedYaml::vector(Range range) const {
    const std::vector<CheckedYaml> parts = three("three numbers");
    return {parts[0].number(range), parts[1].number(range), parts[2].number(range)};
}

std::array<int, 3> CheckedYaml::integers() const {
    const std::vector<CheckedYaml> parts = three("three whole numbers");
    return {parts[0].integer(), parts[1].integer(), parts[2].integer()};
}

int CheckedYaml::word() const {
    std::vector<const char*> words;
    if (m_row)
        for (const std::string& known : m_row->words) words.push_back(known.c_str());
    return word(words);
}

int CheckedYaml::word(const std::vector<const char*>& words) const {
    const std::string text = scalar("a word");
    const std::vector<std::string> known(words.begin(), words.end());
    const auto found = std::find(known.begin(), known.end(), text);
    if (found != known.end()) return static_cast<int>(found - known.begin());
    const std::string near = nearestWord(text, known);
    fail(m_name + " cannot be \"" + text + "\"",
         near.empty() ? "known words: " + listed(known) : "did you mean \"" + near + "\"?");
}

bool CheckedYaml::isText(const char* word) const {
    return m_node.IsScalar() && m_node.Scalar() == word;
}

}  // namespace pliant::scene
