// SPDX-License-Identifier: Zlib
/// @file
/// A key that films what a view shows.
#pragma once

#include <osg/ref_ptr>
#include <osgGA/GUIEventHandler>
#include <string>
#include <vector>

#include "osgPliant/VideoWriter.h"
#include "pliant/math/Api.h"

namespace osgPliant {

/// Films the view whose key is pressed, until the key is pressed again: v. Frames are taken at the rate of the film by
/// the reference time of the viewer's frame stamp, whatever the rate of the window, so that the film runs as the view
/// did: a frame that is shown for longer is there more often, and one that is not due is left out. Any number of
/// handlers may film one view or several, at once or one after the other; a file that another film of this process is
/// in, or is under way to, is left alone: the later film takes the next number. Any View and any threading model will
/// do; the view's main camera is filmed. With its first film a callback joins what stands in the camera's final draw
/// callback, for which draw threads are halted for a moment, and stays there.
class PLIANT_API FilmHandler : public osgGA::GUIEventHandler {
public:
    /// A handler to add to a viewer.
    /// @param path of the first film; of the next ones a number stands before the ending: run.mp4, run_2.mp4
    /// @param options rate and quality
    /// @param key that begins and ends a film
    /// @param firstNumber of the first film: where others have been made, it has a number, too
    explicit FilmHandler(const std::string& path, const VideoOptions& options = {}, int key = 'v', int firstNumber = 1);

    /// Whether a film has been begun and not ended.
    bool isFilming() const;
    /// Ends the film that is under way; nothing where none is. A handler that is destroyed ends its film, too.
    void finish();
    /// The films that are whole, in their order.
    std::vector<std::string> getFilms() const;
    /// Frames of the film that is under way, or of the last one.
    int getFrameCount() const;
    /// What went wrong with the last film, a sentence; empty: nothing. A window that changes its size ends its film.
    std::string getProblem() const;

    /// OpenSceneGraph's callback for events.
    bool handle(const osgGA::GUIEventAdapter& event, osgGA::GUIActionAdapter& action) override;
    /// OpenSceneGraph's callback that lists the keys for the help handler.
    void getUsage(osg::ApplicationUsage& usage) const override;

protected:
    ~FilmHandler() override;

private:
    class PLIANT_HIDDEN Camera;
    osg::ref_ptr<Camera> _camera;
    int _key;
};

}  // namespace osgPliant
