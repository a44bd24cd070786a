// SPDX-License-Identifier: Zlib
#include "pliant/scene/CheckedYaml.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <utility>

#include "pliant/math/Error.h"
#include "pliant/mesh/FilesThere.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/scene/NearestWord.h"
#include "pliant/scene/YamlGuard.h"
#include "pliant/scene/YamlText.h"

namespace pliant::scene {
namespace {

/// What the parser says, with what it mostly means.
std::string inPlainWords(const std::string& problem) {
    static const std::array<std::pair<const char*, const char*>, 4> known{
        {{"illegal flow end", "a [ or { that ends with the other bracket, or begins nowhere"},
         {"end of sequence flow not found", "a [ without its ]"},
         {"end of map flow not found", "a { without its }"},
         {"end of map not found",
          "a line that is indented by more or fewer blanks than those it belongs to, or a "
          "bracket that is not closed above it"}}};
    for (const auto& [words, meaning] : known)
        if (problem.find(words) != std::string::npos) return problem + " (" + meaning + ")";
    return problem;
}

std::string markText(const std::string& file, const YAML::Mark& mark) {
    if (mark.is_null()) return file;
    return file + ":" + std::to_string(mark.line + 1) + ":" + std::to_string(mark.column + 1);
}

}  // namespace

bool hasRepeatedEntries(const std::string& list) {
    static const std::set<std::string> all = {"bodies", "rigid",   "joints", "tool",      "touch",
                                              "fields", "sensors", "events", "instances", "lights"};
    return all.count(list) > 0;
}

CheckedYaml CheckedYaml::readFile(const std::string& path, const Kind& kind) {
    if (files::isThere(path) && !files::isFile(path) && !files::isFolder(path))
        throw Error(path, std::string("is no file that a ") + kind.name + " can be read from", kind.guide);
    guardSize(files::size(path), path, kind.name);
    const std::string text = readTextFile(path);
    if (text.find('\0') != std::string::npos)
        throw Error(path, std::string("is no ") + kind.name + " but a binary file", kind.guide);
    return parse(text, path, kind);
}

namespace {

/// The first line that begins with a tab behind whatever blanks, from 1; 0 where there is none.
int firstTab(const std::string& text) {
    int line = 1;
    for (std::size_t start = 0; start < text.size(); ++line) {
        const std::size_t first = text.find_first_not_of(' ', start);
        if (first != std::string::npos && text[first] == '\t') return line;
        const std::size_t end = text.find('\n', start);
        if (end == std::string::npos) break;
        start = end + 1;
    }
    return 0;
}

}  // namespace

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
        const int tab = firstTab(text);
        if (tab > 0)
            throw Error(path + ":" + std::to_string(tab), "a tab before the first word of the line",
                        "YAML counts blanks: write two of them in its place");
        throw Error(markText(path, problem.mark), "YAML syntax of this " + name + ": " + inPlainWords(problem.msg),
                    kind.guide);
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
    const std::vector<std::string> words(known.begin(), known.end());
    expectKnown([&](const std::string& key) { return std::find(words.begin(), words.end(), key) != words.end(); },
                [&] { return words; });
}

void CheckedYaml::expectBlock(const char* block) const {
    m_table = &sceneKeys(block);
    for (const CheckedYaml& part : m_parts) part.m_table = m_table;
    expectKnown([this](const std::string& key) { return m_table->find(key) != nullptr; },
                [this] { return m_table->words(); });
}

void CheckedYaml::expectKnown(const IsWord& isWord, const std::function<std::vector<std::string>()>& words) const {
    for (const CheckedYaml& part : m_parts) part.expectKnown(isWord, words);
    if (!m_parts.empty()) return;
    forEachPair([](const YAML::Node&, const std::function<void()>& check) { check(); },
                [](const YAML::Node&, const YAML::Node&) {});
    for (const auto& pair : m_node)
        if (!isKnown(pair.first.Scalar(), isWord)) failUnknown(pair.first, words());
}

bool CheckedYaml::isKnown(const std::string& key, const IsWord& isWord) const {
    return isWord(key) || (m_isRepeated && key == "repeat") || (m_mayOverride && key == "override");
}

namespace {

/// What to do with a key that is at home in a block inside of this one; empty where there is none. Where several have
/// it, those that stand there already.
std::string cureOfInnerKey(const KeyTable* table, const YAML::Node& node, const std::string& word) {
    if (!table) return "";
    std::vector<std::string> owners, present;
    for (const KeyRow& row : table->rows) {
        if (row.type != "block" || row.words.empty() || !sceneKeys(row.words.front()).find(word)) continue;
        owners.push_back(row.key);
        for (const auto& pair : node)
            if (pair.first.IsScalar() && pair.first.Scalar() == row.key) present.push_back(row.key);
    }
    constexpr std::size_t most = 2;  // more are no help
    const std::vector<std::string>& chosen = present.empty() ? owners : present;
    if (chosen.empty() || chosen.size() > most) return "";
    const std::string other = chosen.size() > 1 ? " or \"" + chosen[1] + "\"" : "";
    return "it belongs to \"" + chosen[0] + "\"" + other + ": write " + chosen[0] + ": {" + word + ": ...}";
}

}  // namespace

void CheckedYaml::failUnknown(const YAML::Node& key, const std::vector<std::string>& words) const {
    const std::string word = key.Scalar(), near = nearestWord(word, words);
    if (word == "<<")
        throw Error(whereOf(key), "merge key \"<<\" in " + m_name,
                    "YAML 1.2 has none: write out what it stands for, or repeat a whole value by an alias");
    const std::string scene = m_name == "scene" && (word == "forces" || word == "force")
                                  ? "\"fields\" act on bodies all the time, the action \"push\" of \"events\" at once"
                                  : "";
    if (!scene.empty()) throw Error(whereOf(key), "unknown key \"" + word + "\" in " + m_name, scene);
    const std::string inner = cureOfInnerKey(m_table, m_node, word);
    if (!inner.empty())
        throw Error(whereOf(key), "unknown key \"" + word + "\" in " + m_name,
                    near.empty() ? inner : "did you mean \"" + near + "\"? Or " + inner);
    throw Error(whereOf(key), "unknown key \"" + word + "\" in " + m_name,
                near.empty() ? "known keys: " + listed(words) : "did you mean \"" + near + "\"?");
}

namespace {

/// Whether a block has what stood behind the commas of an expression: keys without values, up to its last bracket.
bool hasRestOfExpression(const YAML::Node& block) {
    for (const auto& pair : block) {
        if (!pair.first.IsScalar() || !pair.second.IsNull()) continue;
        const std::string key = pair.first.Scalar();
        if (std::count(key.begin(), key.end(), ')') > std::count(key.begin(), key.end(), '(')) return true;
    }
    return false;
}

}  // namespace

void CheckedYaml::failTwice(const YAML::Node& key) const {
    throw Error(whereOf(key), "key \"" + key.Scalar() + "\" stands twice in " + m_name, "remove one of them");
}

void CheckedYaml::failWithoutValue(const std::string& key) const {
    for (const auto& pair : m_node)
        if (pair.first.IsScalar() && pair.first.Scalar() == key && pair.second.IsNull()) failWithoutValue(pair.first);
    fail("key \"" + key + "\" has no value");
}

void CheckedYaml::failWithoutValue(const YAML::Node& key) const {
    throw Error(
        whereOf(key), "key \"" + key.Scalar() + "\" has no value",
        hasRestOfExpression(m_node) ? "an expression with a comma in it is quoted" : "give it one or leave it out");
}

bool CheckedYaml::hasKeyTwice() const {
    if (std::any_of(m_parts.begin(), m_parts.end(), [](const CheckedYaml& part) { return part.hasKeyTwice(); }))
        return true;
    if (!m_node.IsMap()) return false;
    std::set<std::string> seen;
    for (const auto& pair : m_node)
        if (pair.first.IsScalar() && !seen.insert(pair.first.Scalar()).second) return true;
    return false;
}

std::vector<std::pair<std::string, CheckedYaml>> CheckedYaml::entries(const TryKey& tryKey) const {
    if (!m_parts.empty()) return mergedEntries(tryKey);
    std::vector<std::pair<std::string, CheckedYaml>> result;
    forEachPair(
        [&](const YAML::Node& name, const std::function<void()>& read) {
            tryKey ? tryKey(name.IsScalar() ? name.Scalar() : "", read) : read();
        },
        [&](const YAML::Node& name, const YAML::Node& value) {
            const std::string& key = name.Scalar();
            if (!(m_mayOverride && key == "override")) result.emplace_back(key, child(value, key));
        });
    return result;
}

template <class Try, class Read>
void CheckedYaml::forEachPair(const Try& tryPair, const Read& read) const {
    if (!m_node.IsMap()) fail(m_name + " must be a block of \"key: value\" lines, not " + kindOf(m_node));
    std::set<std::string> seen;
    for (const auto& pair : m_node)
        tryPair(pair.first, [&, &name = pair.first, &value = pair.second] {
            if (!name.IsScalar()) throw Error(whereOf(name), "a key must be a word");
            if (!seen.insert(name.Scalar()).second) failTwice(name);
            if (value.IsNull()) failWithoutValue(name);
            read(name, value);
        });
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
    for (const auto& [name, node] : pairs())
        if (name == key) {
            if (node.IsNull()) failWithoutValue(key);
            CheckedYaml value = child(node, key);
            if (m_table) value.m_row = m_table->find(key);
            return value;
        }
    return std::nullopt;
}

const CheckedYaml::Pairs& CheckedYaml::pairs() const {
    if (m_pairs) return *m_pairs;
    Pairs all;
    for (const auto& pair : m_node)
        if (pair.first.IsScalar()) all.emplace_back(pair.first.Scalar(), pair.second);
    m_pairs = std::make_shared<const Pairs>(std::move(all));
    return *m_pairs;
}

bool CheckedYaml::has(const std::string& key) const {
    return find(key).has_value();
}

CheckedYaml CheckedYaml::at(const std::string& key) const {
    std::optional<CheckedYaml> found = find(key);
    if (!found) fail(m_name + " needs the key \"" + key + "\"");
    return *found;
}

std::vector<CheckedYaml> CheckedYaml::items(const TryItem& tryItem) const {
    if (!m_parts.empty()) return mergedItems(tryItem);
    if (!m_node.IsSequence()) fail(m_name + " must be a list, not " + kindOf(m_node));
    const bool mayRepeat = hasRepeatedEntries(m_name);
    std::vector<CheckedYaml> result;
    for (const auto& node : m_node) {
        CheckedYaml item = child(node, m_name);
        item.m_row = m_row;
        const auto read = [&] {
            if (mayRepeat && item.isBlock() && item.has("repeat"))
                addCopies(item, result);
            else
                result.push_back(item);
        };
        tryItem ? tryItem(item, read) : read();
    }
    return result;
}

std::vector<CheckedYaml> CheckedYaml::itemsOrOne() const {
    return m_parts.empty() && m_node.IsScalar() ? std::vector<CheckedYaml>{*this} : items();
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

}  // namespace pliant::scene
