// SPDX-License-Identifier: Zlib
#include "draw/MaterialKeys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "draw/WindowText.h"
#include "pliant/math/Error.h"
#include "world/BodyNames.h"

namespace pliant::program {
namespace {

using Event = osgGA::GUIEventAdapter;

constexpr double kKeyFactor = 1.25;             ///< of one key
constexpr double kLeast = 0.01, kMost = 100.0;  ///< of the factors
constexpr int kSliderLength = 21;               ///< characters

/// A text as a slider: its knob stands where the logarithm of the factor is.
std::string slider(double factor) {
    std::string text(kSliderLength, '-');
    const double share = std::log(factor / kLeast) / std::log(kMost / kLeast);
    text[static_cast<std::size_t>(std::lround(share * (kSliderLength - 1)))] = 'O';
    return fmt::format("[{}] x {:.3g}", text, factor);
}

}  // namespace

MaterialKeys::MaterialKeys(const SceneWorld& world, WithWorld withWorld)
    : m_withWorld(std::move(withWorld)), m_text(new osgText::Text) {
    m_line = makeWindowText(m_text, TextPlace::Top);
    for (const SceneWorld::Deformable& d : world.deformables()) {
        if (!m_groups.empty() && m_groups.back().number == d.m_group) continue;
        const ReducedModel& model = d.m_body->getModel();
        if (model.materialGroups.empty()) continue;
        Group group;
        group.number = d.m_group;
        group.name = groupName(world.scene().bodies[static_cast<std::size_t>(d.m_group)]);
        for (const ElasticMaterial& material : model.mesh.materials) group.materials.push_back(material.name);
        group.damping = d.m_body->getSettings().damping;
        group.stiffness.resize(group.materials.size(), 1.0);
        m_groups.push_back(std::move(group));
    }
}

void MaterialKeys::edit(const SceneWorld& world, const Group& group) const {
    std::vector<MaterialEdit> edits;
    for (std::size_t m = 0; m < group.stiffness.size(); ++m) {
        MaterialEdit edit;
        edit.material = static_cast<int>(m);
        edit.stiffnessScale = group.stiffness[m];
        if (group.stiffness[m] != 1.0) edits.push_back(edit);
    }
    DampingSettings damping = group.damping;
    damping.mass *= group.dampingFactor;
    damping.stiffness *= group.dampingFactor;
    damping.strainRate *= group.dampingFactor;
    for (const SceneWorld::Deformable& d : world.deformables()) {
        if (d.m_group != group.number) continue;
        const bool isPresent = btPliantScene::isPresent(*d.m_body);
        const std::string problem = d.m_body->setMaterial(edits);
        if (!problem.empty()) m_problem = problem;
        d.m_body->setDamping(damping);
        if (!isPresent) d.m_body->forceActivationState(DISABLE_SIMULATION);
    }
}

void MaterialKeys::edit(const SceneWorld& world) const {
    for (const Group& group : m_groups) edit(world, group);
}

/// The next material of the group, or the first of the next group.
void MaterialKeys::choose(int step) {
    m_material += static_cast<std::size_t>(step);
    if (m_material < m_groups[m_group].materials.size()) return;
    m_material = 0;
    m_group = (m_group + 1) % m_groups.size();
}

void MaterialKeys::tell(const std::string& problem) {
    const Group& group = m_groups[m_group];
    m_line->setNodeMask(~0u);
    m_text->setText(problem.empty()
                        ? fmt::format("{} / {}\nstiffness {}\ndamping   {}", group.name, group.materials[m_material],
                                      slider(group.stiffness[m_material]), slider(group.dampingFactor))
                        : problem);
}

bool MaterialKeys::handle(const Event& event, osgGA::GUIActionAdapter&) {
    if (event.getHandled() || event.getEventType() != Event::KEYDOWN || m_groups.empty()) return false;
    Group& group = m_groups[m_group];
    double& stiffness = group.stiffness[m_material];
    bool edits = true;
    switch (event.getKey()) {
        case 'k':
            choose(m_line->getNodeMask() == 0 ? 0 : 1);
            edits = false;
            break;
        case '+':
            stiffness = std::min(stiffness * kKeyFactor, kMost);
            break;
        case '-':
            stiffness = std::max(stiffness / kKeyFactor, kLeast);
            break;
        case ')':
            group.dampingFactor = std::min(group.dampingFactor * kKeyFactor, kMost);
            break;
        case '(':
            group.dampingFactor = std::max(group.dampingFactor / kKeyFactor, kLeast);
            break;
        case '0':
            for (double& factor : group.stiffness) factor = 1.0;
            group.dampingFactor = 1.0;
            break;
        default:
            return false;
    }
    m_problem.clear();
    if (edits) m_withWorld([&](const SceneWorld& world) { edit(world, group); });
    tell(m_problem);
    return true;
}

void MaterialKeys::getUsage(osg::ApplicationUsage& usage) const {
    usage.addKeyboardMouseBinding("k", "Next material");
    usage.addKeyboardMouseBinding("+ -", "Stiffness of the material");
    usage.addKeyboardMouseBinding(") (", "Damping of its bodies");
    usage.addKeyboardMouseBinding("0", "Materials as they were");
}

}  // namespace pliant::program
