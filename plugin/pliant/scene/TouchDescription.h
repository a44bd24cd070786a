// SPDX-License-Identifier: Zlib
/// @file
/// What a scene file says about distributed contact: which pairs touch so, and by which law.
#pragma once

#include <string>
#include <vector>

#include "pliant/scene/TimelineDescription.h"

namespace pliant::scene {

/// How pressure grows with depth (docs/distributed-contact.md).
enum class PressureWord {
    Linear,     ///< stiffness * depth
    Hertz,      ///< stiffness * sqrt(depth)
    Stiffening  ///< linear at first, with a pole
};

/// Pairs with distributed contact.
struct Touch {
    std::string where;                        ///< file:line:column
    std::vector<Reference> of;                ///< solids whose points these are
    std::vector<Reference> with;              ///< what they touch so; none: whatever they touch
    PressureWord law = PressureWord::Linear;  ///< of the pressure
    double stiffness = 1e8;                   ///< Pa/m; hertz: Pa/m^(1/2)
    double maxDepth = 1e-3;                   ///< stiffening, m
    double damping = 0.0;                     ///< s
    double friction = -1.0;                   ///< coefficient of the pair; negative: that of both bodies
    bool isTwoWay = false;                    ///< the points of both sides, each for half of the pressure
    int points = 5000;                        ///< on the surface, about
    int levels = 3;                           ///< of detail
    double budget = 0.0;                      ///< us in a step; 0: any time
};

}  // namespace pliant::scene
