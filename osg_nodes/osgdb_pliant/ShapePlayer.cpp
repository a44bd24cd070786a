// SPDX-License-Identifier: Zlib
#include "osgdb_pliant/ShapePlayer.h"

#include <algorithm>
#include <cmath>
#include <osg/Notify>
#include <sstream>

namespace osgPliant {

namespace {

constexpr double secondsEach = 3.0, period = 1.5;

/// The largest displacement of the drawn surface, m.
double reachOf(const Deformation& deformation, const pliant::VectorX& q) {
    const pliant::PointsF moved = deformation.getPositions(q.data());
    return (moved.cast<double>() - deformation.getRestPositions()).colwise().norm().maxCoeff();
}

}  // namespace

ShapeOptions::ShapeOptions(const std::string& text) {
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (word == "still") play = false;
        std::istringstream value(word.substr(std::min(word.find('=') + 1, word.size())));
        if (word.rfind("shape=", 0) == 0) value >> shape;
        if (word.rfind("amplitude=", 0) == 0) value >> amplitude;
    }
}

ShapePlayer::ShapePlayer(const BodyGroup& body, const ShapeOptions& options)
    : _body(const_cast<BodyGroup*>(&body)), _amplitude(options.amplitude) {
    choose(options.shape - 1);
}

void ShapePlayer::choose(int shape) {
    const pliant::ReducedModel& model = *_body->getModel();
    const int count = std::max(1, static_cast<int>(model.restEigenvectors.cols()));
    _shape = ((shape % count) + count) % count;
    _since = -1.0;
    _q = model.restEigenvectors.cols() > 0 ? pliant::VectorX(model.restEigenvectors.col(_shape))
                                           : pliant::VectorX(pliant::VectorX::Unit(model.dimension(), 0));
    const pliant::Points& rest = _body->getDeformation()->getRestPositions();
    const double size = (rest.rowwise().maxCoeff() - rest.rowwise().minCoeff()).norm();
    const double reach = reachOf(*_body->getDeformation(), _q);
    if (reach > 0.0) _q *= _amplitude * size / reach;
    tell();
}

void ShapePlayer::tell() const {
    const pliant::VectorX& squared = _body->getModel()->restEigenvalues;
    OSG_NOTICE << "shape " << _shape + 1;
    if (_shape < squared.size())
        OSG_NOTICE << ", " << std::sqrt(std::max(squared[_shape], 0.0)) / (2.0 * M_PI) << " Hz";
    OSG_NOTICE << std::endl;
}

bool ShapePlayer::handle(const osgGA::GUIEventAdapter& event, osgGA::GUIActionAdapter&, osg::Object*,
                         osg::NodeVisitor* visitor) {
    osg::ref_ptr<BodyGroup> body;
    if (!_body.lock(body)) return false;
    if (event.getEventType() == osgGA::GUIEventAdapter::KEYDOWN) {
        if (event.getKey() == ']' || event.getKey() == '[') choose(_shape + (event.getKey() == ']' ? 1 : -1));
        if (event.getKey() == 'k') _holds = !_holds;
        return event.getKey() == ']' || event.getKey() == '[' || event.getKey() == 'k';
    }
    if (event.getEventType() != osgGA::GUIEventAdapter::FRAME || !visitor || !visitor->getFrameStamp()) return false;
    const double now = visitor->getFrameStamp()->getSimulationTime();
    if (_since >= 0.0 && now - _since > secondsEach && !_holds) choose(_shape + 1);
    if (_since < 0.0) _since = now;
    const pliant::VectorX q = std::sin(2.0 * M_PI * (now - _since) / period) * _q;
    body->setBody(0, body->getWorldFromBody(0), q.data());
    return false;
}

void ShapePlayer::getUsage(osg::ApplicationUsage& usage) const {
    usage.addKeyboardMouseBinding("]", "Next elastic shape");
    usage.addKeyboardMouseBinding("[", "Previous elastic shape");
    usage.addKeyboardMouseBinding("k", "Keep the shape, or go on to the next ones");
}

}  // namespace osgPliant
