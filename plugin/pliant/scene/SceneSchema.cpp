// SPDX-License-Identifier: Zlib
// The tables of the language in other words: Markdown for people, JSON Schema for editors.
#include <map>
#include <sstream>

#include "pliant/scene/CheckedYaml.h"
#include "pliant/scene/LivePaths.h"
#include "pliant/scene/SceneKeys.h"
#include "pliant/scene/SceneText.h"

namespace pliant::scene {
namespace {

/// Text within quotes. The tables have no control characters.
std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) result += (c == '"' || c == '\\') ? std::string("\\") + c : std::string(1, c);
    return result + "\"";
}

std::string reference(const std::string& name) {
    return "{\"$ref\": " + quoted("#/$defs/" + name) + "}";
}

std::string anyOf(const std::vector<std::string>& all) {
    std::string text;
    for (const std::string& one : all) text += (text.empty() ? "" : ", ") + one;
    return "{\"anyOf\": [" + text + "]}";
}

/// A number within the range of the row, or an expression.
std::string numberSchema(const KeyRow& row, bool whole) {
    std::string range;
    if (row.hasRange) range = ", \"minimum\": " + printed(row.least) + ", \"maximum\": " + printed(row.most);
    return anyOf(
        {std::string("{\"type\": \"") + (whole ? "integer" : "number") + "\"" + range + "}", reference("expression")});
}

std::string listOf(const std::string& item, int count = 0) {
    const std::string number = std::to_string(count);
    return "{\"type\": \"array\", \"items\": " + item +
           (count > 0 ? ", \"minItems\": " + number + ", \"maxItems\": " + number : "") + "}";
}

std::string typeSchema(const KeyRow& row);

/// What stands in a list or a map: a block, or a simple type.
std::string memberSchema(const std::string& word) {
    if (!sceneKeys(word).rows.empty()) return reference(word);
    KeyRow row;
    row.type = word;
    return typeSchema(row);
}

std::string typeSchema(const KeyRow& row) {
    static const std::map<std::string, std::string> fixed = {
        {"boolean", "{\"type\": \"boolean\"}"},
        {"text", "{\"type\": \"string\"}"},
        {"name", "{\"type\": \"string\"}"},
        {"alone", "false"},
    };
    const auto found = fixed.find(row.type);
    if (found != fixed.end()) return found->second;
    const std::string number = numberSchema(row, false), whole = numberSchema(row, true);
    const std::string text = "{\"type\": \"string\"}";
    if (row.type == "number") return number;
    if (row.type == "integer" || row.type == "seed") return whole;
    if (row.type == "moment") return anyOf({number, "{\"const\": \"end\"}"});
    if (row.type == "live_number") return "{\"type\": \"string\", \"pattern\": " + quoted(livePathPattern()) + "}";
    if (row.type == "condition") return anyOf({text, "{\"type\": \"number\"}"});
    if (row.type == "vector" || row.type == "colour") return listOf(number, 3);
    if (row.type == "integers") return listOf(whole, 3);
    if (row.type == "pair") return listOf(number, 2);
    if (row.type == "four") return listOf(number, 4);
    if (row.type == "size") return listOf(whole, 2);
    if (row.type == "spacing") return anyOf({number, listOf(number, 3)});
    if (row.type == "colours") return listOf(listOf(number, 3));
    if (row.type == "keys") return listOf(listOf(number, 2));
    if (row.type == "texts") return listOf(text);
    if (row.type == "names") return anyOf({text, listOf(anyOf({text, listOf(text)}))});
    if (row.type == "regions") return anyOf({text, "{\"type\": \"object\"}", "{\"type\": \"array\"}"});
    if (row.type == "phase") return anyOf({number, "{\"const\": \"random\"}"});
    if (row.type == "shadow") return anyOf({"{\"type\": \"boolean\"}", reference("shadow")});
    if (row.type == "output") return anyOf({reference("film_and_picture"), listOf(reference("output"))});
    if (row.type == "actions") return listOf(anyOf({"{\"const\": \"stop\"}", reference("action")}));
    if (row.type == "block") return reference(row.words[0]);
    if (row.type == "list") return listOf(reference(row.words[0]));
    if (row.type == "map")
        return "{\"type\": \"object\", \"additionalProperties\": " + memberSchema(row.words[0]) + "}";
    std::string words;
    for (const std::string& word : row.words) words += (words.empty() ? "" : ", ") + quoted(word);
    return "{\"enum\": [" + words + "]}";
}

/// Beside the keys of its table: of entries of lists that may be repeated, and of what overrides an included file.
bool mayRepeat(const std::string& block) {
    for (const KeyRow& row : sceneKeys().front().rows)
        if (row.type == "list" && row.words[0] == block) return hasRepeatedEntries(row.key);
    return false;
}

std::string blockSchema(const KeyTable& table) {
    std::string properties;
    const auto add = [&](const std::string& key, const std::string& schema, const std::string& description) {
        properties += (properties.empty() ? "\n      " : ",\n      ") + quoted(key) +
                      ": {\"description\": " + quoted(description) + ", \"allOf\": [" + schema + "]}";
    };
    for (const KeyRow& row : table.rows) {
        std::string description = row.sentence;
        if (!row.unit.empty()) description += " [" + row.unit + "]";
        if (!row.fallback.empty()) description += "; default: " + row.fallback;
        add(row.key, typeSchema(row), description);
    }
    if (mayRepeat(table.name)) add("repeat", "{\"type\": \"object\"}", "one copy a value: {i: 4}");
    add("override", "{\"type\": \"boolean\"}", "takes the place of what an included file says");
    return "{\n    \"description\": " + quoted(table.sentence) + ",\n    \"type\": \"object\",\n    \"properties\": {" +
           properties + "},\n    \"additionalProperties\": false}";
}

std::string typeInWords(const KeyRow& row) {
    std::string text = row.type;
    if (row.type == "word") text = "";
    for (const std::string& word : row.words) text += (text.empty() ? "" : row.type == "word" ? ", " : " ") + word;
    if (row.hasRange) text += ", " + printed(row.least) + " to " + printed(row.most);
    return text;
}

}  // namespace

std::string sceneKeysAsMarkdown() {
    std::string text;
    for (const KeyTable& table : sceneKeys()) {
        text += "## " + table.name + "\n" + table.sentence +
                "\n\n| key | what stands there | unit | default | meaning |\n" + "|---|---|---|---|---|\n";
        for (const KeyRow& row : table.rows)
            text += "| `" + row.key + "` | " + typeInWords(row) + " | " + row.unit + " | " + row.fallback + " | " +
                    row.sentence + " |\n";
        text += "\n";
    }
    return text + livePathsAsMarkdown();
}

std::string sceneSchema() {
    std::string text =
        "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
        "  \"title\": \"Pliant scene\",\n  \"$ref\": \"#/$defs/scene\",\n  \"$defs\": {\n"
        "  \"expression\": {\"type\": \"string\", \"pattern\": \"^ *=\"}";
    for (const KeyTable& table : sceneKeys()) text += ",\n  " + quoted(table.name) + ": " + blockSchema(table);
    return text + "}}\n";
}

}  // namespace pliant::scene
