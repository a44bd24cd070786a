// SPDX-License-Identifier: Zlib
#include "osgPliant/ModeHandler.h"

#include <algorithm>
#include <cmath>
#include <osg/Notify>
#include <osg/View>

#include "osgPliant/Conversions.h"

namespace osgPliant {

namespace {

using Event = osgGA::GUIEventAdapter;

constexpr double secondsEach = 3.0, period = 1.5;
constexpr double wider = 1.25, widest = 1.0, least = 1e-3;
constexpr int mostSideBySide = 16, columns = 4;
constexpr double gap = 1.1;  // of what the body takes at its largest displacement

int shapeCount(const BodyGroup& group) {
    const pliant::ReducedModel* model = group.getModel();
    return model ? std::max(1, static_cast<int>(model->restEigenvectors.cols())) : 1;
}

osg::Vec3d sizeOf(const BodyGroup& group) {
    const pliant::Points& rest = group.getDeformation()->getRestPositions();
    return toOsg((rest.rowwise().maxCoeff() - rest.rowwise().minCoeff()).eval());
}

}  // namespace

ModeHandler::ModeHandler(BodyGroup* group, const ModeOptions& options)
    : _group(group), _place(group->getWorldFromBody(0)), _amplitude(std::clamp(options.amplitude, least, widest)) {
    if (group->getDeformation()) choose(*group, options.shape - 1);
}

void ModeHandler::choose(const BodyGroup& group, int shape) {
    const int count = shapeCount(group);
    _shape = ((shape % count) + count) % count;
    _since = -1.0;
    tell(group);
}

void ModeHandler::tell(const BodyGroup& group) const {
    const pliant::VectorX& squared = group.getModel()->restEigenvalues;
    OSG_NOTICE << "shape " << _shape + 1;
    if (_shape < squared.size())
        OSG_NOTICE << ", " << std::sqrt(std::max(squared[_shape], 0.0)) / (2.0 * M_PI) << " Hz";
    OSG_NOTICE << std::endl;
}

/// q of a shape at its full amplitude.
std::vector<double> ModeHandler::coordinatesOf(const BodyGroup& group, int shape) const {
    const pliant::ReducedModel& model = *group.getModel();
    pliant::VectorX q = pliant::VectorX::Zero(model.dimension());
    if (shape < model.restEigenvectors.cols())
        q = model.restEigenvectors.col(shape);
    else if (q.size() > 0)
        q[0] = 1.0;
    const Deformation& deformation = *group.getDeformation();
    const pliant::Points moved = deformation.getPositions(q.data()).cast<double>() - deformation.getRestPositions();
    const double reach = moved.cols() > 0 ? moved.colwise().norm().maxCoeff() : 0.0;
    if (reach > 0.0) q *= _amplitude * sizeOf(group).length() / reach;
    return {q.data(), q.data() + q.size()};
}

/// In rows of four, along the x and the z axis of the group.
void ModeHandler::showSideBySide(BodyGroup& group, bool on) {
    _sideBySide = on;
    _since = -1.0;
    group.setBodyCount(on ? std::min(shapeCount(group), mostSideBySide) : 1);
}

bool ModeHandler::press(BodyGroup& group, int key) {
    switch (key) {
        case ']':
        case '[':
            _stays = true;
            choose(group, _shape + (key == ']' ? 1 : -1));
            return true;
        case '}':
        case '{':
            _amplitude = std::clamp(_amplitude * (key == '}' ? wider : 1.0 / wider), least, widest);
            return true;
        case 'k':
            showSideBySide(group, !_sideBySide);
            return true;
        default:
            return false;
    }
}

void ModeHandler::play(BodyGroup& group, double now) {
    if (_since >= 0.0 && now - _since > secondsEach && !_stays && !_sideBySide) choose(group, _shape + 1);
    if (_since < 0.0) _since = now;
    const double share = std::sin(2.0 * M_PI * (now - _since) / period);
    const double reach = 2.0 * _amplitude * sizeOf(group).length();
    const osg::Vec3d step = (sizeOf(group) + osg::Vec3d(reach, reach, reach)) * gap;
    for (int body = 0; body < group.getBodyCount(); ++body) {
        std::vector<double> q = coordinatesOf(group, _sideBySide ? body : _shape);
        for (double& value : q) value *= share;
        const osg::Matrixd aside =
            osg::Matrixd::translate(step.x() * (body % columns), 0.0, -step.z() * (body / columns));
        group.setBody(body, _place * aside, q.data());
    }
}

bool ModeHandler::handle(const Event& event, osgGA::GUIActionAdapter& action, osg::Object*, osg::NodeVisitor* visitor) {
    osg::ref_ptr<BodyGroup> group;
    if (event.getHandled() || !_group.lock(group) || !group->getDeformation()) return false;
    if (event.getEventType() == Event::KEYDOWN) return press(*group, event.getKey());
    if (event.getEventType() != Event::FRAME) return false;
    const osg::FrameStamp* stamp = visitor ? visitor->getFrameStamp() : nullptr;
    if (!stamp && action.asView()) stamp = action.asView()->getFrameStamp();
    if (stamp) play(*group, stamp->getSimulationTime());
    return false;
}

void ModeHandler::getUsage(osg::ApplicationUsage& usage) const {
    usage.addKeyboardMouseBinding("]", "Next elastic shape");
    usage.addKeyboardMouseBinding("[", "Previous elastic shape");
    usage.addKeyboardMouseBinding("}", "Wider");
    usage.addKeyboardMouseBinding("{", "Less wide");
    usage.addKeyboardMouseBinding("k", "All elastic shapes side by side, or one");
}

}  // namespace osgPliant
