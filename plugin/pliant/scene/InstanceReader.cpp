// SPDX-License-Identifier: Zlib
// Prefabs, parts of a scene with names and parameters of their own, and their instances.
#include <algorithm>
#include <map>

#include "pliant/scene/NearestWord.h"
#include "pliant/scene/Placing.h"
#include "pliant/scene/SceneParts.h"

namespace pliant::scene {
namespace {

constexpr std::size_t kDeepestInstances = 16;  // instances within instances
constexpr std::size_t kMostParts = 20000;      // instances of a scene
constexpr std::size_t kMostEntries = 50000;    // entries of lists in all of them

using Prefabs = std::map<std::string, CheckedYaml>;

/// The names of what stands in a prefab. @param entries of its lists, which are added
std::set<std::string> namesIn(const CheckedYaml& prefab, std::size_t& entries) {
    std::set<std::string> names;
    for (const char* key : {"bodies", "rigid", "joints", "sensors", "touch", "instances"})
        if (const auto list = prefab.find(key))
            for (const CheckedYaml& item : list->items()) {
                ++entries;
                if (const auto name = item.isBlock() ? item.find("name") : std::nullopt)
                    names.insert(name->text().substr(0, name->text().find('[')));
            }
    return names;
}

/// The parameters of a prefab, each with the value that the instance gives or its own; it may use those before it.
std::shared_ptr<const Scope> parametersOf(const CheckedYaml& prefab, const CheckedYaml& instance,
                                          const std::shared_ptr<const Scope>& file) {
    const auto scope = std::make_shared<Scope>(file);
    const auto given = instance.find("with");
    std::vector<std::string> names;
    if (const auto block = prefab.find("parameters"))
        for (const auto& [name, value] : block->entries()) {
            if (!Scope::isName(name))
                value.fail("\"" + name + "\" cannot be a parameter: it is no word, or one that expressions know");
            const auto own = given ? given->find(name) : std::nullopt;
            scope->set(name, own ? own->number() : value.within(scope).number());
            names.push_back(name);
        }
    if (!given) return scope;
    for (const auto& [name, value] : given->entries()) {
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        const std::string near = nearestWord(name, names);
        value.fail("the prefab has no parameter \"" + name + "\"",
                   near.empty() ? "add it under its parameters" : "did you mean \"" + near + "\"?");
    }
    return scope;
}

class Instances {
public:
    Instances(const CheckedYaml& root, Mistakes& mistakes) : m_file(root.scope()), m_mistakes(mistakes) {
        mistakes.tryPart([&] {
            const auto block = root.find("prefabs");
            if (!block) return;
            for (const auto& [name, value] : block->entries()) {
                tryBlock(value, mistakes, [&, &prefab = value] { prefab.expectBlock("prefab"); });
                m_prefabs.emplace(name, value);
            }
        });
    }

    /// The instances of a block, and those within them.
    void add(const CheckedYaml& block, std::size_t depth) {
        m_mistakes.tryPart([&] {
            const auto list = block.find("instances");
            if (!list) return;
            for (const CheckedYaml& item : list->items())
                if (!tryBlock(
                        item, m_mistakes, [&] { addOne(item, depth); },
                        item.space() ? "; " + item.space()->usedBy : ""))
                    loseName(item, {"body", "joint", "sensor"}, m_mistakes);
        });
    }
    std::vector<CheckedYaml> parts() { return std::move(m_parts); }

private:
    const CheckedYaml& prefabOf(const CheckedYaml& item) const {
        const CheckedYaml name = item.at("prefab");
        const auto found = m_prefabs.find(name.text());
        if (found != m_prefabs.end()) return found->second;
        std::vector<std::string> known;
        for (const auto& [prefab, block] : m_prefabs) known.push_back(prefab);
        const std::string near = nearestWord(name.text(), known);
        name.fail("no prefab is called \"" + name.text() + "\"",
                  near.empty() ? "add it under prefabs" : "did you mean \"" + near + "\"?");
    }

    void expectFewEntries(const CheckedYaml& item) const {
        if (m_entries > kMostEntries)
            item.fail("the instances have more than " + std::to_string(kMostEntries) + " entries",
                      "a grid makes many bodies of one");
    }

    void addOne(const CheckedYaml& item, std::size_t depth) {
        item.expectBlock("instance");
        const CheckedYaml& prefab = prefabOf(item);
        const auto space = std::make_shared<Namespace>();
        space->prefix = readName(item);
        if (space->prefix.empty())
            item.fail("an instance needs the key \"name\"", "what is in it has that before its own");
        if (!m_names.insert(space->prefix).second)
            item.at("name").fail("there is another instance \"" + space->prefix + "\"");
        if (depth == kDeepestInstances || m_parts.size() == kMostParts)
            item.fail("prefabs stand in each other more than " + std::to_string(kDeepestInstances) +
                          " deep, or there are more than " + std::to_string(kMostParts) + " instances",
                      "a prefab must not hold an instance of itself");
        expectFewEntries(item);  // once there are too many, the lists of others are not even counted
        space->usedBy = "used by the instance \"" + space->prefix + "\" (" + item.where() + ")";
        space->prefix += ".";
        const std::shared_ptr<const Scope> parameters = parametersOf(prefab, item, m_file);
        space->names = namesIn(prefab.within(parameters), m_entries);
        expectFewEntries(item);
        space->outer = item.space();
        Vector3 position = Vector3::Zero(), rotation = Vector3::Zero();
        if (const auto value = item.find("position")) position = value->vector();
        if (const auto value = item.find("rotation")) rotation = value->vector();
        space->frame = frameOf(position, rotation);
        if (space->outer) space->frame = inFrame(space->outer->frame, space->frame);
        const CheckedYaml part = prefab.within(parameters).inside(space);
        m_parts.push_back(part);
        add(part, depth + 1);
    }

    std::shared_ptr<const Scope> m_file;
    Mistakes& m_mistakes;
    Prefabs m_prefabs;
    std::set<std::string> m_names;
    std::vector<CheckedYaml> m_parts;
    std::size_t m_entries = 0;  ///< of lists in all parts
};

}  // namespace

std::vector<CheckedYaml> readInstances(const CheckedYaml& root, Mistakes& mistakes) {
    Instances instances(root, mistakes);
    instances.add(root, 0);
    std::vector<CheckedYaml> parts = instances.parts();
    parts.insert(parts.begin(), root);
    return parts;
}

}  // namespace pliant::scene
