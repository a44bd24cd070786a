// SPDX-License-Identifier: Zlib
#include "pliant/reduce/DenseLayers.h"

#include "pliant/field/MakeDistanceField.h"
#include "pliant/math/Error.h"
#include "pliant/touch/SampleShell.h"

namespace pliant {
namespace {

const char* const kWhere = "dense layers";
/// Of points and bricks beside the surface: contact looks no farther.
constexpr double kOutsideBand = 3.0, kInsideBand = 8.0;

void check(const ReducedModel& model, const DenseLayerOptions& options) {
    if (!model.contactSurface.exists())
        throw Error(kWhere, "the body of model \"" + model.name + "\" is no solid", "reduce its surface with --solid");
    const auto within = [](int value, int least, int most) { return value >= least && value <= most; };
    if (!within(options.points, 1, 4000000))
        throw Error(kWhere, std::to_string(options.points) + " points are asked for", "ask for 1 to 4000000");
    if (!within(options.levels, 1, DistributedShell::kMostLevels))
        throw Error(kWhere, std::to_string(options.levels) + " levels are asked for", "ask for 1 to 8");
    if (options.field != 0 && !within(options.field, 16, 1024))
        throw Error(kWhere, "a field of " + std::to_string(options.field) + " spacings is asked for",
                    "ask for 16 to 1024, or 0 to keep the model's");
}

SurfaceMesh inMeshFrame(const ReducedModel& model) {
    SurfaceMesh surface = model.surface;
    for (auto point : surface.positions.colwise()) point = model.meshFromBody.point(point);
    return surface;
}

}  // namespace

std::shared_ptr<ReducedModel> withDenseLayers(const ReducedModel& model, const DenseLayerOptions& options,
                                              std::vector<std::string>* notes) {
    check(model, options);
    auto made = std::make_shared<ReducedModel>(model);
    ContactSurface& contact = made->contactSurface;
    if (options.field > 0) {
        DistanceFieldOptions field;
        field.resolution = options.field;
        field.outsideBand = kOutsideBand;
        field.insideBand = kInsideBand;
        field.memory = std::size_t(256) << 20;
        contact.field = makeDistanceField(inMeshFrame(model), field, notes);
    }
    const ShellSamples samples = sampleShell(model.surface, model.meshFromBody, options.points, &contact.field);
    // Told now, not when somebody loads it: what the levels ask of the points.
    const DistributedShell levels(samples, options.levels, &contact.lattice);
    contact.touch.positions = samples.positions.cast<float>();
    contact.touch.areas = samples.areas.cast<float>();
    contact.touch.levels = levels.levelCount();
    return made;
}

}  // namespace pliant
