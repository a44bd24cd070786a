// SPDX-License-Identifier: Zlib
// Internal: where bodies go in a step if nothing touches them, and how far contacts are to be looked for therefore.
// Steps in seconds, distances in metres.
#pragma once

#include "btPliant/data/BodyData.h"
#include "btPliant/data/ContactPair.h"

namespace btPliantInternal {

/// Distances between surface points that a solid comes by in a step from which on its way counts.
constexpr double kFarOfSolids = 0.25;

/// Whether it goes anywhere with its velocity: kinematic ones, which Bullet calls static too, do.
bool movesInStep(const btRigidBody& body);
/// Velocity of a body in the step if nothing touches it, m/s.
btVector3 freeVelocity(const btRigidBody& body, double step);
/// Transform of its frame at the end of the step.
btTransform predictedTransform(const btRigidBody& body, double step);
/// Takes points of the world at the end of a step to where they are seen from the object as it stands now.
pliant::RigidTransform wayBack(const btCollisionObject& object, double step);
/// Most that a rigid body's turning carries its points in a step.
double turningMotion(const btRigidBody& body, double step);
/// Upper bound, with room for contacts, of what turning and deforming carry a body's segments in a step.
double predictedRelativeMotion(const btPliantBody& body, double step);

/// Motion of the frame in the step; zero of a body that does not come far enough for its way to matter.
btVector3 predictedFastMotion(const btPliantBody& body, double step);
/// Predicts where `deformed`, which is up to date, will be at the end of a step if nothing touches it.
void predictMotion(BodyData& data, double step);

/// Positive distance from which contacts of a pair are made in a step.
double speculativeMargin(const ContactPair& pair, double step);
/// Whether a pair is of a shape and a solid with edges and corners, which strikes next in another place than where it
/// touches. What is round rolls on to the next point, and that is within the margin.
bool mayStrikeAside(const ContactPair& pair);
/// Whether a shape is flat where it touches, or on some of its sides: planes, what is convex and has faces alone, and
/// cylinders. Points that close with triangles are told from their own ways (shapes/Triangles.cpp).
bool hasFlatSides(const btCollisionShape& shape);
/// How far beyond it points of a solid are looked for that turning and deforming carry into a shape within the step;
/// zero where they come no farther than its points are fine, and where nothing mayStrikeAside() or the shape has no
/// flat sides. The head of a pin that falls over comes down by more than its frame does, and a corner that a blow has
/// bent in springs back into the ground.
double surfaceMotion(const ContactPair& pair, const btCollisionShape& shape, double step);
/// What of the margin is for motion across the line between two bodies' origins, along which they come nearer by less.
double marginAcross(const ContactPair& pair, double step);
/// Whether the two move so far in such a step that continuous collision is needed.
bool isFast(const ContactPair& pair, double step);
/// Most that the two come towards each other in such a step, as they move now or are about to be struck.
double approachInStep(const ContactPair& pair, double step);
/// The same, and what the turning of a rigid other adds.
double approachOfShapes(const ContactPair& pair, double step);
/// Speed of the frames of the two against each other in such a step, m/s.
double frameSpeed(const ContactPair& pair, double step);
/// Whether the pair isFast() by that alone, whatever turning and deforming do.
bool framesAreFast(const ContactPair& pair, double step);
/// Metres that the frames of two reduced bodies have come relative to each other in the last substep, at most, with
/// room: farther somebody has put them.
double wayInLastStep(const ContactPair& pair);
/// As speculativeMargin(), for continuous collision: of the distance during the step, between the skeletons' and the
/// other shape's own surfaces, both margins added.
double continuousReach(const ContactPair& pair, const btCollisionShape& otherShape);

/// The speculativeMargin() of a body against itself.
double selfMargin(const ContactPair& pair, double step);

}  // namespace btPliantInternal
