// SPDX-License-Identifier: Zlib
/// @file
/// A film out of frames: raw RGB through a pipe into the ffmpeg program.
#pragma once

#include <memory>
#include <osg/Image>
#include <string>

#include "pliant/math/Api.h"

namespace osgPliant {

/// How a film is encoded.
struct VideoOptions {
    double framesPerSecond = 30.0;  ///< Frames a second.
    int quality = 20;               ///< Constant rate factor of H.264: 18 = visually lossless, 28 = small.
    std::string ffmpeg = "ffmpeg";  ///< The program, looked up in PATH unless it has a slash.
};

/// A film out of frames: raw RGB through a pipe into the ffmpeg program. open(), add() and close() return an empty
/// string, or one sentence that tells what went wrong. Until close() succeeded there is no file at `path`; a writer
/// destroyed without close() leaves nothing behind.
class PLIANT_API VideoWriter {
public:
    /// A writer without a film.
    VideoWriter();
    ~VideoWriter();
    VideoWriter(const VideoWriter&) = delete;
    VideoWriter& operator=(const VideoWriter&) = delete;

    /// Begins a film: H.264 (yuv420p) if this ffmpeg can encode it, else MPEG-4 part 2.
    /// @param path ends in .mp4, .mkv, .mov or .avi
    /// @param width of all frames, pixels
    /// @param height of all frames, pixels
    /// @param options rate and quality
    /// @return empty, or one sentence that tells what went wrong
    std::string open(const std::string& path, int width, int height, const VideoOptions& options = {});
    /// Whether a film has been begun.
    bool isOpen() const;
    /// The codec that open() has chosen.
    const std::string& getCodec() const;

    /// Adds a frame: RGB, 8 bit, of the size given to open().
    /// @return empty, or one sentence that tells what went wrong
    std::string add(const osg::Image& frame);
    /// Ends the film and gives the file its name.
    /// @return empty, or one sentence that tells what went wrong
    std::string close();
    /// The number of frames so far.
    int getFrameCount() const;

private:
    struct PLIANT_HIDDEN Process;
    std::unique_ptr<Process> _process;
};

}  // namespace osgPliant
