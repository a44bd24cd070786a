// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/PairContacts.h"

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>

#include <algorithm>

#include "btPliant/data/BodyCollision.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/narrowphase/ClosingContacts.h"
#include "btPliant/narrowphase/ContactCache.h"
#include "btPliant/narrowphase/DistributedTouch.h"
#include "btPliant/narrowphase/EdgesOfShapes.h"
#include "btPliant/narrowphase/MotionPrediction.h"
#include "btPliant/narrowphase/NearbyTriangles.h"
#include "btPliant/narrowphase/PassedFaces.h"
#include "btPliant/narrowphase/SurfaceSprings.h"
#include "btPliant/narrowphase/SurfaceTouch.h"
#include "pliant/collision/pair/ClusterContacts.h"
#include "pliant/collision/pair/PassedSegments.h"
#include "pliant/collision/pair/ReserveRounded.h"
#include "pliant/collision/pair/SelectContacts.h"

namespace btPliantInternal {

using pliant::SkeletonContact;
using pliant::Vector3;

namespace {

constexpr int kAllSpheres = 1 << 20;
constexpr double kAnyDistance = 1e30;  ///< m

/// How far a test of a pair looks, m.
struct Search {
    double marginA = 0, marginB = 0;  ///< to be subtracted from distances
    double reach = 0;                 ///< of distances without them
    double ahead = 0;                 ///< beyond it, of points of a solid that close in the step
    Closing closing = Closing::None;  ///< what comes down
    bool fast = false;                ///< over the whole way of the step
};

Search searchOf(const ContactPair& pair, const btCollisionShape& shape, double step, double margin) {
    Search search;
    search.marginA = static_cast<double>(pair.system.info.m_margin);
    search.marginB = pair.collider.margin ? pair.collider.margin(pair, shape) : 0.0;
    search.fast = margin < 0 && isFast(pair, step);
    search.ahead = margin < 0 && !search.fast ? surfaceMotion(pair, shape, step) : 0.0;
    search.reach = (margin >= 0 ? margin : speculativeMargin(pair, step)) + search.marginA + search.marginB;
    return search;
}

bool passesBy(const ContactPair& pair, const PlacedShape& placed, double step) {
    return pair.collider.staysApart && pair.collider.staysApart(pair, placed, step);
}

/// @param excess metres that discrete contacts are looked for beyond the reach
void detect(ContactPair& pair, const PlacedShape& placed, double step, const Search& search, double excess,
            SkeletonContacts& out) {
    if (!search.fast)
        pair.collider.discrete(pair, placed, search.reach + excess, out);
    else if (!passesBy(pair, placed, step))
        pair.collider.continuous(pair, placed, step, continuousReach(pair, placed.shape), out);
    else
        pair.surfaceSides.clear();
}

/// Distances are geometric less both margins.
void subtractMargins(SkeletonContacts& contacts, const Search& search) {
    if (search.marginA == 0 && search.marginB == 0) return;
    for (SkeletonContact& contact : contacts) {
        contact.pointA -= search.marginA * contact.normal;
        contact.pointB += search.marginB * contact.normal;
        contact.distance -= search.marginA + search.marginB;
    }
}

/// Keeps the choice of points steady, as the history of two skeletons does by itself.
void markRemembered(const ContactPair& pair, SkeletonContacts& found) {
    for (SkeletonContact& contact : found) contact.kept = pair.history.find(contact.feature) != nullptr;
}

void cluster(const ContactPair& pair, SkeletonContacts& found) {
    pliant::ClusterOptions options;
    options.maximum = pair.system.info.m_maxContactsPerPair;
    pliant::clusterContacts(found, options);
}

/// Contacts by which no bending of floppy bodies goes unseen: two for each coordinate along which they are soft, and
/// for each of the frames' six; in an impact, where all of them move at once, four. With fewer the parts between them
/// fall until they are chosen in the place of others, and a plate never comes to rest.
/// @param soft coordinates of both  @param speed of the impact, m/s; 0: none
/// @param isStruck the pair is fast by what others do to it alone
int contactsThatHold(int soft, double speed, bool isStruck) {
    const int each = speed > 0.0 && soft > 0 && !isStruck ? 4 : 2;
    return each * (6 + soft);
}

/// From how far on parts of what touches stand apart, m: three times as far as the points of the surfaces.
double islandGap(const ContactPair& pair) {
    constexpr double spacings = 3.0;
    return spacings * largestSpacing(pair);
}

/// A flat side that comes down bends as it strikes; a round one has its foremost points, and what holds it from
/// tilting.
int contactsOfTilted(Closing closing, int maximumPerPatch) {
    constexpr int round = 6;
    return closing == Closing::Flat ? maximumPerPatch : closing == Closing::Round ? round : 0;
}

/// What does not hold in an impact is behind the other in the next step: there contacts that are covered by others as
/// yet count as well.
void select(const ContactPair& pair, double step, const Search& search, SkeletonContacts& found) {
    pliant::SelectOptions options;
    options.maximum = pair.system.info.m_maxContactsPerPair;
    options.islandGap = islandGap(pair);
    options.minimumOfTilted = contactsOfTilted(search.closing, options.maximumPerPatch);
    constexpr std::size_t few = 12;  // what holds a body that does not bend
    if (found.size() > few) {
        const double speed = search.fast ? approachInStep(pair, step) / step : 0.0;
        const int softA = softCoordinates(dataOf(pair.a), speed),
                  softB = pair.b ? softCoordinates(dataOf(*pair.b), speed) : 0;
        // In an impact the points are close enough for the shapes of each body; close enough for both is the closer.
        const int soft = search.fast ? std::max(softA, softB) : softA + softB;
        const int holding = contactsThatHold(soft, speed, pair.struckSpeed > frameSpeed(pair, step));
        // Coverage knows the ends of a narrow patch and its middle, not how often it bends between them.
        if (soft > 0 && !search.fast) options.minimumOfNarrow = holding;
        const bool isMany = found.size() > static_cast<std::size_t>(options.maximumPerPatch);
        if (isMany) {
            options.maximumPerPatch = std::max(options.maximumPerPatch, holding);
            options.maximum = std::max(options.maximum, holding);
        }
        if (isMany && search.fast && soft > 0) {  // what holds one patch takes nothing from the others
            options.minimumPerPatch = holding;
            options.maximum += holding;
        }
    }
    pliant::selectContacts(found, options);
}

void storeContacts(ContactPair& pair, const SkeletonContacts& found) {
    constexpr std::size_t step = 8;
    pliant::reserveRounded(pair.contacts, found.size(), step);
    pair.contacts.assign(found.begin(), found.end());
}

void selectAndStore(ContactPair& pair, double step, const Search& search, SkeletonContacts& found) {
    if (hasSurfaceSprings(pair)) {
        found.erase(std::remove_if(found.begin(), found.end(),
                                   [&pair](const SkeletonContact& c) { return !(springShare(pair, c) > 0.0); }),
                    found.end());
    } else {
        markRemembered(pair, found);
        select(pair, step, search, found);
    }
    storeContacts(pair, found);
    pair.history.remember(*dataOf(pair.a).deformed, found);
}

/// Of two skeletons of capsule segments.
void findOfSkeletons(ContactPair& pair, const PlacedShape& placed, double step, const Search& search, bool mayCache,
                     SkeletonContacts& found) {
    if (mayCache && !search.fast && cacheIsValid(pair, search.reach)) {
        testCachedContacts(pair, search.reach, found);
        subtractMargins(found, search);
        storeContacts(pair, found);
        return;
    }
    detect(pair, placed, step, search, 0.0, found);
    if (!pair.query)
        pliant::addContactsBehind(*dataOf(pair.a).deformed, *dataOf(*pair.b).deformed, pair.history, found);
    pair.history.remember(*dataOf(pair.a).deformed, found);
    subtractMargins(found, search);
    cluster(pair, found);
    storeContacts(pair, found);
    pair.history.markKept(found);
    if (mayCache && !search.fast) cacheContacts(pair, search.reach);
}

/// Of two bodies with a solid among them.
void findOfSurfaces(ContactPair& pair, const PlacedShape& placed, double step, const Search& search,
                    SkeletonContacts& found) {
    detect(pair, placed, step, search, 0.0, found);
    if (!search.fast) leaveOutPassedSurfaces(pair, step, search.marginA + search.marginB, found);
    if (!pair.query) noteClosing(pair, placed, step, found);
    subtractMargins(found, search);
    selectAndStore(pair, step, search, found);
}

/// Of a skeleton and a shape.
void findWithShape(ContactPair& pair, const PlacedShape& placed, double step, const Search& search,
                   SkeletonContacts& found) {
    detect(pair, placed, step, search, 0.0, found);
    subtractMargins(found, search);
    markRemembered(pair, found);
    cluster(pair, found);
    storeContacts(pair, found);
    pair.history.remember(*dataOf(pair.a).deformed, found);
}

/// Leaves out what is beyond a reach and does not close in the step.
void leaveOutOpen(double reach, SkeletonContacts& found) {
    found.erase(std::remove_if(found.begin(), found.end(),
                               [reach](const SkeletonContact& c) { return c.distance > reach && !(c.closing > 0.0); }),
                found.end());
}

/// Of a solid and a shape: the points of the surface against the shape, and the points of the shape against the field.
void findOfSurfaceWithShape(ContactPair& pair, const PlacedShape& placed, double step, Search search,
                            SkeletonContacts& found) {
    detect(pair, placed, step, search, largestCapHeight(pair) + search.ahead, found);
    roundSurface(pair, placed, search.fast ? kAnyDistance : search.reach + search.ahead, found);
    const double margins = search.marginA + search.marginB;
    if (pair.collider.leaveOutPassed && (!search.fast || pair.collider.hasEdges))
        pair.collider.leaveOutPassed(pair, placed, step, margins, found);
    const double reach = search.reach + (search.fast ? approachOfShapes(pair, step) : 0.0);
    touchShapePoints(pair, placed, step, reach, margins, search.fast, found);
    touchEdgesOfShape(pair, placed, step, reach, found);
    if (!search.fast && !pair.query) search.closing = noteClosing(pair, placed, step, found);
    if (search.ahead > 0.0) leaveOutOpen(search.reach, found);
    subtractMargins(found, search);
    selectAndStore(pair, step, search, found);
}

}  // namespace

// A character's box holds much air between its legs and over its back.
bool staysClear(const ContactPair& pair, const PlacedShape& placed, double step) {
    if (pair.isSelf() || pair.touch) return false;
    const bool isFirst = dataOf(pair.a).character != nullptr;
    if (!isFirst && !(pair.b && dataOf(*pair.b).character)) return false;
    const auto margins = 2.0 * static_cast<double>(pair.system.info.m_margin) +
                         (pair.collider.margin ? pair.collider.margin(pair, placed.shape) : 0.0);
    const double near = speculativeMargin(pair, step) + margins;
    const double far = continuousReach(pair, placed.shape) + approachInStep(pair, step);
    const double cap = pair.b && dataOf(*pair.b).field ? dataOf(*pair.b).field->model().largestCapHeight() : 0.0;
    const Vector3 around = Vector3::Constant(std::max(near, far) + largestCapHeight(pair) + cap);
    btVector3 lower, upper;
    if (isFirst)
        placed.shape.getAabb(placed.transform, lower, upper);
    else
        pair.a.getCollisionShape()->getAabb(pair.a.getWorldTransform(), lower, upper);
    const btPliantBody& character = isFirst ? pair.a : *pair.b;
    return !dataOf(character).deformed->mayMeet({toEigen(lower) - around, toEigen(upper) + around});
}

void forgetContacts(ContactPair& pair) {
    static const SkeletonContacts none;
    pair.contacts.clear();
    pair.history.remember(*dataOf(pair.a).deformed, none);
    pair.surfaceSides.clear();
    if (pair.touch) pair.touch->clearPatch();
}

void findContacts(ContactPair& pair, const PlacedShape& placed, double step, double margin) {
    // Hundreds of contacts are found before clustering and dropped again: their memory belongs to the thread, not to
    // every pair.
    static thread_local SkeletonContacts found;
    found.clear();
    NearbyTriangles::ofThread().shape = nullptr;
    if (pair.touch && margin < 0) {
        pair.surfaceSides.clear();
        findTouch(pair, placed, step);
        return;
    }
    const Search search = searchOf(pair, placed.shape, step, margin);
    if (pair.b && search.fast) {
        pair.candidates.noteMotion(*dataOf(pair.a).deformed, *dataOf(*pair.b).deformed);
        pair.cache.reach = -1;
    }
    if (touchesSurface(pair) && pair.b)
        findOfSurfaces(pair, placed, step, search, found);
    else if (touchesSurface(pair))
        findOfSurfaceWithShape(pair, placed, step, search, found);
    else if (pair.b)
        findOfSkeletons(pair, placed, step, search, margin < 0, found);
    else
        findWithShape(pair, placed, step, search, found);
}

Requirement requirementOf(const ContactPair& pair, double step) {
    const PlacedShape placed{*pair.other->getCollisionShape(), pair.other->getWorldTransform()};
    if (pair.touch) return Requirement::Spheres;
    if (isFast(pair, step)) return passesBy(pair, placed, step) ? Requirement::Few : Requirement::Prediction;
    return pair.collider.requirement ? pair.collider.requirement(pair, placed, step) : Requirement::BoundingVolumes;
}

void markRequirements(const ContactPair& pair) {
    if (pair.touch || (touchesSurface(pair) && mayTouchSurface(pair)))
        for (btPliantBody* body : {&pair.a, pair.b})
            if (body && dataOf(*body).field) dataOf(*body).needsField = true;
    if (pair.required == Requirement::Few) return;
    const int ends = 2 * static_cast<int>(pair.candidates.near().size());
    for (btPliantBody* body : {&pair.a, pair.b}) {
        if (!body) continue;
        BodyData& data = dataOf(*body);
        switch (pair.required) {
            case Requirement::Few:
                break;
            case Requirement::Listed:
                data.neededSpheres += ends;
                break;
            case Requirement::Spheres:
                data.neededSpheres = kAllSpheres;
                break;
            case Requirement::BoundingVolumes:
                data.needsBoundingVolumes = true;
                break;
            case Requirement::Prediction:
                data.needsPrediction = true;
                data.deformed->prepareForPrediction();
                break;
        }
    }
}

void refit(ContactPair& pair, const PlacedShape& placed, double step) {
    for (btPliantBody* body : {&pair.a, pair.b})
        if (body) updateCollision(dataOf(*body));
    const bool predicts = !pair.touch && isFast(pair, step) && !passesBy(pair, placed, step);
    for (btPliantBody* body : {&pair.a, pair.b}) {
        if (!body) continue;
        dataOf(*body).deformed->refit();
        if (dataOf(*body).field) {
            const pliant::DeformedField::NewState state = fieldState(dataOf(*body));
            pliant::DeformedField::updateTogether(&state, 1);
        }
        if (predicts) predictMotion(dataOf(*body), step);
    }
}

}  // namespace btPliantInternal
