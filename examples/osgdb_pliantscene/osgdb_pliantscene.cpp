// SPDX-License-Identifier: Zlib
// A plugin for OpenSceneGraph that runs scene files in viewers that know nothing of Pliant: osgviewer drop.pliantscene,
// where drop.pliantscene is a scene whose models are reduced already. A node brings its physics along as a callback.
// Bodies, joints, fields, events and lights are those of the scene, until an event stops it; "duration" does not. The
// camera is the viewer's: "camera", "cameras", "views" and "shots" are not followed. Nothing is written, said or
// judged: "output", "record", pictures that events want, "say" and "expect". No device moves a "tool", and "show" draws
// nothing.
#include <btBulletDynamicsCommon.h>
#include <btPliant/btPliantConstraintSolver.h>
#include <btPliantScene/btPliantScene.h>
#include <osgPliantScene/SceneNode.h>
#include <pliant/scene/SceneModels.h>
#include <pliant/scene/SceneReader.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <osg/NodeCallback>
#include <osg/observer_ptr>
#include <osgDB/FileNameUtils>
#include <osgDB/FileUtils>
#include <osgDB/Registry>
#include <string>

namespace {

/// A world with a scene in it, which goes on with the simulation time of whoever draws its node.
class RunningScene : public osg::NodeCallback {
public:
    explicit RunningScene(const std::string& file)
        : _scene(pliant::scene::readScene(file)),
          _models(pliant::scene::loadModels(_scene)),
          _system(settled(_world, _scene), btPliantScene::getSystemInfo(_scene)),
          _physics(_system, _scene, _models),
          _made(osgPliant::createStage(_scene, _physics.getBounds())),
          _stage(_made),
          _picture(new osgPliant::SceneNode(_scene, _models, _physics.getBounds())) {
        _stage->addChild(_picture);
        show();
    }
    /// The node to hang it at, which owns it from then on.
    osg::ref_ptr<osgPliant::Stage> takeNode() {
        const osg::ref_ptr<osgPliant::Stage> node = _made;
        _made = nullptr;
        return node;
    }

    void operator()(osg::Node* node, osg::NodeVisitor* visitor) override {
        const osg::FrameStamp* stamp = visitor->getFrameStamp();
        if (stamp) advance(stamp->getSimulationTime());
        traverse(node, visitor);
    }

private:
    static btDiscreteDynamicsWorld* settled(btDiscreteDynamicsWorld& world,
                                            const pliant::scene::SceneDescription& scene) {
        btPliantScene::applySettings(scene, world);
        return &world;
    }
    /// Steps up to a time of the viewer, unless an event has stopped the scene. What a viewer lacks of more than a
    /// quarter of a second, as one that has stood still, is not made up for; nor is what physics that is slower than
    /// the clock does not get done in a tenth of a second between two pictures.
    void advance(double clock) {
        constexpr double mostOfScene = 0.25, mostOfWork = 0.1;  // s
        if (!_isStarted) _start = clock;
        _isStarted = true;
        _start = std::max(_start, clock - _physics.getTime() - mostOfScene);
        const double due = clock - _start, step = _scene.time.step();
        const auto begin = std::chrono::steady_clock::now();
        bool hasMoved = false;
        for (; !_physics.isStopped() && _physics.getTime() + step <= due + 1e-9; hasMoved = true) {
            const std::chrono::duration<double> worked = std::chrono::steady_clock::now() - begin;
            if (hasMoved && worked.count() > mostOfWork) {
                _start = clock - _physics.getTime();
                break;
            }
            _physics.step();
            _physics.takePictures();  // nobody makes them
        }
        if (hasMoved) show();
    }
    void show() {
        _picture->show(_physics.getPoses());
        osgPliant::setLights(_scene, _physics.getTime(), *_stage);
    }

    const pliant::scene::SceneDescription _scene;
    const pliant::scene::Models _models;
    btDefaultCollisionConfiguration _configuration;
    btCollisionDispatcher _dispatcher{&_configuration};
    btDbvtBroadphase _broadphase;
    btPliantConstraintSolver _solver;
    btDiscreteDynamicsWorld _world{&_dispatcher, &_broadphase, &_solver, &_configuration};
    btPliantSystem _system;
    btPliantScene _physics;
    osg::ref_ptr<osgPliant::Stage> _made;
    osg::observer_ptr<osgPliant::Stage> _stage;  // it owns this
    osg::ref_ptr<osgPliant::SceneNode> _picture;
    double _start = 0.0;
    bool _isStarted = false;
};

class ReaderWriterPliantScene : public osgDB::ReaderWriter {
public:
    ReaderWriterPliantScene() { supportsExtension("pliantscene", "Pliant's scenes"); }
    const char* className() const override { return "Pliant's scenes"; }
    ReadResult readNode(const std::string& file, const osgDB::Options* options) const override {
        if (!acceptsExtension(osgDB::getLowerCaseFileExtension(file))) return ReadResult::FILE_NOT_HANDLED;
        const std::string path = osgDB::findDataFile(file, options);
        if (path.empty()) return ReadResult::FILE_NOT_FOUND;
        try {
            const osg::ref_ptr<RunningScene> running = new RunningScene(path);
            const osg::ref_ptr<osgPliant::Stage> node = running->takeNode();
            node->setUpdateCallback(running);
            return ReadResult(node.get());
        } catch (const std::exception& problem) {
            return ReadResult(std::string(problem.what()));  // every mistake of the file, with its place
        }
    }
};

}  // namespace

REGISTER_OSGPLUGIN(pliantscene, ReaderWriterPliantScene)
