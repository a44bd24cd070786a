// SPDX-License-Identifier: Zlib
#include "world/SceneWarnings.h"

#include <BulletCollision/CollisionDispatch/btCollisionWorld.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "btPliant/btPliantCharacter.h"
#include "btPliantScene/btPliantConversions.h"
#include "pliant/scene/ModelLooks.h"
#include "world/BodyNames.h"
#include "world/TimeWarnings.h"

namespace pliant::program {
namespace {

constexpr double kShareOfSize =
    0.01;  // of a body's size: less depth is rounding, or how a body's shape is approximated

/// A body of either kind, as it stands.
struct Standing {
    btRigidBody* body;
    const btPliantBody* soft;  ///< null for Bullet's own
    std::string group, where;
    int number;  ///< of the group, rigid ones after deformable ones
    bool moves;
    Vector3 least, most;  ///< of its box in the world, m

    double size() const { return (most - least).norm(); }
    /// Distance of x from the box, m.
    double distance(const Vector3& x) const { return (x - x.cwiseMax(least).cwiseMin(most)).norm(); }
    /// How far one of the boxes has to move, along an axis, to be out of the other, m; negative where it is.
    double overlap(const Standing& other) const {
        const Vector3 here = most - other.least, there = other.most - least;
        return here.cwiseMin(there).minCoeff();
    }
    bool overlaps(const Standing& other) const {
        return (least.array() <= other.most.array()).all() && (other.least.array() <= most.array()).all();
    }
};

/// That of the drawn vertices of a deformable body, whose own box has room for what it may do in a step.
void setBox(Standing& standing) {
    const bool hasRest = standing.soft && !btPliantCharacter::upcast(standing.body);
    if (hasRest && standing.soft->getModel().surface.positions.cols() > 0) {
        const RigidTransform place = fromBullet(standing.body->getWorldTransform());
        const Points drawn =
            (place.rotation * standing.soft->getModel().surface.positions).colwise() + place.translation;
        standing.least = drawn.rowwise().minCoeff();
        standing.most = drawn.rowwise().maxCoeff();
        return;
    }
    btVector3 least, most;
    standing.body->getAabb(least, most);
    standing.least = fromBullet(least);
    standing.most = fromBullet(most);
}

std::vector<Standing> bodiesOf(const SceneWorld& world) {
    std::vector<Standing> all;
    const scene::SceneDescription& scene = world.scene();
    for (const SceneWorld::Deformable& d : world.deformables()) {
        if (!btPliantScene::isPresent(*d.m_body)) continue;  // waits for an event
        const scene::BodyGroup& group = scene.bodies[static_cast<std::size_t>(d.m_group)];
        const bool moves = d.m_motion == scene::Motion::Free && !d.m_body->isAnchored();
        all.push_back({d.m_body, d.m_body, groupName(group), group.where, d.m_group, moves, {}, {}});
    }
    for (const SceneWorld::Rigid& r : world.rigids()) {
        if (!btPliantScene::isPresent(*r.m_body)) continue;
        const scene::RigidGroup& group = scene.rigid[static_cast<std::size_t>(r.m_group)];
        const int number = r.m_group + static_cast<int>(scene.bodies.size());
        all.push_back({r.m_body, nullptr, groupName(group), group.where, number, group.mass > 0.0, {}, {}});
    }
    for (Standing& standing : all) setBox(standing);
    return all;
}

std::string nameOf(const SceneWorld& world, const Standing& standing) {
    for (const SceneWorld::Deformable& d : world.deformables())
        if (d.m_body == standing.body) return bodyName(world, d);
    for (const SceneWorld::Rigid& r : world.rigids())
        if (r.m_body == standing.body) return bodyName(world, r);
    return standing.group;
}

/// Height of the lowest point: drawn vertices of a deformable body, the box of another one.
double lowest(const Standing& standing, const Vector3& up) {
    const Vector3 centre = 0.5 * (standing.least + standing.most), half = 0.5 * (standing.most - standing.least);
    const double ofBox = up.dot(centre) - up.cwiseAbs().dot(half);
    if (!standing.soft) return ofBox;
    const btTransform& transform = standing.body->getWorldTransform();
    const Vector3 localUp = fromBullet(toBullet(up) * transform.getBasis());
    const Points& drawn = standing.soft->getModel().surface.positions;
    return up.dot(fromBullet(transform.getOrigin())) + (localUp.transpose() * drawn).minCoeff();
}

/// The worst of a group's bodies, and how many there are like it.
struct Worst {
    const Standing* body = nullptr;
    const Standing* other = nullptr;
    double depth = 0.0;
    int count = 0;

    void add(const Standing& standing, const Standing* second, double d) {
        ++count;
        if (d <= depth) return;
        depth = d;
        body = &standing;
        other = second;
    }
};

void warnOfGround(const SceneWorld& world, const std::vector<Standing>& bodies, std::vector<std::string>& warnings) {
    if (!world.scene().ground) return;
    std::map<int, Worst> groups;
    for (const Standing& standing : bodies) {
        if (!standing.moves) continue;
        const double depth = world.scene().ground->height - lowest(standing, world.scene().up());
        if (depth > kShareOfSize * standing.size()) groups[standing.number].add(standing, nullptr, depth);
    }
    for (const auto& [number, worst] : groups)
        warnings.push_back(fmt::format(
            "{}: \"{}\" starts {:.3g} m below the ground{}; raise its position by that much", worst.body->where,
            nameOf(world, *worst.body), worst.depth,
            worst.count > 1
                ? fmt::format(", as {} of its group", worst.count == 2 ? std::string("does another")
                                                                       : fmt::format("do {} others", worst.count - 1))
                : ""));
}

struct DeepestContact : btCollisionWorld::ContactResultCallback {
    btScalar addSingleResult(btManifoldPoint& point, const btCollisionObjectWrapper*, int, int,
                             const btCollisionObjectWrapper*, int, int) override {
        depth = std::max(depth, -static_cast<double>(point.getDistance()));
        return 0;
    }
    double depth = 0.0;
};

double depthOf(const SceneWorld& world, const Standing& a, const Standing& b) {
    const bool mayTouch = a.overlaps(b) && a.body->checkCollideWith(b.body) && b.body->checkCollideWith(a.body);
    if (!mayTouch) return 0.0;
    DeepestContact contact;
    world.system().getWorld()->contactPairTest(a.body, b.body, contact);
    // Distances of single points to a surface may be larger than what parts the bodies.
    return std::min(contact.depth, a.overlap(b));
}

/// Whether neither moves by forces and one of both bends: they touch nothing of each other, without a sign of it.
bool passThrough(const Standing& a, const Standing& b) {
    const auto bends = [](const Standing& standing) {
        return standing.soft && !btPliantCharacter::upcast(standing.body);
    };
    const bool hasCharacter = btPliantCharacter::upcast(a.body) || btPliantCharacter::upcast(b.body);
    return !a.moves && !b.moves && (bends(a) || bends(b)) && !hasCharacter;
}

const char* const kLetOneMove =
    "one of them has to move freely (motion: free and a joint, a model without \"fixed\", or a mass)";

/// What a model is held at reaches into what holds it, and is left alone.
bool isHeldThere(const Standing& standing) {
    return standing.soft && !standing.soft->getModel().fixedVertices.empty();
}

/// Pairs that are to touch by distributed contact and never will.
void warnOfTouches(const SceneWorld& world, const std::vector<Standing>& bodies, std::vector<std::string>& warnings) {
    const auto find = [&bodies](const scene::Reference& reference) {
        return std::find_if(bodies.begin(), bodies.end(),
                            [&](const Standing& standing) { return standing.group == reference.name; });
    };
    for (const scene::Touch& touch : world.scene().touches)
        for (const scene::Reference& of : touch.of)
            for (const scene::Reference& with : touch.with) {
                const auto a = find(of), b = find(with);
                if (a == bodies.end() || a->moves) continue;
                if (with.name != "ground" && (b == bodies.end() || !passThrough(*a, *b))) continue;
                warnings.push_back(fmt::format("{}: \"{}\" and \"{}\" do not touch: neither moves freely; {}",
                                               touch.where, of.name, with.name, kLetOneMove));
            }
}

/// Tools beside the world that are paired with nothing: they feel what `touch` names alone.
void warnOfHands(const SceneWorld& world, std::vector<std::string>& warnings) {
    for (const scene::Tool& tool : world.scene().tools) {
        if (tool.dynamics != scene::ToolDynamics::Thread) continue;
        const auto names = [&tool](const std::vector<scene::Reference>& side) {
            return std::any_of(side.begin(), side.end(),
                               [&](const scene::Reference& reference) { return reference.name == tool.body.name; });
        };
        const std::vector<scene::Touch>& touches = world.scene().touches;
        if (std::any_of(touches.begin(), touches.end(),
                        [&](const scene::Touch& touch) { return names(touch.of) || names(touch.with); }))
            continue;
        warnings.push_back(
            fmt::format("{}: the tool{} goes in a thread and feels nothing; name what it is to feel: touch: "
                        "[{{between: [{}, ...]}}]",
                        tool.where, tool.name.empty() ? "" : " \"" + tool.name + "\"", tool.body.name));
    }
}

void warnOfOverlaps(const SceneWorld& world, const std::vector<Standing>& bodies, std::vector<std::string>& warnings) {
    std::vector<const Standing*> order;
    for (const Standing& standing : bodies) order.push_back(&standing);
    std::stable_sort(order.begin(), order.end(),
                     [](const Standing* a, const Standing* b) { return a->least.x() < b->least.x(); });
    std::map<std::pair<int, int>, Worst> groups;
    for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t j = i + 1; j < order.size() && order[j]->least.x() <= order[i]->most.x(); ++j) {
            const Standing *a = order[i], *b = order[j];
            if (a->number > b->number || (a->number == b->number && a > b)) std::swap(a, b);
            const bool passes = passThrough(*a, *b) && !isHeldThere(*a) && !isHeldThere(*b);
            const double depth = a->moves || b->moves || passes ? depthOf(world, *a, *b) : 0.0;
            if (depth > kShareOfSize * std::min(a->size(), b->size())) groups[{a->number, b->number}].add(*a, b, depth);
        }
    for (const auto& [numbers, worst] : groups)
        warnings.push_back(fmt::format(
            "{}: \"{}\" starts {:.3g} m inside \"{}\"{} and will {}", worst.body->where, nameOf(world, *worst.body),
            worst.depth, nameOf(world, *worst.other),
            worst.count > 1 ? fmt::format(", as {} of their groups",
                                          worst.count == 2 ? std::string("does another pair")
                                                           : fmt::format("do {} other pairs", worst.count - 1))
                            : "",
            passThrough(*worst.body, *worst.other)
                ? fmt::format("not be pushed out: neither moves freely, so that they do not touch; {}", kLetOneMove)
                : "be pushed out; move them apart"));
}

void warnOfVelocities(const SceneWorld& world, std::vector<std::string>& warnings) {
    std::vector<bool> told(world.scene().bodies.size(), false);
    for (const SceneWorld::Deformable& d : world.deformables()) {
        const auto number = static_cast<std::size_t>(d.m_group);
        const scene::BodyGroup& group = world.scene().bodies[number];
        const bool still = group.velocity.linear.isZero(0.0) && group.velocity.angular.isZero(0.0);
        if (still || told[number] || d.m_motion != scene::Motion::Free || !d.m_body->isAnchored()) continue;
        told[number] = true;
        warnings.push_back(
            fmt::format("{}: \"{}\" has a velocity, but its model is held at some vertices and stands "
                        "still; leave the velocity out, or write motion: kinematic",
                        group.where, groupName(group)));
    }
}

/// What Bullet's steps and contacts are not made for: ways of a step as long as what moves, and rigid bodies of
/// millimetres.
void warnOfSteps(const SceneWorld& world, const std::vector<Standing>& bodies, std::vector<std::string>& warnings) {
    constexpr double kSmallest = 0.015;  // m, diagonal; smaller ones sink in by Bullet's margins and jitter
    const double h = world.scene().time.step(), fall = world.scene().gravity.norm() * h * h;
    std::map<int, const Standing*> fast, small, falling;
    for (const Standing& standing : bodies) {
        if (!standing.moves) continue;
        const double way = static_cast<double>(standing.body->getLinearVelocity().length()) * h;
        const bool isSwept = standing.body->getCcdMotionThreshold() > 0;
        if (way > standing.size() && !isSwept) fast.emplace(standing.number, &standing);
        if (!standing.soft && standing.size() < kSmallest) small.emplace(standing.number, &standing);
        if (fall > standing.size()) falling.emplace(standing.number, &standing);
    }
    const auto told = [&](const Standing& standing) {
        return fmt::format("{}: \"{}\"", standing.where, nameOf(world, standing));
    };
    for (const auto& [number, standing] : fast)
        warnings.push_back(
            fmt::format("{} moves {:.3g} m in a step, more than its own size, and may pass through what "
                        "is in its way; take more substeps{}",
                        told(*standing), h * static_cast<double>(standing->body->getLinearVelocity().length()),
                        standing->soft ? "" : ", or write continuous: true"));
    for (const auto& [number, standing] : falling)
        warnings.push_back(
            fmt::format("{}: gravity takes it {:.3g} m in a step of {:.3g} s, more than its own size; "
                        "take more substeps",
                        told(*standing), fall, h));
    for (const auto& [number, standing] : small)
        warnings.push_back(
            fmt::format("{} is less than 1 cm large: Bullet's contacts of rigid bodies are made for larger "
                        "ones, and it will sink in and tremble; make the scene larger, or the body "
                        "deformable",
                        told(*standing)));
}

/// Whether `upper` stands on or right above `lower`.
bool isAbove(const Standing& upper, const Standing& lower, const Vector3& up) {
    const Vector3 gap = upper.least - lower.most, under = lower.least - upper.most;
    const Vector3 middle = 0.5 * (upper.least + upper.most - lower.least - lower.most);
    int along = 0;
    up.cwiseAbs().maxCoeff(&along);
    for (int k = 0; k < 3; ++k)
        if (k != along && (gap[k] > 0.0 || under[k] > 0.0)) return false;
    return up.dot(middle) > 0.0 && std::max(gap[along], under[along]) < 0.1 * std::min(upper.size(), lower.size());
}

/// Bullet solves contacts iteration by iteration: what is light below what is heavy gives way.
void warnOfMassRatios(const SceneWorld& world, const std::vector<Standing>& bodies,
                      std::vector<std::string>& warnings) {
    // With ten iterations a crate of 1 kg carries 100 kg, 7 mm deep after 3 s; 150 kg come through it.
    constexpr double kMost = 100.0;
    const auto massOf = [](const Standing& standing) { return 1.0 / static_cast<double>(standing.body->getInvMass()); };
    const Standing *heavy = nullptr, *light = nullptr;
    double most = kMost;
    for (const Standing& upper : bodies)
        for (const Standing& lower : bodies) {
            if (!upper.moves || !lower.moves || upper.soft || lower.soft) continue;
            const double ratio = massOf(upper) / massOf(lower);
            if (ratio <= most || !isAbove(upper, lower, world.scene().up())) continue;
            most = ratio;
            heavy = &upper;
            light = &lower;
        }
    if (heavy)
        warnings.push_back(fmt::format(
            "{}: \"{}\" weighs {:.3g} times as much as \"{}\" below it; rigid bodies sink into each other at such "
            "ratios; take more solver iterations, or masses that differ less",
            heavy->where, nameOf(world, *heavy), most, nameOf(world, *light)));
}

void warnOfJoints(const SceneWorld& world, const std::vector<Standing>& bodies, std::vector<std::string>& warnings) {
    const std::vector<scene::JointGroup>& joints = world.scene().joints;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const scene::JointGroup& joint = joints[i];
        Worst worst;
        for (const btPliantScene::JointPoint& point : world.physics().getJointPoints(static_cast<int>(i))) {
            const auto standing =
                std::find_if(bodies.begin(), bodies.end(), [&](const Standing& s) { return s.body == point.m_body; });
            const double distance = standing->distance(fromBullet(point.m_position));
            if (distance > standing->size()) worst.add(*standing, nullptr, distance);
        }
        if (worst.count > 0)
            warnings.push_back(
                fmt::format("{}: the joint's point is {:.3g} m away from \"{}\", which is {:.3g} m large; move the "
                            "point or the body, unless a stiff rod without mass is meant",
                            joint.where, worst.depth, nameOf(world, *worst.body), worst.body->size()));
    }
}

/// Materials of the mesh that are drawn as others, and that it does not have.
void warnOfMaterials(const SceneWorld& world, std::vector<std::string>& warnings) {
    const scene::SceneDescription& scene = world.scene();
    std::set<std::string> told;
    for (const SceneWorld::Deformable& d : world.deformables()) {
        const scene::BodyGroup& group = scene.bodies[static_cast<std::size_t>(d.m_group)];
        const scene::ModelEntry& model = scene.models[static_cast<std::size_t>(d.m_model)];
        std::vector<std::string> known;
        for (const SurfaceMaterial& material : d.m_body->getModel().surface.materials) known.push_back(material.name);
        const auto check = [&](const scene::MaterialPairs& pairs, const std::string& where) {
            for (const auto& [ofMesh, own] : pairs)
                if (std::find(known.begin(), known.end(), ofMesh) == known.end() && told.insert(where + ofMesh).second)
                    warnings.push_back(
                        fmt::format("{}: the model \"{}\" has no material called \"{}\"; its materials are {}", where,
                                    model.label, ofMesh, fmt::join(known, ", ")));
        };
        check(model.materials, model.where);
        check(group.materials, group.where);
    }
}

/// Points of a surface find nothing of their own body: only capsule segments touch each other.
void warnOfSelfContact(const SceneWorld& world, std::vector<std::string>& warnings) {
    std::set<std::string> told;
    for (const SceneWorld::Deformable& d : world.deformables()) {
        const scene::ModelEntry& model = world.scene().models[static_cast<std::size_t>(d.m_model)];
        if (!model.selfContact || !d.m_body->getModel().contactSurface.exists() || !told.insert(model.where).second)
            continue;
        warnings.push_back(
            fmt::format("{}: self_contact does nothing for the model \"{}\": it touches with its surface, and only "
                        "capsule segments touch their own body; write contact: segments under reduce, or leave "
                        "self_contact out",
                        model.where, model.label));
    }
}

}  // namespace

std::vector<std::string> sceneWarnings(const SceneWorld& world, double end) {
    std::vector<std::string> warnings;
    const std::vector<Standing> bodies = bodiesOf(world);
    warnOfGround(world, bodies, warnings);
    warnOfOverlaps(world, bodies, warnings);
    warnOfTouches(world, bodies, warnings);
    warnOfHands(world, warnings);
    warnOfVelocities(world, warnings);
    warnOfSteps(world, bodies, warnings);
    warnOfMassRatios(world, bodies, warnings);
    warnOfJoints(world, bodies, warnings);
    warnOfMaterials(world, warnings);
    warnOfSelfContact(world, warnings);
    for (std::string& late : timeWarnings(world.scene(), end)) warnings.push_back(std::move(late));
    return warnings;
}

}  // namespace pliant::program
