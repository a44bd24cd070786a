// SPDX-License-Identifier: Zlib
#include "btPliant/body/Batches.h"
#include "pliant/math/Error.h"
#include "pliant/runtime/IntegratorTraits.h"

using btPliantInternal::dataOf;
using btPliantInternal::groupFor;
using btPliantInternal::moveToGroup;

namespace {

void changeSettings(btPliantInternal::BodyData& data, const pliant::BatchSettings& settings) {
    if (const std::string problem = pliant::problemOf(settings); !problem.empty()) {
        dataOf(*data.system).say("Settings of a body were not changed: " + problem + ". ");
        return;
    }
    if (data.ragdoll() && !pliant::traitsOf(settings.integrator).joinsLimbs) {
        dataOf(*data.system).say("Limbs and flesh of a ragdoll move by Newmark's steps alone: its integrator stays. ");
        return;
    }
    moveToGroup(data, groupFor(dataOf(*data.system), data.group->model, settings));
    data.body->activate(true);
}

}  // namespace

const pliant::BatchSettings& btPliantBody::getSettings() const {
    return getBatch().settings();
}

void btPliantBody::setDamping(const pliant::DampingSettings& damping) {
    pliant::BatchSettings settings = getSettings();
    settings.damping = damping;
    changeSettings(*m_data, settings);
}

std::string btPliantBody::setMaterial(const std::vector<pliant::MaterialEdit>& edits) {
    if (m_data->character) return "what bones do to the flesh of a character depends on it: make the character again";
    for (const pliant::MaterialEdit& edit : edits)
        if (edit.density) return "another density has other coordinates: reduce the mesh again";
    btPliantInternal::SystemData& system = dataOf(*m_data->system);
    try {
        const std::shared_ptr<const pliant::ReducedModel> model =
            btPliantInternal::editedModel(system, m_data->originalModel, edits);
        if (model == m_data->fullModel) return {};
        const bool isWhole = m_data->group->model == m_data->fullModel;
        btPliantInternal::BatchGroup& target =
            isWhole ? groupFor(system, model, getSettings(), *m_data->group)
                    : groupFor(system, btPliantInternal::truncatedModel(system, model, m_data->model().dimension()),
                               getSettings());
        m_data->fullModel = model;
        moveToGroup(*m_data, target);
    } catch (const pliant::Error& problem) {
        return problem.what();
    }
    activate(true);
    return {};
}

void btPliantBody::setNewmark(const pliant::NewmarkSettings& newmark) {
    pliant::BatchSettings settings = getSettings();
    settings.newmark = newmark;
    changeSettings(*m_data, settings);
}

void btPliantBody::setCoupling(pliant::Coupling coupling) {
    pliant::BatchSettings settings = getSettings();
    settings.coupling = coupling;
    changeSettings(*m_data, settings);
}

void btPliantBody::setIntegrator(pliant::Integrator integrator) {
    pliant::BatchSettings settings = getSettings();
    settings.integrator = integrator;
    changeSettings(*m_data, settings);
}
