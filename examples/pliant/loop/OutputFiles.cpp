// SPDX-License-Identifier: Zlib
#include "loop/OutputFiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "draw/DebugLayers.h"
#include "draw/ScenePainter.h"
#include "loop/PoseFile.h"
#include "models/ModelStore.h"
#include "osgPliant/VideoWriter.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/FilesThere.h"

namespace pliant::program {
namespace {

using scene::OutputFile;
using scene::OutputKind;

void expectDone(const std::string& where, const std::string& problem) {
    if (!problem.empty()) throw Error(where, problem);
}

/// "name_%05d.png" and 7 as "name_00007.png".
std::string numbered(const std::string& name, int number) {
    const std::size_t percent = name.find('%');
    const int digits = name[percent + 2] - '0';
    return name.substr(0, percent) + fmt::format("{:0{}d}", number, digits) + name.substr(percent + 4);
}

}  // namespace

std::vector<OutputFile> outputsOf(const scene::SceneDescription& scene) {
    if (!scene.outputs.empty()) return scene.outputs;
    OutputFile film, picture;
    film.file = scene.output.name + ".mp4";
    picture.kind = OutputKind::Picture;
    picture.file = scene.output.name + ".png";
    picture.at = scene.output.pictureTime;
    return {film, picture};
}

struct OutputFiles::Data {
    Data(const scene::SceneDescription& description, const Models& models, const OutputPlan& wanted)
        : scene(description), plan(wanted), outputs(outputsOf(description)), cameras(description, wanted.standard) {
        if (wanted.draw)
            view = std::make_unique<SceneView>(description, models, wanted.bounds,
                                               osgPliant::SceneNodeOptions{wanted.joints});
        if (view && wanted.world) layers = std::make_unique<DebugLayers>(*view, description.show);
    }

    std::string pathOf(const std::string& file) const { return (std::filesystem::path(plan.folder) / file).string(); }
    int widthOf(const OutputFile& output) const { return output.width > 0 ? output.width : scene.output.width; }
    int heightOf(const OutputFile& output) const { return output.height > 0 ? output.height : scene.output.height; }
    void open(const OutputFile& output, const Models& models);
    /// The present frame, drawn once for all files that want it alike.
    const osg::Image& image(const std::string& camera, int width, int height);
    const osg::Image& image(const OutputFile& output) {
        return image(output.camera, widthOf(output), heightOf(output));
    }
    /// Whether a series has a member in this frame. @param before how many it has
    bool isDue(const OutputFile& output, int frame, int before) const {
        const double rate = scene.time.framesPerSecond;
        return (frame + 1) / rate >= (before + 1) * output.every - 0.5 / rate;
    }
    void save(const osg::Image& picture, const std::string& file) {
        files::makeFolder(std::filesystem::path(pathOf(file)).parent_path());
        expectDone(pathOf(file), osgPliant::saveImage(picture, pathOf(file)));
        made.push_back(pathOf(file));
    }

    const scene::SceneDescription& scene;
    OutputPlan plan;
    std::vector<OutputFile> outputs;
    std::vector<int> written;  ///< members of each output that is a series
    scene::SceneCameras cameras;
    std::unique_ptr<SceneView> view;
    std::unique_ptr<DebugLayers> layers;
    std::map<std::pair<int, int>, std::unique_ptr<ScenePainter>> painters;
    std::map<std::string, std::unique_ptr<osgPliant::VideoWriter>> films;
    std::map<std::string, std::unique_ptr<PoseFile>> poseFiles;
    std::map<std::string, osg::ref_ptr<osg::Image>> drawn;  ///< of the present frame
    std::vector<std::string> made;
    double time = 0.0;
};

void OutputFiles::Data::open(const OutputFile& output, const Models& models) {
    const std::string path = pathOf(output.file);
    expectWritableFile(path);
    if (auto file = makePoseFile(output.kind, path, scene, models)) poseFiles[output.file] = std::move(file);
    if (output.kind != OutputKind::Film || !plan.draw) return;
    osgPliant::VideoOptions options;
    options.framesPerSecond = scene.time.framesPerSecond * output.speed;
    films[output.file] = std::make_unique<osgPliant::VideoWriter>();
    expectDone(path, films[output.file]->open(path, widthOf(output), heightOf(output), options));
}

const osg::Image& OutputFiles::Data::image(const std::string& camera, int width, int height) {
    const std::string key = fmt::format("{}x{} {}", width, height, camera);
    if (drawn.count(key) == 0) {
        std::unique_ptr<ScenePainter>& painter = painters[{width, height}];
        if (!painter) painter = std::make_unique<ScenePainter>(*view, width, height);
        drawn[key] = new osg::Image(painter->paint(cameras.views(camera), time), osg::CopyOp::DEEP_COPY_ALL);
    }
    return *drawn[key];
}

OutputFiles::OutputFiles(const scene::SceneDescription& scene, const Models& models, const OutputPlan& plan)
    : m_data(std::make_unique<Data>(scene, models, plan)) {
    for (const OutputFile& output : m_data->outputs) m_data->open(output, models);
    m_data->written.resize(m_data->outputs.size(), 0);
}

OutputFiles::~OutputFiles() = default;

void OutputFiles::add(const scene::ScenePoses& poses, int frame, bool isLast) {
    Data& data = *m_data;
    data.cameras.follow(poses);
    data.drawn.clear();
    data.time = poses.time;
    if (data.view) data.view->show(poses);
    if (data.layers && data.layers->areShown()) data.layers->follow(*data.plan.world);
    for (std::size_t i = 0; i < data.outputs.size(); ++i) {
        const OutputFile& output = data.outputs[i];
        const auto poseFile = data.poseFiles.find(output.file);
        if (poseFile != data.poseFiles.end()) {
            if (output.every > 0.0 && !data.isDue(output, frame, data.written[i])) continue;
            poseFile->second->add(poses);
            ++data.written[i];
        }
        if (!data.view) continue;
        if (output.kind == OutputKind::Film)
            expectDone(data.pathOf(output.file), data.films[output.file]->add(data.image(output)));
        if (output.kind == OutputKind::Pictures && (output.every <= 0.0 || data.isDue(output, frame, data.written[i])))
            data.save(data.image(output), numbered(output.file, data.written[i]++));
        if (output.kind == OutputKind::Picture && data.written[i] == 0) {
            const auto wanted = static_cast<int>(std::lround(output.at * data.scene.time.framesPerSecond)) - 1;
            if (!isLast && (output.at < 0.0 || frame != std::clamp(wanted, 0, data.plan.frames - 1))) continue;
            data.save(data.image(output), output.file);
            ++data.written[i];
        }
    }
}

void OutputFiles::pass(const scene::ScenePoses& poses) {
    m_data->cameras.follow(poses);
}

void OutputFiles::addPicture(const std::string& file) {
    if (m_data->view) m_data->save(m_data->image("", m_data->scene.output.width, m_data->scene.output.height), file);
}

std::vector<std::string> OutputFiles::close() {
    Data& data = *m_data;
    std::vector<std::string> files;
    for (const OutputFile& output : data.outputs) {
        const std::string path = data.pathOf(output.file);
        if (data.films.count(output.file) != 0) expectDone(path, data.films[output.file]->close());
        if (data.poseFiles.count(output.file) != 0) data.poseFiles[output.file]->close();
        if (data.films.count(output.file) + data.poseFiles.count(output.file) != 0) files.push_back(path);
    }
    files.insert(files.end(), data.made.begin(), data.made.end());
    return files;
}

}  // namespace pliant::program
