// SPDX-License-Identifier: Zlib
/// @file
/// Frames of a scene as images, without a window.
#pragma once

#include <osg/Image>
#include <osg/observer_ptr>
#include <osgViewer/Viewer>
#include <string>
#include <vector>

#include "osgPliant/EglContext.h"
#include "osgPliant/FrameStatistics.h"
#include "pliant/math/Api.h"

namespace osgPliant {

/// Frames of a scene as images, without a window.
///
///     osgPliant::HeadlessViewer viewer;
///     if (!viewer.isValid()) ... viewer.getProblem() ...
///     viewer.setScene(stage);
///     viewer.setCamera(eye, centre, up);
///     osgPliant::saveImage(*viewer.render(1.0), "picture.png");
class PLIANT_API HeadlessViewer {
public:
    /// Makes the context. Check isValid() before use; getProblem() tells why not.
    explicit HeadlessViewer(const HeadlessOptions& options = {});
    ~HeadlessViewer();

    /// Whether pictures can be made.
    bool isValid() const { return _context.valid(); }
    /// Empty, or one sentence that names what is missing and what to install.
    const std::string& getProblem() const { return _problem; }
    /// The OpenGL driver's name; empty before the first picture.
    std::string getRenderer() const;
    /// Width of the picture, pixels.
    int getWidth() const { return _options.width; }
    /// Height of the picture, pixels.
    int getHeight() const { return _options.height; }

    /// Sets what is drawn; shared. Scenes may come back: what OpenGL has of a former one is kept until the viewer goes.
    void setScene(osg::Node* scene);
    /// Sets the camera.
    /// @param eye where it is
    /// @param centre what it looks at
    /// @param up a direction that is up in the picture
    /// @param fieldOfView vertical, degrees
    void setCamera(const osg::Vec3d& eye, const osg::Vec3d& centre, const osg::Vec3d& up, double fieldOfView = 35.0);
    /// OpenSceneGraph's viewer, for what is not offered here.
    osgViewer::Viewer& getViewer() { return *_viewer; }

    /// Updates, culls and draws a frame.
    /// @param simulationTime s
    /// @return RGB, 8 bit, rows from bottom to top; owned by the viewer and overwritten by the next call. Null if
    /// !isValid() or the context was lost.
    const osg::Image* render(double simulationTime);
    /// Times of the frames so far.
    const FrameStatistics& getStatistics() const { return _statistics; }

private:
    class PLIANT_HIDDEN FrameReader;

    HeadlessOptions _options;
    std::string _problem;  // before the context, whose making writes it
    osg::ref_ptr<EglContext> _context;
    osg::ref_ptr<osgViewer::Viewer> _viewer;
    osg::ref_ptr<osg::Image> _drawn;  ///< larger than _image by the supersampling
    osg::ref_ptr<osg::Image> _image;
    osg::ref_ptr<FrameReader> _reader;
    FrameStatistics _statistics;
    std::vector<osg::observer_ptr<osg::Node>> _formerScenes;
};

/// What is up in the picture of a camera: `up`, or, for one that looks straight along it, a direction across it (y
/// where z is up, -z where y is up). OpenSceneGraph's own matrix is not a number there, and the picture empty.
PLIANT_API osg::Vec3d uprightFor(const osg::Vec3d& eye, const osg::Vec3d& centre, const osg::Vec3d& up);

/// Writes an image through osgDB (format by extension) beside the target and renames it.
/// @return empty, or one sentence that tells what went wrong
PLIANT_API std::string saveImage(const osg::Image& image, const std::string& path);

}  // namespace osgPliant
