// SPDX-License-Identifier: Zlib
// A node from a file is reduced in the program itself and bends with its own materials: in two views of one scene,
// below a shadow technique, with a shader that knows nothing of Pliant.
#include <osgPliant/BodyGroup.h>
#include <osgPliant/EglWindows.h>
#include <osgPliant/HeadlessViewer.h>
#include <osgPliant/ModeHandler.h>
#include <osgPliant/ViewerSetUp.h>
#include <pliant/reduce/Reduce.h>

#include <cstdio>
#include <osg/LightSource>
#include <osg/Material>
#include <osg/ShapeDrawable>
#include <osgDB/ReadFile>
#include <osgShadow/ShadowMap>
#include <osgShadow/ShadowedScene>
#include <osgViewer/CompositeViewer>

namespace {

/// Stripes along z over the material's colour: a vertex shader of GLSL 1.20, as it stood before there was Pliant.
osg::ref_ptr<osg::Program> createStripes() {
    osg::ref_ptr<osg::Program> program = new osg::Program;
    program->addShader(new osg::Shader(osg::Shader::VERTEX, R"(#version 120
varying vec3 normal;
varying float height;
void main() {
    normal = gl_NormalMatrix * gl_Normal;
    height = gl_Vertex.z;
    gl_FrontColor = gl_FrontMaterial.diffuse;
    gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;
}
)"));
    program->addShader(new osg::Shader(osg::Shader::FRAGMENT, R"(#version 120
varying vec3 normal;
varying float height;
void main() {
    float light = 0.3 + 0.7 * max(dot(normalize(normal), normalize(gl_LightSource[0].position.xyz)), 0.0);
    float stripe = 0.75 + 0.25 * step(0.5, fract(20.0 * height));
    gl_FragColor = vec4(gl_Color.rgb * light * stripe, 1.0);
}
)"));
    return program;
}

osg::ref_ptr<osgViewer::View> createView(osg::Node* scene, osg::GraphicsContext* window, int left, int width,
                                         int height, const osg::Vec3d& eye, const osg::Vec3d& centre) {
    osg::ref_ptr<osgViewer::View> view = new osgViewer::View;
    view->setSceneData(scene);
    view->getCamera()->setGraphicsContext(window);
    view->getCamera()->setViewport(left, 0, width, height);
    view->getCamera()->setProjectionMatrixAsPerspective(35.0, static_cast<double>(width) / height, 0.05, 50.0);
    view->getCamera()->setViewMatrixAsLookAt(eye, centre, osg::Vec3d(0, 0, 1));
    return view;
}

/// Reads the window when its last view is drawn.
class Photograph : public osg::Camera::DrawCallback {
public:
    osg::ref_ptr<osg::Image> image = new osg::Image;
    void operator()(osg::RenderInfo& info) const override {
        const osg::GraphicsContext::Traits& traits = *info.getState()->getGraphicsContext()->getTraits();
        image->readPixels(0, 0, traits.width, traits.height, GL_RGB, GL_UNSIGNED_BYTE);
    }
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return std::puts("usage: reduce_a_node NODE.obj [PICTURE.png]"), 1;
    try {
        // The file is reduced, and the node that OpenSceneGraph reads from it is what is drawn.
        pliant::ReduceOptions options;
        options.dimension = 12;
        const std::shared_ptr<const pliant::ReducedModel> model = pliant::reduceFile(argv[1], options);
        const osg::ref_ptr<osg::Node> node = osgDB::readRefNodeFile(argv[1], new osgDB::Options("noRotation"));
        const osg::ref_ptr<osgPliant::Skin> skin = node ? osgPliant::Skin::bind(node, model) : nullptr;
        if (!skin) return std::fprintf(stderr, "cannot bind %s to its model\n", argv[1]), 1;
        const osg::ref_ptr<osgPliant::BodyGroup> body = new osgPliant::BodyGroup(skin, 1);
        body->setBodyFromMesh(0, osg::Matrixd(),
                              std::vector<double>(static_cast<std::size_t>(model->dimension())).data());
        body->addEventCallback(new osgPliant::ModeHandler(body, {1, 0.15}));

        // The scene is anybody's.
        const osg::BoundingSphere sphere = body->getBound();
        const double size = static_cast<double>(sphere.radius());
        const osg::Vec3d centre(sphere.center());
        const osg::ref_ptr<osgShadow::ShadowedScene> scene = new osgShadow::ShadowedScene(new osgShadow::ShadowMap);
        const osg::ref_ptr<osg::LightSource> lamp = new osg::LightSource;
        lamp->getLight()->setPosition(osg::Vec4(1.0f, -1.5f, 3.0f, 0.0f));
        scene->addChild(lamp);
        const osg::ref_ptr<osg::ShapeDrawable> floor = new osg::ShapeDrawable(
            new osg::Box(osg::Vec3(centre - osg::Vec3d(0, 0, 1.05 * size)), static_cast<float>(6 * size),
                         static_cast<float>(6 * size), static_cast<float>(0.02 * size)));
        scene->addChild(floor);
        scene->addChild(body);
        const osg::ref_ptr<osg::Group> striped = new osg::Group;  // the second view has a shader of its own
        striped->getOrCreateStateSet()->setAttributeAndModes(createStripes());
        striped->addChild(body);

        if (argc > 2 || !osgPliant::hasDisplay()) osgPliant::EglWindows::install();
        const osg::ref_ptr<osg::GraphicsContext::Traits> traits = new osg::GraphicsContext::Traits;
        traits->width = 1280;
        traits->height = 480;
        traits->doubleBuffer = true;
        traits->windowDecoration = true;
        traits->readDISPLAY();
        traits->setUndefinedScreenDetailsToDefaultScreen();
        const osg::ref_ptr<osg::GraphicsContext> window = osg::GraphicsContext::createGraphicsContext(traits);
        if (!window) return std::fprintf(stderr, "cannot open a window\n"), 1;
        osgViewer::CompositeViewer viewer;
        viewer.setThreadingModel(osgViewer::ViewerBase::SingleThreaded);
        const osg::Vec3d eyes[2] = {centre + osg::Vec3d(1.5, -4.0, 2.0) * size,
                                    centre + osg::Vec3d(-2.5, -3.5, 1.0) * size};
        const osg::ref_ptr<Photograph> photograph = new Photograph;
        viewer.addView(createView(scene, window, 0, 640, 480, eyes[0], centre));
        viewer.addView(createView(striped, window, 640, 640, 480, eyes[1], centre));
        viewer.getView(1)->getCamera()->setFinalDrawCallback(photograph);
        viewer.realize();
        if (argc <= 2) return viewer.run();
        for (const double time : {0.0, 0.1, 0.475}) viewer.frame(time);  // a quarter of the first shape's period
        const std::string problem = osgPliant::saveImage(*photograph->image, argv[2]);
        return problem.empty() ? 0 : (std::fprintf(stderr, "%s\n", problem.c_str()), 1);
    } catch (const std::exception& problem) {
        return std::fprintf(stderr, "%s\n", problem.what()), 1;
    }
}
