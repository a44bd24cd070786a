// SPDX-License-Identifier: Zlib
// Internal: penalty contact of solids. Every point of the surface that touches is a spring, and of its pair's stiffness
// it has the share that its area has of the pair's largest shadow, so that how finely a surface is sampled does not
// matter, and what touches flat with its largest face has the stiffness that was asked for. None is left out,
// but for m_maxContacts: a spring that came or went where it is under load would take its energy along.
#pragma once

#include "btPliant/data/ContactPair.h"

namespace btPliantInternal {

/// How the contacts of a pair give way.
struct Penalty {
    bool isOn = false;       ///< Whether they are springs and dampers, not limits on the velocity.
    btScalar stiffness = 0;  ///< N/m of each, or of a solid on its largest face.
    btScalar damping = 0;    ///< N s/m of the same.
};
/// What was asked for of the pair (btPliantSystem::setPenalty()), else what its objects ask for by Bullet's
/// setContactStiffnessAndDamping(), as Bullet combines them.
Penalty penaltyOf(const ContactPair& pair);
/// Whether the contacts of a pair are springs by area: it has a penalty, and it is one of solids and shapes alone, that
/// take such springs (data/BodyCollision.h).
bool hasSurfaceSprings(const ContactPair& pair);
/// Share of the pair's stiffness that a contact of such a pair has; 0 where the surface looks away from what it meets.
/// With d the depths and A the areas of the points of one surface, as the other sees them, of two solids half of both,
/// force = stiffness * sum(A d) / reference; the reference is the smaller one of both objects' largest shadows along an
/// axis of their own (of a compound of all of it), and no less than the area of a point. Corners and edges of a shape,
/// which may touch between the points, stand for a quarter of the area of one each.
double springShare(const ContactPair& pair, const pliant::SkeletonContact& contact);

}  // namespace btPliantInternal
