// SPDX-License-Identifier: Zlib
#include "pliant/basis/BasisOptions.h"

#include <iomanip>
#include <limits>
#include <sstream>

namespace pliant {
namespace {

std::ostringstream exactText() {
    std::ostringstream text;
    text << std::setprecision(std::numeric_limits<double>::max_digits10);
    return text;
}

void describe(std::ostringstream& text, const PointForce& f) {
    text << f.vertex;
    for (int i = 0; i < 3; ++i) text << ' ' << f.position[i];
    for (int i = 0; i < 3; ++i) text << ' ' << f.force[i];
    text << ',';
}

}  // namespace

std::string describeSketch(const std::vector<PointForce>& sketch, const SketchOptions& options) {
    std::ostringstream text = exactText();
    text << options.separation << ' ' << options.loadSteps << ',';
    for (const PointForce& f : sketch) describe(text, f);
    return text.str();
}

std::string describeSnapshots(const SnapshotRun& run) {
    std::ostringstream text = exactText();
    text << run.duration << ' ' << run.timeStep << ' ' << run.count << ' ' << run.massDamping << ' '
         << run.stiffnessDamping << ',';
    for (const TimedForce& f : run.forces) {
        text << f.start << ' ' << f.duration << ' ';
        describe(text, f.force);
    }
    return text.str();
}

}  // namespace pliant
