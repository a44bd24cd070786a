// SPDX-License-Identifier: Zlib
/// @file
/// YAML with the manners a user deserves: every value knows its file:line:column, and what does not fit is refused.
///
/// yaml-cpp reads the text; it keeps duplicate keys, takes "nan" for a number and converts silently. This layer does
/// none of that: keys are checked against those that a block knows (with the nearest one as a hint), duplicates are
/// errors, numbers are finite and inside their range, quoted text is not a number.
#pragma once

#include <yaml-cpp/yaml.h>

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"
#include "pliant/scene/Formula.h"
#include "pliant/scene/Namespace.h"
#include "pliant/scene/SceneKeys.h"
#include "pliant/scene/Scope.h"

namespace pliant::scene {

/// Closed range of allowed numbers.
struct Range {
    double least = -std::numeric_limits<double>::max();  ///< The least number that is taken.
    double most = std::numeric_limits<double>::max();    ///< The greatest number that is taken.
};

/// A value of a YAML file that knows its place.
class PLIANT_API CheckedYaml {
public:
    /// What a file is to be, and where to read about it.
    struct Kind {
        const char* name;   ///< What the file is called in messages: "scene".
        const char* guide;  ///< What messages point at: "docs/scene.md has an example".
    };

    /// The only document of `path`, a block of keys. @throws Error: missing or unreadable file, no text, YAML syntax,
    /// none or several documents, more depth, aliases or length than readers allow
    static CheckedYaml readFile(const std::string& path, const Kind& kind);
    /// As readFile, for text that came from `path`.
    static CheckedYaml parse(const std::string& text, const std::string& path, const Kind& kind);

    /// The blocks of several files as one: blocks in them are merged and lists of entries appended, in this order. What
    /// stands in two of them is a mistake, unless the later one says `override: true`.
    static CheckedYaml merged(std::vector<CheckedYaml> files);

    std::string where() const;                          ///< Where it stands: file:line:column, counted from 1.
    const std::string& file() const { return m_file; }  ///< The file in which it stands.
    std::vector<std::string> files() const;             ///< Files that this is merged of.
    const std::string& name() const { return m_name; }  ///< The key that led here.
    /// @throws Error with this place
    [[noreturn]] void fail(const std::string& problem, const std::string& cure = {}) const;

    /// A block "key: value" with no other keys than these, none of them twice.
    void expectKeys(std::initializer_list<const char*> known) const;
    /// The same with the keys of a block of the language (SceneKeys.h); what is found in it has their ranges and words.
    void expectBlock(const char* block) const;
    /// After expectBlock(), whether it threw or not: every mistake of the block and of the blocks in it that the tables
    /// of the language know, also those behind the first one. Expressions are not looked at.
    /// @param note gets each message
    void forEachMistake(const std::function<void(const std::string&)>& note) const;
    /// Whether a block has the key. @throws Error where it has no value
    bool has(const std::string& key) const;
    CheckedYaml at(const std::string& key) const;  ///< @throws Error where the key is missing, or has no value
    /// Nothing where the key is missing. @throws Error where it has no value
    std::optional<CheckedYaml> find(const std::string& key) const;
    /// Whether a key stands in a block more than once.
    bool hasKeyTwice() const;
    /// Does what may throw about one key; catches it where reading shall go on behind that key.
    using TryKey = std::function<void(const std::string& key, const std::function<void()>& part)>;
    /// The same of one entry of a list.
    using TryItem = std::function<void(const CheckedYaml& item, const std::function<void()>& part)>;
    /// Pairs of a block whose keys are names that the user chose (none twice). @param tryKey empty: the first mistake
    /// is thrown; gets no key where that is no word
    std::vector<std::pair<std::string, CheckedYaml>> entries(const TryKey& tryKey = nullptr) const;
    /// Of a list. An entry with the key `repeat` stands for as many as it says, each with numbers of its own in its
    /// scope. @param tryItem empty: the first mistake is thrown
    std::vector<CheckedYaml> items(const TryItem& tryItem = nullptr) const;
    /// The same, or the value itself where one stands there in place of a list.
    std::vector<CheckedYaml> itemsOrOne() const;
    /// What cures a list of a wrong length: quotes, where YAML has cut an expression at its comma; empty elsewhere.
    std::string cureOfLength() const;
    /// "[2]" in the third of repeated entries, else empty: what belongs to the names of its bodies.
    const std::string& nameSuffix() const { return m_suffix; }
    /// The same with a scope, which all that is found in it inherits.
    CheckedYaml within(std::shared_ptr<const Scope> scope) const;
    const std::shared_ptr<const Scope>& scope() const { return m_scope; }  ///< Null: no variables.
    /// The same in a file whose lengths, speeds and accelerations have another unit of length. @param metres in it
    CheckedYaml inUnit(double metres) const;
    /// The same as a length, or as a power of one: in what unit it is, the key does not tell.
    CheckedYaml asLength(int power = 1) const;
    /// Metres in the file's unit of length. Numbers of keys with the units m, m/s, m/s^2 and 1/m are converted by
    /// themselves.
    double metres() const { return m_metres; }
    /// The same in an instance of a prefab, whose names are its own; numbers of repeated entries stay outside.
    CheckedYaml inside(std::shared_ptr<const Namespace> space) const;
    /// The innermost instance of a prefab that this stands in; null where it stands in none.
    const std::shared_ptr<const Namespace>& space() const { return m_space; }
    /// A name of this place as the whole scene knows it.
    std::string qualified(const std::string& name) const { return Namespace::qualified(m_space.get(), name); }
    /// This value on one line of YAML, as a scene in another folder would say it: variables are numbers, expressions
    /// that never change their values, repeated entries written out, and files named by their whole path. After
    /// expectBlock().
    /// @param models names of the scene's own models, which bodies name in place of files that are called the same
    std::string onOneLine(const std::set<std::string>& models) const;
    /// The value of an expression, "=" left out, in this place's scope.
    double evaluate(const std::string& expression) const;

    /// Whether it is this word.
    bool isText(const char* word) const;

    // Without a range that of the key holds, where the block is one of the language.
    double number(Range range = {}) const;  ///< A number, or the value of an expression.
    /// A number, or an expression of time, which is in the range at t = 0.
    LiveNumber liveNumber(Range range = {}) const;
    /// Three of them.
    std::array<LiveNumber, 3> liveVector(Range range = {}) const;
    /// A number, or an expression of names that change while the scene runs.
    Formula formula(Range range = {}) const;
    /// Three of them.
    std::array<Formula, 3> formulas(Range range = {}) const;
    /// An expression that stands in this value, without its "=".
    Formula formulaOf(const std::string& expression) const { return Formula(expression, m_scope, where()); }
    /// An expression, with or without its "=".
    Formula condition() const;
    int integer(int least, int most) const;  ///< A whole number from `least` to `most`.
    int integer() const;                     ///< The same in the range of its key.
    std::uint64_t seed() const;              ///< A whole number from 0.
    bool boolean() const;                    ///< True or false.
    std::string text() const;                ///< A text that is not empty.
    Vector3 vector(Range range = {}) const;  ///< Three numbers.
    std::array<int, 3> integers() const;     ///< Three whole numbers in the range of their key.
    /// Index of the word in `words`; the nearest is suggested.
    int word(const std::vector<const char*>& words) const;
    int word() const;                                    ///< The same for the words of its key.
    bool isList() const { return m_node.IsSequence(); }  ///< Whether it is a list, "[a, b]".
    bool isBlock() const { return m_node.IsMap(); }      ///< Whether it is a block, "key: value".

private:
    /// yaml-cpp's assignment changes what the node on its left stands for, everywhere; this one lets go of it.
    struct Handle : YAML::Node {
        explicit Handle(const YAML::Node& node) : YAML::Node(node) {}
        Handle(const Handle& other) = default;
        Handle& operator=(const Handle& other) {
            reset(other);
            return *this;
        }
        ~Handle() = default;
    };

    CheckedYaml(const YAML::Node& node, std::string file, std::string name)
        : m_node(node), m_file(std::move(file)), m_name(std::move(name)) {}
    /// What belongs to this block, with what it inherits.
    CheckedYaml child(YAML::Node node, std::string name) const;
    void addCopies(const CheckedYaml& entry, std::vector<CheckedYaml>& copies) const;
    bool says(const char* key) const;
    CheckedYaml mergedFrom(std::vector<CheckedYaml> found) const;
    std::vector<CheckedYaml> mergedItems(const TryItem& tryItem) const;
    std::vector<std::pair<std::string, CheckedYaml>> mergedEntries(const TryKey& tryKey) const;
    std::string scalar(const char* wanted) const;
    /// Calls use(scope); what it throws gets this place.
    template <class Use>
    auto inScope(const std::string& expression, const Use& use) const;
    /// The entries of a list of three. @param wanted what it should be, for messages
    std::vector<CheckedYaml> three(const std::string& wanted) const;
    const KeyTable* tableOf(const KeyRow& row) const;
    std::string blockOnOneLine(const std::set<std::string>& models) const;
    std::string scalarOnOneLine(const std::set<std::string>& models) const;
    Range rangeOr(Range given) const;
    using IsWord = std::function<bool(const std::string&)>;
    /// @param words that isWord() knows, for messages
    void expectKnown(const IsWord& isWord, const std::function<std::vector<std::string>()>& words) const;
    bool isKnown(const std::string& key, const IsWord& isWord) const;
    /// Calls read(key, value) for each pair of a block, within tryPair(key, part), where nothing is wrong with it.
    template <class Try, class Read>
    void forEachPair(const Try& tryPair, const Read& read) const;
    [[noreturn]] void failTwice(const YAML::Node& key) const;
    [[noreturn]] void failWithoutValue(const YAML::Node& key) const;
    [[noreturn]] void failWithoutValue(const std::string& key) const;
    [[noreturn]] void failUnknown(const YAML::Node& key, const std::vector<std::string>& words) const;
    bool isExpression() const;
    /// The items of a list; none where YAML cut an expression at its comma: the pieces are no numbers, which is no
    /// mistake more.
    std::vector<CheckedYaml> uncutItems() const;
    void checkByRow(const std::function<void(const std::string&)>& note) const;
    void checkBlocksByRow(const std::string& type, const std::function<void(const std::string&)>& note) const;
    void expectWithin(Range range, double value) const;
    double toSi() const;                                    ///< Factor of numbers of this key.
    std::string inSi(const std::string& expression) const;  ///< The same times that.
    double written(const std::string& text) const;          ///< A number that is no expression.
    std::string whereOf(const YAML::Node& node) const;

    using Pairs = std::vector<std::pair<std::string, YAML::Node>>;
    /// What a block has under keys that are words, in its order; shared by the copies of a repeated entry. yaml-cpp
    /// copies two nodes for each pair that is looked at, and readers ask for forty keys.
    const Pairs& pairs() const;

    Handle m_node;
    mutable std::shared_ptr<const Pairs> m_pairs;  ///< Null: nobody has asked for them.
    std::string m_file;
    std::string m_name;                    ///< Key that led here.
    std::shared_ptr<const Scope> m_scope;  ///< Null: no variables.
    std::string m_suffix;
    double m_metres = 1.0;                      ///< In the file's unit of length.
    bool m_isRepeated = false;                  ///< The key `repeat` is read.
    bool m_mayOverride = false;                 ///< What is merged may say `override`.
    bool m_isWholeFile = false;                 ///< Its blocks are merged with those of other files.
    std::shared_ptr<const Namespace> m_space;   ///< Null: in no instance.
    mutable const KeyTable* m_table = nullptr;  ///< The keys of this block, once it has been asked for them.
    const KeyRow* m_row = nullptr;              ///< Of the key that led here.
    int m_lengthPower = 1;                      ///< Of what asLength() has made a length.
    std::vector<CheckedYaml> m_parts;           ///< What this is merged of; empty: of nothing.
};

/// Whether entries of a list of scene files, by its key, may have `repeat`.
bool hasRepeatedEntries(const std::string& list);

}  // namespace pliant::scene
