// SPDX-License-Identifier: Zlib
// benchmark_drawing MODEL.pliant NODE.obj [KIND [FRAMES]]: what bodies with a skin cost to draw, beside rigid copies of
// the same node, by vertex shaders or by the processor, where they move and where they rest. Processor time of a frame
// (all threads), which on Mesa's software renderer is all there is, and wall time: least of all frames of rounds by
// turns. With FRAMES copies and bodies are drawn frame by frame in turns, so that both have the same neighbours on the
// machine: the median of the ratios and its quartiles. docs/internals/drawing.md.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <osg/LightSource>
#include <osg/MatrixTransform>
#include <osg/Program>
#include <osgDB/ReadFile>
#include <osgShadow/ShadowMap>
#include <osgShadow/ShadowedScene>
#include <string>
#include <vector>

#include "osgPliant/BodyGroup.h"
#include "osgPliant/HeadlessViewer.h"
#include "osgPliant/ModelGeometry.h"
#include "osgPliant/Skin.h"
#include "osgPliant/SoftwareDeformation.h"
#include "pliant/model/ReducedModel.h"

namespace {

constexpr int kRows = 8, kFrames = 12, kRounds = 3;

double processorSeconds() {
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(use.ru_utime) + seconds(use.ru_stime);
}

osg::Matrixd placeOf(int body) {
    return osg::Matrixd::rotate(0.7 * body, osg::Vec3d(0.2, 0.5, 1.0)) *
           osg::Matrixd::translate(0.75 * (body % kRows - 3.5), 0.75 * (body / kRows - 3.5), 0.0);
}

osg::ref_ptr<osg::Program> phong() {
    osg::ref_ptr<osg::Program> program = new osg::Program;
    program->addShader(new osg::Shader(osg::Shader::VERTEX,
                                       "#version 120\nvarying vec3 n;\nvoid main() { n = gl_NormalMatrix * gl_Normal;\n"
                                       "gl_TexCoord[0] = gl_MultiTexCoord0; gl_Position = ftransform(); }\n"));
    program->addShader(
        new osg::Shader(osg::Shader::FRAGMENT,
                        "#version 120\nvarying vec3 n;\nuniform sampler2D image;\nvoid main() {\n"
                        "gl_FragColor = texture2D(image, gl_TexCoord[0].st) * (0.3 + 0.7 * abs(normalize(n).z)); }\n"));
    return program;
}

osg::ref_ptr<osg::Node> rigidCopies(osg::Node* node) {
    osg::ref_ptr<osg::Group> all = new osg::Group;
    for (int i = 0; i < kRows * kRows; ++i) {
        osg::ref_ptr<osg::MatrixTransform> place = new osg::MatrixTransform(placeOf(i));
        place->addChild(node);
        all->addChild(place);
    }
    return all;
}

void place(osgPliant::BodyGroup& group, double coordinate) {
    const std::vector<double> q(static_cast<std::size_t>(group.getDeformation()->getDimension()), coordinate);
    for (int i = 0; i < kRows * kRows; ++i) group.setBody(i, placeOf(i), q.data());
}

osg::ref_ptr<osgPliant::BodyGroup> placed(osgPliant::BodyGroup* group) {
    place(*group, 1.0e-5);
    return group;
}

/// The same model with fewer coordinates: what is left of the cost without the sum U q.
std::shared_ptr<const pliant::ReducedModel> shortened(const pliant::ReducedModel& model, int r) {
    const auto copy = std::make_shared<pliant::ReducedModel>(model);
    copy->basis = model.basis.leftCols(r).eval();
    copy->surfaceBasis = model.surfaceBasis.leftCols(r).eval();
    copy->surfaceNormalBasis = model.surfaceNormalBasis.leftCols(r).eval();
    return copy;
}

/// What is drawn, and least times of a frame so far, ms.
struct Candidate {
    std::string name;
    osg::ref_ptr<osg::Node> node;
    osg::ref_ptr<osgPliant::BodyGroup> moving;  ///< bodies that deform from frame to frame; may be null
    double processor = 1e9, wall = 1e9;
};

osg::ref_ptr<osg::Node> sceneOf(osg::Node* content, const std::string& kind) {
    osg::ref_ptr<osg::Group> root = new osg::Group;
    if (kind == "shadow") root = new osgShadow::ShadowedScene(new osgShadow::ShadowMap);
    root->addChild(content);
    osg::ref_ptr<osg::LightSource> lamp = new osg::LightSource;
    lamp->getLight()->setPosition(osg::Vec4(1.0f, -1.5f, 3.0f, 0.0f));
    root->addChild(lamp);
    if (kind == "GLSL") root->getOrCreateStateSet()->setAttributeAndModes(phong());
    return root;
}

/// Of a frame, ms.
struct Times {
    double processor = 0.0, wall = 0.0;
};

/// A viewer of one candidate.
struct View {
    View(const Candidate& candidate, const std::string& kind) : viewer(options()), moving(candidate.moving) {
        if (!viewer.isValid()) {
            std::fprintf(stderr, "%s\n", viewer.getProblem().c_str());
            std::exit(1);
        }
        viewer.setScene(sceneOf(candidate.node, kind));
        viewer.setCamera(osg::Vec3d(0, -7, 6), osg::Vec3d(0, 0, 0), osg::Vec3d(0, 0, 1));
    }
    static osgPliant::HeadlessOptions options() {
        osgPliant::HeadlessOptions options;
        options.width = 1280;
        options.height = 720;
        options.supersampling = 1;
        return options;
    }
    /// Processor and wall time of the next frame, ms, without that of placing the bodies.
    Times draw() {
        if (moving) place(*moving, 1.0e-5 * (1.0 + 0.1 * (frame % kFrames)));
        const auto start = std::chrono::steady_clock::now();
        const double before = processorSeconds();
        viewer.render(frame++ / 60.0);
        const double processor = 1e3 * (processorSeconds() - before);
        const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
        return {processor, wall.count()};
    }

    osgPliant::HeadlessViewer viewer;
    osg::ref_ptr<osgPliant::BodyGroup> moving;
    int frame = 0;
};

void measure(Candidate& candidate, const std::string& kind) {
    View view(candidate, kind);
    while (view.frame < kFrames) {
        const Times times = view.draw();
        if (view.frame <= 3) continue;
        candidate.processor = std::min(candidate.processor, times.processor);
        candidate.wall = std::min(candidate.wall, times.wall);
    }
}

/// Frames of both in turns, each first in every other pair.
void measurePairs(const Candidate& copies, const Candidate& bodies, const std::string& kind, int frames) {
    View first(copies, kind), second(bodies, kind);
    std::vector<double> ratios, times;
    for (int i = -3; i < frames; ++i) {
        const double early = (i % 2 == 0 ? first : second).draw().processor;
        const double late = (i % 2 == 0 ? second : first).draw().processor;
        if (i < 0) continue;
        times.push_back(i % 2 == 0 ? early : late);
        ratios.push_back(i % 2 == 0 ? late / early : early / late);
    }
    std::sort(ratios.begin(), ratios.end());
    std::sort(times.begin(), times.end());
    const std::size_t count = ratios.size();
    std::printf("%-34s copies %7.1f   ratio %6.3f (%.3f to %.3f)\n", bodies.name.c_str(), times[count / 2],
                ratios[count / 2], ratios[count / 4], ratios[3 * count / 4]);
    std::fflush(stdout);
}

/// A group with a skin of its own.
osg::ref_ptr<osgPliant::BodyGroup> skinned(osg::Node* node, const std::shared_ptr<const pliant::ReducedModel>& model,
                                           osgPliant::SumPlace sums, double pixelError = 0.0) {
    const osg::ref_ptr<osgPliant::Skin> skin = osgPliant::Skin::bind(node, model);
    if (!skin) std::exit(1);
    const osg::ref_ptr<osgPliant::BodyGroup> group = placed(new osgPliant::BodyGroup(skin, kRows * kRows));
    group->setSumPlace(sums);
    if (pixelError > 0.0) group->setPixelError(pixelError);
    return group;
}

std::vector<Candidate> candidatesOf(osg::Node* node, const std::shared_ptr<const pliant::ReducedModel>& model) {
    using namespace osgPliant;
    const auto shader = skinned(node, model, SumsInVertexShader), processor = skinned(node, model, SumsOnProcessor),
               few = skinned(node, shortened(*model, 4), SumsInVertexShader),
               shaderThinned = skinned(node, model, SumsInVertexShader, 1.0),
               processorThinned = skinned(node, model, SumsOnProcessor, 1.0),
               drawnModel = placed(new BodyGroup(new ModelGeometry(model), kRows * kRows));
    return {{"rigid copies", rigidCopies(node), nullptr},
            {"vertex shaders, moving", shader, shader},
            {"processor, moving", processor, processor},
            {"processor, at rest", processor, nullptr},
            {"vertex shaders, r = 4", few, few},
            {"vertex shaders, moving, 1 pixel", shaderThinned, shaderThinned},
            {"processor, moving, 1 pixel", processorThinned, processorThinned},
            {"SoftwareDeformation, at rest", new SoftwareDeformation(shader), nullptr},
            {"ModelGeometry, moving", drawnModel, drawnModel}};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) return std::puts("usage: benchmark_drawing MODEL.pliant NODE.obj [fixed|GLSL|shadow [FRAMES]]"), 1;
    try {
        const auto model = pliant::loadModel(argv[1]);
        const osg::ref_ptr<osg::Node> node = osgDB::readRefNodeFile(argv[2], new osgDB::Options("noRotation"));
        if (!node) return std::fprintf(stderr, "cannot read %s\n", argv[2]), 1;
        std::printf("%d bodies, %d vertices, r = %d, ms a frame\n", kRows * kRows, model->surfaceVertexCount(),
                    model->dimension());
        for (const std::string kind : {"fixed", "GLSL", "shadow"}) {
            if (argc > 3 && kind != argv[3]) continue;
            std::vector<Candidate> candidates = candidatesOf(node, model);
            if (argc > 4) {
                std::printf("%s\n", kind.c_str());
                for (std::size_t c = 1; c < candidates.size(); ++c)
                    measurePairs(candidates[0], candidates[c], kind, std::max(4, std::atoi(argv[4])));
                continue;
            }
            for (int round = 0; round < kRounds; ++round)
                for (Candidate& candidate : candidates) measure(candidate, kind);
            std::printf("%-34s %10s %8s %10s %8s\n", kind.c_str(), "processor", "wall", "processor", "wall");
            for (const Candidate& c : candidates)
                std::printf("%-34s %10.1f %8.1f %10.3f %8.3f\n", c.name.c_str(), c.processor, c.wall,
                            c.processor / candidates[0].processor, c.wall / candidates[0].wall);
            std::fflush(stdout);
        }
    } catch (const std::exception& problem) {
        return std::fprintf(stderr, "%s\n", problem.what()), 1;
    }
    return 0;
}
