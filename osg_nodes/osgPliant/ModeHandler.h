// SPDX-License-Identifier: Zlib
/// @file
/// Plays the elastic shapes of a body.
#pragma once

#include <osg/observer_ptr>
#include <osgGA/GUIEventHandler>
#include <vector>

#include "osgPliant/BodyGroup.h"
#include "pliant/math/Api.h"

namespace osgPliant {

/// How a ModeHandler begins.
struct ModeOptions {
    int shape = 1;            ///< The first shape to play, from 1 on, softest first.
    double amplitude = 0.08;  ///< Largest displacement in sizes of the body.
};

/// Plays the elastic shapes of a body (the eigenvectors of its rest stiffness), softest first, three seconds each, all
/// at the same pace. Keys: ']' next and '[' back, which stay where they are; '}' wider and '{' less wide; 'k' all side
/// by side, and one again. What is played is told through OpenSceneGraph's notifications, with its frequency.
///
/// An event callback of the group, or an event handler of a viewer. All bodies of the group are its own: side by side
/// there is one a shape, up to 16 of them.
class PLIANT_API ModeHandler : public osgGA::GUIEventHandler {
public:
    /// Plays the first body of a group, which it observes.
    explicit ModeHandler(BodyGroup* group, const ModeOptions& options = {});

    /// The shape that is played, from 1 on; side by side, the one that was.
    int getShape() const { return _shape + 1; }
    /// Largest displacement in sizes of the body.
    double getAmplitude() const { return _amplitude; }
    /// Whether all shapes are side by side.
    bool isSideBySide() const { return _sideBySide; }
    /// OpenSceneGraph's callback for events.
    bool handle(const osgGA::GUIEventAdapter& event, osgGA::GUIActionAdapter& action, osg::Object* object,
                osg::NodeVisitor* visitor) override;
    /// OpenSceneGraph's callback that lists the keys for the help handler.
    void getUsage(osg::ApplicationUsage& usage) const override;

protected:
    ~ModeHandler() override = default;

private:
    bool press(BodyGroup& group, int key);
    void choose(const BodyGroup& group, int shape);
    void showSideBySide(BodyGroup& group, bool on);
    void play(BodyGroup& group, double now);
    std::vector<double> coordinatesOf(const BodyGroup& group, int shape) const;
    void tell(const BodyGroup& group) const;

    osg::observer_ptr<BodyGroup> _group;
    osg::Matrixd _place;  ///< of the first body
    double _amplitude;
    int _shape = 0;  ///< from 0 on
    bool _stays = false, _sideBySide = false;
    double _since = -1.0;  ///< simulation time at which the shape began, s
};

}  // namespace osgPliant
