// SPDX-License-Identifier: Zlib
// A character's reduced flesh against the full model of it, while a clip moves the bones of both.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pliant/math/Progress.h"
#include "pliant/model/CharacterModel.h"

namespace pliant::program {

struct CharacterRunOptions {
    std::string clip;          ///< Name of the clip; empty: the first one.
    double seconds = 0.0;      ///< Simulated time of the clip, which repeats, s; 0: once through it.
    int stepsPerSecond = 240;  ///< Steps per second of both models.
};

/// Distances are roots of mean squares over the simulation vertices, m, one for each step.
struct CharacterValidation {
    std::string clip;
    double timeStep = 0.0, damping = 0.0;  ///< Time step and stiffness damping of both models, s.
    double halfWidth = 0.0;                ///< Mean way from bones to the surface, m.
    std::vector<double> skin, reduced, secondary;
    double missed = 0.0;  ///< Share of the full model's secondary motion that reduced flesh misses.
    double fullSeconds = 0.0, reducedSeconds = 0.0;

    /// Root of the mean square over time. @param distances one of the lists above
    static double overall(const std::vector<double>& distances);
};

/// Both start in equilibrium in the clip's first pose and move with it. Secondary motion is what is there beside the
/// equilibrium of each pose.
/// @throws Error for unknown clips, and where the full model finds no equilibrium; Cancelled
CharacterValidation validateCharacter(const std::shared_ptr<const CharacterModel>& character,
                                      const CharacterRunOptions& options, const ProgressCallback& progress);

/// Self-contained page.
std::string toHtml(const CharacterModel& character, const CharacterValidation& validation);

}  // namespace pliant::program
