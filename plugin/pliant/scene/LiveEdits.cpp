// SPDX-License-Identifier: Zlib
#include "pliant/scene/LiveEdits.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <utility>

#include "pliant/math/Error.h"
#include "pliant/scene/LivePaths.h"

namespace pliant::scene {
namespace {

bool isSame(const YAML::Node& a, const YAML::Node& b) {
    if (a.Type() != b.Type()) return false;
    if (a.IsScalar()) return a.Scalar() == b.Scalar();
    if (a.size() != b.size()) return false;
    if (a.IsSequence()) {
        for (std::size_t i = 0; i < a.size(); ++i)
            if (!isSame(a[i], b[i])) return false;
        return true;
    }
    return std::all_of(a.begin(), a.end(), [&](const auto& entry) {
        const YAML::Node other = b[entry.first.Scalar()];
        return other.IsDefined() && isSame(entry.second, other);
    });
}

/// Two versions of a scene, and the numbers that differ.
class Comparison {
public:
    /// @return whether what is not live is the same
    bool compare(const YAML::Node& before, const YAML::Node& after) {
        const YAML::Node bodies = after["bodies"];
        if (bodies.IsDefined()) m_bodies.reset(bodies);  // what is not there cannot be assigned
        return compareKeys(before, after, [&](const std::string& key, const YAML::Node& a, const YAML::Node& b) {
            if (key == "gravity") return compareVector("gravity", a, b);
            if (key == "bodies" || key == "rigid")
                return compareEntries(a, b, [&](const std::string& name, const YAML::Node& x, const YAML::Node& y) {
                    return compareSurface(name, x, y);
                });
            if (key == "joints")
                return compareEntries(a, b, [&](const std::string& name, const YAML::Node& x, const YAML::Node& y) {
                    return compareJoint(name, x, y);
                });
            if (key == "models") return compareModels(a, b);
            return false;
        });
    }

    /// Names of live numbers, and what stands there now.
    const std::vector<std::pair<std::string, std::string>>& numbers() const { return m_numbers; }

private:
    /// Whether two maps differ only where `compareValue` accepts the change. A number that is no longer there has a
    /// default that only the reader knows.
    template <class CompareValue>
    static bool compareKeys(const YAML::Node& before, const YAML::Node& after, const CompareValue& compareValue) {
        if (!before.IsMap() || !after.IsMap()) return false;
        for (const auto& entry : before)
            if (!after[entry.first.Scalar()].IsDefined()) return false;
        for (const auto& entry : after) {
            const YAML::Node old = before[entry.first.Scalar()];
            if (old.IsDefined() && isSame(old, entry.second)) continue;
            if (!compareValue(entry.first.Scalar(), old, entry.second)) return false;
        }
        return true;
    }

    template <class Compare>
    static bool compareEntries(const YAML::Node& before, const YAML::Node& after, const Compare& compare) {
        if (!before.IsDefined() || !before.IsSequence() || !after.IsSequence() || before.size() != after.size())
            return false;
        for (std::size_t i = 0; i < after.size(); ++i) {
            if (isSame(before[i], after[i])) continue;
            if (!after[i].IsMap() || !after[i]["name"].IsDefined()) return false;
            if (!compare(after[i]["name"].Scalar(), before[i], after[i])) return false;
        }
        return true;
    }

    bool add(const std::string& name, const YAML::Node& value) {
        if (!value.IsScalar() || !matchLivePath(name).row) return false;
        m_numbers.emplace_back(name, value.Scalar());
        return true;
    }

    bool compareVector(const std::string& name, const YAML::Node& before, const YAML::Node& after) {
        if (!before.IsDefined() || !before.IsSequence() || !after.IsSequence()) return false;
        if (before.size() != 3 || after.size() != 3) return false;
        for (std::size_t k = 0; k < 3; ++k)
            if (!isSame(before[k], after[k]) && !add(name + "." + "xyz"[k], after[k])) return false;
        return true;
    }

    bool compareSurface(const std::string& name, const YAML::Node& before, const YAML::Node& after) {
        return compareKeys(before, after, [&](const std::string& key, const YAML::Node&, const YAML::Node& value) {
            return add(name + "." + key, value);
        });
    }

    bool compareJoint(const std::string& name, const YAML::Node& before, const YAML::Node& after) {
        return compareKeys(before, after, [&](const std::string& key, const YAML::Node& a, const YAML::Node& b) {
            if (key != "motor" || !a.IsDefined()) return false;
            return compareKeys(a, b, [&](const std::string& part, const YAML::Node&, const YAML::Node& value) {
                return add(name + ".motor." + part, value);
            });
        });
    }

    bool compareModels(const YAML::Node& before, const YAML::Node& after) {
        return compareKeys(before, after, [&](const std::string& model, const YAML::Node& a, const YAML::Node& b) {
            if (!a.IsDefined()) return false;
            return compareKeys(a, b, [&](const std::string& key, const YAML::Node& x, const YAML::Node& y) {
                if (key != "damping" || !x.IsDefined()) return false;
                return compareKeys(x, y, [&](const std::string& part, const YAML::Node&, const YAML::Node& value) {
                    return addOfModel(model, ".damping." + part, value);
                });
            });
        });
    }

    bool addOfModel(const std::string& model, const std::string& end, const YAML::Node& value) {
        if (!matchLivePath(model + end).row) return false;
        if (!m_bodies.IsSequence()) return true;
        for (const YAML::Node& body : m_bodies) {
            if (!body["model"].IsDefined() || body["model"].Scalar() != model) continue;
            if (!body["name"].IsDefined() || !add(body["name"].Scalar() + end, value)) return false;
        }
        return true;
    }

    YAML::Node m_bodies;
    std::vector<std::pair<std::string, std::string>> m_numbers;
};

}  // namespace

std::optional<std::vector<LiveEdit>> liveEdits(const std::string& before, const std::string& after,
                                               const std::string& path, const SceneOptions& options) {
    YAML::Node scene = YAML::Load(after);
    Comparison comparison;
    if (!comparison.compare(YAML::Load(before), scene)) return std::nullopt;
    // What events may set is known to the reader: it is told of an event that sets all of them.
    YAML::Node event;
    event["at"] = 0;
    for (const auto& [name, value] : comparison.numbers()) {
        YAML::Node set;
        set["set"]["what"] = name;
        set["set"]["to"] = value;
        event["do"].push_back(set);
    }
    std::vector<LiveEdit> edits;
    if (comparison.numbers().empty()) return edits;
    scene["events"].push_back(event);
    try {
        const SceneDescription read = parseScene(YAML::Dump(scene), path, options);
        for (const Action& action : read.timeline.events.back().actions)
            edits.push_back({comparison.numbers()[edits.size()].first, action.path, action.value.bind({})()});
    } catch (const Error&) {
        return std::nullopt;  // a number that no event can set, or an expression of time
    }
    return edits;
}

}  // namespace pliant::scene
