// SPDX-License-Identifier: Zlib
#include "osgPliant/VideoWriter.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

#include "osgPliant/ChildProcess.h"
#include "pliant/mesh/FilesThere.h"

namespace osgPliant {

struct VideoWriter::Process {
    ChildProcess child;
    std::string path;
    std::filesystem::path place;  ///< where a link of that name leads
    std::string temporary;
    std::string codec;
    int width = 0;
    int height = 0;
    int frames = 0;
};

namespace {

bool mayEndIn(const std::string& extension) {
    return extension == ".mp4" || extension == ".mkv" || extension == ".mov" || extension == ".avi";
}

/// The last line that ffmpeg said, or what its exit status means.
std::string complaint(const ChildProcess& child) {
    const std::string text = child.lastErrorLine();
    if (!text.empty()) return "ffmpeg says: " + text;
    return "ffmpeg ended with status " + std::to_string(child.exitStatus());
}

/// libx264 where there is one; its patents keep it out of some builds, MPEG-4 part 2 is in all of them.
std::string chooseCodec(const std::string& ffmpeg, std::string& problem) {
    std::string encoders;
    problem = runAndRead({ffmpeg, "-hide_banner", "-loglevel", "error", "-encoders"}, encoders);
    if (!problem.empty()) return {};
    if (encoders.find(" libx264 ") != std::string::npos) return "libx264";
    if (encoders.find(" mpeg4 ") != std::string::npos) return "mpeg4";
    problem = "this ffmpeg has neither the libx264 nor the mpeg4 encoder";
    return {};
}

std::vector<std::string> arguments(const VideoOptions& options, const std::string& codec, int width, int height,
                                   const std::string& output) {
    std::vector<std::string> words = {options.ffmpeg, "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f",
                                      "rawvideo", "-pixel_format", "rgb24", "-video_size",
                                      std::to_string(width) + "x" + std::to_string(height), "-framerate",
                                      std::to_string(options.framesPerSecond), "-i", "pipe:0", "-an",
                                      // yuv420p wants even sizes: repeat the last row or column where needed
                                      "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-codec:v", codec, "-pix_fmt", "yuv420p"};
    if (codec == "libx264") {
        words.insert(words.end(), {"-preset", "veryfast", "-crf", std::to_string(options.quality)});
    } else {
        words.insert(words.end(), {"-q:v", "3"});
    }
    if (output.size() > 4 && output.compare(output.size() - 4, 4, ".mp4") == 0) {
        words.insert(words.end(), {"-movflags", "+faststart"});
    }
    words.push_back("file:" + output);  // a name with a colon or a leading dash stays a name
    return words;
}

}  // namespace

VideoWriter::VideoWriter() : _process(new Process) {}

VideoWriter::~VideoWriter() {
    if (!isOpen()) return;
    _process->child.kill();
    std::remove(_process->temporary.c_str());
}

std::string VideoWriter::open(const std::string& path, int width, int height, const VideoOptions& options) {
    if (isOpen()) return "the film " + _process->path + " is still open";
    const std::filesystem::path target(path);
    const std::string extension = target.extension().string();
    if (!mayEndIn(extension))
        return "cannot write the film " + path + ": its name must end in .mp4, .mkv, .mov or .avi";
    if (width < 1 || height < 1 || !(options.framesPerSecond > 0.0) || !std::isfinite(options.framesPerSecond)) {
        return "cannot write the film " + path + ": width, height and frames per second must be positive";
    }
    std::string problem;
    const std::filesystem::path place = pliant::files::placeOfWholeFile(target, problem);
    if (!problem.empty()) return "cannot write the film " + path + ": it " + problem;
    _process->codec = chooseCodec(options.ffmpeg, problem);
    if (!problem.empty()) {
        return "cannot write the film " + path + ": " + problem + "; install ffmpeg (Debian: ffmpeg)";
    }
    _process->path = path;
    _process->place = place;
    _process->temporary = (place.parent_path() / (place.stem().string() + ".unfinished" + extension)).string();
    _process->width = width;
    _process->height = height;
    _process->frames = 0;
    std::FILE* probe = std::fopen(_process->temporary.c_str(), "wb");
    if (!probe) return "cannot write the film " + path + ": " + std::strerror(errno);
    std::fclose(probe);
    problem = _process->child.start(arguments(options, _process->codec, width, height, _process->temporary));
    if (problem.empty()) return {};
    std::remove(_process->temporary.c_str());
    return "cannot write the film " + path + ": " + problem;
}

bool VideoWriter::isOpen() const {
    return _process->child.isRunning();
}

const std::string& VideoWriter::getCodec() const {
    return _process->codec;
}

int VideoWriter::getFrameCount() const {
    return _process->frames;
}

std::string VideoWriter::add(const osg::Image& frame) {
    if (!isOpen()) return "no film is open";
    if (frame.s() != _process->width || frame.t() != _process->height || frame.getPixelFormat() != GL_RGB ||
        frame.getDataType() != GL_UNSIGNED_BYTE) {
        return "the film " + _process->path + " takes 8-bit RGB pictures of " + std::to_string(_process->width) + "x" +
               std::to_string(_process->height) + ", not of " + std::to_string(frame.s()) + "x" +
               std::to_string(frame.t());
    }
    const std::size_t row = 3 * static_cast<std::size_t>(frame.s());
    std::vector<unsigned char> rows(row * static_cast<std::size_t>(frame.t()));
    for (int y = 0; y < frame.t(); ++y) {  // OpenGL's rows go up, a film's go down
        std::memcpy(rows.data() + row * static_cast<std::size_t>(y),
                    frame.data(0, static_cast<unsigned int>(frame.t() - 1 - y)), row);
    }
    if (_process->child.write(rows.data(), rows.size())) {
        ++_process->frames;
        return {};
    }
    _process->child.finish();
    std::remove(_process->temporary.c_str());
    return "writing the film " + _process->path + " failed after " + std::to_string(_process->frames) + " frames; " +
           complaint(_process->child);
}

std::string VideoWriter::close() {
    if (!isOpen()) return "no film is open";
    const bool good = _process->child.finish();
    std::error_code failure;
    if (good && _process->frames > 0) {
        std::filesystem::rename(_process->temporary, _process->place, failure);
        if (!failure) return {};
    }
    std::remove(_process->temporary.c_str());
    if (failure) return "cannot write the film " + _process->path + ": " + failure.message();
    if (_process->frames == 0) return "the film " + _process->path + " has no frames; nothing was written";
    return "writing the film " + _process->path + " failed; " + complaint(_process->child);
}

}  // namespace osgPliant
