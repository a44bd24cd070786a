// SPDX-License-Identifier: Zlib
#include "pliant/scene/CheckedYaml.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>

#include "pliant/math/Error.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/scene/NearestWord.h"
#include "pliant/scene/YamlGuard.h"

namespace pliant::scene {
namespace {

std::string markText(const std::string& file, const YAML::Mark& mark) {
    if (mark.is_null()) return file;
    return file + ":" + std::to_string(mark.line + 1) + ":" + std::to_string(mark.column + 1);
}

/// So that a whole file does not become a message.
std::string shortened(const std::string& text) {
    constexpr std::size_t most = 40;
    return text.size() <= most ? text : text.substr(0, most) + " ...";
}

std::string kindOf(const YAML::Node& node) {
    switch (node.Type()) {
        case YAML::NodeType::Null:
            return "nothing";
        case YAML::NodeType::Scalar:
            return "\"" + shortened(node.Scalar()) + "\"";
        case YAML::NodeType::Sequence:
            return "a list";
        case YAML::NodeType::Map:
            return "a block of keys";
        default:
            return "nothing";
    }
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string printed(double value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

}  // namespace

CheckedYaml CheckedYaml::readFile(const std::string& path, const Kind& kind) {
    if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path) &&
        !std::filesystem::is_directory(path))
        throw Error(path, std::string("is no file that a ") + kind.name + " can be read from", kind.guide);
    std::error_code unknown;
    guardSize(std::filesystem::file_size(path, unknown), path, kind.name);
    const std::string text = readTextFile(path);
    if (text.find('\0') != std::string::npos)
        throw Error(path, std::string("is no ") + kind.name + " but a binary file", kind.guide);
    return parse(text, path, kind);
}

CheckedYaml CheckedYaml::parse(const std::string& text, const std::string& path, const Kind& kind) {
    const std::string name = kind.name;
    try {
        guardYaml(text, path, name);
        const YAML::Node root = YAML::Load(text);
        if (root.IsNull()) throw Error(path, "the " + name + " is empty", kind.guide);
        if (!root.IsMap())
            throw Error(markText(path, root.Mark()),
                        "is no " + name + ": a block of \"key: value\" lines is wanted, not " + kindOf(root),
                        kind.guide);
        return CheckedYaml(root, path, name);
    } catch (const YAML::Exception& problem) {
        throw Error(markText(path, problem.mark), "YAML syntax of this " + name + ": " + problem.msg, kind.guide);
    }
}

std::string CheckedYaml::whereOf(const YAML::Node& node) const {
    return markText(m_file, node.Mark());
}

std::string CheckedYaml::where() const {
    return whereOf(m_node);
}

void CheckedYaml::fail(const std::string& problem, const std::string& cure) const {
    throw Error(where(), problem, cure);
}

void CheckedYaml::expectKeys(std::initializer_list<const char*> known) const {
    expectKnown(std::vector<std::string>(known.begin(), known.end()));
}

void CheckedYaml::expectBlock(const char* block) const {
    m_table = &sceneKeys(block);
    for (const CheckedYaml& part : m_parts) part.m_table = m_table;
    std::vector<std::string> words;
    for (const KeyRow& row : m_table->rows) words.push_back(row.key);
    expectKnown(words);
}

void CheckedYaml::expectKnown(const std::vector<std::string>& words) const {
    for (const CheckedYaml& part : m_parts) part.expectKnown(words);
    if (!m_parts.empty()) return;
    for (const auto& [key, value] : entries())
        if (!isKnown(key, words))
            for (const auto& pair : m_node)
                if (pair.first.Scalar() == key) failUnknown(pair.first, words);
}

bool CheckedYaml::isKnown(const std::string& key, const std::vector<std::string>& words) const {
    return std::find(words.begin(), words.end(), key) != words.end() || (m_isRepeated && key == "repeat") ||
           (m_mayOverride && key == "override");
}

void CheckedYaml::failUnknown(const YAML::Node& key, const std::vector<std::string>& words) const {
    const std::string word = key.Scalar(), near = nearestWord(word, words);
    if (word == "<<")
        throw Error(whereOf(key), "merge key \"<<\" in " + m_name,
                    "YAML 1.2 has none: write out what it stands for, or repeat a whole value by an alias");
    throw Error(whereOf(key), "unknown key \"" + word + "\" in " + m_name,
                near.empty() ? "known keys: " + listed(words) : "did you mean \"" + near + "\"?");
}

std::vector<std::pair<std::string, CheckedYaml>> CheckedYaml::entries() const {
    if (!m_parts.empty()) return mergedEntries();
    if (!m_node.IsMap()) fail(m_name + " must be a block of \"key: value\" lines, not " + kindOf(m_node));
    std::vector<std::pair<std::string, CheckedYaml>> result;
    std::set<std::string> seen;
    for (const auto& pair : m_node) {
        if (!pair.first.IsScalar()) throw Error(whereOf(pair.first), "a key must be a word");
        const std::string key = pair.first.Scalar();
        if (!seen.insert(key).second)
            throw Error(whereOf(pair.first), "key \"" + key + "\" stands twice in " + m_name, "remove one of them");
        if (pair.second.IsNull())
            throw Error(whereOf(pair.first), "key \"" + key + "\" has no value", "give it one or leave it out");
        if (!(m_mayOverride && key == "override")) result.emplace_back(key, child(pair.second, key));
    }
    return result;
}

std::optional<CheckedYaml> CheckedYaml::find(const std::string& key) const {
    if (!m_parts.empty()) {
        std::vector<CheckedYaml> found;
        for (const CheckedYaml& part : m_parts)
            if (const auto value = part.find(key)) found.push_back(*value);
        if (found.empty()) return std::nullopt;
        return found.size() == 1 ? found[0] : mergedFrom(std::move(found));
    }
    if (!m_node.IsMap()) fail(m_name + " must be a block of \"key: value\" lines, not " + kindOf(m_node));
    for (const auto& pair : m_node)
        if (pair.first.IsScalar() && pair.first.Scalar() == key) {
            CheckedYaml value = child(pair.second, key);
            if (m_table) value.m_row = m_table->find(key);
            return value;
        }
    return std::nullopt;
}

bool CheckedYaml::has(const std::string& key) const {
    return find(key).has_value();
}

CheckedYaml CheckedYaml::at(const std::string& key) const {
    std::optional<CheckedYaml> found = find(key);
    if (!found) fail(m_name + " needs the key \"" + key + "\"");
    return *found;
}

std::vector<CheckedYaml> CheckedYaml::items() const {
    if (!m_parts.empty()) return mergedItems();
    if (!m_node.IsSequence()) fail(m_name + " must be a list, not " + kindOf(m_node));
    const bool mayRepeat = m_name == "bodies" || m_name == "rigid" || m_name == "joints" || m_name == "fields" ||
                           m_name == "sensors" || m_name == "events" || m_name == "instances";
    std::vector<CheckedYaml> result;
    for (const auto& node : m_node) {
        CheckedYaml item = child(node, m_name);
        item.m_row = m_row;
        if (mayRepeat && item.isBlock() && item.has("repeat"))
            addCopies(item, result);
        else
            result.push_back(item);
    }
    return result;
}

void CheckedYaml::addCopies(const CheckedYaml& entry, std::vector<CheckedYaml>& copies) const {
    constexpr int most = 20000;
    const CheckedYaml repeat = entry.at("repeat");
    const auto counts = repeat.entries();
    if (counts.size() != 1) repeat.fail("repeat needs one name and how often", "for example {i: 4}");
    const auto& [name, count] = counts.front();
    if (!Scope::isName(name))
        repeat.fail("\"" + name + "\" cannot be a variable: it is no word, or one that expressions know");
    const int number = count.integer(0, most);
    if (copies.size() + static_cast<std::size_t>(number) > most)
        repeat.fail(m_name + " have more than " + std::to_string(most) + " entries", "a grid makes many bodies of one");
    for (int i = 0; i < number; ++i) {
        Scope scope(m_scope);
        scope.set(name, i);
        CheckedYaml copy = entry.within(std::make_shared<const Scope>(std::move(scope)));
        copy.m_suffix += "[" + std::to_string(i) + "]";
        copy.m_isRepeated = true;
        copies.push_back(std::move(copy));
    }
}

CheckedYaml CheckedYaml::child(YAML::Node node, std::string name) const {
    CheckedYaml result(std::move(node), m_file, std::move(name));
    result.m_scope = m_scope;
    result.m_suffix = m_suffix;
    result.m_space = m_space;
    result.m_metres = m_metres;
    result.m_mayOverride = m_isWholeFile;
    return result;
}

CheckedYaml CheckedYaml::within(std::shared_ptr<const Scope> scope) const {
    CheckedYaml result = *this;
    for (CheckedYaml& part : result.m_parts) part = part.within(scope);
    result.m_scope = std::move(scope);
    return result;
}

CheckedYaml CheckedYaml::inside(std::shared_ptr<const Namespace> space) const {
    CheckedYaml result = *this;
    for (CheckedYaml& part : result.m_parts) part = part.inside(space);
    result.m_space = std::move(space);
    result.m_suffix.clear();
    return result;
}

template <class Use>
auto CheckedYaml::inScope(const std::string& expression, const Use& use) const {
    try {
        return use(m_scope ? *m_scope : Scope());
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

namespace {

/// What stands behind the "=" of an expression; nothing where the text is none.
std::optional<std::string> expressionIn(const std::string& text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string::npos || text[first] != '=') return std::nullopt;
    return trimmed(text.substr(first + 1));
}

}  // namespace

std::vector<CheckedYaml> CheckedYaml::three(const std::string& wanted) const {
    std::vector<CheckedYaml> parts = items();
    if (parts.size() == 3) return parts;
    const bool cut = std::any_of(parts.begin(), parts.end(), [](const CheckedYaml& part) {
        return part.m_node.IsScalar() && expressionIn(part.m_node.Scalar());
    });
    fail(m_name + " needs " + wanted + ", it has " + std::to_string(parts.size()),
         cut ? "an expression with a comma in it is quoted" : "");
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
    const LiveNumber value = inScope(inSi(*expression), [&](const Scope& scope) {
        return scope.compile(inSi(*expression), range.least, range.most);
    });
    expectWithin(range, value.at(0.0));
    return value;
}

std::array<LiveNumber, 3> CheckedYaml::liveVector(Range range) const {
    const std::vector<CheckedYaml> parts = three("three numbers");
    return {parts[0].liveNumber(range), parts[1].liveNumber(range), parts[2].liveNumber(range)};
}

Formula CheckedYaml::formula(Range range) const {
    range = rangeOr(range);
    const std::optional<std::string> expression = expressionIn(scalar("a number"));
    if (!expression) return Formula(number(range));
    return Formula(inSi(*expression), m_scope, where());
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
        fail(m_name + " must be a number, not \"" + text + "\"");
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

}  // namespace pliant::scene
