// SPDX-License-Identifier: Zlib
/// @file
/// A body that a hand holds: it follows a device's pose through a spring of six degrees of freedom ([B07] chapter 4).
#pragma once

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>

#include <memory>
#include <string>

#include "btPliant/btPliantJoint.h"
#include "pliant/hand/DeviceLog.h"
#include "pliant/hand/DevicePort.h"
#include "pliant/math/Api.h"

/// How a tool moves.
enum class btPliantToolDynamics {
    Dynamic,  ///< With its mass: a rigid or a reduced body.
    /// Without mass: a rigid body, or the frame of a reduced one, that is where contact and coupling cancel, to first
    /// order in each step. Weight and inertia are not felt.
    Static
};

/// A tool in the steps of the world: a rigid or a reduced body, gripped at a frame of its material, that follows a
/// device.
///
///     btPliantTool hand(*spoon, grip, settings);  // the device is taken to be where the grip is
///     world.addConstraint(&hand);
///     ... hand.follow(&pose, h); world.stepSimulation(h, 0); device.write(time, hand.feel(h)); ...
///
/// The coupling is solved by btPliantConstraintSolver in one system with contacts, joints and deformation, at the end
/// of the step: it is stable for any stiffness and step, and never adds energy to what a still hand holds. Several
/// tools may hold one body. With another solver, or in a world without a btPliantSystem, a tool holds nothing.
///
/// Force and torque are those of pliant::couple(), with damping of `dampingRatio` of the critical one inside of the
/// saturation. Neither the followed pose nor what the coupling drives is faster than the limits; what gravity, contacts
/// or other joints drive may be.
///
/// The body, and of a reduced one its btPliantSystem, outlive a static tool, which gives the body back its mass.
///
/// A static tool has in each step the mass h^2 k of its coupling over the step h, and begins it with the velocity that
/// takes it to the device: whatever constraint of the world it meets is solved against the coupling alone. It is held
/// at its centre of mass, wherever the grip is; wrenches are told about the grip, which is carried by the frame. A
/// reduced body deforms by what it meets, with its own stiffness and the inertia of its deformation, and feels nothing
/// of how its frame moves, nor of gravity. Each step of the world of `dt` needs
/// its follow(), without substeps of Bullet's; in steps without one the coupling draws the tool to where it followed
/// last, and it comes to rest there. Mass, inertia, damping, gravity and restitution of the body are the hand's as long
/// as it lives, and what they were before afterwards, at rest. No other tool may hold the body.
class PLIANT_API btPliantTool : public btTypedConstraint, public btPliantJoint {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();
    /// Grips a body.
    /// @param body a reduced body (anchored ones too), or one of Bullet's that moves
    /// @param grip frame that is held: mesh frame at rest of a btPliantBody, body frame of a plain body, m
    /// @param settings static damping and gyration radius are for static tools and the observer alone
    /// @param dynamics static tools are bodies of Bullet's, or reduced ones that move freely
    /// @throws pliant::Error when a number is not what its field says, the grip is not finite, the body cannot move, a
    /// static tool is a reduced body that does not move freely, or the body is in the hand of another tool and one of
    /// them is static
    btPliantTool(btRigidBody& body, const btTransform& grip,
                 const pliant::HandSettings& settings = pliant::HandSettings(),
                 btPliantToolDynamics dynamics = btPliantToolDynamics::Dynamic);
    /// Lets go. Of static tools the body has to be there still.
    ~btPliantTool() override;

    /// Before each step: the newest pose of the device, and the length of the step. Wakes the body.
    /// @param reading pose in the world; null: none has come since the last step  @param dt s, > 0
    void follow(const pliant::ToolPose* reading, btScalar dt);
    /// After each step: what the device is sent. Called once a step.  @param dt s, > 0
    pliant::Wrench feel(btScalar dt);

    /// Where the grip is now, world frame.
    pliant::ToolPose getGripPose() const;
    /// The pose that the grip follows, world frame.
    const pliant::ToolPose& getFollowedPose() const { return m_followed; }
    /// What the coupling did to the body in the last substep of dt seconds: force, N, and torque about the grip, N m.
    /// Of a static tool what it does where the body is now.
    pliant::Wrench getWrench(btScalar dt) const;
    /// What the device has done last; vanished and broken ones let go softly.
    pliant::DeviceStatus getDeviceStatus() const { return m_port.status(); }
    /// What has gone wrong with the device since the tool was made, how often, when first, and what to do: "sent
    /// nothing for 0.05 s at 3.2 s, and the hand let go; ...". Empty where nothing has. Times are sums of those of
    /// follow().
    std::string getDeviceMessage() const { return m_log.message(); }
    /// How firmly the hand holds, from 0 (it has let go) to 1.
    double getHold() const { return m_port.hold(); }
    /// How it moves.
    btPliantToolDynamics getDynamics() const { return m_dynamics; }
    /// What the tool was made with.
    const pliant::HandSettings& getSettings() const { return m_port.settings(); }

    /// Bullet's callback at the start of a solve; the grip follows the material, and the coupling is set up.
    void buildJacobian() override;
    /// Bullet's callback: six rows.
    void getInfo1(btConstraintInfo1* info) override;
    /// Bullet's callback: rows along the axes of the world; other solvers get such as hold nothing.
    void getInfo2(btConstraintInfo2* info) override;
    /// Bullet's parameters mean nothing here.
    void setParam(int num, btScalar value, int axis = -1) override;
    /// Bullet's parameters mean nothing here. @return 0
    btScalar getParam(int num, int axis = -1) const override;

    /// Numbers that a saved world holds of the tool: those of its device port, and how it moves.
    void getNumbers(std::vector<double>& numbers) const override;
    /// Whether these are such numbers.
    bool acceptsNumbers(const std::vector<double>& numbers) const override;
    /// Goes on from such numbers.
    void setNumbers(const std::vector<double>& numbers) override;

protected:
    /// The grip in the frame of the body; of the other side the identity.
    btTransform getFrame(int side) const override;
    /// Sets the grip in the frame of the body.
    void setFrame(int side, const btTransform& frame) override;

private:
    pliant::ToolPose heldPose() const;
    pliant::ToolPose heldBy(const pliant::ToolPose& grip) const;
    pliant::Wrench aboutGrip(pliant::Wrench wrench) const;
    void beginStaticStep(double dt);

    struct PLIANT_HIDDEN Hold;
    std::unique_ptr<Hold> m_hold;
    btTransform m_grip;  ///< in the body frame
    btPliantToolDynamics m_dynamics;
    pliant::DevicePort m_port;    ///< Its poses are those of the grip; of a static tool those of the centre of mass.
    pliant::ToolPose m_followed;  ///< Of the grip.
    pliant::DeviceLog m_log;      ///< Of this run: a restored state does not undo it.
};
