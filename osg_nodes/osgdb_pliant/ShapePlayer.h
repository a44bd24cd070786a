// SPDX-License-Identifier: Zlib
#pragma once

#include <osgGA/GUIEventHandler>
#include <string>
#include <vector>

#include "osgPliant/BodyGroup.h"

namespace osgPliant {

/// What the option string of the plugin says.
struct ShapeOptions {
    explicit ShapeOptions(const std::string& text);
    bool play = true;
    int shape = 1;            ///< from 1 on
    double amplitude = 0.08;  ///< largest displacement in sizes of the body
};

/// Plays the elastic shapes of a body (the eigenvectors of its rest stiffness), softest first, three seconds each, all
/// at the same pace: ']' next, '[' back, 'k' holds the shape that is shown. A callback for events of a BodyGroup.
class ShapePlayer : public osgGA::GUIEventHandler {
public:
    ShapePlayer(const BodyGroup& body, const ShapeOptions& options);
    bool handle(const osgGA::GUIEventAdapter& event, osgGA::GUIActionAdapter& action, osg::Object* object,
                osg::NodeVisitor* visitor) override;
    void getUsage(osg::ApplicationUsage& usage) const override;

private:
    void choose(int shape);
    void tell() const;

    osg::observer_ptr<BodyGroup> _body;
    pliant::VectorX _q;  ///< of the shape at its full amplitude
    double _amplitude;
    int _shape = 0;  ///< from 0 on
    bool _holds = false;
    double _since = -1.0;  ///< simulation time at which the shape began, s
};

}  // namespace osgPliant
