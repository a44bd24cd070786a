// SPDX-License-Identifier: Zlib
// The parts of a scene file, each from its YAML block; SceneReader puts them together.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "pliant/math/Error.h"
#include "pliant/scene/CheckedYaml.h"
#include "pliant/scene/Mistakes.h"
#include "pliant/scene/SceneDescription.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::scene {

constexpr Range kPosition{-1.0e5, 1.0e5};  ///< Range of positions, m.

/// Of a quantity that nothing has: @throws Error where entries with `repeat` have its name, each with a number behind.
void refuseRepeated(const SceneDescription& scene, const std::string& quantity, const std::string& where);

/// Whether a formula can be bound. @throws Error as Formula::bind() does, and of what is repeated as refuseRepeated()
void expectBound(const SceneDescription& scene, const Formula& formula, const LiveNames& names);

/// Variables in their order: each may use those before it. Those that cannot be read are lost: what uses them makes no
/// mistake of its own. @throws Error where one is given no number from outside
std::shared_ptr<const Scope> readVariables(const CheckedYaml& root, const GivenVariables& given, Mistakes& mistakes);

/// Does `part`, which reads `block`; where it fails everything that is wrong with the block is noted.
/// @param addition to messages
/// @return whether it was done
template <class Part>
bool tryBlock(const CheckedYaml& block, Mistakes& mistakes, const Part& part, const std::string& addition = {}) {
    if (mistakes.tryPart(part)) return true;
    block.forEachMistake([&](const std::string& message) { mistakes.note(message + addition); });
    return false;
}

/// Does `part`; a mistake in it tells whose it is. @param user Namespace::usedBy; empty: nobody's
template <class Part>
void tellUser(const std::string& user, const Part& part) {
    if (user.empty()) return part();
    const auto told = [&user](const Error& problem) {
        const std::string text = problem.what();
        return text.find(user) == std::string::npos ? text + "; " + user : text;
    };
    try {
        part();
    } catch (const UnknownName& problem) {
        throw UnknownName(problem, "", told(problem));
    } catch (const Error& problem) {
        throw Error("", told(problem));
    }
}

/// A path of a scene file as seen from the working directory.
std::string resolvePath(const std::string& sceneFile, const std::string& path);
/// Resolves the path of a file that must exist and open.
std::string existingFile(const CheckedYaml& path, const std::string& sceneFile);

ModelEntry readModel(const std::string& name, const CheckedYaml& block, const ReduceReader& reduceReader,
                     const RigReader& rigReader);
/// A reduced model with default settings, named by its absolute path: the same text in files of different folders may
/// mean different files, and different texts the same one.
ModelEntry modelOfFile(const CheckedYaml& path);
BodyGroup readBodyGroup(const CheckedYaml& block);
/// Files that rigid bodies of a scene are made of, each read once: copies of a repeated entry share theirs.
struct RigidFiles {
    struct Surface {
        std::shared_ptr<const SurfaceMesh> mesh;  ///< As RigidGroup::mesh.
        Matrix3 inertiaOfKilogram;                ///< As that of RigidGroup.
    };
    SurfaceReader reader;  ///< As SceneOptions::surfaceReader.
    std::map<std::tuple<std::string, double, bool>, Surface>
        surfaces;  ///< By path, scale, and whether they have a mass.
    /// By path, spacing and scale.
    std::map<std::tuple<std::string, double, double>, std::shared_ptr<const HeightTable>> heights;
};
/// What shape a rigid group has, with its mass.
void readRigidShape(const CheckedYaml& block, RigidGroup& group, RigidFiles& files);
RigidGroup readRigidGroup(const CheckedYaml& block, RigidFiles& files);
/// What messages and other entries call the group, in a repeated entry with its number; empty where it has no name.
std::string readName(const CheckedYaml& block);
/// Notes that what a block describes could not be read (Mistakes::lose), by its name where it has one that can be.
void loseName(const CheckedYaml& block, const std::vector<std::string>& kinds, Mistakes& mistakes);
/// "name" or "name[3]" or "name[= i + 1]"; of bodies that an entry with `repeat` has made "name[3][0]".
Reference readReference(const CheckedYaml& value);
/// One of them, or a list.
std::vector<Reference> readReferences(const CheckedYaml& value);
/// Names with brackets of repeated entries are names, not copies. @param isName whether a group is called so
void nameRepeated(Reference& reference, const std::function<bool(const std::string&)>& isName);
Field readField(const CheckedYaml& block);
Sensor readSensor(const CheckedYaml& block);
/// The component of a path that nothing is called by: its name is all of the path then, and checkTimeline(), which
/// knows what the scene has, tells it.
constexpr int kUnknownPath = -1;
inline bool isUnknown(const LivePath& path) {
    return path.axis == kUnknownPath;
}
/// Every mistake of its actions is noted.
Event readEvent(const CheckedYaml& block, const TimeSettings& time, Mistakes& mistakes);
Action readAction(const CheckedYaml& item);
Animation readAnimation(const CheckedYaml& block);
/// `cameras`, `views` and `shots`, item by item; every mistake is noted.
void readCameras(const CheckedYaml& root, SceneDescription& scene, Mistakes& mistakes);
/// `lights`: the sun and lamps, item by item; every mistake is noted.
void readLights(const CheckedYaml& list, SceneDescription& scene, Mistakes& mistakes);
Environment readEnvironment(const CheckedYaml& block);
DebugShow readDebugShow(const CheckedYaml& block);
Light readSun(const CheckedYaml& block);
/// Width and height of a picture, pixels, both even.
void readPictureSize(const CheckedYaml& value, int& width, int& height);
/// `output` as a list of files, item by item; every mistake is noted.
void readOutputFiles(const CheckedYaml& list, SceneDescription& scene, Mistakes& mistakes);
Record readRecord(const CheckedYaml& block, const TimeSettings& time);
Expectation readExpectation(const CheckedYaml& block, const TimeSettings& time);
/// Sensors of what formulas and records measure without naming one: "goods.lost", "rope.force", "energy.growth"; and
/// records of each body of a group get a name for each.
void addImpliedSensors(SceneDescription& scene, Mistakes& mistakes);
/// Names of all numbers of sensors, vectors and their components, as records may call them.
std::vector<std::string> quantityNames(const std::vector<Sensor>& sensors);
/// Names and formulas in scene.timeline against the rest of the scene; every mistake is noted.
void checkTimeline(SceneDescription& scene, Mistakes& mistakes);
/// Replaces a default where the block has the key.
void readNumber(const CheckedYaml& block, const char* key, double& number);
/// @param inThread as SceneOptions::toolInThread
Tool readTool(const CheckedYaml& block, const std::optional<std::string>& inThread);
/// Whether one side of a touch is held by tools in threads alone, which feel rigid bodies, too. @throws Error where
/// they cannot touch so
bool isOfHandInThread(const SceneDescription& scene, const Touch& touch);
Touch readTouch(const CheckedYaml& block);
/// `between: [first, second]`, or one side alone. @param second left empty where there is none
void readSides(const CheckedYaml& list, std::vector<Reference>& first, std::vector<Reference>& second);
JointGroup readJoint(const CheckedYaml& block);
/// Joints name the bodies of repeated entries "name[number]", as they do copies of a grid.
void nameRepeatedEnds(SceneDescription& scene);
/// Names and numbers in scene.joints, which `blocks` hold, against the bodies of the scene. @throws Error
void checkJointNames(const std::vector<CheckedYaml>& blocks, const SceneDescription& scene, Mistakes& mistakes);
/// A file in the units that it says. @throws Error
CheckedYaml inOwnUnits(const CheckedYaml& file);
/// A file with all that it includes, and what those include: one root, each file once. @throws Error
CheckedYaml readIncludes(const CheckedYaml& root, const CheckedYaml::Kind& kind);
/// The blocks that hold bodies, joints and sensors: the file itself, and the prefab of every instance with its names,
/// parameters and place. Mistakes are noted.
std::vector<CheckedYaml> readInstances(const CheckedYaml& root, Mistakes& mistakes);
Material readMaterial(const std::string& name, const CheckedYaml& block);
/// "layers": names, each with the list of those that it meets; every mistake is noted.
std::vector<Layer> readLayers(const CheckedYaml& block, Mistakes& mistakes);
/// Names of materials and layers, against those that there are; every mistake is noted.
/// @param users by the place of a group of bodies, the instance of a prefab that it stands in
void checkLooks(const SceneDescription& scene, const std::map<std::string, std::string>& users, Mistakes& mistakes);
/// The scene that the parts make, the file's first; printedScene() tells more.
std::string printedParts(const std::vector<CheckedYaml>& parts);
Ground readGround(const CheckedYaml& block);
Placement readPlacement(const CheckedYaml& block);
SurfaceProperties readSurface(const CheckedYaml& block, SurfaceProperties surface);
StartVelocity readVelocity(const CheckedYaml& block);
Colour readColour(const CheckedYaml& value);

}  // namespace pliant::scene
