// SPDX-License-Identifier: Zlib
/// @file
/// What users of an OpenSceneGraph viewer expect on their keyboard.
#pragma once

#include <osgViewer/Viewer>
#include <string>

#include "osgPliant/Handlers.h"
#include "pliant/math/Api.h"

namespace osgPliant {

/// Adds handlers for statistics (s), help (h), full screen (f), wireframe and lights (w, l, t, b), screen shot (c),
/// record the camera's path (z), multisampled windows (unless OSG_MULTI_SAMPLES says otherwise), and a
/// KeySwitchMatrixManipulator: trackball (1), flight (2), drive (3), terrain (4). Space: home.
PLIANT_API void setUpViewer(osgViewer::Viewer& viewer);

/// Whether a window can be opened (DISPLAY is set and answers).
/// @param problem receives why not; may be null
PLIANT_API bool hasDisplay(std::string* problem = nullptr);

/// Opens the viewer's windows. Viewer::run() itself returns 0 without having shown anything.
/// @return empty, or one sentence that tells what went wrong
PLIANT_API std::string realizeViewer(osgViewer::Viewer& viewer);

}  // namespace osgPliant
