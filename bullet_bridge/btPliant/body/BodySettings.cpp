// SPDX-License-Identifier: Zlib
#include "btPliant/body/Batches.h"

using btPliantInternal::groupFor;
using btPliantInternal::moveToGroup;

namespace {

void changeSettings(btPliantBody::Data& data, const pliant::BatchSettings& settings) {
    moveToGroup(data, groupFor(data.system->data(), data.group->model, settings));
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
