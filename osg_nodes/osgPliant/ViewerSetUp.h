// SPDX-License-Identifier: Zlib
/// @file
/// What users of an OpenSceneGraph viewer expect on their keyboard.
#pragma once

#include <osgViewer/Viewer>
#include <osgViewer/ViewerEventHandlers>
#include <string>

#include "osgPliant/Handlers.h"
#include "pliant/math/Api.h"

namespace osgPliant {

/// Adds handlers for statistics (s; with the rows of addBodyRows()), help (h), full screen (f), wireframe and lights
/// (w, l, t, b), screen shot (c), record the camera's path (z), multisampled windows (unless OSG_MULTI_SAMPLES says
/// otherwise), and a KeySwitchMatrixManipulator: trackball (1), flight (2), drive (3), terrain (4). Space: home.
/// Viewer::frame() then makes no more frames a second than ViewerBase::setRunMaxFrameRate() or the environment variable
/// OSG_RUN_MAX_FRAME_RATE allow, as Viewer::run() does.
PLIANT_API void setUpViewer(osgViewer::Viewer& viewer);

/// Adds rows to the statistics that a handler shows (s, s): how many bodies of BodyGroups the viewer's cameras have
/// drawn in a frame and how many they have culled, as sums over the cameras, those of shadow maps and textures left
/// out, and how long the groups' update traversals took. A group that is out of view as a whole is not counted. Before
/// the handler shows anything. From then on osg::Viewer::getViewerStats() has the attributes "Bodies drawn", "Bodies
/// culled" and "Bodies update time taken" (s).
/// @param handler the viewer's own, or one of a view of a CompositeViewer
/// @param viewer  whose cameras are counted
PLIANT_API void addBodyRows(osgViewer::StatsHandler& handler, osgViewer::ViewerBase& viewer);

/// Whether a window can be opened (DISPLAY is set and answers).
/// @param problem receives why not; may be null
PLIANT_API bool hasDisplay(std::string* problem = nullptr);

/// Opens the viewer's windows. Viewer::run() itself returns 0 without having shown anything.
/// @return empty, or one sentence that tells what went wrong
PLIANT_API std::string realizeViewer(osgViewer::Viewer& viewer);

}  // namespace osgPliant
