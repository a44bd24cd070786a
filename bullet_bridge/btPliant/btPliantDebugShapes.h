// SPDX-License-Identifier: Zlib
/// @file
/// What cannot be seen of a world, as pliant::DebugShapes.
#pragma once

#include <LinearMath/btIDebugDraw.h>

#include "btPliant/btPliantPrecision.h"
#include "pliant/math/Api.h"
#include "pliant/view/DebugShapes.h"

class btDiscreteDynamicsWorld;
class btPersistentManifold;
class btPliantBody;
class btPliantSystem;
struct btPliantContactPatch;

/// What a btPliantDebugShapes shows, and how large.
struct btPliantDebugInfo {
    int m_sphereLevel = 3;  ///< Depth of the bounding spheres in the tree of a body: 0 is one sphere around all of it.
    /// Seconds that impulses are shown for: a line is as long as the way that the impulse alone takes the lighter of
    /// both bodies in that time.
    btScalar m_impulseSeconds = btScalar(0.1);
    /// Pa: the pressure that has the last colour of the scale; 0: the largest that acts at the moment.
    double m_largestPressure = 0;
    btScalar m_axisLength = btScalar(0.3);       ///< Length of the axes of frames, in sizes of the body.
    int m_mostModes = 12;                        ///< Elastic shapes in the list of energies, softest first.
    const btPliantBody* m_pickedBody = nullptr;  ///< Whose energies are listed; may be null.
};

/// Collects what cannot be seen of a world into pliant::DebugShapes: segments, bounding spheres, contacts, joints,
/// frames, who sleeps, energies of a picked body, and Bullet's own objects as Bullet draws them.
///
///     btPliantDebugShapes collector(shapes);
///     // between two stepSimulations:
///     shapes.clear();
///     collector.collect(pliantSystem);
///
/// It is a btIDebugDraw, too: what is drawn on it lands in the layer Objects. As the debug drawer of a world, it gets
/// all of the above from debugDrawWorld().
class PLIANT_API btPliantDebugShapes : public btIDebugDraw {
public:
    /// A collector that adds to `shapes`, which have to stay.
    explicit btPliantDebugShapes(pliant::DebugShapes& shapes, const btPliantDebugInfo& info = btPliantDebugInfo());

    /// What is shown, and how large.
    btPliantDebugInfo& info() { return m_info; }
    /// Adds everything of the system's world that is wanted (DebugShapes::wanted). Draws nothing else, and leaves the
    /// world's own debug drawer as it was.
    void collect(const btPliantSystem& system);
    /// Adds what there is of the system's own bodies, all contacts, and of distributed contact the pressure: at every
    /// point a disc of its area and a line along its normal, in the colour of the pressure on one scale for all pairs
    /// (pliant::colourOnScale), for every pair the force, and both in numbers. Bullet's objects and joints excepted.
    void addSystem(const btPliantSystem& system);

    /// Adds a line to the layer Objects.
    void drawLine(const btVector3& from, const btVector3& to, const btVector3& colour) override;
    /// Adds a contact: its normal.
    void drawContactPoint(const btVector3& pointOnB, const btVector3& normalOnB, btScalar distance, int lifeTime,
                          const btVector3& colour) override;
    /// Has no effect.
    void reportErrorWarning(const char* warning) override;
    /// Adds a text.
    void draw3dText(const btVector3& location, const char* text) override;
    /// Sets what Bullet draws on it (btIDebugDraw::DebugDrawModes).
    void setDebugMode(int mode) override { m_mode = mode; }
    /// What Bullet draws on it: wireframes, joints and their limits, unless told otherwise.
    int getDebugMode() const override { return m_mode; }

private:
    void addObjects(btDiscreteDynamicsWorld& world);
    void addJoints(btDiscreteDynamicsWorld& world);
    void addContacts(const btPersistentManifold& manifold);
    void addPressures(const btPliantSystem& system);
    void addPatch(const btPliantBody& body, const btPliantContactPatch& patch, double largest);
    void addBody(const btPliantBody& body);
    void addSegments(const btPliantBody& body);
    void addSpheres(const btPliantBody& body);
    void addActivity(const btPliantBody& body, const pliant::Vector3& lower, const pliant::Vector3& upper);
    void addEnergies(const btPliantBody& body, const pliant::Vector3& at);

    pliant::DebugShapes& m_shapes;
    btPliantDebugInfo m_info;
    pliant::DebugLayer m_layer = pliant::DebugLayer::Objects;  ///< of what Bullet draws
    int m_mode = DBG_DrawWireframe | DBG_DrawConstraints | DBG_DrawConstraintLimits;
};
