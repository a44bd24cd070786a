// SPDX-License-Identifier: Zlib
#include "pliant/reduce/DenseLayers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pliant/field/MakeDistanceField.h"
#include "pliant/math/Error.h"
#include "pliant/touch/SampleShell.h"

namespace pliant {
namespace {

const char* const kLayersWhere = "dense layers";
/// In spacings, where the model's own field has no wider ones: distributed contact looks no farther.
constexpr double kOutsideBand = 3.0, kInsideBand = 8.0;
static_assert(DenseLayerOptions::kMostLevels == DistributedShell::kMostLevels);
static_assert(DenseLayerOptions::kMostPoints == kMostShellPoints);

void check(const ReducedModel& model, const DenseLayerOptions& options) {
    if (!model.contactSurface.exists())
        throw Error(kLayersWhere, "the body of model \"" + model.name + "\" is no solid",
                    "reduce its surface with --solid");
    const auto within = [](int value, int least, int most) { return value >= least && value <= most; };
    const auto upTo = [](int most) { return "ask for 1 to " + std::to_string(most); };
    if (!within(options.points, 1, options.kMostPoints))
        throw Error(kLayersWhere, std::to_string(options.points) + " points are asked for", upTo(options.kMostPoints));
    if (!within(options.levels, 1, options.kMostLevels))
        throw Error(kLayersWhere, std::to_string(options.levels) + " levels are asked for", upTo(options.kMostLevels));
    if (options.field != 0 && !within(options.field, 16, 1024))
        throw Error(kLayersWhere, "a field of " + std::to_string(options.field) + " spacings is asked for",
                    "ask for 16 to 1024, or 0 to keep the model's");
}

SurfaceMesh inMeshFrame(const ReducedModel& model) {
    SurfaceMesh surface = model.surface;
    for (auto point : surface.positions.colwise()) point = model.meshFromBody.point(point);
    return surface;
}

/// How far from the surface a field has fine samples, m, by the nearest place that has none.
struct BandWidths {
    double outside, inside;

    /// @param widest in spacings: what is wider there are whole bricks, which is chance
    BandWidths(const DistanceField& field, const DistanceFieldOptions& widest)
        : outside(widest.outsideBand * field.spacing), inside(widest.insideBand * field.spacing) {
        const Eigen::Vector3i& n = field.bricks;
        int brick = 0;
        for (int z = 0; z < n[2]; ++z)
            for (int y = 0; y < n[1]; ++y)
                for (int x = 0; x < n[0]; ++x, ++brick)
                    if (field.brickSamples[static_cast<std::size_t>(brick)] < 0) addCoarse(field, {x, y, z});
    }

private:
    void addCoarse(const DistanceField& field, const Eigen::Vector3i& brick) {
        for (int corner = 0; corner < 8; ++corner) {
            const Eigen::Vector3i at = brick + Eigen::Vector3i(corner & 1, corner >> 1 & 1, corner >> 2);
            const int number = at[0] + (field.bricks[0] + 1) * (at[1] + (field.bricks[1] + 1) * at[2]);
            const auto distance = static_cast<double>(field.corners[number]);
            double& band = distance > 0.0 ? outside : inside;
            band = std::min(band, std::abs(distance));
        }
    }
};

/// A finer field takes the place of the model's own. Everyday contact asks it, too, and looks as far as a body goes in
/// a step: it keeps the reach that it had.
void refineField(const ReducedModel& model, int resolution, DistanceField& field, std::vector<std::string>* notes) {
    DistanceFieldOptions widest;  // of a reduction, unless the field may be one of dense layers
    if (model.contactSurface.touch.count() > 0) widest.outsideBand = widest.insideBand = 64.0;
    const BandWidths own(field, widest);
    DistanceFieldOptions options;
    options.resolution = resolution;
    options.outsideBand = kOutsideBand;
    options.insideBand = kInsideBand;
    options.leastOutside = own.outside;
    options.leastInside = own.inside;
    options.memory = std::size_t(256) << 20;
    std::vector<std::string> found;
    DistanceField made = makeDistanceField(inMeshFrame(model), options, &found);
    if (made.spacing < field.spacing)
        field = std::move(made);
    else
        found = {std::string(kLayersWhere) + ": a field of " + std::to_string(resolution) +
                 " spacings along the longest side is no finer than the model's own, which stays"};
    if (notes) notes->insert(notes->end(), found.begin(), found.end());
}

}  // namespace

std::shared_ptr<ReducedModel> withDenseLayers(const ReducedModel& model, const DenseLayerOptions& options,
                                              std::vector<std::string>* notes) {
    check(model, options);
    auto made = std::make_shared<ReducedModel>(model);
    ContactSurface& contact = made->contactSurface;
    if (options.field > 0) refineField(model, options.field, contact.field, notes);
    const ShellSamples samples = sampleShell(model.surface, model.meshFromBody, options.points, &contact.field);
    // Told now, not when somebody loads it: what the levels ask of the points.
    const DistributedShell levels(samples, options.levels, &contact.lattice);
    contact.touch.positions = samples.positions.cast<float>();
    contact.touch.areas = samples.areas.cast<float>();
    contact.touch.levels = levels.levelCount();
    return made;
}

}  // namespace pliant
