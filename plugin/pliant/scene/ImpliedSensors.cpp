// SPDX-License-Identifier: Zlib
// Numbers of bodies, joints, tools and of the world's energy that formulas and records name without a sensor.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "pliant/math/Error.h"
#include "pliant/scene/GroupName.h"
#include "pliant/scene/Mistakes.h"
#include "pliant/scene/NearestWord.h"
#include "pliant/scene/SceneParts.h"
#include "pliant/scene/Timeline.h"
#include "pliant/scene/UnknownName.h"

namespace pliant::scene {
namespace {

/// Who has numbers of a kind by a name.
struct Owner {
    SensorKind kind;
    Reference reference;  ///< Of the energy of the world: without a name.
};

class ImpliedSensors {
public:
    explicit ImpliedSensors(SceneDescription& scene) : m_scene(scene) {
        for (const BodyGroup& group : scene.bodies) addGroup(group);
        for (const RigidGroup& group : scene.rigid) addGroup(group);
        for (const Layer& layer : scene.layers) m_bodies.emplace(layer.name, 0);
        for (const JointGroup& joint : scene.joints) m_joints.insert(joint.name);
        for (const Sensor& sensor : scene.timeline.sensors) m_sensors.insert(sensor.name);
    }

    /// Adds the sensor that has the number, where none has and something of the scene does.
    /// @param name "first[0].speed"  @param where it stands
    void add(const std::string& name, const std::string& where) {
        for (std::size_t dot = name.rfind('.'); dot != std::string::npos && dot > 0; dot = name.rfind('.', dot - 1)) {
            const std::string owner = name.substr(0, dot);
            if (m_sensors.count(owner) > 0) return;
            const std::string rest = name.substr(dot + 1);
            const std::vector<Owner> owners = ownersOf(owner);
            if (owners.empty()) continue;
            const std::string quantity = rest.substr(0, rest.find('.'));
            const auto fits = std::find_if(owners.begin(), owners.end(), [&](const Owner& candidate) {
                const std::vector<SensorQuantity>& all = quantitiesOf(candidate.kind);
                return std::any_of(all.begin(), all.end(), [&](const auto& q) { return quantity == q.name; });
            });
            addSensor(owner, fits == owners.end() ? owners.front() : *fits, where);
            if (owners.size() > 1) tellAmbiguous(owner, owners, where);
            return;
        }
    }

    /// A record of each body of a group names them all.
    void nameEach(Record& record) const {
        std::vector<std::string> names;
        for (const std::string& name : record.of) {
            const std::size_t dot = dotBehindGroup(name);
            if (dot == std::string::npos) {
                names.push_back(name);
                continue;
            }
            for (const std::string& body : bodiesOf(name.substr(0, dot), record))
                names.push_back(body + name.substr(dot));
        }
        record.of = std::move(names);
    }

private:
    template <class Group>
    void addGroup(const Group& group) {
        if (!group.name.empty()) m_bodies[group.name] = copiesOf(group.placement);
        if (!group.layer.empty()) m_members[group.layer].push_back(group.name);
    }

    std::vector<Owner> ownersOf(const std::string& name) const {
        std::vector<Owner> owners;
        Reference reference{name, "", -1};
        const std::size_t open = name.rfind('[');
        if (m_bodies.count(name) > 0) {
            owners.push_back({SensorKind::Bodies, reference});
        } else if (open != std::string::npos && name.back() == ']' && m_bodies.count(name.substr(0, open)) > 0) {
            constexpr std::size_t kMostDigits = 7;
            const std::string number = name.substr(open + 1, name.size() - open - 2);
            const bool isNumber = !number.empty() && number.size() <= kMostDigits &&
                                  number.find_first_not_of("0123456789") == std::string::npos;
            if (isNumber) owners.push_back({SensorKind::Bodies, {name.substr(0, open), "", std::stoi(number)}});
        }
        const auto isNamed = [&](const auto& part) { return part.name == name; };
        if (m_joints.count(name) > 0) owners.push_back({SensorKind::Joint, reference});
        if (std::any_of(m_scene.tools.begin(), m_scene.tools.end(), isNamed))
            owners.push_back({SensorKind::Hand, reference});
        if (name == "energy") owners.push_back({SensorKind::Energy, {}});
        return owners;
    }

    /// One name has one set of numbers.
    [[noreturn]] static void tellAmbiguous(const std::string& name, const std::vector<Owner>& owners,
                                           const std::string& where) {
        const auto kindOf = [](const Owner& owner) -> std::string {
            switch (owner.kind) {
                case SensorKind::Joint:
                    return "a joint";
                case SensorKind::Hand:
                    return "a tool";
                case SensorKind::Energy:
                    return "the energy of the world";
                default:
                    return "a group of bodies";
            }
        };
        throw Error(where,
                    "\"" + name + "\" is " + kindOf(owners[0]) + " and " + kindOf(owners[1]) +
                        ": whose number is meant cannot be told",
                    "give one of them another name, or measure it by a sensor with a name of its own");
    }

    void addSensor(const std::string& name, const Owner& owner, const std::string& where) {
        Sensor sensor;
        sensor.name = name;
        sensor.where = where;
        sensor.kind = owner.kind;
        if (!owner.reference.name.empty()) sensor.of = {owner.reference};
        for (Reference& reference : sensor.of) reference.where = where;
        m_scene.timeline.sensors.push_back(std::move(sensor));
        m_sensors.insert(name);
    }

    /// The dot between a group or a layer and its number; npos: the name is another's.
    std::size_t dotBehindGroup(const std::string& name) const {
        for (std::size_t dot = name.rfind('.'); dot != std::string::npos && dot > 0; dot = name.rfind('.', dot - 1)) {
            if (m_sensors.count(name.substr(0, dot)) > 0) break;
            if (m_bodies.count(name.substr(0, dot)) > 0) return dot;
        }
        return std::string::npos;
    }

    /// Names of all bodies of a group or of a layer. @throws Error where a group of the layer has none
    std::vector<std::string> bodiesOf(const std::string& name, const Record& record) const {
        std::vector<std::string> all;
        const auto members = m_members.find(name);
        if (members != m_members.end() && m_bodies.at(name) == 0) {
            for (const std::string& group : members->second) {
                if (group.empty())
                    throw Error(record.where,
                                "the layer \"" + name + "\" has groups without a name, which \"each\" needs",
                                "name them");
                for (const std::string& body : bodiesOf(group, record)) all.push_back(body);
            }
            return all;
        }
        const int copies = m_bodies.at(name);
        if (copies == 1) return {name};
        for (int i = 0; i < copies; ++i) all.push_back(name + "[" + std::to_string(i) + "]");
        return all;
    }

    SceneDescription& m_scene;
    std::map<std::string, int> m_bodies;                        ///< Groups with their copies; layers: 0.
    std::map<std::string, std::vector<std::string>> m_members;  ///< Groups of each layer.
    std::set<std::string> m_joints, m_sensors;
};

}  // namespace

void addImpliedSensors(SceneDescription& scene, Mistakes& mistakes) {
    ImpliedSensors implied(scene);
    TimelineDescription& all = scene.timeline;
    const auto addOf = [&](const Formula& formula, const std::string& where) {
        for (const std::string& name : formula.names()) mistakes.tryPart([&] { implied.add(name, where); });
    };
    for (const Event& event : all.events) {
        if (event.when) addOf(*event.when, event.where);
        for (const Action& action : event.actions) {
            for (const Formula* formula : {&action.value, &action.count, &action.seed}) addOf(*formula, action.where);
            for (const Formula& formula : action.vector) addOf(formula, action.where);
            for (const Formula& formula : action.velocity) addOf(formula, action.where);
            for (const Formula& formula : action.numbers) addOf(formula, action.where);
        }
    }
    for (const Expectation& expectation : all.expectations) addOf(expectation.that, expectation.where);
    for (Record& record : all.records) {
        if (record.ofEach) mistakes.tryPart([&] { implied.nameEach(record); });
        for (const std::string& name : record.of) mistakes.tryPart([&] { implied.add(name, record.where); });
    }
}

namespace {

/// What the first of the entries with `repeat` of that name is; none: there are no such entries.
std::optional<SensorKind> kindOfRepeated(const SceneDescription& scene, const std::string& first) {
    const auto named = [&first](const auto& entry) { return entry.name == first; };
    const auto among = [&named](const auto& all) { return std::any_of(all.begin(), all.end(), named); };
    if (among(scene.bodies) || among(scene.rigid)) return SensorKind::Bodies;
    if (among(scene.joints)) return SensorKind::Joint;
    const auto& sensors = scene.timeline.sensors;
    const auto sensor = std::find_if(sensors.begin(), sensors.end(), named);
    if (sensor == sensors.end()) return std::nullopt;
    return sensor->kind;
}

std::vector<std::string> numbersOf(SensorKind kind) {
    std::vector<std::string> all;
    for (const SensorQuantity& quantity : quantitiesOf(kind)) {
        all.emplace_back(quantity.name);
        for (int k = 0; quantity.components > 1 && k < quantity.components; ++k)
            all.push_back(componentOf(quantity.name, k));
    }
    return all;
}

}  // namespace

void refuseRepeated(const SceneDescription& scene, const std::string& quantity, const std::string& where) {
    const std::string name = quantity.substr(0, quantity.find('.')), first = name + "[0]";
    const std::optional<SensorKind> kind = kindOfRepeated(scene, first);
    if (!kind) return;
    const std::vector<std::string> known = numbersOf(*kind);
    const std::string number = quantity == name ? known.front() : quantity.substr(name.size() + 1);
    if (std::find(known.begin(), known.end(), number) != known.end())
        throw Error(where, "\"" + name + "\" is repeated, and each has numbers of its own",
                    "write \"" + first + "." + number + "\" for the first");
    const std::string near = nearestWord(number, known);
    throw Error(where, "\"" + name + "\" is repeated, and none of them has a number \"" + number + "\"",
                near.empty() ? "the first has " + first + "." + known.front() + " and others (docs/scene.md)"
                             : "did you mean \"" + first + "." + near + "\", of the first?");
}

void expectBound(const SceneDescription& scene, const Formula& formula, const LiveNames& names) {
    try {
        formula.bind(names);
    } catch (const UnknownName& unknown) {
        refuseRepeated(scene, unknown.name(), formula.where());
        throw;
    }
}

}  // namespace pliant::scene
