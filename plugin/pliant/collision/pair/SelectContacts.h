// SPDX-License-Identifier: Zlib
// Keeps those of the raw contacts of a solid that hold it.
#pragma once

#include <vector>

#include "pliant/collision/pair/SkeletonContact.h"
#include "pliant/math/Api.h"

namespace pliant {

struct SelectOptions {
    double normalCosine = 0.8;  ///< Cosine to the deepest contact's normal below which contacts are another patch.
    /// Contacts of a patch are left out where a kept one is nearer than this share of the size of their island.
    double coverage = 0.4;
    /// Parts of a patch that are farther apart than about this are islands: the feet of a table. Each is held by
    /// contacts of its own. m; 0: a patch is one island.
    double islandGap = 0.0;
    /// Metres of distance to kept contacts that one metre of depth stands for: what is deeper than the kept contacts
    /// around it is kept too, and what is still open counts less.
    double depthWeight = 800.0, gapWeight = 10.0;
    int maximumPerPatch = 24;
    /// Contacts of a patch that are not left out because they are covered.
    int minimumPerPatch = 0;
    /// Contacts that a patch keeps in which one closes (`closing`) and which is tilted rather than bent: the deepest
    /// and three far from it and from each other first, however deep they end the step, then by how the patch is bent,
    /// covered or not. With 0 such a patch is like any other.
    int minimumOfTilted = 0;
    /// Contacts of a patch with a narrow island that are not left out because they are covered.
    int minimumOfNarrow = 0;
    int maximum = 64;  ///< Most contacts of the pair in all; patches that would keep more share them.
};

/// Greedy and deterministic. The deepest contact opens a patch of all with a similar normal; kept are it and, one after
/// the other, the contact that is farthest from those kept so far, until all that are left out are covered: first the
/// corners of the patch's hull, then its inside as finely as the patch is bent. How many are kept follows the shape of
/// the patch: a table has the four corners of each of its feet, for what stands on one point of each rocks on them.
/// An island that is narrower than an eighth of its length, as what a plank lies on, counts as wide as long: one edge
/// would cover the other, and which of the two is held would change from step to step.
/// Contacts that were kept in the last substep (`kept`) count three times, so that the choice is steady: what held a
/// sagging part is no deeper than the rest because it holds it. `contacts` is reduced in place and ends ascending by
/// feature.
PLIANT_INTERNAL_API void selectContacts(std::vector<SkeletonContact>& contacts, const SelectOptions& options = {});

}  // namespace pliant
