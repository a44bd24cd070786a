// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include "validate/SvgPlot.h"
#include "validate/Validation.h"

namespace pliant::program {
namespace {

std::vector<double> times(const Trajectory& trajectory) {
    std::vector<double> t;
    for (Eigen::Index i = 0; i < trajectory.observed.cols(); ++i)
        t.push_back(1e3 * static_cast<double>(i) * trajectory.timeStep);
    return t;
}

PlotLine displacement(const std::string& name, const char* colour, const Trajectory& trajectory, const Vector3& along) {
    const VectorX y = trajectory.observed.transpose() * along;
    return {name, colour, times(trajectory), std::vector<double>(y.begin(), y.end()), false};
}

PlotLine energy(const std::string& name, const char* colour, const Trajectory& trajectory) {
    const VectorX y = trajectory.strainEnergy + trajectory.kineticEnergy;
    return {name, colour, times(trajectory), std::vector<double>(y.begin(), y.end()), false};
}

std::string trajectories(const Validation& v) {
    Plot moved{"Displacement of the watched vertex, along its direction", "time, ms", "m", {}, 760, 320};
    Plot stored{"Energy", "time, ms", "J", {}, 760, 240};
    const auto add = [&](const std::string& name, const char* colour, const Trajectory& trajectory) {
        moved.lines.push_back(displacement(name, colour, trajectory, v.direction));
        stored.lines.push_back(energy(name, colour, trajectory));
    };
    add("full model", "#222", v.full);
    if (v.linear.problem.empty()) add("linear", "#c77", v.linear.trajectory);
    if (v.whole().problem.empty()) add(v.whole().name, "#27b", v.whole().trajectory);
    return toSvg(moved) + toSvg(stored);
}

std::string locking(const Validation& v) {
    PlotLine amplitude{"amplitude", "#27b", {}, {}, true}, frequency{"frequency", "#c72", {}, {}, true};
    for (const ReducedRun& run : v.runs) {
        if (!run.problem.empty()) continue;
        for (PlotLine* line : {&amplitude, &frequency}) line->x.push_back(run.dimension);
        amplitude.y.push_back(100.0 * run.comparison.amplitudeError);
        frequency.y.push_back(100.0 * run.comparison.frequencyError);
    }
    return toSvg({"Error as r grows: a basis that is too small locks", "r", "%", {amplitude, frequency}, 760, 260});
}

std::string row(const ReducedRun& run) {
    if (!run.problem.empty())
        return fmt::format("<tr><td>{}</td><td colspan='7'>{}</td></tr>\n", run.name, escaped(run.problem));
    const TrajectoryComparison& c = run.comparison;
    return fmt::format(
        "<tr><td>{}</td><td>{:.4g}</td><td>{}</td><td>{:.4g}</td><td>{}</td><td>{:.3f}</td><td>{:.1e}</td>"
        "<td>{:.3f}</td></tr>\n",
        run.name, c.reduced.amplitude, percentText(c.amplitudeError), c.reduced.frequency,
        percentText(c.frequencyError), c.distance, c.reducedEnergyDrift, run.trajectory.seconds);
}

std::string table(const Validation& v) {
    std::string html =
        "<table><tr><th>model</th><th>amplitude, m</th><th>error</th><th>frequency, Hz</th><th>error</th>"
        "<th>distance</th><th>energy drift</th><th>time, s</th></tr>\n";
    const ReducedRun& known = v.whole().problem.empty() ? v.whole() : v.linear;  // both hold what the full model did
    html += fmt::format(
        "<tr><td>full, {} coordinates</td><td>{:.4g}</td><td></td><td>{:.4g}</td><td></td><td></td><td>{:.1e}</td>"
        "<td>{:.2f}</td></tr>\n",
        3 * v.vertices, known.comparison.full.amplitude, known.comparison.full.frequency,
        known.comparison.fullEnergyDrift, v.full.seconds);
    html += row(v.linear);
    for (const ReducedRun& run : v.runs) html += row(run);
    return html + "</table>\n";
}

}  // namespace

std::string toHtml(const ReducedModel& model, const Validation& v) {
    const ImpulseExperiment& e = v.experiment;
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>{0}: full against reduced</title>"
        "<style>{1}</style></head><body>\n<h1>{0}: full against reduced</h1>\n",
        escaped(model.name), pageStyle);
    html += fmt::format(
        "<p>{} vertices and {} elements against r = {}; {}; first frequency {:.4g} Hz.<br>Made by {} from {} "
        "({}).</p>\n",
        v.vertices, v.elements, model.dimension(), model.anchored ? "held at fixed vertices" : "free", v.firstFrequency,
        escaped(model.provenance.generator), escaped(model.provenance.inputName), escaped(model.provenance.options));
    html += fmt::format(
        "<p>The body is pushed {} by {:.4g} N in all for {:.3g} ms, growing and fading as sin<sup>2</sup>; vertex {} "
        "is "
        "watched along ({:.3f}, {:.3f}, {:.3f}); {} steps of {:.3g} ms "
        "(implicit Newmark, Newton's method to convergence); stiffness damping {:.3g} s.</p>\n",
        v.push, v.force, 1e3 * e.forceSteps * e.timeStep, e.observedVertex + 1, v.direction.x(), v.direction.y(),
        v.direction.z(), e.steps, 1e3 * e.timeStep, e.stiffnessDamping);
    html += fmt::format("<p><b>{}</b></p>\n", escaped(verdict(v)));
    html += table(v) + trajectories(v) + locking(v);
    html +=
        "<p>Amplitude and frequency are those of the watched vertex along its direction; distance is the root mean "
        "square of "
        "the difference of the two motions, relative to the full one; energy drift the largest |E - work| / work after "
        "the push (damping included). \"linear\" is modal analysis in the same basis: it has no large rotations and "
        "swells or stiffens; fewer coordinates are the first ones of the basis.</p>\n</body></html>\n";
    return html;
}

}  // namespace pliant::program
