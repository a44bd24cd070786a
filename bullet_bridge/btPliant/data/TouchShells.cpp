// SPDX-License-Identifier: Zlib
#include "btPliant/data/TouchShells.h"

#include <cmath>
#include <string>

#include "btPliant/data/BodyData.h"
#include "pliant/math/Error.h"
#include "pliant/touch/SampleShell.h"

namespace btPliantInternal {

void checkTouchNumbers(const char* where, const btPliantTouchSettings& settings) {
    if (!(settings.m_stiffness > 0) || !std::isfinite(settings.m_stiffness))
        throw pliant::Error(where, "the stiffness is not a positive number", "give it in Pa/m");
    if (!(settings.m_maxDepth > 0) || !std::isfinite(settings.m_maxDepth))
        throw pliant::Error(where, "the largest depth is not a positive number", "give it in metres");
    if (!(settings.m_damping >= 0) || !std::isfinite(settings.m_damping))
        throw pliant::Error(where, "the damping is negative or not finite", "give it in seconds");
    if (!std::isfinite(settings.m_friction))
        throw pliant::Error(where, "the friction is not finite", "negative: that of both objects");
    if (settings.m_points < 1 || settings.m_points > pliant::kMostShellPoints)
        throw pliant::Error(where, std::to_string(settings.m_points) + " points are asked for",
                            "ask for 1 to " + std::to_string(pliant::kMostShellPoints));
    if (!(settings.m_budgetMicroseconds >= 0) || !std::isfinite(settings.m_budgetMicroseconds))
        throw pliant::Error(where, "the budget is negative or not finite", "0: any time");
}

namespace {

pliant::ShellSamples samplesOf(const pliant::DenseShell& shell) {
    return {shell.positions.cast<double>(), shell.areas.cast<double>()};
}

}  // namespace

void checkTouch(const char* where, const btPliantBody& body, const btPliantTouchSettings& settings) {
    checkTouchNumbers(where, settings);
    const BodyData& data = dataOf(body);
    if (data.character)
        throw pliant::Error(where, "characters do not touch by distributed contact",
                            "leave out the request: their flesh touches by its points and field");
    if (!data.field)
        throw pliant::Error(where, "the body of model \"" + data.originalModel->name + "\" is no solid",
                            "reduce its surface with --solid");
}

std::shared_ptr<const pliant::DistributedShell> shellFor(const std::vector<TouchRequest>& requests,
                                                         const btPliantBody& body,
                                                         const btPliantTouchSettings& settings) {
    const std::shared_ptr<const pliant::ReducedModel>& model = dataOf(body).originalModel;
    for (const TouchRequest& request : requests)
        if (dataOf(*request.body).originalModel == model &&
            (model->contactSurface.touch.count() > 0 ||
             (request.settings.m_points == settings.m_points && request.settings.m_levels == settings.m_levels)))
            return request.shell;
    const pliant::ContactSurface& surface = model->contactSurface;
    if (surface.touch.count() > 0)
        return std::make_shared<pliant::DistributedShell>(samplesOf(surface.touch), surface.touch.levels,
                                                          &surface.lattice);
    return std::make_shared<pliant::DistributedShell>(
        pliant::sampleShell(model->surface, model->meshFromBody, settings.m_points, &surface.field), settings.m_levels,
        &surface.lattice);
}

pliant::DistributedLaw lawOf(const btPliantTouchSettings& settings) {
    pliant::DistributedLaw law;
    law.law = settings.m_law == btPliantPressureLaw::Hertz        ? pliant::PressureLaw::Hertz
              : settings.m_law == btPliantPressureLaw::Stiffening ? pliant::PressureLaw::Stiffening
                                                                  : pliant::PressureLaw::Linear;
    law.stiffness = settings.m_stiffness;
    law.maxDepth = settings.m_maxDepth;
    law.damping = settings.m_damping;
    return law;
}

}  // namespace btPliantInternal
