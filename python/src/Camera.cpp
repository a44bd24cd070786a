// SPDX-License-Identifier: Zlib
#include "Camera.h"

#include <pybind11/stl/filesystem.h>

#include <osg/Notify>

#include "pliant/math/Error.h"

namespace pliant::python {

void expectPicture(const PictureArguments& arguments) {
    constexpr int kMost = 8192;
    for (const int size : {arguments.width, arguments.height})
        if (size < 1 || size > kMost)
            throw Error("picture", std::to_string(size) + " pixels", "1 to " + std::to_string(kMost));
    constexpr double kWidest = 179.0;
    if (!arguments.eye.is_none() || arguments.fieldOfView != 0.0)
        if (!(arguments.fieldOfView > 0.0 && arguments.fieldOfView <= kWidest))
            throw Error("field_of_view", "degrees above 0 and up to 179");
    if (arguments.eye.is_none() != arguments.target.is_none())
        throw Error("picture", "eye and target go together", "give both or none");
}

void expectValid(const osgPliant::HeadlessViewer& viewer) {
    if (!viewer.isValid()) throw Error("picture", viewer.getProblem());
}

py::array_t<std::uint8_t> finishPicture(const osg::Image* image, const py::object& path) {
    if (!image) throw Error("picture", "the driver lost its context");
    if (!path.is_none()) {
        const std::string file = path.cast<std::filesystem::path>().string();
        // What goes wrong is raised, and not told to the terminal as well.
        const osg::NotifySeverity level = osg::getNotifyLevel();
        osg::setNotifyLevel(osg::FATAL);
        const std::string problem = osgPliant::saveImage(*image, file);
        osg::setNotifyLevel(level);
        if (!problem.empty()) throw Error(file, problem);
    }
    const int width = image->s(), height = image->t();
    py::array_t<std::uint8_t> rows({py::ssize_t(height), py::ssize_t(width), py::ssize_t(3)});
    for (int row = 0; row < height; ++row) {
        const unsigned char* from = image->data(0, static_cast<unsigned int>(height - 1 - row));
        std::copy_n(from, 3 * width, rows.mutable_data(row, 0, 0));
    }
    return rows;
}

}  // namespace pliant::python
