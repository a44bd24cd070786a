// SPDX-License-Identifier: Zlib
// Scenes as they were understood, written out again.
#include <algorithm>
#include <filesystem>
#include <set>

#include "pliant/math/Error.h"
#include "pliant/mesh/FilesThere.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/scene/SceneParts.h"

namespace pliant::scene {
namespace {

bool beginsWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool continuesWord(char c) {
    return beginsWord(c) || (c >= '0' && c <= '9') || c == '.' || c == '[' || c == ']';
}

/// The expression with numbers in place of variables.
std::string withNumbers(const std::string& expression, const Scope* scope) {
    std::string text;
    for (std::size_t i = 0; i < expression.size();) {
        const bool isNumber = (expression[i] >= '0' && expression[i] <= '9') || expression[i] == '.';
        if (!beginsWord(expression[i]) && !isNumber) {
            text += expression[i++];
            continue;
        }
        std::size_t end = i + 1;  // of a word, or of a number such as 1e6, which is none
        while (end < expression.size() && continuesWord(expression[end])) ++end;
        const std::string word = expression.substr(i, end - i);
        const double* value = isNumber || !scope ? nullptr : scope->find(word);
        text += value ? '(' + numberText(*value) + ')' : word;
        i = end;
    }
    return text;
}

/// The text with what stands between two marks handed to `change`.
template <class Change>
std::string betweenMarks(const std::string& text, const std::string& open, char close, const Change& change) {
    std::string result;
    for (std::size_t at = 0;;) {
        const std::size_t begin = text.find(open, at);
        if (begin == std::string::npos) return result + text.substr(at);
        const std::size_t inside = begin + open.size(), end = std::min(text.find(close, inside), text.size());
        result += text.substr(at, begin - at) + change(text.substr(inside, end - inside));
        at = end;
    }
}

/// Plain where YAML takes it for the same text within brackets, else in quotes.
std::string quotedText(const std::string& text, bool always) {
    const bool plain = !always && !text.empty() && text.front() != ' ' && text.back() != ' ' && text.front() != '=' &&
                       text.find_first_of(",[]{}:#&*!|>'\"%@`\\\n\t?") == std::string::npos;
    if (plain) return text;
    std::string result = "\"";
    for (const char c : text)
        if (c == '\n')
            result += "\\n";
        else if (c == '\t')
            result += "\\t";
        else
            result += (c == '"' || c == '\\') ? std::string("\\") + c : std::string(1, c);
    return result + '"';
}

/// Keys whose text names a file that is read.
bool namesAFile(const std::string& key, const KeyRow* row) {
    static const std::set<std::string> files = {"texture", "normal_map", "image", "path", "surface",
                                                "sketch",  "snapshots",  "keep",  "fixed"};
    if (key == "file")
        return row && row->sentence.find("output folder") == std::string::npos && row->sentence.find("its name") != 0 &&
               row->sentence != ".csv or .jsonl";
    return files.count(key) != 0;
}

}  // namespace

/// The block that stands where a row says; null where it is none of the language.
const KeyTable* CheckedYaml::tableOf(const KeyRow& row) const {
    std::string name = row.words.empty() ? "" : row.words.back();
    if (row.type == "shadow") name = "shadow";
    if (row.type == "actions") name = "action";
    if (row.type == "output") name = isList() || m_name == "output" ? "output" : "film_and_picture";
    const KeyTable& table = sceneKeys(name);
    return table.rows.empty() ? nullptr : &table;
}

std::string CheckedYaml::scalarOnOneLine(const std::set<std::string>& models) const {
    const std::string text = m_node.Scalar();
    const std::string type = m_row ? m_row->type.substr(0, m_row->type.find(' ')) : "";
    const Scope* scope = m_scope.get();
    if (isExpression()) {
        const std::string expression = withNumbers(text.substr(text.find('=') + 1), scope);
        try {
            return numberText(Scope().evaluate(expression));
        } catch (const Error&) {  // it changes
            return quotedText("= " + expression.substr(std::min(expression.find_first_not_of(' '), expression.size())),
                              true);
        }
    }
    if (type == "condition") return quotedText(withNumbers(text, scope), true);
    if (m_name == "say")
        return quotedText(
            betweenMarks(text, "{", '}', [&](const std::string& e) { return "{" + withNumbers(e, scope); }), true);
    if (m_name == "model" && type == "name" && models.count(text) == 0) {  // of a body, by its file
        const std::filesystem::path file = resolvePath(m_file, text);
        if (file.extension() == ".pliant" && files::isFile(file))
            return quotedText(files::absolute(file).lexically_normal().string(), false);
    }
    if (type == "names" || type == "name")
        return quotedText(
            betweenMarks(text, "[=", ']', [&](const std::string& e) { return "[" + numberText(evaluate(e)); }),
            m_node.Tag() == "!");
    if (namesAFile(m_name, m_row))
        return quotedText(files::absolute(resolvePath(m_file, text)).lexically_normal().string(), false);
    return quotedText(text, m_node.Tag() == "!");
}

std::string CheckedYaml::blockOnOneLine(const std::set<std::string>& models) const {
    std::string text;
    for (const auto& [key, value] : entries()) {
        if (key == "repeat" || key == "override") continue;
        const std::optional<CheckedYaml> typed = m_table ? find(key) : std::optional<CheckedYaml>(value);
        std::string line = (typed ? *typed : value).onOneLine(models);
        if (key == "name" && m_isRepeated) line = quotedText(value.text() + m_suffix, true);
        text += (text.empty() ? "" : ", ") + quotedText(key, false) + ": " + line;
    }
    return "{" + text + "}";
}

std::string CheckedYaml::onOneLine(const std::set<std::string>& models) const {
    const auto typed = [this](const CheckedYaml& block) {
        if (m_row && !block.m_table) block.m_table = block.tableOf(*m_row);
    };
    if (isList() || (!m_parts.empty() && m_parts.front().isList())) {
        std::string text;
        for (const CheckedYaml& item : items()) {
            if (item.isBlock()) typed(item);
            text += (text.empty() ? "" : ", ") + item.onOneLine(models);
        }
        return "[" + text + "]";
    }
    if (!isBlock()) return scalarOnOneLine(models);
    if (m_row && m_row->type == "map") {
        std::string text;
        for (const auto& [key, value] : entries()) {
            if (value.isBlock()) typed(value);
            text += (text.empty() ? "" : ", ") + quotedText(key, false) + ": " + value.onOneLine(models);
        }
        return "{" + text + "}";
    }
    typed(*this);
    return blockOnOneLine(models);
}

namespace {

/// "left.inner" of an instance.
std::string nameOf(const CheckedYaml& part) {
    return part.space()->prefix.substr(0, part.space()->prefix.size() - 1);
}

/// The entries of a list of a part, a line each.
std::string printedList(const CheckedYaml& part, const std::string& key, const std::string& indent,
                        const std::set<std::string>& models) {
    const auto list = part.find(key);
    if (!list) return {};
    std::string text;
    for (const CheckedYaml& item : list->items()) {
        if (!item.isBlock()) {
            text += indent + "- " + item.onOneLine(models) + "\n";
            continue;
        }
        const KeyRow* row = sceneKeys("scene").find(key);
        item.expectBlock(row && !row->words.empty() ? row->words[0].c_str() : key.c_str());
        if (key != "instances") {
            text += indent + "- " + item.onOneLine(models) + "\n";
            continue;
        }
        const std::string own = item.at("name").text() + item.nameSuffix();
        text +=
            indent + "- {prefab: \"" + (item.space() ? item.space()->prefix : "") + own + "\", name: \"" + own + '"';
        for (const char* where : {"position", "rotation"})
            if (const auto value = item.find(where))
                text += std::string(", ") + where + ": " + value->onOneLine(models);
        text += "}\n";
    }
    return text.empty() ? "" : indent + key + ":\n" + text;
}

std::set<std::string> namesOfModels(const CheckedYaml& root) {
    std::set<std::string> names;
    if (const auto models = root.find("models"))
        for (const auto& entry : models->entries()) names.insert(entry.first);
    return names;
}

/// The files' unit of length. @throws Error where they have several
void expectOneUnit(const CheckedYaml& root) {
    const auto units = root.find("units");
    if (units && root.files().size() > 1)
        units->fail("scenes of several files are printed in metres alone", "leave the units out, or write one file");
}

}  // namespace

std::string printedParts(const std::vector<CheckedYaml>& parts) {
    const CheckedYaml& root = parts.front();
    expectOneUnit(root);
    const std::set<std::string> models = namesOfModels(root);
    std::string text;
    for (const KeyRow& row : sceneKeys("scene").rows) {
        if (row.key == "include" || row.key == "variables") continue;
        if (row.key == "prefabs") {
            for (std::size_t i = 1; i < parts.size(); ++i) {
                text += (i == 1 ? "prefabs:\n  \"" : "  \"") + nameOf(parts[i]) + "\":\n";
                for (const char* key : {"bodies", "rigid", "joints", "sensors", "touch", "instances"})
                    text += printedList(parts[i], key, "    ", models);
            }
            continue;
        }
        const auto value = root.find(row.key);
        if (!value) continue;
        const bool isList = row.type == "list" || (row.key == "output" && !value->isBlock());
        if (isList)
            text += printedList(root, row.key, "", models);
        else
            text += row.key + ": " + value->onOneLine(models) + "\n";
    }
    return text;
}

}  // namespace pliant::scene
