// SPDX-License-Identifier: Zlib
#include "world/TimeWarnings.h"

#include <fmt/format.h>

namespace pliant::program {

std::vector<std::string> timeWarnings(const scene::SceneDescription& scene, double end) {
    std::vector<std::string> warnings;
    const double latest = end + 0.5 * scene.time.step();
    const auto ask = [&](double time, const std::string& where, const char* what, const char* instead) {
        if (time > latest)
            warnings.push_back(
                fmt::format("{}: {} {:.6g} s is behind the end at {:.6g} s and {}; let the run last "
                            "longer, or name an earlier time",
                            where, what, time, end, instead));
    };
    for (const scene::Event& event : scene.timeline.events) {
        if (event.at) ask(*event.at, event.where, "the event at", "never happens");
        if (event.every) ask(event.from, event.where, "the event from", "never happens");
    }
    for (const scene::Shot& shot : scene.shots) ask(shot.from, shot.where, "the shot from", "is not shown");
    for (const scene::OutputFile& file : scene.outputs)
        if (file.kind == scene::OutputKind::Picture) ask(file.at, file.where, "the picture at", "shows the last frame");
    return warnings;
}

}  // namespace pliant::program
