// SPDX-License-Identifier: Zlib
// A reader stops at the first thing in a block that it cannot take. What else is wrong there is then found by the table
// of the block alone: keys that it does not have, and values that are of another kind or out of range, in the lists
// that stand in it, too. Expressions are left out: what they may use is known to the readers.
#include <algorithm>

#include "pliant/math/Error.h"
#include "pliant/scene/CheckedYaml.h"

namespace pliant::scene {

namespace {

std::string firstWord(const std::string& text) {
    return text.substr(0, text.find(' '));
}

/// Whether a key is what YAML has cut off an expression at its last comma.
bool isEndOfExpression(const YAML::Node& of, const YAML::Node& value) {
    const std::string key = of.Scalar();
    return value.IsNull() && std::count(key.begin(), key.end(), ')') > std::count(key.begin(), key.end(), '(');
}

/// Does `check`, which may throw, and tells what it threw.
template <class Check>
void tell(const std::function<void(const std::string&)>& note, const Check& check) {
    try {
        check();
    } catch (const Error& problem) {
        note(problem.what());
    }
}

}  // namespace

bool CheckedYaml::isExpression() const {
    if (!m_node.IsScalar()) return false;
    const std::string text = m_node.Scalar();
    const std::size_t first = text.find_first_not_of(' ');
    return first != std::string::npos && text[first] == '=';
}

std::vector<CheckedYaml> CheckedYaml::uncutItems() const {
    std::vector<CheckedYaml> parts = items();
    const bool isCut = std::any_of(parts.begin(), parts.end(), [](const CheckedYaml& part) {
        if (!part.isExpression()) return false;
        const std::string text = part.m_node.Scalar();
        return std::count(text.begin(), text.end(), '(') > std::count(text.begin(), text.end(), ')');
    });
    return isCut ? std::vector<CheckedYaml>() : parts;
}

void CheckedYaml::checkByRow(const std::function<void(const std::string&)>& note) const {
    // Which of two units a number has, and with it the range, is known to the readers.
    const std::string& unit = m_row->unit;
    if (m_metres != 1.0 && (unit.find(" or ") != std::string::npos || unit.find(", ") != std::string::npos)) return;
    const std::string type = firstWord(m_row->type);
    const auto single = [&](const auto& read) {
        if (!isExpression()) tell(note, read);
    };
    if (type == "number") single([this] { number(); });
    if (type == "integer") single([this] { integer(); });
    if (type == "boolean") single([this] { boolean(); });
    if (type == "word" && !m_row->words.empty()) single([this] { word(); });
    if (type == "vector" || type == "colour") {
        if (!isList()) return single([this] { vector(); });
        tell(note, [this] { three("three numbers"); });
        for (const CheckedYaml& part : uncutItems())
            if (!part.isExpression()) tell(note, [&part] { part.number(); });
    }
    if (type == "integers" || type == "four" || type == "pair") {
        for (const CheckedYaml& part : isList() ? uncutItems() : std::vector<CheckedYaml>())
            if (!part.isExpression()) tell(note, [&] { type == "integers" ? part.integer() : part.number(); });
    }
    checkBlocksByRow(type, note);
}

void CheckedYaml::checkBlocksByRow(const std::string& type, const std::function<void(const std::string&)>& note) const {
    const auto check = [&](const CheckedYaml& block, const std::string& table) {
        if (!block.isBlock()) return;
        block.m_table = &sceneKeys(table);
        block.forEachMistake(note);
    };
    const std::string table = m_row->words.size() == 1 ? m_row->words[0] : "";
    if (type == "block") check(*this, table);
    if (type == "shadow") check(*this, type);
    if (type == "list" || type == "actions")
        for (const CheckedYaml& item : isList() ? items() : std::vector<CheckedYaml>())
            check(item, type == "list" ? table : "action");
}

void CheckedYaml::forEachMistake(const std::function<void(const std::string&)>& note) const {
    for (const CheckedYaml& part : m_parts) part.forEachMistake(note);
    if (!m_parts.empty() || !m_table || m_table->rows.empty() || !isBlock()) return;
    const auto isWord = [this](const std::string& key) { return m_table->find(key) != nullptr; };
    std::set<std::string> seen;
    for (const auto& pair : m_node) {
        if (!pair.first.IsScalar() || isEndOfExpression(pair.first, pair.second)) continue;
        if (!isKnown(pair.first.Scalar(), isWord)) tell(note, [&] { failUnknown(pair.first, m_table->words()); });
        if (!seen.insert(pair.first.Scalar()).second) tell(note, [&] { failTwice(pair.first); });
    }
    for (const KeyRow& row : m_table->rows)
        tell(note, [&] {
            const auto value = find(row.key);
            // Lists of the whole file and of prefabs are read entry by entry.
            const bool isRead = row.type == "list" && (m_table->name == "scene" || m_table->name == "prefab");
            if (value && value->m_row && !isRead) value->checkByRow(note);
        });
}

}  // namespace pliant::scene
