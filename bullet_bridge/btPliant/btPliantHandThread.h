// SPDX-License-Identifier: Zlib
/// @file
/// A hand that feels reduced bodies at a rate of its own, beside a world that steps more slowly.
#pragma once

#include <memory>

#include "btPliant/btPliantBody.h"
#include "btPliant/btPliantTouch.h"
#include "pliant/hand/HandThread.h"

class btCollisionObject;
class btCollisionShape;
class btPliantSystem;

/// A tool without mass, of one of Bullet's shapes, that presses solids and rigid bodies by distributed contact with
/// friction in cycles of a millisecond, while the world steps with 60 to 240 Hz.
///
///     btPliantHandThread hand(sphere, start, device);  // 1,000 cycles in a second
///     hand.addBody(*cow, touch);
///     hand.addBody(*ground, touch);
///     hand.getThread().start();                        // left out: as many cycles in step with the world
///     ... hand.beforeStep(h); world.stepSimulation(h, 0); hand.afterStep(h); ...
///
/// After each step what is near the tool is copied for the thread: the points of solids, which it holds against the
/// tool where that is, and the shapes of rigid bodies, which it holds the points of the tool against. It lets them go
/// on with the velocities of the last step, for the length of two steps at most. Before each step the bodies get the
/// mean of the forces since the one before, no more than takes them along with a tool at its limits of speed, and,
/// where these are above the defaults, no more energy than the device and they have put in: what the device feels may
/// be more. The tool is no object of the world: what else moves there goes through it; contact sensors and patches of
/// its system tell what it does. A world that is slower than real time lets a tool that is moved fast leave the points
/// that have been copied, and come deep into a body: lower the limit of its speed there. Saved states of the world hold
/// nothing of it.
class PLIANT_API btPliantHandThread {
public:
    /// Holds a shape; nothing to feel yet.
    /// @param shape sphere, box, capsule or cylinder, in the frame of the tool; outlives this
    /// @param pose of the tool and the device, world
    /// @param device read and written by the thread of the hand; null: it stays
    /// @param rate cycles in a second, 1..1e5
    /// @throws pliant::Error for another shape, a setting that is not what its field says, and a rate that is none
    btPliantHandThread(const btCollisionShape& shape, const pliant::ToolPose& pose,
                       std::shared_ptr<pliant::HandDevice> device,
                       const pliant::HandSettings& settings = pliant::HandSettings(), double rate = 1000.0);
    /// Ends the thread.
    ~btPliantHandThread();
    btPliantHandThread(const btPliantHandThread&) = delete;
    btPliantHandThread& operator=(const btPliantHandThread&) = delete;

    /// Has the tool feel a body. Of the settings law, stiffness, largest depth, damping, friction, points and levels
    /// count. Friction is that of the tool and the body together; a negative one stands for the body's own.
    /// @param object a btPliantBody, whose points are felt; or of one of Bullet's shapes plane, sphere, box, capsule
    /// and cylinder, static or moving, which feels the points of the tool (`m_points` is their number). Its shape
    /// stays, and so does its offset to the centre of mass
    /// @throws pliant::Error as btPliantSystem::setTouch() does, and for other shapes
    void addBody(btCollisionObject& object, const btPliantTouchSettings& touch = btPliantTouchSettings());
    /// Has it feel the body no longer: to be called before that is destroyed. Nothing where it does not feel it.
    void removeBody(const btCollisionObject& object);

    /// Has the contact sensors of a system, and its getContactPatch(), tell what the tool does to bodies: the mean over
    /// the cycles of a step, as forces of the next one. It is that of the first reduced body that is added, where this
    /// is not called; for rigid bodies alone it has to be, and again where another system takes its place.
    /// @param tool what stands for the tool there, as one of the sides that a sensor names: it is compared by address
    /// only; null: getTool() as it is
    void setSystem(btPliantSystem& system, const btCollisionObject* tool = nullptr);
    /// What stands for the tool in sensors and patches: an object of its own, in no world, or that of setSystem().
    const btCollisionObject& getTool() const;

    /// Before each step of the world: pushes the bodies by what the tool has done to them since the last step. Where
    /// the thread does not run the cycles of the step are made here.
    /// @param step s, up to 10  @throws pliant::Error for another one
    void beforeStep(double step);
    /// After it: what there is to touch from now on.  @param step s, up to 10  @throws pliant::Error for another one
    void afterStep(double step);

    /// The thread: start(), stop(), report().
    pliant::HandThread& getThread();
    /// The thread.
    const pliant::HandThread& getThread() const;

private:
    struct PLIANT_HIDDEN Data;
    std::unique_ptr<Data> m_data;
};
