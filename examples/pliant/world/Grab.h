// SPDX-License-Identifier: Zlib
#pragma once

#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>

#include <memory>

#include "btPliant/btPliantPointMotor.h"
#include "pliant/math/Types.h"

namespace pliant::program {

/// A hand that takes hold of the point of a body that a ray hits, and moves it across the line of sight.
class Grab {
public:
    explicit Grab(btDiscreteDynamicsWorld& world) : m_world(world) {}
    ~Grab() { release(); }
    Grab(const Grab&) = delete;
    Grab& operator=(const Grab&) = delete;

    /// Takes what the segment from eye to `end` hits first. @return false: nothing there that moves
    bool take(const Vector3& eye, const Vector3& end);
    /// The held point goes to where the segment is as far from the eye as the point was when it was taken.
    void move(const Vector3& eye, const Vector3& end);
    void release();
    bool holds() const { return m_motor != nullptr; }

private:
    btDiscreteDynamicsWorld& m_world;
    std::unique_ptr<btPliantPointMotor> m_motor;
    double m_distance = 0.0;
};

}  // namespace pliant::program
