// SPDX-License-Identifier: Zlib
// OpenSceneGraph's plugin for model files: `osgviewer basket.pliant` plays the elastic shapes of a basket.
#include <algorithm>
#include <cstdlib>
#include <osgDB/FileNameUtils>
#include <osgDB/FileUtils>
#include <osgDB/Registry>
#include <sstream>

#include "osgPliant/BodyGroup.h"
#include "osgPliant/EglWindows.h"
#include "osgPliant/ModeHandler.h"
#include "osgPliant/ModelInSceneFile.h"
#include "pliant/math/Error.h"

namespace osgPliant {

namespace {

/// What the option string says. Words that are not known are other plugins'. @throws pliant::Error a value that cannot
/// be
struct ShapeOptions {
    explicit ShapeOptions(const std::string& text) {
        std::istringstream words(text);
        for (std::string word; words >> word;) {
            if (word == "still") play = false;
            std::istringstream value(word.substr(std::min(word.find('=') + 1, word.size())));
            if (word.rfind("shape=", 0) == 0) expect(value >> modes.shape && modes.shape >= 1, word, "from 1 on");
            if (word.rfind("amplitude=", 0) == 0)
                expect(value >> modes.amplitude && modes.amplitude >= 0.0 && modes.amplitude <= 10.0, word, "0 to 10");
        }
    }
    static void expect(bool isRight, const std::string& word, const char* range) {
        if (!isRight) throw pliant::Error("option " + word, "is no number " + std::string(range));
    }
    bool play = true;
    ModeOptions modes;
};

/// Whether windows could come from nowhere but an X server. A program that has brought a windowing system of its own,
/// EglWindows or that of a toolkit, keeps it.
bool knowsX11Alone() {
    const auto& systems = osg::GraphicsContext::getWindowingSystemInterfaces()->getInterfaces();
    return std::all_of(systems.begin(), systems.end(), [](const auto& system) { return system->getName() == "X11"; });
}

}  // namespace

/// Reads a model file as a BodyGroup with one body at rest in the mesh frame. Options: "still" (it does not move),
/// "shape=N" (begins with shape N, from 1 on), "amplitude=SHARE" (of the largest displacement in sizes of the body,
/// 0.08).
class ReaderWriterPliant : public osgDB::ReaderWriter {
public:
    ReaderWriterPliant() {
        supportsExtension("pliant", "Pliant's reduced models");
        supportsOption("still", "The body does not move");
        supportsOption("shape=N", "The first shape to play, from 1 on");
        supportsOption("amplitude=SHARE", "Largest displacement in sizes of the body");
        // Viewers that find no display draw all the same, as where films are made.
        const char* display = std::getenv("DISPLAY");
        if ((!display || !*display) && knowsX11Alone()) EglWindows::install();
    }
    const char* className() const override { return "Pliant's reduced models"; }

    ReadResult readObject(const std::string& file, const osgDB::Options* options) const override {
        return readNode(file, options);
    }
    ReadResult readNode(const std::string& file, const osgDB::Options* options) const override {
        if (!acceptsExtension(osgDB::getLowerCaseFileExtension(file))) return ReadResult::FILE_NOT_HANDLED;
        const std::string path = osgDB::findDataFile(file, options);
        if (path.empty()) return ReadResult::FILE_NOT_FOUND;
        try {
            osg::ref_ptr<ModelGeometry> geometry = new ModelGeometry(loadOnce(path));
            geometry->setModelFile(path);
            osg::ref_ptr<BodyGroup> body = new BodyGroup(geometry, 1);
            const std::vector<double> rest(static_cast<std::size_t>(geometry->getDimension()), 0.0);
            body->setBodyFromMesh(0, osg::Matrixd(), rest.data());
            body->setName(osgDB::getSimpleFileName(path));
            body->setSeenByExporters(true);
            const ShapeOptions shapes(options ? options->getOptionString() : std::string());
            if (shapes.play && geometry->getDimension() > 0)
                body->addEventCallback(new ModeHandler(body, shapes.modes));
            return ReadResult(body.get());
        } catch (const std::exception& problem) {
            return ReadResult(std::string(problem.what()));
        }
    }
};

}  // namespace osgPliant

using osgPliant::ReaderWriterPliant;
REGISTER_OSGPLUGIN(pliant, ReaderWriterPliant)
