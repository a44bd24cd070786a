// SPDX-License-Identifier: Zlib
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

#include "SamplePoses.h"
#include "pliant/math/Error.h"
#include "pliant/view/StateLog.h"
#include "pliant/view/StateLogFormat.h"

namespace pliant::test {
namespace {

const std::vector<LoggedGroup> groups = {{"baskets.pliant", 3, 5}, {"", 1, 0}};
constexpr int frames = 4;

class StateLogFile : public ::testing::Test {
protected:
    StateLogFile() {
        m_path = (std::filesystem::temp_directory_path() /
                  (std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) + ".states"))
                     .string();
        std::filesystem::remove(m_path);
    }
    ~StateLogFile() override { std::filesystem::remove(m_path); }

    void write() const {
        StateLogWriter log(m_path, groups);
        for (int i = 0; i < frames; ++i) log.add(samplePoses(i, 0.5 * i - 1.0));
        log.close();
    }
    std::string bytes() const {
        std::ifstream file(m_path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    void put(const std::string& bytes) const { std::ofstream(m_path, std::ios::binary) << bytes; }
    /// What reading says; empty where nothing is wrong.
    std::string problem() const {
        try {
            const StateLog log(m_path);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }
    std::string m_path;
};

TEST_F(StateLogFile, ComesBackAsItWasWritten) {
    write();
    const StateLog log(m_path);
    ASSERT_EQ(log.frameCount(), frames);
    ASSERT_EQ(log.groups().size(), 2u);
    EXPECT_EQ(log.groups()[0].name, "baskets.pliant");
    EXPECT_EQ(std::filesystem::file_size(m_path),
              8 + 3 * 4 + (12 + 14) + 12 + 8 + frames * (16 + 3 * (40 + 20) + 40) + 16);
    std::vector<Poses> poses;
    for (const int frame : {3, 0, 1, 2}) {
        const std::vector<Poses> expected = samplePoses(frame, 0.5 * frame - 1.0);
        log.read(frame, poses);
        EXPECT_EQ(log.time(frame), expected[0].time);
        for (std::size_t i = 0; i < poses.size(); ++i) {
            EXPECT_EQ(poses[i].time, expected[i].time);
            ASSERT_EQ(poses[i].count(), expected[i].count());
            for (int body = 0; body < poses[i].count(); ++body) {
                const RigidTransform& is = poses[i].worldFromBody[static_cast<std::size_t>(body)];
                const RigidTransform& was = expected[i].worldFromBody[static_cast<std::size_t>(body)];
                EXPECT_EQ(is.translation, was.translation) << "to the bit";
                EXPECT_LT((is.rotation - was.rotation).norm(), 4e-7);
                for (int j = 0; j < poses[i].dimension; ++j)
                    EXPECT_EQ(poses[i].qOf(body)[j], static_cast<double>(static_cast<float>(expected[i].qOf(body)[j])));
            }
        }
    }
}

TEST_F(StateLogFile, NoByteOfItMayChange) {
    write();
    const std::string good = bytes();
    // Every byte of the header and of the end, and one in eleven of the frames.
    const auto next = [&](std::size_t at) { return at < 80 || at + 40 > good.size() ? at + 1 : at + 11; };
    for (std::size_t at = 0; at < good.size(); at = next(at)) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0x10);
        put(bad);
        ASSERT_THAT(problem(), ::testing::HasSubstr(m_path)) << "byte " << at;
    }
    for (std::size_t size = 0; size < good.size(); size = next(size)) {
        put(good.substr(0, size));
        ASSERT_NE(problem(), "") << size << " bytes";
    }
    put(good + "x");
    EXPECT_NE(problem(), "");
    put(good);
    EXPECT_EQ(problem(), "");
}

/// A header with one group, with a checksum that fits.
std::string headerOf(std::uint32_t groupCount, std::uint32_t bodies, std::uint32_t dimension, std::uint32_t name) {
    std::vector<std::uint8_t> out(stateLog::magic, stateLog::magic + 8);
    for (const std::uint32_t word : {stateLog::endianMark, stateLog::version, groupCount, bodies, dimension, name})
        stateLog::put(out, word);
    stateLog::put(out, stateLog::checksum(out.data(), out.size(), 0));
    return {out.begin(), out.end()};
}

// Checksums are no secret: sizes that would take all memory, and numbers that are none, come with the right ones.
TEST_F(StateLogFile, HostileFilesAreRefused) {
    for (const std::string& header :
         {headerOf(0xffffffffu, 1, 1, 0), headerOf(1, 0xffffffffu, 1, 0), headerOf(1, 1, 0xffffffffu, 0),
          headerOf(1, 1, 1, 0xffffffffu), headerOf(1, 1u << 24, 1u << 16, 0)}) {
        put(header + std::string(32, '\0'));
        EXPECT_NE(problem(), "");
    }
    write();
    const std::string good = bytes();
    const std::size_t first = good.size() - 16 - frames * (16 + 3 * 60 + 40), size = 16 + 3 * 60 + 40;
    const auto withNumber = [&](std::size_t at, const void* number, std::size_t length) {
        std::string bad = good;
        bad.replace(first + size + at, length, static_cast<const char*>(number), length);
        const std::uint64_t sum = stateLog::checksum(bad.data() + first + size, size - 8, 2);
        bad.replace(first + 2 * size - 8, 8, reinterpret_cast<const char*>(&sum), 8);
        put(bad);
    };
    const double nan = std::numeric_limits<double>::quiet_NaN(), early = -7.0;
    const float infinite = std::numeric_limits<float>::infinity(), two = 2.0f;
    withNumber(0, &early, 8);
    EXPECT_THAT(problem(), ::testing::HasSubstr("frame 1: its time"));
    withNumber(8, &nan, 8);
    EXPECT_THAT(problem(), ::testing::HasSubstr("frame 1: body 0 of the group \"baskets.pliant\""));
    withNumber(8 + 24, &two, 4);
    EXPECT_THAT(problem(), ::testing::HasSubstr("frame 1: body 0"));
    withNumber(8 + 60 + 40, &infinite, 4);
    EXPECT_THAT(problem(), ::testing::HasSubstr("frame 1: body 1"));
    const double still = -0.5;
    withNumber(0, &still, 8);
    EXPECT_EQ(problem(), "") << "the harness itself breaks nothing";
    // Two frames that change places.
    std::string swapped = good;
    swapped.replace(first, size, good, first + size, size);
    swapped.replace(first + size, size, good, first, size);
    put(swapped);
    EXPECT_THAT(problem(), ::testing::HasSubstr("frame 0: is damaged"));
    // Another version says so.
    std::string newer = good;
    newer[12] = 2;
    put(newer);
    EXPECT_THAT(problem(), ::testing::HasSubstr("version 2"));
}

TEST_F(StateLogFile, WhatCannotBeLoggedIsTold) {
    const auto why = [&](const std::function<void(StateLogWriter&)>& add) -> std::string {
        StateLogWriter log(m_path, groups);
        log.add(samplePoses(0, 1.0));
        try {
            add(log);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_THAT(why([](StateLogWriter& log) { log.add(samplePoses(1, 1.0)); }),
                ::testing::HasSubstr("frame 1: its time"));
    EXPECT_THAT(why([](StateLogWriter& log) { log.add({}); }), ::testing::HasSubstr("frame 1: there are other groups"));
    EXPECT_THAT(why([](StateLogWriter& log) {
                    auto poses = samplePoses(1, 2.0);
                    poses[0].resize(4, 5);
                    log.add(poses);
                }),
                ::testing::HasSubstr("other bodies"));
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), 1e300})
        EXPECT_THAT(why([&](StateLogWriter& log) {
                        auto poses = samplePoses(1, 2.0);
                        poses[0].qOf(2)[3] = bad;
                        log.add(poses);
                    }),
                    ::testing::HasSubstr("frame 1: body 2"));
    EXPECT_THAT(why([](StateLogWriter& log) {
                    auto poses = samplePoses(1, 2.0);
                    poses[1].worldFromBody[0].rotation *= 1.1;
                    log.add(poses);
                }),
                ::testing::HasSubstr("no rigid frame"));
    EXPECT_FALSE(std::filesystem::exists(m_path)) << "what is not closed leaves no file";
    EXPECT_THROW(StateLogWriter("/nowhere/at/all.states", groups), Error);
    EXPECT_THROW(StateLogWriter(m_path, {{"too many", 1 << 30, 1}}), Error);
    EXPECT_THROW(StateLog("/nowhere/at/all.states"), Error);
}

TEST_F(StateLogFile, MayBeEmpty) {
    StateLogWriter(m_path, {}).close();
    EXPECT_EQ(StateLog(m_path).frameCount(), 0);
}

}  // namespace
}  // namespace pliant::test
