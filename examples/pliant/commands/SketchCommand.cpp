// SPDX-License-Identifier: Zlib
// Forces drawn with the mouse on the linear model of a body: the sketch of [BJ05 section 5.2].
#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <osgViewer/Viewer>

#include "commands/CommandLine.h"
#include "commands/Commands.h"
#include "commands/RunSize.h"
#include "models/ModelStore.h"
#include "osgPliant/Handlers.h"
#include "osgPliant/Stage.h"
#include "osgPliant/ViewerSetUp.h"
#include "pliant/math/Error.h"
#include "sketch/SketchHand.h"
#include "terminal/Interrupt.h"

namespace pliant::program {
namespace {

struct SketchArguments {
    std::string model, output;
    double metresPerUnit = 1.0;
    int width = 1000, height = 750;  ///< of the window, pixels
};

/// Backspace forgets the last pull.
class ForgetHandler : public osgGA::GUIEventHandler {
public:
    explicit ForgetHandler(SketchHand* hand) : m_hand(hand) {}
    bool handle(const osgGA::GUIEventAdapter& event, osgGA::GUIActionAdapter&) override {
        if (event.getEventType() != osgGA::GUIEventAdapter::KEYDOWN ||
            event.getKey() != osgGA::GUIEventAdapter::KEY_BackSpace)
            return false;
        m_hand->forget();
        fmt::print("{} forces\n", m_hand->forces().size());
        return true;
    }

private:
    osg::ref_ptr<SketchHand> m_hand;
};

void sketch(const SketchArguments& arguments) {
    const std::shared_ptr<const ReducedModel> model = loadModel(arguments.model);
    expectWritableStream(arguments.output);
    osgPliant::StageSettings settings;
    settings.up.set(0.0f, 0.0f, 1.0f);
    settings.towardsSun.set(0.4f, -0.5f, 0.8f);
    const osg::ref_ptr<osgPliant::Stage> stage = new osgPliant::Stage(settings);
    const osg::ref_ptr<osgPliant::BodyGroup> picture = new osgPliant::BodyGroup(new osgPliant::ModelGeometry(model), 1);
    stage->addChild(picture);
    const osg::ref_ptr<SketchHand> hand = new SketchHand(model, picture);
    osgViewer::Viewer viewer;
    viewer.setThreadingModel(osgViewer::ViewerBase::SingleThreaded);
    viewer.setUpViewInWindow(60, 60, arguments.width, arguments.height);
    viewer.setSceneData(stage);
    osgPliant::setUpViewer(viewer);
    viewer.addEventHandler(new osgPliant::DragHandler(hand));
    viewer.addEventHandler(new ForgetHandler(hand));
    const std::string problem = osgPliant::realizeViewer(viewer);
    if (!problem.empty()) throw Error("", problem, "a sketch needs a window and a mouse");
    fmt::print("Ctrl and the left button pull; Backspace forgets the last pull; Escape ends and writes {}.\n",
               arguments.output);
    while (!viewer.done() && !interrupted()) viewer.frame();
    if (hand->forces().empty()) throw Error(arguments.output, "nothing was drawn; nothing was written");
    std::ofstream file(arguments.output, std::ios::trunc);
    file << sketchText(hand->forces(), arguments.metresPerUnit);
    if (!file.good()) throw Error(arguments.output, "cannot be written");
    fmt::print("Made {} with {} forces. Next: pliant reduce MESH --sketch {}\n", arguments.output,
               hand->forces().size(), arguments.output);
}

}  // namespace

void addSketchCommand(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("sketch", "pull a reduced model with the mouse and record the forces for reduce --sketch");
    const auto arguments = std::make_shared<SketchArguments>();
    command->add_option("model", arguments->model, "reduced model (.pliant)")->required();
    command->add_option("-o,--output", arguments->output, "file of forces to write (.yaml)")->required();
    command->add_option("--metres-per-unit", arguments->metresPerUnit, "of the mesh that will be reduced")
        ->check(between(1e-9, 1e9))
        ->capture_default_str();
    command->add_option_function<std::string>(
        "--size", [arguments](const std::string& text) { setSize(text, arguments->width, arguments->height); },
        "WIDTHxHEIGHT of the window (default: 1000x750)");
    command->callback([arguments] { sketch(*arguments); });
}

}  // namespace pliant::program
