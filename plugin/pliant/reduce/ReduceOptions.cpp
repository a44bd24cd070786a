// SPDX-License-Identifier: Zlib
#include "pliant/reduce/ReduceOptions.h"

#include <filesystem>
#include <iomanip>
#include <limits>
#include <sstream>

namespace pliant {
namespace {

const char* name(DerivativeForm form) {
    switch (form) {
        case DerivativeForm::None:
            return "none";
        case DerivativeForm::Static:
            return "static";
        case DerivativeForm::Shifted:
            return "shifted";
        case DerivativeForm::ShiftedMinres:
            return "shifted-minres";
    }
    return "";
}

/// Only what is not default, so that models keep their text as options are added.
void writeBasis(std::ostringstream& text, const ReduceOptions& o) {
    if (o.derivatives != DerivativeForm::Static) text << ";derivatives=" << name(o.derivatives);
    if (o.centrifugal) text << ";centrifugal=1";
    if (!o.sketch.empty()) text << ";sketch=" << describeSketch(o.sketch, o.sketchOptions);
    if (o.snapshots) text << ";snapshots=" << describeSnapshots(*o.snapshots);
    if (o.visibility.any())
        text << ";visibility=" << o.visibility.largestForce << ' ' << o.visibility.smallestMotion << ' '
             << o.visibility.highestFrequency;
    if (o.energyTolerance > 0.0) text << ";tolerance=" << o.energyTolerance;
    if (o.orthogonalisation == Orthogonalisation::GramSchmidt) text << ";orthogonalisation=gram-schmidt";
    if (o.lumpedMass) text << ";lumped=1";
}

/// Without folders: a model says nothing about the machine that made it. What a file held is the input's hash to tell.
std::string nameOf(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

}  // namespace

std::string ReduceOptions::canonical() const {
    std::ostringstream text;
    text << std::setprecision(std::numeric_limits<double>::max_digits10);
    text << "modes=" << modes << ";dimension=" << dimension << ";fixed=" << nameOf(fixedVertices)
         << ";voxels=" << voxels << ";solid=" << (solid ? 1 : 0);
    if (metresPerUnit != 1.0) text << ";unit=" << metresPerUnit;
    if (youngsModulus) text << ";young=" << *youngsModulus;
    if (poissonRatio) text << ";poisson=" << *poissonRatio;
    if (density) text << ";density=" << *density;
    writeBasis(text, *this);
    text << ";surface=" << nameOf(surface);
    return text.str();
}

bool saysLumpedMass(const std::string& canonical) {
    return (canonical + ';').find(";lumped=1;") != std::string::npos;
}

}  // namespace pliant
