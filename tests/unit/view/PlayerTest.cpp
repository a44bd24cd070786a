// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <filesystem>

#include "SamplePoses.h"
#include "pliant/view/InterpolatePoses.h"
#include "pliant/view/Player.h"

namespace pliant::test {
namespace {

std::vector<Poses> oneBody(double time, double angle, double x, double q) {
    std::vector<Poses> poses(1);
    poses[0].resize(1, 1);
    poses[0].time = time;
    poses[0].worldFromBody[0].rotation = Eigen::AngleAxisd(angle, Vector3(1, 2, 3).normalized()).toRotationMatrix();
    poses[0].worldFromBody[0].translation = Vector3(x, 0, 0);
    poses[0].q[0] = q;
    return poses;
}

TEST(InterpolatePoses, TurnsAtAConstantRateAndGoesStraight) {
    std::vector<Poses> poses;
    const auto from = oneBody(2.0, 0.3, 1.0, -4.0), to = oneBody(3.0, 1.9, 5.0, 4.0);
    for (const double share : {0.0, 0.125, 0.5, 0.9, 1.0}) {
        interpolatePoses(from, to, share, poses);
        const auto expected = oneBody(2.0 + share, 0.3 + 1.6 * share, 1.0 + 4.0 * share, -4.0 + 8.0 * share);
        EXPECT_LT((poses[0].worldFromBody[0].rotation - expected[0].worldFromBody[0].rotation).norm(), 1e-14);
        EXPECT_NEAR(poses[0].worldFromBody[0].translation.x(), 1.0 + 4.0 * share, 1e-14);
        EXPECT_NEAR(poses[0].q[0], expected[0].q[0], 1e-14);
        EXPECT_NEAR(poses[0].time, 2.0 + share, 1e-15);
    }
    // The short way round: from 170 to 190 degrees.
    interpolatePoses(oneBody(0, 2.967, 0, 0), oneBody(1, 3.316, 0, 0), 0.5, poses);
    EXPECT_LT((poses[0].worldFromBody[0].rotation - oneBody(0, 3.1415, 0, 0)[0].worldFromBody[0].rotation).norm(),
              1e-12);
    // Others are cut off, and what is not alike is not mixed.
    interpolatePoses(from, to, 7.0, poses);
    EXPECT_EQ(poses[0].q, to[0].q);
    interpolatePoses(from, to, std::nan(""), poses);
    EXPECT_EQ(poses[0].q, to[0].q);
    interpolatePoses(from, samplePoses(1, 3.0), 0.5, poses);
    EXPECT_EQ(poses.size(), 2u);
    EXPECT_EQ(poses[0].q, samplePoses(1, 3.0)[0].q);
}

TEST(Player, ShowsAnyMomentForwardsAndBackwards) {
    const std::string path = (std::filesystem::temp_directory_path() / "PlayerTest.states").string();
    {
        StateLogWriter log(path, {{"one", 1, 1}});
        for (const int i : {0, 1, 2, 5}) log.add(oneBody(i, 0.1 * i, 10.0 * i, 0.5 * i));
        log.close();
    }
    Player player((StateLog(path)));
    std::filesystem::remove(path);  // the file may go while it is played
    EXPECT_EQ(player.start(), 0.0);
    EXPECT_EQ(player.end(), 5.0);
    std::vector<Poses> poses;
    for (const double time : {0.0, 0.5, 1.0, 1.75, 4.0, 5.0, 2.25, 1.5, 3.0, 0.25}) {
        player.at(time, poses);
        EXPECT_NEAR(poses[0].worldFromBody[0].translation.x(), 10.0 * time, 1e-12) << time;
        EXPECT_NEAR(poses[0].q[0], 0.5 * time, 1e-7) << time;
    }
    player.at(-3.0, poses);
    EXPECT_EQ(poses[0].time, 0.0);
    player.at(99.0, poses);
    EXPECT_EQ(poses[0].time, 5.0);
    EXPECT_EQ(player.frameAt(4.9), 2);
    EXPECT_EQ(player.frameAt(-1.0), 0);
}

}  // namespace
}  // namespace pliant::test
