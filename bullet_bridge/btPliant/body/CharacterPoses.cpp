// SPDX-License-Identifier: Zlib
// A substep of a character: poses at its end are known before it begins, from the clip or the user. Contacts are found
// where the bones are at its start, the flesh steps under the forces of its end, and rows see the skin go from one to
// the other.
#include "btPliant/body/CharacterPoses.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "btPliant/body/BegunPose.h"
#include "btPliant/body/BoneReturn.h"
#include "btPliant/body/Ragdolls.h"
#include "btPliant/data/BodyCollision.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/Sound.h"
#include "pliant/runtime/IntegratorTraits.h"

namespace btPliantInternal {

using pliant::AffineMap;
using pliant::Matrix3;
using pliant::MovingFrame;
using pliant::Vector3;

namespace {

constexpr double kJump = 0.5;    ///< of the size of a body, in a substep
constexpr double kStill = 1e-9;  ///< of it, by which what stands still moves

AffineMap mapOf(const pliant::RigidTransform& frame) {
    AffineMap map;
    map.leftCols<3>() = frame.rotation;
    map.col(3) = frame.translation;
    return map;
}

/// Bones in their parents, at `time` of the clip, or in the pose.
void moveLocally(CharacterData& c, double time) {
    const pliant::CharacterModel& model = *c.model;
    if (c.clip < 0) {
        localMotionOf(model.skeleton, c.pose, c.frames);
        return;
    }
    const pliant::Clip& clip = model.clips[static_cast<std::size_t>(c.clip)];
    localMotionAt(model.skeleton, clip, pliant::repeated(clip, time), c.frames);
    if (c.speed == 1.0) return;
    for (MovingFrame& frame : c.frames) {
        frame.velocity *= c.speed;
        frame.acceleration *= c.speed * c.speed;
    }
}

/// T_b at `time` of a character that has come to a new place in h seconds. @param h 0: it stands
void moveInWorld(CharacterData& c, double time, double h) {
    MovingFrame placed;
    placed.map = mapOf(c.placement.next);
    if (h > 0.0) {
        placed.velocity = (placed.map - mapOf(c.placement.now)) / h;
        placed.acceleration = (placed.velocity - c.placement.velocity) / h;
    }
    moveLocally(c, time);
    chainMotion(c.model->skeleton, &placed, c.frames);
    c.nextBones.resize(c.frames.size());
    for (std::size_t b = 0; b < c.frames.size(); ++b) c.nextBones[b] = c.frames[b].map;
}

/// Velocities and accelerations of poses are differences.
void takeDifferences(CharacterData& c, double h) {
    for (std::size_t b = 0; b < c.frames.size(); ++b) {
        c.frames[b].map = c.nextBones[b];
        c.frames[b].velocity = (c.nextBones[b] - c.bones[b]) / h;
        c.frames[b].acceleration = (c.frames[b].velocity - c.rate(b)) / h;
    }
}

/// Accelerations of bones that have just been put somewhere are those of the clip alone, at `time` of it.
void forgetBoneMotion(CharacterData& c, double time) {
    c.placement.now = c.placement.next;
    c.placement.velocity.setZero();
    moveInWorld(c, time, 0.0);
    c.bones = c.previousBones = c.nextBones;
    c.ratesStep = 0.0;
    for (std::size_t b = 0; b < c.rates.size(); ++b) c.rates[b] = c.frames[b].velocity;
}

/// How far the bones go in the step, and what Bullet is told of it.
void noteWay(BodyData& data, double h) {
    CharacterData& c = *data.character;
    const Vector3 moved = c.origin(c.nextBones) - c.origin(c.bones);
    const pliant::CollisionSkin::Ways ways = c.crowd->skin->longestWays(c.bones.data(), c.nextBones.data(), moved);
    c.jumps = !c.ragdoll && !(ways.whole <= kJump * c.crowd->skin->size());
    c.isMoving = ways.whole > kStill * c.crowd->skin->size();
    c.relativeWay = ways.relative;
    const Vector3 velocity = c.jumps ? Vector3(Vector3::Zero()) : Vector3(moved / h);
    data.body->setLinearVelocity(toBullet(velocity));
    data.body->setAngularVelocity(btVector3(0, 0, 0));
    for (std::size_t b = 0; b < c.boneBodies.size(); ++b)
        if (c.boneBodies[b]) placeBone(c, static_cast<int>(b));
}

void beginPose(BodyData& data, double h) {
    CharacterData& c = *data.character;
    if (c.begunStep == h) return;
    c.begunStep = h;
    if (c.ragdoll) {
        predictRagdoll(data, h);
        noteWay(data, h);
        return;
    }
    const bool advances = c.clip >= 0 && c.speed != 0.0 && data.body->isActive();
    c.nextTime = c.time + (advances ? c.speed * h : 0.0);
    moveInWorld(c, c.nextTime, h);
    if (!c.back.bones.empty()) returnBones(c.model->skeleton, c.back.elapsed + h, c.back, c.nextBones);
    if (c.clip < 0 || !c.back.bones.empty()) takeDifferences(c, h);
    noteWay(data, h);
    if (!advances && !c.isMoving)
        for (MovingFrame& frame : c.frames) frame.velocity.setZero();
}

void jump(SystemData& system, BodyData& data) {
    CharacterData& c = *data.character;
    forgetBoneMotion(c, c.nextTime);
    c.hasJumped = true;
    forgetImpulses(c);
    c.relativeWay = 0.0;
    settleFlesh(system, data);
    placeFrame(data);
    forgetMotion(data);
}

void finishPose(BodyData& data) {
    CharacterData& c = *data.character;
    if (c.begunStep <= 0.0) return;
    const double h = c.begunStep;
    if (c.ragdoll) finishRagdoll(data);
    c.begunStep = 0.0;
    c.placement.velocity = (mapOf(c.placement.next) - mapOf(c.placement.now)) / h;
    c.placement.now = c.placement.next;
    if (!c.hasJumped) c.ratesStep = h;
    c.previousBones.swap(c.bones);
    c.bones.swap(c.nextBones);  // nobody reads those of the end before the next substep begins
    c.hasJumped = false;
    c.back.elapsed += h;
    if (c.back.elapsed >= c.back.seconds) c.back.bones.clear();
    if (!c.ragdoll)
        c.time = c.clip < 0 ? 0.0
                            : pliant::repeated(c.model->clips[static_cast<std::size_t>(c.clip)], c.nextTime) -
                                  c.model->clips[static_cast<std::size_t>(c.clip)].start;
    if (c.isMoving) data.collisionIsOutdated = true;
    placeFrame(data);
}

template <class Item>
void forCharacters(SystemData& system, const Item& item) {
    system.workers->forBlocks(static_cast<int>(system.characters.size()), 4, [&system, &item](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantBody* body = system.characters[static_cast<std::size_t>(i)];
            if (system.isInWorld(*body)) item(dataOf(*body));
        }
    });
}

}  // namespace

void beginPoses(SystemData& system, double h) {
    if (h <= 0.0 || system.characters.empty()) return;
    numberBones(system);
    forCharacters(system, [h](BodyData& data) { beginPose(data, h); });
    for (btPliantBody* body : system.characters)
        if (system.isInWorld(*body) && dataOf(*body).character->jumps) {
            dataOf(*body).character->jumps = false;
            jump(system, dataOf(*body));
        }
    system.posesAreBegun = true;
}

void finishPoses(SystemData& system) {
    system.posesAreBegun = false;
    forCharacters(system, finishPose);
}

void place(BodyData& data, const pliant::RigidTransform& worldFromFile) {
    data.character->placement.next = worldFromFile;
    if (data.ragdoll()) {  // where it is to be once it is driven again
        data.character->placement.now = worldFromFile;
        return;
    }
    forgetBegun(data);
    if (!dataOf(*data.system).isInWorld(*data.body)) standStill(dataOf(*data.system), data);
}

bool isPose(const pliant::CharacterModel& model, const pliant::Pose& pose) {
    if (static_cast<int>(pose.size()) != model.skeleton.boneCount()) return false;
    return std::all_of(pose.begin(), pose.end(), [](const pliant::Similarity& frame) {
        return frame.translation.allFinite() && frame.translation.cwiseAbs().maxCoeff() <= kFarthest &&
               std::abs(frame.rotation.norm() - 1.0) < 1e-3 && frame.scale > 1e-6 && frame.scale < 1e6;
    });
}

CharacterCrowd& crowdFor(SystemData& system, const std::shared_ptr<const pliant::CharacterModel>& model,
                         pliant::RestShape base) {
    std::shared_ptr<const pliant::CollisionSkin> skin;
    for (const auto& crowd : system.crowds) {
        if (&crowd->forces.character() != model.get()) continue;
        if (crowd->base == base) return *crowd;
        skin = crowd->skin;
    }
    auto crowd = std::make_unique<CharacterCrowd>(model, base);
    crowd->skin = skin ? skin : std::make_shared<pliant::CollisionSkin>(model);
    system.crowds.push_back(std::move(crowd));
    return *system.crowds.back();
}

void leaveCrowd(SystemData& system, CharacterCrowd& crowd) {
    if (--crowd.characters > 0) return;
    system.crowds.erase(std::find_if(system.crowds.begin(), system.crowds.end(),
                                     [&crowd](const auto& each) { return each.get() == &crowd; }));
}

void standStill(SystemData& system, BodyData& data) {
    CharacterData& c = *data.character;
    c.rates.assign(c.model->skeleton.bones.size(), AffineMap(AffineMap::Zero()));
    forgetBoneMotion(c, c.time);
    settleFlesh(system, data);
    placeFrame(data);
    forgetMotion(data);
}

void setPlaceVelocity(CharacterData& c, const Vector3& velocity) {
    c.placement.velocity.setZero();
    c.placement.velocity.col(3) = velocity;
    c.formRates();
    for (AffineMap& rate : c.rates) rate.col(3) += velocity;
}

namespace {

/// R(q) = f by Newton's method from the linear answer, with steps halved until the energy E(q) - f.q falls: its minimum
/// is the answer. What does not come to an end there keeps the best q.
Eigen::VectorXd balanceOf(const pliant::StrainEnergyPolynomial& energy, const Eigen::VectorXd& force,
                          Eigen::VectorXd q) {
    constexpr int most = 50;
    constexpr double small = 1e-10, least = 1e-6;
    const auto potential = [&](const Eigen::VectorXd& x) { return energy.energy(x) - force.dot(x); };
    if (!(potential(q) < 0.0)) q.setZero();
    for (int i = 0; i < most; ++i) {
        const Eigen::VectorXd residual = force - energy.force(q);
        if (residual.norm() <= small * force.norm()) break;
        Eigen::MatrixXd tangent = energy.stiffness(q);
        Eigen::LLT<Eigen::MatrixXd> solver(tangent);
        // Of compressed flesh K(q) may be indefinite; K0 is not, and leads downhill, too.
        if (solver.info() != Eigen::Success) solver.compute(energy.linearStiffness);
        const Eigen::VectorXd way = solver.solve(residual);
        double share = 1.0;
        const double now = potential(q);
        while (share > least && !(potential(q + share * way) < now)) share *= 0.5;
        if (share <= least) break;
        q += share * way;
    }
    return q;
}

}  // namespace

void settleFlesh(SystemData& system, BodyData& data) {
    CharacterData& c = *data.character;
    CharacterCrowd& crowd = *c.crowd;
    const int r = c.model->flesh->dimension();
    crowd.reduced.resize(std::max(crowd.reduced.size(), static_cast<std::size_t>(r)));
    crowd.bones.assign(1, c.frames.data());
    crowd.forces.evaluate(crowd.bones, toEigen(system.world->getGravity()), crowd.reduced.data(), *system.workers);
    const Eigen::VectorXd force = Eigen::Map<const Eigen::VectorXd>(crowd.reduced.data(), r);
    Eigen::VectorXd q = crowd.stiffness.solve(force);
    if (!c.model->linear) q = balanceOf(c.model->flesh->energy, force, q);
    const Eigen::Index moving = data.model().dimension();
    c.lastForce = force;
    data.batch().q(data.slot) = q.head(moving);
    data.batch().velocity(data.slot).setZero();
    data.batch().resetAcceleration(data.slot);
    data.batch().acceleration(data.slot).setZero();  // in balance with the bones
    data.previousQ = q.head(moving);
    data.collisionIsOutdated = true;
}

void forgetImpulses(CharacterData& c) {
    if (!c.isPushed) return;
    c.isPushed = false;
    for (auto* impulses : {&c.impulses, &c.angularImpulses})
        std::fill(impulses->begin(), impulses->end(), Vector3(Vector3::Zero()));
}

void addSkinForces(SystemData& system, const std::vector<btPliantBody*>& list) {
    if (system.characters.empty()) return;
    for (const auto& crowd : system.crowds) {
        crowd->stepping.clear();
        crowd->bones.clear();
    }
    for (btPliantBody* body : list) {
        BodyData& data = dataOf(*body);
        if (!data.character || data.hasStepped || data.character->ragdoll) continue;
        data.character->crowd->stepping.push_back(body);
        data.character->crowd->bones.push_back(data.character->frames.data());
    }
    const Vector3 gravity = toEigen(system.world->getGravity());
    for (const auto& crowd : system.crowds) {
        if (crowd->stepping.empty()) continue;
        const int r = crowd->forces.character().flesh->dimension();
        const auto size = static_cast<std::size_t>(r) * crowd->stepping.size();
        if (crowd->reduced.size() < size) crowd->reduced.resize(size);
        crowd->forces.evaluate(crowd->bones, gravity, crowd->reduced.data(), *system.workers);
        const auto addForces = [&](int begin, int end) {
            for (int i = begin; i < end; ++i) {
                BodyData& data = dataOf(*crowd->stepping[static_cast<std::size_t>(i)]);
                pliant::VectorX& last = data.character->lastForce;
                pliant::VectorView force(crowd->reduced.data() + static_cast<std::ptrdiff_t>(i) * r, r);
                if (pliant::traitsOf(data.batch().settings().integrator).holdsForceOverStep) {
                    last = 0.5 * (last + force);
                    data.batch().addForce(data.slot, last.data());
                } else {
                    data.batch().addForce(data.slot, force.data());
                }
                last = force;
            }
        };
        system.workers->forBlocks(static_cast<int>(crowd->stepping.size()), 16, std::cref(addForces));
    }
}

void placeFrame(BodyData& data) {
    CharacterData& c = *data.character;
    btTransform frame = btTransform::getIdentity();
    frame.setOrigin(toBullet(c.origin(c.bones)));
    data.body->setWorldTransform(frame);
    data.body->setInterpolationWorldTransform(frame);
    data.body->setInterpolationLinearVelocity(btVector3(0, 0, 0));
    for (std::size_t b = 0; b < c.boneBodies.size(); ++b)
        if (c.boneBodies[b]) placeBone(c, static_cast<int>(b));
}

}  // namespace btPliantInternal
