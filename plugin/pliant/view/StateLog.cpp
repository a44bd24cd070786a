// SPDX-License-Identifier: Zlib
#include "pliant/view/StateLog.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/math/Error.h"
#include "pliant/model/MappedFile.h"
#include "pliant/view/StateLogFormat.h"

namespace pliant {
namespace {

const char* const again = "copy it again from where it came, or record it again";
constexpr std::size_t wordBytes = sizeof(std::uint32_t);

}  // namespace

struct StateLog::Data {
    std::string path;
    MappedFile file;
    std::vector<LoggedGroup> groups;
    std::size_t firstFrame = 0, frameSize = 0;
    int frames = 0;

    explicit Data(const std::string& where) : path(where), file(where) {
        readHeader();
        readEnd();
        double last = -std::numeric_limits<double>::infinity();
        for (int i = 0; i < frames; ++i) verifyFrame(i, last);
    }

    [[noreturn]] void fail(const std::string& problem) const { throw Error(path, problem, again); }
    void readHeader();
    void readEnd();
    void verifyFrame(int frame, double& last) const;
    const std::uint8_t* frameAt(int frame) const {
        return file.data() + firstFrame + static_cast<std::size_t>(frame) * frameSize;
    }
};

void StateLog::Data::readHeader() {
    constexpr std::size_t fixed = sizeof stateLog::magic + 3 * wordBytes;
    if (file.size() < sizeof stateLog::magic || std::memcmp(file.data(), stateLog::magic, sizeof stateLog::magic) != 0)
        throw Error(path, "is no log of states of Pliant's", "record one");
    if (file.size() < fixed) fail("the file is truncated");
    const std::uint8_t* next = file.data() + sizeof stateLog::magic;
    if (stateLog::take<std::uint32_t>(next) != stateLog::endianMark)
        fail("was recorded on a machine of another byte order, or is damaged");
    const auto version = stateLog::take<std::uint32_t>(next);
    if (version != stateLog::version)
        throw Error(path, "is a log of version " + std::to_string(version) + ", and this program reads version 1",
                    "record it again, or read it with the program that made it");
    const auto count = stateLog::take<std::uint32_t>(next);
    const auto left = [&] { return file.size() - static_cast<std::size_t>(next - file.data()); };
    if (count > std::min<std::size_t>(stateLog::mostGroups, left() / (3 * wordBytes)))
        fail("its groups do not fit into the file");
    for (std::uint32_t i = 0; i < count; ++i) {
        if (left() < 3 * wordBytes) fail("the file is truncated");
        const auto bodies = stateLog::take<std::uint32_t>(next), dimension = stateLog::take<std::uint32_t>(next),
                   name = stateLog::take<std::uint32_t>(next);
        if (bodies > stateLog::mostBodies || dimension > stateLog::mostDimension || name > stateLog::mostName ||
            name > left())
            fail("group " + std::to_string(i) + " has a size that cannot be");
        groups.push_back({std::string(next, next + name), static_cast<int>(bodies), static_cast<int>(dimension)});
        next += name;
    }
    if (left() < stateLog::checksumBytes) fail("the file is truncated");
    const auto size = static_cast<std::size_t>(next - file.data());
    if (stateLog::take<std::uint64_t>(next) != stateLog::checksum(file.data(), size, 0))
        fail("its header is damaged (the checksum does not match)");
    firstFrame = size + stateLog::checksumBytes;
}

void StateLog::Data::readEnd() {
    const std::size_t left = file.size() - firstFrame;
    const std::uint64_t bytes = stateLog::frameBytes(groups);
    if (left < stateLog::endBytes) fail("the file is truncated");
    const std::uint8_t* end = file.data() + file.size() - stateLog::endBytes;
    const std::uint8_t* next = end;
    const auto count = stateLog::take<std::uint64_t>(next);
    if (count > (left - stateLog::endBytes) / bytes || count * bytes != left - stateLog::endBytes ||
        count > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
        fail("the file is truncated, or longer than it says");
    if (stateLog::take<std::uint64_t>(next) != stateLog::checksum(end, sizeof count, count + 1))
        fail("its end is damaged (the checksum does not match)");
    frames = static_cast<int>(count);
    frameSize = static_cast<std::size_t>(bytes);
}

void StateLog::Data::verifyFrame(int frame, double& last) const {
    const std::uint8_t* next = frameAt(frame);
    const std::string where = "frame " + std::to_string(frame) + ": ";
    const std::uint8_t* sum = next + frameSize - stateLog::checksumBytes;
    const auto expected =
        stateLog::checksum(next, frameSize - stateLog::checksumBytes, static_cast<std::uint64_t>(frame) + 1);
    if (stateLog::take<std::uint64_t>(sum) != expected) fail(where + "is damaged (its checksum does not match)");
    const auto time = stateLog::take<double>(next);
    if (!std::isfinite(time) || !(time > last)) fail(where + "its time is not later than that of the frame before");
    last = time;
    for (const LoggedGroup& group : groups) {
        for (int body = 0; body < group.bodies; ++body) {
            bool good = true;
            for (int axis = 0; axis < 3; ++axis) good &= std::isfinite(stateLog::take<double>(next));
            double squares = 0.0;
            for (int part = 0; part < 4; ++part) {
                const double value = static_cast<double>(stateLog::take<float>(next));
                squares += value * value;
            }
            for (int j = 0; j < group.dimension; ++j) good &= std::isfinite(stateLog::take<float>(next));
            if (!good || !(std::abs(squares - 1.0) < 1e-5))
                fail(where + "body " + std::to_string(body) + " of the group \"" + group.name +
                     "\" has a number that cannot be");
        }
    }
}

StateLog::StateLog(const std::string& path) : m_data(std::make_unique<Data>(path)) {}
StateLog::~StateLog() = default;
StateLog::StateLog(StateLog&&) noexcept = default;
StateLog& StateLog::operator=(StateLog&&) noexcept = default;

const std::vector<LoggedGroup>& StateLog::groups() const {
    return m_data->groups;
}

int StateLog::frameCount() const {
    return m_data->frames;
}

double StateLog::time(int frame) const {
    const std::uint8_t* next = m_data->frameAt(frame);
    return stateLog::take<double>(next);
}

void StateLog::read(int frame, std::vector<Poses>& poses) const {
    const std::uint8_t* next = m_data->frameAt(frame);
    const auto time = stateLog::take<double>(next);
    poses.resize(m_data->groups.size());
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const LoggedGroup& group = m_data->groups[i];
        poses[i].time = time;
        poses[i].resize(group.bodies, group.dimension);
        for (int body = 0; body < group.bodies; ++body) {
            RigidTransform& frameOf = poses[i].worldFromBody[static_cast<std::size_t>(body)];
            for (int axis = 0; axis < 3; ++axis) frameOf.translation[axis] = stateLog::take<double>(next);
            double turn[4];
            for (double& part : turn) part = static_cast<double>(stateLog::take<float>(next));
            frameOf.rotation = Eigen::Quaternion<double, Eigen::DontAlign>(turn[0], turn[1], turn[2], turn[3])
                                   .normalized()
                                   .toRotationMatrix();
            double* q = poses[i].qOf(body);
            for (int j = 0; j < group.dimension; ++j) q[j] = static_cast<double>(stateLog::take<float>(next));
        }
    }
}

}  // namespace pliant
