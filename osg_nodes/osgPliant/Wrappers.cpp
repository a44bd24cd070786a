// SPDX-License-Identifier: Zlib
// Bodies in files of OpenSceneGraph (.osgt, .osgb, .osgx), and the nodes that do not go into them.
#include <algorithm>
#include <charconv>
#include <locale>
#include <osgDB/ObjectWrapper>
#include <sstream>
#include <string>
#include <vector>

#include "osgPliant/BodyGroup.h"
#include "osgPliant/BodyGroupData.h"
#include "osgPliant/BodyPoint.h"
#include "osgPliant/ContextProgram.h"
#include "osgPliant/ModelInSceneFile.h"

namespace osgPliant {

/// The bodies of a group as text: .osgt would keep six digits of a number.
struct BodyGroupWrapper {
    static std::string textOf(const BodyGroup& group, int body) {
        const std::lock_guard<std::mutex> lock(group._data->mutex);
        const BodyStates& states = group._data->written;
        std::ostringstream text;
        text.imbue(std::locale::classic());
        text.precision(17);
        text << states.body(body).placed << ' ' << states.body(body).visible;
        for (int i = 0; i < 16; ++i) text << ' ' << states.body(body).worldFromBody.ptr()[i];
        for (unsigned int i = 0; i < 4; ++i) text << ' ' << states.body(body).colour[i];
        for (int j = 0; j < states.dimension; ++j) text << ' ' << states.qOf(body)[j];
        return text.str();
    }
    static void take(BodyGroup& group, int body, const std::string& from) {
        constexpr std::size_t before = 2 + 16 + 4;  // of the coordinates
        const std::vector<double> numbers = numbersOf(from);
        if (numbers.size() < before) {
            OSG_WARN << "osgPliant: body " << body << " of a group cannot be read" << std::endl;
            return;
        }
        const std::lock_guard<std::mutex> lock(group._data->mutex);
        BodyStates& states = group._data->written;
        states.body(body).placed = numbers[0] != 0.0;
        states.body(body).visible = numbers[1] != 0.0;
        std::copy_n(numbers.begin() + 2, 16, states.body(body).worldFromBody.ptr());
        for (std::size_t i = 0; i < 4; ++i)
            states.body(body).colour[static_cast<unsigned int>(i)] = static_cast<float>(numbers[18 + i]);
        const auto dimension = static_cast<std::size_t>(states.dimension);
        const std::size_t read = numbers.size() - before;
        if (group.getDeformation() && read != dimension)
            OSG_WARN << "osgPliant: body " << body << " of a group has another dimension than its model" << std::endl;
        std::copy_n(numbers.begin() + before, std::min(read, dimension), states.qOf(body));
        group._data->changed = true;
    }

private:
    /// The numbers of a text, infinite ones and those that are none included, which streams do not read; none at all
    /// where there is anything else.
    static std::vector<double> numbersOf(const std::string& from) {
        std::vector<double> numbers;
        std::istringstream text(from);
        for (std::string word; text >> word;) {
            double number = 0.0;
            const char* end = word.data() + word.size();
            const auto [stop, error] = std::from_chars(word.data(), end, number);
            if (error != std::errc() || stop != end) return {};
            numbers.push_back(number);
        }
        return numbers;
    }
};

namespace {

template <typename Looks>
bool hasModel(const Looks& looks) {
    return looks.getModel() != nullptr;
}

template <typename Looks>
bool writeLooks(osgDB::OutputStream& out, const Looks& looks) {
    if (looks.getCharacter()) {  // its flesh alone would be there
        OSG_WARN << "osgPliant: looks of a character do not go into files" << std::endl;
        out.throwException("looks of a character do not go into files");
        return false;
    }
    out << static_cast<int>(looks.getDeformation()->getPrecision());
    writeModel(out, looks.getModelFile(), *looks.getModel());
    out << std::endl;
    return true;
}

template <typename Looks>
std::shared_ptr<const pliant::ReducedModel> readLooks(osgDB::InputStream& in, Looks& looks,
                                                      Deformation::Precision& precision) {
    int number = 0;
    in >> number;
    precision = number == 0 ? Deformation::HalfFloat : Deformation::Float;
    std::string file;
    const std::shared_ptr<const pliant::ReducedModel> model = readModel(in, file);
    looks.setModelFile(file);
    return model;
}

}  // namespace

namespace model_geometry {

static bool checkModel(const ModelGeometry& geometry) {
    return hasModel(geometry);
}
static bool writeModel(osgDB::OutputStream& out, const ModelGeometry& geometry) {
    return writeLooks(out, geometry);
}
static bool readModel(osgDB::InputStream& in, ModelGeometry& geometry) {
    Deformation::Precision precision = Deformation::HalfFloat;
    const std::shared_ptr<const pliant::ReducedModel> model = readLooks(in, geometry, precision);
    geometry.setModel(model, precision);
    return model != nullptr;
}

REGISTER_OBJECT_WRAPPER(osgPliant_ModelGeometry, new osgPliant::ModelGeometry, osgPliant::ModelGeometry,
                        "osg::Object osgPliant::ModelGeometry") {
    ADD_USER_SERIALIZER(Model);
}

}  // namespace model_geometry

namespace skin {

static bool checkModel(const Skin& skin) {
    return hasModel(skin);
}
static bool writeModel(osgDB::OutputStream& out, const Skin& skin) {
    writeLooks(out, skin);
    out << out.BEGIN_BRACKET << std::endl;
    out << static_cast<const osg::Object*>(skin.getTemplate());
    out << out.END_BRACKET << std::endl;
    return true;
}
static bool readModel(osgDB::InputStream& in, Skin& skin) {
    Deformation::Precision precision = Deformation::HalfFloat;
    const std::shared_ptr<const pliant::ReducedModel> model = readLooks(in, skin, precision);
    in >> in.BEGIN_BRACKET;
    const osg::ref_ptr<osg::Node> node = in.readObjectOfType<osg::Node>();
    in >> in.END_BRACKET;
    return model && skin.setNode(node, model, precision);
}

REGISTER_OBJECT_WRAPPER(osgPliant_Skin, new osgPliant::Skin, osgPliant::Skin, "osg::Object osgPliant::Skin") {
    ADD_USER_SERIALIZER(Model);
}

}  // namespace skin

namespace body_group {

static bool checkLooks(const BodyGroup& group) {
    return group.getSkin() || group.getModelGeometry();
}
static bool writeLooks(osgDB::OutputStream& out, const BodyGroup& group) {
    out << out.BEGIN_BRACKET << std::endl;
    if (group.getSkin())
        out << static_cast<const osg::Object*>(group.getSkin());
    else
        out << static_cast<const osg::Object*>(group.getModelGeometry());
    out << out.END_BRACKET << std::endl;
    return true;
}
static bool readLooks(osgDB::InputStream& in, BodyGroup& group) {
    in >> in.BEGIN_BRACKET;
    const osg::ref_ptr<osg::Object> looks = in.readObject();
    in >> in.END_BRACKET;
    if (auto* skin = dynamic_cast<Skin*>(looks.get())) group.setSkin(skin);
    if (auto* geometry = dynamic_cast<ModelGeometry*>(looks.get())) group.setModelGeometry(geometry);
    return true;
}

static bool checkBodies(const BodyGroup& group) {
    return group.getBodyCount() > 0;
}
static bool writeBodies(osgDB::OutputStream& out, const BodyGroup& group) {
    out.writeSize(static_cast<unsigned int>(group.getBodyCount()));
    out << out.BEGIN_BRACKET << std::endl;
    for (int i = 0; i < group.getBodyCount(); ++i) {
        out.writeWrappedString(BodyGroupWrapper::textOf(group, i));
        out << std::endl;
    }
    out << out.END_BRACKET << std::endl;
    return true;
}
static bool readBodies(osgDB::InputStream& in, BodyGroup& group) {
    const unsigned int count = in.readSize();
    in >> in.BEGIN_BRACKET;
    for (unsigned int i = 0; i < count; ++i) {
        std::string text;
        in.readWrappedString(text);
        if (in.getException()) return false;
        group.setBodyCount(static_cast<int>(i) + 1);
        BodyGroupWrapper::take(group, static_cast<int>(i), text);
    }
    in >> in.END_BRACKET;
    return true;
}

static bool checkAttributeNames(const BodyGroup& group) {
    return !group.getPositionName().empty() || !group.getNormalName().empty();
}
static bool writeAttributeNames(osgDB::OutputStream& out, const BodyGroup& group) {
    out.writeWrappedString(group.getPositionName());
    out.writeWrappedString(group.getNormalName());
    out << std::endl;
    return true;
}
static bool readAttributeNames(osgDB::InputStream& in, BodyGroup& group) {
    std::string position, normal;
    in.readWrappedString(position);
    in.readWrappedString(normal);
    if (in.getException()) return false;
    group.setAttributeNames(position, normal);
    return true;
}

REGISTER_OBJECT_WRAPPER(osgPliant_BodyGroup, new osgPliant::BodyGroup, osgPliant::BodyGroup,
                        "osg::Object osg::Node osg::Group osgPliant::BodyGroup") {
    ADD_USER_SERIALIZER(Looks);
    ADD_USER_SERIALIZER(Bodies);
    ADD_DOUBLE_SERIALIZER(PixelError, -1.0);  // always written: what is not told depends on the look
    ADD_USER_SERIALIZER(AttributeNames);
}

}  // namespace body_group

namespace body_point {

static bool checkPoint(const BodyPoint& point) {
    return point.getBodyGroup() != nullptr;
}
static bool writePoint(osgDB::OutputStream& out, const BodyPoint& point) {
    std::ostringstream text;  // .osgt would keep six digits of a number
    text.imbue(std::locale::classic());
    text.precision(17);
    text << point.getBody();
    for (int axis = 0; axis < 3; ++axis) text << ' ' << point.getRestPoint()[axis];
    out.writeWrappedString(text.str());
    out << out.BEGIN_BRACKET << std::endl;
    out << static_cast<const osg::Object*>(point.getBodyGroup());
    out << out.END_BRACKET << std::endl;
    return true;
}
static bool readPoint(osgDB::InputStream& in, BodyPoint& point) {
    std::string numbers;
    in.readWrappedString(numbers);
    in >> in.BEGIN_BRACKET;
    const osg::ref_ptr<osg::Object> group = in.readObject();
    in >> in.END_BRACKET;
    std::istringstream text(numbers);
    text.imbue(std::locale::classic());
    int body = -1;
    osg::Vec3d rest;
    text >> body >> rest.x() >> rest.y() >> rest.z();
    if (!text || in.getException()) return false;
    point.setPoint(dynamic_cast<BodyGroup*>(group.get()), body, rest);
    return true;
}

REGISTER_OBJECT_WRAPPER(osgPliant_BodyPoint, new osgPliant::BodyPoint, osgPliant::BodyPoint,
                        "osg::Object osg::Node osg::Group osg::Transform osgPliant::BodyPoint") {
    ADD_USER_SERIALIZER(Point);
}

}  // namespace body_point

/// What shapes of Primitives.h and adopted nodes are drawn with, shaders and all.
namespace context_program {

REGISTER_OBJECT_WRAPPER(osgPliant_ContextProgram, new osgPliant::ContextProgram, osgPliant::ContextProgram,
                        "osg::Object osg::StateAttribute osg::Program osgPliant::ContextProgram") {
    static_cast<void>(wrapper);  // it keeps nothing beside what osg::Program does
}

}  // namespace context_program

namespace not_in_files {

/// Fails the whole file: of a node without a wrapper OpenSceneGraph writes nothing, and says that it has been written.
class Refusal : public osgDB::BaseSerializer {
public:
    explicit Refusal(const std::string& node)
        : osgDB::BaseSerializer(READ_WRITE_PROPERTY), _message(node + " does not go into files") {}
    bool read(osgDB::InputStream& in, osg::Object&) override {
        in.throwException(_message);
        return false;
    }
    bool write(osgDB::OutputStream& out, const osg::Object&) override {
        OSG_WARN << _message << std::endl;
        out.throwException(_message);
        return false;
    }
    const std::string& getName() const override { return _message; }

private:
    std::string _message;
};

static osg::Object* makeNothing() {
    return nullptr;
}

static void refuse(osgDB::ObjectWrapper* wrapper) {
    wrapper->addSerializer(new Refusal(wrapper->getName()));
}

/// The wrapper of a node that does not go into files, by the name that META_Node gives it.
struct Refused : osgDB::RegisterWrapperProxy {
    explicit Refused(const std::string& node) : RegisterWrapperProxy(&makeNothing, node, node, &refuse) {}
};

static const Refused refused[] = {
    Refused("osgPliant::CharacterGroup"), Refused("osgPliant::DebugDrawing"),        Refused("osgPliant::Links"),
    Refused("osgPliant::SceneNode"),      Refused("osgPliant::SoftwareDeformation"), Refused("osgPliant::Stage")};

}  // namespace not_in_files

}  // namespace osgPliant
