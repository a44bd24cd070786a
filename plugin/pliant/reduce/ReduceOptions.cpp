// SPDX-License-Identifier: Zlib
#include "pliant/reduce/ReduceOptions.h"

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <limits>
#include <sstream>

#include "pliant/mesh/ReadSurface.h"
#include "pliant/mesh/SurfaceClosure.h"

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

/// A text with the characters of names taken out that separate options here.
std::string withoutSemicolons(std::string text) {
    for (std::size_t at = text.find(';'); at != std::string::npos; at = text.find(';', at)) text.replace(at, 1, "%3B");
    return text;
}

void writeRegions(std::ostringstream& text, const ReduceOptions& o) {
    for (const BodyRegion& region : o.hold) text << ";hold=" << withoutSemicolons(region.text());
    for (const MaterialRegion& region : o.regions) text << ";region=" << withoutSemicolons(region.text());
}

/// Without folders: a model says nothing about the machine that made it. What a file held is the input's hash to tell.
std::string nameOf(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

}  // namespace

long long ReduceOptions::shapesOfModes() const {
    const long long k = modes;
    switch (derivatives) {
        case DerivativeForm::None:
            return k;
        case DerivativeForm::Static:
            return k + k * (k + 1) / 2;
        case DerivativeForm::Shifted:
        case DerivativeForm::ShiftedMinres:
            break;
    }
    return k + k * k;
}

void ReduceOptions::lowerDefaultDimension() {
    if (hasOtherShapes() || modes < 1) return;
    dimension = static_cast<int>(std::min<long long>(dimension, shapesOfModes()));
}

std::string ReduceOptions::canonical() const {
    std::ostringstream text;
    text << std::setprecision(std::numeric_limits<double>::max_digits10);
    text << "modes=" << modes << ";dimension=" << dimension << ";fixed=" << nameOf(fixedVertices)
         << ";voxels=" << voxels << ";solid=" << (solid ? *solid ? "shares" : "0" : "closed");
    if (thickness > 0.0) text << ";thickness=" << thickness;
    if (offset > 0.0) text << ";offset=" << offset;
    if (up && *up != UpAxis::Z) text << ";up=" << (*up == UpAxis::Y ? 'y' : 'x');
    if (contact != ContactGeometry::Automatic)
        text << ";contact=" << (contact == ContactGeometry::Surface ? "surface" : "segments");
    if (metresPerUnit != 1.0) text << ";unit=" << metresPerUnit;
    if (youngsModulus) text << ";young=" << *youngsModulus;
    if (poissonRatio) text << ";poisson=" << *poissonRatio;
    if (density) text << ";density=" << *density;
    writeRegions(text, *this);
    writeBasis(text, *this);
    if (strainRateDamping) text << ";strain_rate=1";
    if (creaseAngle != ReduceOptions().creaseAngle) text << ";crease=" << creaseAngle;
    if (refine != ReduceOptions().refine) text << ";refine=" << refine;
    text << ";surface=" << nameOf(surface);
    return text.str();
}

ReduceOptions ReduceOptions::decidedFor(const std::string& inputFile) const {
    ReduceOptions decided = *this;
    if (solid) return decided;
    decided.solid = thickness == 0.0 && isSurfaceFile(inputFile) &&
                    (offset > 0.0 || examineClosure(readSurface(inputFile, metresPerUnit).mesh).closed());
    return decided;
}

bool saysLumpedMass(const std::string& canonical) {
    return (canonical + ';').find(";lumped=1;") != std::string::npos;
}

}  // namespace pliant
