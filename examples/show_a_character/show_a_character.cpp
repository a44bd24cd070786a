// SPDX-License-Identifier: Zlib
// Three characters without a physics engine: a clip moves their bones, their flesh swings with them; the second shows
// its bones, the third what follows which bone. show_a_character fox.pliant [CLIP [SECONDS PICTURE.png]]
#include <osgPliant/CharacterGroup.h>
#include <osgPliant/DebugDrawing.h>
#include <osgPliant/HeadlessViewer.h>
#include <osgPliant/Stage.h>
#include <osgPliant/ViewerSetUp.h>
#include <pliant/runtime/BodyBatch.h>
#include <pliant/runtime/SkinForces.h>
#include <pliant/view/BoneShapes.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace {

/// The flesh of one character on the bones of a clip.
class Swinging {
public:
    Swinging(std::shared_ptr<const pliant::CharacterModel> character, const pliant::Clip& clip)
        : m_character(std::move(character)),
          m_clip(clip),
          m_batch(m_character->flesh, settings()),
          m_body(m_batch.add()),
          m_skin(m_character, m_character->base),
          m_before(m_character->flesh->dimension()),
          m_after(m_before) {
        pliant::FrameMotion frame;
        frame.driven = true;
        m_batch.setFrame(m_body, frame);
        force(0.0, m_before);
    }
    const std::vector<pliant::MovingFrame>& bones() const { return m_bones; }
    const double* q() const { return m_batch.q(m_body).data(); }
    void advanceTo(double time) {
        for (; m_time < time - 0.5 * step; m_time += step) {
            force(m_time + step, m_after);
            const pliant::VectorX mean = 0.5 * (m_before + m_after);  // the oscillators take it as constant over a step
            m_before = m_after;
            m_batch.addForce(m_body, mean.data());
            m_batch.step(step, {m_body}, m_workers);
        }
    }

private:
    static constexpr double step = 1.0 / 240.0;
    static pliant::BatchSettings settings() {
        pliant::BatchSettings settings;
        settings.integrator = pliant::Integrator::Analytic;
        settings.coupling = pliant::Coupling::None;
        return settings;
    }
    void force(double time, pliant::VectorX& reduced) {
        motionAt(m_character->skeleton, m_clip, repeated(m_clip, time), m_bones);
        m_skin.evaluate({m_bones.data()}, pliant::Vector3(0.0, 0.0, -9.81), reduced.data(), m_workers);
    }

    std::shared_ptr<const pliant::CharacterModel> m_character;
    pliant::Clip m_clip;
    pliant::BodyBatch m_batch;
    int m_body;
    pliant::SkinForces m_skin;
    pliant::Workers m_workers{1};
    std::vector<pliant::MovingFrame> m_bones;
    pliant::VectorX m_before, m_after;
    double m_time = 0.0;
};

/// The same bones elsewhere.
std::vector<pliant::AffineMap> movedBones(const std::vector<pliant::MovingFrame>& bones, const pliant::Vector3& by) {
    std::vector<pliant::AffineMap> moved;
    for (const pliant::MovingFrame& bone : bones) {
        moved.push_back(bone.map);
        moved.back().col(3) += by;
    }
    return moved;
}

struct Picture {
    osg::ref_ptr<osgPliant::Stage> stage;
    osg::ref_ptr<osgPliant::CharacterGroup> plain, painted;
    osg::ref_ptr<osgPliant::DebugDrawing> drawing = new osgPliant::DebugDrawing;
    pliant::Vector3 apart;

    Picture(const std::shared_ptr<const pliant::CharacterModel>& character, double size) : apart(0.0, 0.7 * size, 0.0) {
        osgPliant::StageSettings settings;
        settings.up.set(0.0f, 0.0f, 1.0f);
        stage = new osgPliant::Stage(settings);
        plain = new osgPliant::CharacterGroup(character, 2);
        painted = new osgPliant::CharacterGroup(
            new osgPliant::ModelGeometry(character, pliant::paintedByWeights(*character)), 1);
        for (osg::Node* node : std::initializer_list<osg::Node*>{plain.get(), painted.get(), drawing.get()})
            stage->addChild(node);
    }
    void show(const pliant::CharacterModel& character, const Swinging& flesh) {
        plain->setCharacter(0, movedBones(flesh.bones(), apart), flesh.q());
        const auto middle = movedBones(flesh.bones(), pliant::Vector3::Zero());
        plain->setCharacter(1, middle, flesh.q());
        painted->setCharacter(0, movedBones(flesh.bones(), -apart), flesh.q());
        pliant::DebugShapes shapes;
        pliant::addBones(character, middle.data(), pliant::DebugLayer::Frames, shapes);
        drawing->show(shapes);
    }
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return std::puts("usage: show_a_character fox.pliant [CLIP [SECONDS PICTURE.png]]"), 1;
    try {
        const std::shared_ptr<const pliant::CharacterModel> character = pliant::loadCharacter(argv[1]);
        const pliant::Clip* clip = nullptr;
        for (const pliant::Clip& each : character->clips)
            if (!clip || (argc > 2 && each.name == argv[2])) clip = &each;
        if (!clip) throw std::runtime_error(std::string(argv[1]) + " has no clip");
        const pliant::Points& x = character->flesh->surface.positions;
        const double size = (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).norm();
        Swinging flesh(character, *clip);
        Picture picture(character, size);
        picture.show(*character, flesh);
        const osg::Vec3d middle = picture.plain->getBodyBound(1).center();
        const osg::Vec3d eye = middle + osg::Vec3d(1.5, -2.2, 0.9) * size, up(0.0, 0.0, 1.0);
        if (argc > 4) {
            osgPliant::HeadlessOptions options;
            options.width = 1280;
            options.height = 720;
            osgPliant::HeadlessViewer viewer(options);
            if (!viewer.isValid()) throw std::runtime_error(viewer.getProblem());
            flesh.advanceTo(std::atof(argv[3]));
            picture.show(*character, flesh);
            viewer.setScene(picture.stage);
            viewer.setCamera(eye, middle, up);
            const std::string problem = osgPliant::saveImage(*viewer.render(0.0), argv[4]);
            if (!problem.empty()) throw std::runtime_error(problem);
            return 0;
        }
        osgViewer::Viewer viewer;
        osgPliant::setUpViewer(viewer);
        viewer.setSceneData(picture.stage);
        viewer.getCameraManipulator()->setHomePosition(eye, middle, up);
        const std::string problem = osgPliant::realizeViewer(viewer);
        if (!problem.empty()) throw std::runtime_error(problem);
        viewer.home();
        while (!viewer.done()) {
            flesh.advanceTo(viewer.getFrameStamp()->getReferenceTime());
            picture.show(*character, flesh);
            viewer.frame();
        }
    } catch (const std::exception& problem) {
        return std::fprintf(stderr, "%s\n", problem.what()), 1;
    }
    return 0;
}
