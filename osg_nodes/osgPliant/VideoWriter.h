// SPDX-License-Identifier: Zlib
// A film out of frames: raw RGB through a pipe into the ffmpeg program.
#pragma once

#include <memory>
#include <osg/Image>
#include <string>

namespace osgPliant {

struct VideoOptions {
    double framesPerSecond = 30.0;
    int quality = 20;               ///< constant rate factor of H.264: 18 = visually lossless, 28 = small
    std::string ffmpeg = "ffmpeg";  ///< program, looked up in PATH unless it has a slash
};

/// Every function returns an empty string, or one sentence that tells what went wrong. Until close() succeeded there is
/// no file at `path`; a writer destroyed without close() leaves nothing behind.
class VideoWriter {
public:
    VideoWriter();
    ~VideoWriter();
    VideoWriter(const VideoWriter&) = delete;
    VideoWriter& operator=(const VideoWriter&) = delete;

    /// H.264 (yuv420p) if this ffmpeg can encode it, else MPEG-4 part 2.
    /// @param path ends in .mp4, .mkv, .mov or .avi
    std::string open(const std::string& path, int width, int height, const VideoOptions& options = {});
    bool isOpen() const;
    const std::string& getCodec() const;

    /// RGB, 8 bit, of the size given to open().
    std::string add(const osg::Image& frame);
    std::string close();
    int getFrameCount() const;

private:
    struct Process;
    std::unique_ptr<Process> _process;
};

}  // namespace osgPliant
