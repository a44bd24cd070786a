// SPDX-License-Identifier: Zlib
// Frames of a scene as images, without a window.
#pragma once

#include <osg/Image>
#include <osgViewer/Viewer>
#include <string>

#include "osgPliant/EglContext.h"
#include "osgPliant/FrameStatistics.h"

namespace osgPliant {

class HeadlessViewer {
public:
    /// Check isValid() before use; getProblem() tells why not.
    explicit HeadlessViewer(const HeadlessOptions& options = {});
    ~HeadlessViewer();

    bool isValid() const { return _context.valid(); }
    const std::string& getProblem() const { return _problem; }
    std::string getRenderer() const;
    int getWidth() const { return _options.width; }
    int getHeight() const { return _options.height; }

    void setScene(osg::Node* scene);
    /// @param fieldOfView vertical, degrees
    void setCamera(const osg::Vec3d& eye, const osg::Vec3d& centre, const osg::Vec3d& up, double fieldOfView = 35.0);
    osgViewer::Viewer& getViewer() { return *_viewer; }

    /// Update, cull and draw at `simulationTime` seconds.
    /// @return RGB, 8 bit, rows from bottom to top; owned by the viewer and overwritten by the next call. Null if
    /// !isValid() or the context was lost.
    const osg::Image* render(double simulationTime);
    const FrameStatistics& getStatistics() const { return _statistics; }

private:
    class FrameReader;

    HeadlessOptions _options;
    std::string _problem;  // before the context, whose making writes it
    osg::ref_ptr<EglContext> _context;
    osg::ref_ptr<osgViewer::Viewer> _viewer;
    osg::ref_ptr<osg::Image> _drawn;  ///< larger than _image by the supersampling
    osg::ref_ptr<osg::Image> _image;
    osg::ref_ptr<FrameReader> _reader;
    FrameStatistics _statistics;
};

/// Writes through osgDB (format by extension) beside the target and renames.
/// @return empty, or one sentence that tells what went wrong
std::string saveImage(const osg::Image& image, const std::string& path);

}  // namespace osgPliant
