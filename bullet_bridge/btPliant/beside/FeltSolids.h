// SPDX-License-Identifier: Zlib
// Internal: the reduced solids that a hand's own thread feels, seen from the thread of the world.
#pragma once

#include <memory>
#include <vector>

#include "btPliant/beside/PushLimit.h"
#include "btPliant/btPliantBody.h"
#include "btPliant/data/HandPushes.h"
#include "btPliant/hand/NearPoints.h"
#include "btPliant/narrowphase/ShapeCollider.h"
#include "pliant/touch/PlacedShell.h"

namespace btPliantInternal {

/// Where a tool is, and how far from there points may touch it.
struct ToolReach {
    const ShapeField& tool;                ///< Its field, in its frame.
    pliant::RigidTransform worldFromTool;  ///< Frame of the field.
    double reach = 0.0;                    ///< Way that the tool may come, m.
    double step = 0.0;                     ///< Length of the world's step, s.
};

class FeltSolids {
public:
    /// @param origin world, m: about which places are kept in few digits
    explicit FeltSolids(const pliant::Vector3& origin) : m_origin(origin) {}

    void add(btPliantBody& body, std::shared_ptr<const pliant::DistributedShell> shell, const FeltLaw& law);
    /// @param step that it was pushed for, s  @return work of the last push that takeWork() has not had, J: no less
    /// than that push does alone, since the step may be still to come
    double remove(const btPliantBody& body, double step);
    /// Adds the points that the tool may come to.
    void collect(const ToolReach& reach, NearPoints& near);

    /// Notes what is owed, as impulses, after forget().
    void forgetOwed() { m_gathered.clear(); }
    void gather(const NearPoints& near);
    /// What has been gathered acts as forces from now on.  @param covered time that it is of, s; 0: nothing was
    /// gathered, and the forces before stay
    void settle(double covered);
    /// Whether there are forces.
    bool touches() const { return !m_pushes.empty(); }
    /// No less than what the surfaces that press can give back, J: mean force times mean depth of each point. Bristles
    /// are left out.
    double mostEnergy() const;
    /// Prepares push(). What is in no world gets nothing, now or later.  @return energy that bodies ask for, J
    double ask(const PushStep& step);
    /// Pushes the bodies by the forces, after ask().
    /// @param told what they get is added, point by point
    void push(const PushStep& step, std::vector<HandPush>& told);
    /// Work of the last push, once the step is made; 0 if it is asked for again.  @param step s  @return J
    double takeWork(double step);

private:
    struct Solid {
        btPliantBody* body = nullptr;  ///< Null: removed.
        std::shared_ptr<const pliant::ReducedModel> model;
        std::unique_ptr<pliant::PlacedShell> placed;  ///< In the world's axes about the origin.
        FeltLaw law;
        std::vector<pliant::MaterialPoint> located;  ///< Of all points of the shell, where `isLocated`.
        std::vector<char> isLocated;
        pliant::Vector3 force = pliant::Vector3::Zero(), torque = pliant::Vector3::Zero();  ///< Sums of its pushes.
        bool isFree = false;  ///< One whose frame is held gives way by its deformation alone, whose stiffness is
                              ///< implicit: it gets all.
        PushBounds bounds;
        double promised = 0.0;  ///< Work that the last push does where nobody else moves the body, J; 0 once known.
    };
    /// Forces on a body for the coming step; impulses while they are gathered.
    struct Push {
        std::size_t body = 0;
        int point = 0;
        pliant::Vector3 pressure = pliant::Vector3::Zero(), friction = pliant::Vector3::Zero();  ///< N, or N s.
        double depth = 0.0, area = 0.0;  ///< Depth, m, or m s; area, m^2.
        std::size_t order = 0;           ///< As it was gathered.
        GivenPush given{};               ///< Of the last step.
        pliant::Vector3 force() const { return pressure + friction; }
    };
    void joinPushes();
    double takeWork(Push& push, double step);
    void place(Solid& solid) const;
    const pliant::MaterialPoint& located(Solid& solid, int point);
    void sumForces();
    void addNear(const Solid& solid, const ToolReach& reach, NearPoints& near) const;

    pliant::Vector3 m_origin;
    std::vector<Solid> m_solids;
    std::vector<Push> m_pushes, m_gathered;
};

}  // namespace btPliantInternal
