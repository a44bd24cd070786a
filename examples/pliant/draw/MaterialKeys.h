// SPDX-License-Identifier: Zlib
// Sliders in a window for what bodies are made of, while they move.
#pragma once

#include <functional>
#include <osg/Camera>
#include <osgGA/GUIEventHandler>
#include <osgText/Text>
#include <string>
#include <vector>

#include "world/SceneWorld.h"

namespace pliant::program {

/// Keys that edit the stiffness of a material of a group of bodies, and the damping of the group: k chooses the next
/// material, + and - its stiffness, ) and ( the damping, 0 gives all back. A line at the top of the window shows
/// where both stand.
class MaterialKeys : public osgGA::GUIEventHandler {
public:
    /// Has something done to the world between two steps.
    using WithWorld = std::function<void(const std::function<void(const SceneWorld&)>&)>;

    MaterialKeys(const SceneWorld& world, WithWorld withWorld);

    /// The line that shows them, to be added to the scene.
    osg::Camera* line() const { return m_line.get(); }
    /// Edits a new world as the last one was.
    void edit(const SceneWorld& world) const;

    bool handle(const osgGA::GUIEventAdapter& event, osgGA::GUIActionAdapter& action) override;
    void getUsage(osg::ApplicationUsage& usage) const override;

protected:
    ~MaterialKeys() override = default;

private:
    /// A group of bodies, and what its model's materials and its damping are multiplied by.
    struct Group {
        int number;  ///< of the scene's groups
        std::string name;
        std::vector<std::string> materials;
        DampingSettings damping;  ///< as it was
        std::vector<double> stiffness;
        double dampingFactor = 1.0;
    };
    void edit(const SceneWorld& world, const Group& group) const;
    void choose(int step);
    void tell(const std::string& problem);

    std::vector<Group> m_groups;
    std::size_t m_group = 0, m_material = 0;
    WithWorld m_withWorld;
    mutable std::string m_problem;
    osg::ref_ptr<osg::Camera> m_line;
    osg::ref_ptr<osgText::Text> m_text;
};

}  // namespace pliant::program
