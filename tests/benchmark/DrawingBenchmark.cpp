// SPDX-License-Identifier: Zlib
// benchmark_drawing MODEL.pliant NODE.obj [KIND]: what bodies with a skin cost to draw, beside rigid copies of the same
// node. Processor time of a frame (all threads), which on Mesa's software renderer is all there is.
// docs/internals/drawing.md.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <functional>
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

constexpr int kRows = 8, kFrames = 12;

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

osg::ref_ptr<osgPliant::BodyGroup> placed(osgPliant::BodyGroup* group, int dimension) {
    const std::vector<double> q(static_cast<std::size_t>(dimension), 1.0e-5);
    for (int i = 0; i < kRows * kRows; ++i) group->setBody(i, placeOf(i), q.data());
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

/// Least processor time of a frame, ms.
double frameCost(osg::Node* content, const std::string& kind) {
    osg::ref_ptr<osg::Group> root = new osg::Group;
    if (kind == "shadow") root = new osgShadow::ShadowedScene(new osgShadow::ShadowMap);
    root->addChild(content);
    osg::ref_ptr<osg::LightSource> lamp = new osg::LightSource;
    lamp->getLight()->setPosition(osg::Vec4(1.0f, -1.5f, 3.0f, 0.0f));
    root->addChild(lamp);
    if (kind == "GLSL") root->getOrCreateStateSet()->setAttributeAndModes(phong());
    osgPliant::HeadlessOptions options;
    options.width = 1280;
    options.height = 720;
    options.supersampling = 1;
    osgPliant::HeadlessViewer viewer(options);
    if (!viewer.isValid()) {
        std::fprintf(stderr, "%s\n", viewer.getProblem().c_str());
        std::exit(1);
    }
    viewer.setScene(root);
    viewer.setCamera(osg::Vec3d(0, -7, 6), osg::Vec3d(0, 0, 0), osg::Vec3d(0, 0, 1));
    double least = 1e9;
    for (int frame = 0; frame < kFrames; ++frame) {
        const double before = processorSeconds();
        viewer.render(frame / 60.0);
        if (frame > 2) least = std::min(least, 1e3 * (processorSeconds() - before));
    }
    return least;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) return std::puts("usage: benchmark_drawing MODEL.pliant NODE.obj [fixed|GLSL|shadow]"), 1;
    try {
        const auto model = pliant::loadModel(argv[1]);
        const osg::ref_ptr<osg::Node> node = osgDB::readRefNodeFile(argv[2], new osgDB::Options("noRotation"));
        if (!node) return std::fprintf(stderr, "cannot read %s\n", argv[2]), 1;
        const auto bodies = [&](const std::shared_ptr<const pliant::ReducedModel>& of) -> osg::ref_ptr<osg::Node> {
            const osg::ref_ptr<osgPliant::Skin> skin = osgPliant::Skin::bind(node, of);
            if (!skin) std::exit(1);
            return placed(new osgPliant::BodyGroup(skin, kRows * kRows), of->dimension());
        };
        std::printf("%d bodies, %d vertices, r = %d, ms of processor time a frame\n", kRows * kRows,
                    model->surfaceVertexCount(), model->dimension());
        std::printf("%-10s %8s %8s %14s %16s %10s\n", "", "copies", "bodies", "bodies, r = 4", "bodies, 1 pixel",
                    "software");
        for (const std::string kind : {"fixed", "GLSL", "shadow"}) {
            if (argc > 3 && kind != argv[3]) continue;
            const double copies = frameCost(rigidCopies(node), kind), full = frameCost(bodies(model), kind),
                         few = frameCost(bodies(shortened(*model, 4)), kind);
            const osg::ref_ptr<osg::Node> group = bodies(model), thinned = bodies(model);
            static_cast<osgPliant::BodyGroup&>(*thinned).setPixelError(1.0);
            const double pixel = frameCost(thinned, kind);
            const double software =
                frameCost(new osgPliant::SoftwareDeformation(static_cast<osgPliant::BodyGroup*>(group.get())), kind);
            std::printf("%-10s %8.1f %8.1f %14.1f %16.1f %10.1f   bodies / copies %.2f, with levels %.2f\n",
                        kind.c_str(), copies, full, few, pixel, software, full / copies, pixel / copies);
        }
        const osg::ref_ptr<osg::Node> own =
            placed(new osgPliant::BodyGroup(new osgPliant::ModelGeometry(model), kRows * kRows), model->dimension());
        std::printf("%-10s %8s %8.1f\n", "own shader", "", frameCost(own, "fixed"));
    } catch (const std::exception& problem) {
        return std::fprintf(stderr, "%s\n", problem.what()), 1;
    }
    return 0;
}
