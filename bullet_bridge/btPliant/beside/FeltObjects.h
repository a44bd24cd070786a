// SPDX-License-Identifier: Zlib
// Internal: Bullet's own objects that a hand's own thread feels, seen from the thread of the world.
#pragma once

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <memory>
#include <vector>

#include "btPliant/beside/FeltSolids.h"
#include "btPliant/hand/NearShapes.h"

namespace btPliantInternal {

class FeltObjects {
public:
    /// @param shape of the tool, in its frame; to live as long as this
    explicit FeltObjects(const btCollisionShape& shape) : m_shape(shape) {}

    /// @param object of a shape that fieldOf() knows  @param points of the tool, about
    void add(btCollisionObject& object, const FeltLaw& law, int points);
    /// @param step that it was pushed for, s  @return work of the last push that takeWork() has not had, J: no less
    /// than that push does alone, since the step may be still to come
    double remove(const btCollisionObject& object, double step);
    /// Adds the shapes that the tool may come to.
    /// @param farthest of the points of the tool from where it is held, m
    void collect(const ToolReach& reach, double farthest, NearShapes& near) const;

    // As in FeltSolids.
    void forgetOwed();
    void gather(const NearShapes& near);
    void settle(double covered);
    bool touches() const;
    double mostEnergy() const;
    double ask(const PushStep& step);
    void push(const PushStep& step, std::vector<HandPush>& told);
    double takeWork(double step);

private:
    struct Object {
        btCollisionObject* object = nullptr;  ///< Null: removed.
        FeltLaw law;
        std::shared_ptr<const ToolPoints> points;
        int count = 0;  ///< Number of points that were asked for.
        NearShapes::Impulse owed, force;
        PushBounds bounds;      ///< Of the push of the coming step.
        GivenPush given;        ///< Of the last step; no force once its work is known.
        double promised = 0.0;  ///< Work that it does where nobody else moves the body, J; 0 once it is known.
    };
    /// What an object gets at one point of the tool for the coming step; impulses while it is gathered.
    struct Press {
        std::size_t object = 0, order = 0;  ///< Its number; as it was gathered.
        double area = 0.0;                  ///< Area, m^2.
        NearShapes::Pressed at;
    };
    void joinPresses();
    static double takeWork(Object& felt, double step);
    void tell(std::size_t object, double share, std::vector<HandPush>& told) const;

    const btCollisionShape& m_shape;
    std::vector<Object> m_objects;
    std::vector<Press> m_presses, m_gathered;
};

}  // namespace btPliantInternal
