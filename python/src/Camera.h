// SPDX-License-Identifier: Zlib
// Where pictures are taken from, and what becomes of them.
#pragma once

#include <osg/Image>

#include "Arrays.h"
#include "osgPliant/HeadlessViewer.h"

namespace pliant::python {

/// Keywords of picture().
struct PictureArguments {
    py::object path;         ///< None: nothing is written
    int width = 0;           ///< pixels
    int height = 0;          ///< pixels
    py::object eye, target;  ///< None: chosen so that all is seen
    double fieldOfView = 35.0;
};

/// @throws Error where there can be no picture of that size or driver
void expectPicture(const PictureArguments& arguments);
/// @throws Error where the viewer cannot draw
void expectValid(const osgPliant::HeadlessViewer& viewer);
/// Writes the picture where a path is given. @return (height, width, 3) bytes, rows from top to bottom. @throws Error
py::array_t<std::uint8_t> finishPicture(const osg::Image* image, const py::object& path);

}  // namespace pliant::python
