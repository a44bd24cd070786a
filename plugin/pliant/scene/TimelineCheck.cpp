// SPDX-License-Identifier: Zlib
// What a scene says about time, against the rest of what it says: names, and what formulas know.
#include <algorithm>
#include <initializer_list>
#include <map>
#include <type_traits>
#include <utility>

#include "pliant/math/Error.h"
#include "pliant/scene/LivePaths.h"
#include "pliant/scene/NearestWord.h"
#include "pliant/scene/SceneParts.h"
#include "pliant/scene/Timeline.h"

namespace pliant::scene {
namespace {

/// A group of bodies or of joints that names may mean.
struct Named {
    int copies = 1;
    bool isDeformable = false, isKinematic = false, isFree = false, isPool = false;
};
using Names = std::map<std::string, Named>;

template <class Group>
void addBodies(const Group& group, bool deformable, bool kinematic, bool free, Names& names) {
    if (group.name.empty()) return;
    const auto& n = group.placement.count;
    names[group.name] = {n[0] * n[1] * n[2], deformable, kinematic, free, group.isPool};
}

/// How an unknown name is told. @param kind in words  @param of whose names they are, as Mistakes knows them
[[noreturn]] void tellUnknown(const std::string& where, const std::string& kind, const std::string& name,
                              const std::vector<std::string>& known, const std::string& of = {}) {
    const std::string parts = partsOf(name, known);
    if (!parts.empty())
        throw UnknownName(of.empty() ? kind : of, name, where, "no " + kind + " is called \"" + name + "\"",
                          "it has " + parts);
    const std::string near = nearestWord(name, known);
    throw UnknownName(of.empty() ? kind : of, name, where, "no " + kind + " is called \"" + name + "\"",
                      near.empty() ? "give one this name" : "did you mean \"" + near + "\"?");
}

class Checker {
public:
    explicit Checker(SceneDescription& scene) : m_scene(scene) {
        for (const BodyGroup& group : scene.bodies)
            addBodies(group, true, group.motion == Motion::Kinematic, group.motion == Motion::Free, m_bodies);
        for (const RigidGroup& group : scene.rigid)
            addBodies(group, false, group.isKinematic, group.mass > 0.0, m_bodies);
        for (const Layer& layer : scene.layers) addLayer(layer.name);
        for (const JointGroup& joint : scene.joints)
            if (!joint.name.empty()) ++m_joints[joint.name].copies;
        for (const Tool& tool : scene.tools)
            if (!tool.name.empty()) m_tools[tool.name].copies = 1;
        m_live.emplace_back("t", &m_nothing);
        for (const std::string& name : sensorNames(scene.timeline.sensors)) m_live.emplace_back(name, &m_nothing);
        m_counted = m_live;
        m_counted.emplace_back("n", &m_nothing);
        for (const std::string& name : quantityNames(scene.timeline.sensors)) m_quantities.insert(name);
    }

    void checkSensor(Sensor& sensor, std::set<std::string>& known) {
        if (!known.insert(sensor.name).second)
            throw Error(sensor.where, "there is another sensor \"" + sensor.name + "\"");
        const bool joint = sensor.kind == SensorKind::Joint;
        for (std::vector<Reference>* side : {&sensor.of, &sensor.with})
            for (Reference& reference : *side) {
                if (reference.name == "ground" && m_scene.ground && sensor.kind == SensorKind::Contact) continue;
                if (sensor.kind == SensorKind::Hand)
                    resolveIn(m_tools, "tool", reference);
                else
                    joint ? resolveJoint(reference) : resolve(reference);
            }
        if (!sensor.material.empty() || sensor.from != sensor.to) checkRegionOfBodies(sensor);
        const bool isOfPoint = sensor.kind == SensorKind::Point || sensor.kind == SensorKind::Strain;
        if (sensor.kind == SensorKind::Strain && !find(sensor.of[0]).isDeformable)
            throw Error(sensor.of[0].where, "\"" + sensor.of[0].name + "\" does not deform",
                        "name a body of \"bodies\"");
        if (isOfPoint && find(sensor.of[0]).copies != 1 && sensor.of[0].copy < 0)
            throw Error(sensor.of[0].where, "\"" + sensor.of[0].name + "\" has several bodies",
                        "say which: \"" + sensor.of[0].name + "[0]\"");
    }

    void checkTool(Tool& tool, std::set<std::string>& known) {
        if (!tool.name.empty() && !known.insert(tool.name).second)
            throw Error(tool.where, "there is another tool \"" + tool.name + "\"");
        if (tool.device == HandDeviceKind::Mouse && std::exchange(m_mouseIsTaken, true))
            throw Error(tool.where, "another tool has the mouse", "a mouse moves one hand");
        resolve(tool.body);
        const Named& body = find(tool.body);
        if (body.copies != 1 && tool.body.copy < 0)
            throw Error(tool.body.where, "\"" + tool.body.name + "\" has several bodies",
                        "say which: \"" + tool.body.name + "[0]\"");
        if (!body.isFree || body.isPool)
            throw Error(tool.body.where, "\"" + tool.body.name + "\" does not move freely from the start",
                        "a hand holds a free body");
    }

    void checkTouch(Touch& touch) {
        // Springs have no sides: the reduced bodies may be named last.
        if (touch.penalty && !areReduced(touch.of) && areReduced(touch.with)) std::swap(touch.of, touch.with);
        for (Reference& reference : touch.of) resolve(reference);
        for (Reference& reference : touch.with)
            if (reference.name != "ground" || !m_scene.ground) resolve(reference);
        const auto expectSolids = [this](const std::vector<Reference>& side) {
            for (const Reference& reference : side)
                if (reference.name == "ground" || !find(reference).isDeformable)
                    throw Error(reference.where,
                                "\"" + reference.name + "\" is no reduced body, and has no points that feel pressure",
                                "name reduced solids here");
        };
        if (isOfHandInThread(m_scene, touch)) return;
        expectSolids(touch.of);
        if (touch.isTwoWay) expectSolids(touch.with);
    }

    void checkField(Field& field) {
        for (Reference& reference : field.of) resolve(reference);
        LiveNames names = {{"t", &m_nothing}};
        field.strength.bind(names);
        for (const char* axis : {"x", "y", "z"}) names.emplace_back(axis, &m_nothing);
        for (const Formula& formula : field.vector) formula.bind(names);
    }

    void checkAction(Action& action) {
        for (const Formula* formula : {&action.value, &action.count, &action.seed}) check(*formula, true);
        for (const Formula& formula : action.vector) check(formula, true);
        for (const Formula& formula : action.velocity) check(formula, true);
        for (const Formula& formula : action.numbers) check(formula, true);
        const bool joints = action.kind == ActionKind::Join || action.kind == ActionKind::Part;
        for (Reference& reference : action.of) joints ? resolveJoint(reference) : resolve(reference);
        if (action.kind == ActionKind::Set || action.kind == ActionKind::Animate) checkPath(action.path);
        if (action.kind == ActionKind::Spawn && !find(action.of[0]).isPool)
            throw Error(action.of[0].where, "\"" + action.of[0].name + "\" has no bodies that wait",
                        "give the group spawn: {most: 10}");
        if (action.kind == ActionKind::Push || action.kind == ActionKind::Remove)
            for (const Reference& reference : action.of)
                if (!find(reference).isFree)
                    throw Error(reference.where, "\"" + reference.name + "\" does not move freely",
                                "name a body with a mass that is neither anchored nor kinematic");
        if (action.kind == ActionKind::Ragdoll || action.kind == ActionKind::Clip)
            for (const Reference& reference : action.of)
                if (!find(reference).isDeformable)
                    throw Error(reference.where, "\"" + reference.name + "\" has no bones",
                                "name characters: bodies whose model has a \"rig\"");
        if (!action.region.empty()) checkRegion(action);
        if (action.kind == ActionKind::Restore) checkSaved(action);
        if (action.kind == ActionKind::Cut && m_scene.cameraIndex(action.camera) < 0) {
            std::vector<std::string> cameras;
            for (const NamedCamera& camera : m_scene.cameras) cameras.push_back(camera.name);
            tellUnknown(action.where, "camera", action.camera, cameras);
        }
    }

    void checkAnimation(Animation& animation) { checkPath(animation.path); }

    void checkCamera(NamedCamera& camera) {
        if (camera.kind != CameraKind::Follow) return;
        resolve(camera.of);
        if (find(camera.of).copies != 1 && camera.of.copy < 0)
            throw Error(camera.of.where, "\"" + camera.of.name + "\" has several bodies",
                        "say which: \"" + camera.of.name + "[0]\"");
        for (const Layer& layer : m_scene.layers)
            if (layer.name == camera.of.name)
                throw Error(camera.of.where, "a camera follows a body, and \"" + layer.name + "\" is a layer");
    }

    void checkRecord(const Record& record) const {
        if (!record.contacts.empty()) return checkContactRecord(record);
        for (const std::string& name : record.of)
            if (m_quantities.count(name) == 0) {
                refuseRepeated(m_scene, name, record.where);
                tellUnknown(record.where, "quantity of a sensor", name, quantityNames(m_scene.timeline.sensors),
                            "sensor");
            }
    }

    /// Whether a formula can be bound. @param counted it knows "n"
    void check(const Formula& formula, bool counted = false) const {
        expectBound(m_scene, formula, counted ? m_counted : m_live);
    }

private:
    bool areReduced(const std::vector<Reference>& side) const {
        return std::all_of(side.begin(), side.end(), [this](const Reference& reference) {
            const auto found = m_bodies.find(reference.name.substr(0, reference.name.find('[')));
            return found != m_bodies.end() && found->second.isDeformable;
        });
    }
    void checkContactRecord(const Record& record) const {
        std::vector<std::string> known;
        for (const Sensor& sensor : m_scene.timeline.sensors) {
            if (sensor.kind == SensorKind::Contact) known.push_back(sensor.name);
            if (sensor.name != record.contacts || sensor.kind == SensorKind::Contact) continue;
            const std::string quantity = quantitiesOf(sensor.kind).front().name;
            throw Error(record.where, "\"" + sensor.name + "\" is no contact sensor, and has no contacts to write",
                        "name one of its numbers: " + sensor.name + "." + quantity);
        }
        if (std::find(known.begin(), known.end(), record.contacts) == known.end())
            tellUnknown(record.where, "contact sensor", record.contacts, known, "sensor");
    }
    /// A layer is a name of all its bodies.
    void addLayer(const std::string& name) {
        Named all{0, true, false, true, false};
        const auto add = [&](const auto& group, bool free) {
            if (group.layer != name) return;
            all.copies += group.placement.count[0] * group.placement.count[1] * group.placement.count[2];
            all.isFree = all.isFree && free;
            all.isDeformable = all.isDeformable && std::is_same_v<std::decay_t<decltype(group)>, BodyGroup>;
        };
        for (const BodyGroup& group : m_scene.bodies) add(group, group.motion == Motion::Free);
        for (const RigidGroup& group : m_scene.rigid) add(group, group.mass > 0.0);
        m_bodies[name] = all;
    }

    /// Contacts are told apart by where they lie on reduced bodies alone.
    void checkRegionOfBodies(const Sensor& sensor) const {
        if (sensor.kind != SensorKind::Contact) return;
        for (const Reference& reference : sensor.of)
            if (reference.name == "ground" || !find(reference).isDeformable)
                throw Error(reference.where, "\"" + reference.name + "\" is no reduced body, and has no regions",
                            "leave \"box\" and \"material\" out, or name the reduced body first");
    }

    const Named& find(const Reference& reference) const { return m_bodies.at(reference.name); }

    void resolve(Reference& reference) { resolveIn(m_bodies, "body", reference); }
    void resolveJoint(Reference& reference) {
        resolveIn(m_joints, "joint", reference);
        if (reference.copy >= 0)
            throw Error(reference.where, "all joints of a name are meant together", "leave the brackets out");
    }
    static void resolveIn(const Names& known, const std::string& kind, Reference& reference) {
        nameRepeated(reference, [&known](const std::string& name) { return known.count(name) != 0; });
        const auto found = known.find(reference.name);
        if (found == known.end()) {
            std::vector<std::string> names;
            for (const auto& [name, group] : known) names.push_back(name);
            tellUnknown(reference.where, kind, reference.name, names);
        }
        if (reference.copy >= found->second.copies)
            throw Error(reference.where, "\"" + reference.name + "\" has " + std::to_string(found->second.copies) +
                                             " bodies, numbered from 0");
    }

    /// The numbers of what has a name, or of the world.
    std::vector<LivePath::Kind> kindsOf(const std::string& name) const {
        using Kind = LivePath::Kind;
        std::vector<Kind> kinds;
        const auto add = [&](bool has, std::initializer_list<Kind> some) {
            if (has) kinds.insert(kinds.end(), some);
        };
        add(name == "gravity", {Kind::Gravity});
        add(name == "sun", {Kind::SunBrightness});
        for (const Lamp& lamp : m_scene.lamps) add(lamp.name == name, {Kind::LampBrightness, Kind::LampPosition});
        for (const NamedCamera& camera : m_scene.cameras) {
            if (camera.name != name) continue;
            add(camera.kind == CameraKind::Still, {Kind::CameraFrom, Kind::CameraTo});
            add(true, {Kind::FieldOfView});
        }
        for (const JointGroup& joint : m_scene.joints)
            add(joint.name == name && joint.motor, {Kind::MotorVelocity, Kind::MotorStrength});
        const auto body = m_bodies.find(name);
        if (body == m_bodies.end()) return kinds;
        add(body->second.isKinematic, {Kind::Position, Kind::Rotation});
        add(body->second.isDeformable, {Kind::Stiffness, Kind::MassDamping, Kind::StiffnessDamping});
        add(true, {Kind::Friction, Kind::Restitution});
        return kinds;
    }
    [[noreturn]] void tellUnknownPath(const LivePath& path) const {
        std::string name = path.of.name;
        std::vector<LivePath::Kind> kinds;
        while (kinds.empty() && !name.empty()) {  // "a.b.c", "a.b", "a"; of "a[2]" the group
            kinds = kindsOf(name);
            if (kinds.empty() && name.back() == ']') kinds = kindsOf(name.substr(0, name.rfind('[')));
            if (kinds.empty()) name.resize(name.find('.') == std::string::npos ? 0 : name.rfind('.'));
        }
        throw Error(path.of.where, "no live number is called \"" + path.of.name + "\"",
                    livePathCure(path.of.name, name, kinds));
    }

    void checkPath(LivePath& path) {
        if (isUnknown(path)) tellUnknownPath(path);
        if (path.kind == LivePath::Kind::Gravity) return;
        if (path.isOfPicture()) return checkPictureName(path);
        const bool joint = path.kind == LivePath::Kind::MotorVelocity || path.kind == LivePath::Kind::MotorStrength;
        joint ? resolveJoint(path.of) : resolve(path.of);
        if (joint) checkMotor(path);
        const bool soft = path.kind >= LivePath::Kind::Stiffness;
        if (soft && !find(path.of).isDeformable)
            throw Error(path.of.where, "\"" + path.of.name + "\" has no reduced bodies");
        const bool moves = path.kind == LivePath::Kind::Position || path.kind == LivePath::Kind::Rotation;
        if (moves && !find(path.of).isKinematic)
            throw Error(path.of.where, "\"" + path.of.name + "\" is not moved by the scene",
                        "make it kinematic, or push it");
    }
    /// Lights and cameras have names of their own.
    void checkPictureName(const LivePath& path) const {
        std::vector<std::string> names;
        const bool isLamp = path.kind == LivePath::Kind::LampBrightness || path.kind == LivePath::Kind::LampPosition;
        for (const Lamp& lamp : m_scene.lamps)
            if (isLamp && !lamp.name.empty()) names.push_back(lamp.name);
        for (const NamedCamera& camera : m_scene.cameras)
            if (!isLamp) names.push_back(camera.name);
        if (path.kind == LivePath::Kind::SunBrightness) return;
        if (std::find(names.begin(), names.end(), path.of.name) == names.end())
            tellUnknown(path.of.where, isLamp ? "lamp" : "camera", path.of.name, names);
        if (isLamp || path.kind == LivePath::Kind::FieldOfView) return;
        const auto index = static_cast<std::size_t>(m_scene.cameraIndex(path.of.name));
        if (m_scene.cameras[index].kind != CameraKind::Still)
            throw Error(path.of.where, "the camera \"" + path.of.name + "\" does not stand still",
                        "give it from and to, or lead its field_of_view alone");
    }
    void checkSaved(const Action& action) const {
        std::vector<std::string> saved;
        for (const Event& event : m_scene.timeline.events)
            for (const Action& other : event.actions)
                if (other.kind == ActionKind::Save) saved.push_back(other.file);
        if (std::find(saved.begin(), saved.end(), action.file) == saved.end())
            tellUnknown(action.where, "saved state", action.file, saved);
    }
    void checkMotor(const LivePath& path) const {
        for (const JointGroup& joint : m_scene.joints)
            if (joint.name == path.of.name && !joint.motor)
                throw Error(path.of.where, "\"" + path.of.name + "\" has no motor", "give the joint one");
    }
    void checkRegion(const Action& action) const {
        std::vector<std::string> regions;
        for (const Sensor& sensor : m_scene.timeline.sensors)
            if (sensor.kind == SensorKind::Region) regions.push_back(sensor.name);
        if (std::find(regions.begin(), regions.end(), action.region) == regions.end())
            tellUnknown(action.where, "region", action.region, regions, "sensor");
    }

    SceneDescription& m_scene;
    Names m_bodies, m_joints, m_tools;
    LiveNames m_live, m_counted;         // without and with "n"
    std::set<std::string> m_quantities;  // of all sensors, which records may name
    bool m_mouseIsTaken = false;
    double m_nothing = 0.0;
};

}  // namespace

namespace {

/// The instance of a prefab that references stand in; empty where they stand in none.
std::string userIn(std::initializer_list<const std::vector<Reference>*> sides) {
    for (const std::vector<Reference>* side : sides)
        for (const Reference& reference : *side)
            if (!reference.usedBy.empty()) return reference.usedBy;
    return {};
}

/// The name of a sensor alone asks for its contacts: that of an instance's sensor has dots, as quantities have.
void chooseContacts(const TimelineDescription& all, Record& record) {
    if (record.of.size() != 1) return;
    const auto isNamed = [&](const Sensor& sensor) { return sensor.name == record.of[0]; };
    if (std::none_of(all.sensors.begin(), all.sensors.end(), isNamed)) return;
    if (record.every > 0.0 || record.ofEach)
        throw Error(record.where, "\"every\" and \"each\" mean nothing for a record of contacts",
                    "each contact has a line in every step");
    record.contacts.swap(record.of[0]);
    record.of.clear();
}

}  // namespace

void checkTimeline(SceneDescription& scene, Mistakes& mistakes) {
    for (Record& record : scene.timeline.records) mistakes.tryPart([&] { chooseContacts(scene.timeline, record); });
    addImpliedSensors(scene, mistakes);
    Checker checker(scene);
    TimelineDescription& all = scene.timeline;
    std::set<std::string> sensors;
    for (Sensor& sensor : all.sensors)
        mistakes.tryPart([&] {
            tellUser(userIn({&sensor.of, &sensor.with}), [&] { checker.checkSensor(sensor, sensors); });
        });
    std::set<std::string> tools;
    for (Tool& tool : scene.tools) mistakes.tryPart([&] { checker.checkTool(tool, tools); });
    for (Touch& touch : scene.touches)
        mistakes.tryPart([&] { tellUser(userIn({&touch.of, &touch.with}), [&] { checker.checkTouch(touch); }); });
    for (Field& field : scene.fields) mistakes.tryPart([&] { checker.checkField(field); });
    for (Event& event : all.events) {
        if (event.when) mistakes.tryPart([&] { checker.check(*event.when); });
        for (Action& action : event.actions) mistakes.tryPart([&] { checker.checkAction(action); });
    }
    for (Animation& animation : all.animations) mistakes.tryPart([&] { checker.checkAnimation(animation); });
    for (NamedCamera& camera : scene.cameras) mistakes.tryPart([&] { checker.checkCamera(camera); });
    for (const Record& record : all.records) mistakes.tryPart([&] { checker.checkRecord(record); });
    for (const Expectation& expectation : all.expectations) mistakes.tryPart([&] { checker.check(expectation.that); });
}

}  // namespace pliant::scene
