// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include "validate/CharacterValidation.h"
#include "validate/SvgPlot.h"

namespace pliant::program {
namespace {

PlotLine line(const std::string& name, const char* colour, const std::vector<double>& distances, double timeStep) {
    PlotLine line{name, colour, {}, {}, false};
    for (std::size_t i = 0; i < distances.size(); ++i) {
        line.x.push_back(static_cast<double>(i + 1) * timeStep);
        line.y.push_back(1e3 * distances[i]);
    }
    return line;
}

std::string row(const char* name, const std::vector<double>& distances, double halfWidth) {
    const double d = CharacterValidation::overall(distances);
    return fmt::format("<tr><td>{}</td><td>{:.3g}</td><td>{:.2f} %</td></tr>\n", name, 1e3 * d, 100.0 * d / halfWidth);
}

}  // namespace

std::string toHtml(const CharacterModel& character, const CharacterValidation& v) {
    const ReducedModel& flesh = *character.flesh;
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>{0}: full against reduced</title>"
        "<style>{1}</style></head><body>\n<h1>{0}: full against reduced flesh</h1>\n",
        escaped(flesh.name), pageStyle);
    html += fmt::format(
        "<p>{} vertices and {} elements against r = {}; {} bones; clip \"{}\", steps of {:.3g} ms, stiffness damping "
        "{:.3g} s on the current stiffness, no gravity. Full model: St. Venant and Kirchhoff's law, {:.2f} s; reduced "
        "flesh: {}, {:.4f} s. Both by implicit Newmark with Newton's method to convergence; the damping of reduced "
        "flesh acts on what it adds to the skin alone.<br>Made by {} from {} ({}).</p>\n",
        flesh.simulationVertexCount(), flesh.mesh.elementCount(), flesh.dimension(), character.skeleton.boneCount(),
        escaped(v.clip), 1e3 * v.timeStep, v.damping, v.fullSeconds,
        character.linear ? "linear elasticity" : "St. Venant and Kirchhoff's law", v.reducedSeconds,
        escaped(flesh.provenance.generator), escaped(flesh.provenance.inputName), escaped(flesh.provenance.options));
    html += "<table><tr><th>distance to the full model</th><th>mm</th><th>of the half width</th></tr>\n";
    html += row("skin alone", v.skin, v.halfWidth) + row("reduced flesh", v.reduced, v.halfWidth);
    html += row("(secondary motion of the full model)", v.secondary, v.halfWidth) + "</table>\n";
    html += fmt::format("<p>Reduced flesh misses {:.3g} of the secondary motion.</p>\n", v.missed);
    Plot plot{"Distance to the full model", "time, s", "mm", {}, 760, 320};
    plot.lines = {line("skin alone", "#c77", v.skin, v.timeStep), line("reduced", "#27b", v.reduced, v.timeStep),
                  line("secondary motion", "#999", v.secondary, v.timeStep)};
    html += toSvg(plot);
    return html +
           "<p>Distances are roots of mean squares over the simulation vertices. Secondary motion is what is there "
           "beside the equilibrium of each pose, of either model by its own law.</p>\n</body></html>\n";
}

}  // namespace pliant::program
