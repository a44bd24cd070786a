// SPDX-License-Identifier: Zlib
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "osgPliant/VideoWriter.h"

using osgPliant::VideoOptions;
using osgPliant::VideoWriter;
using testing::HasSubstr;

namespace {

class VideoWriterTest : public testing::Test {
protected:
    void SetUp() override {
        m_folder = std::filesystem::temp_directory_path() /
                   (std::string("pliant_nodes_film_") + testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::remove_all(m_folder);
        std::filesystem::create_directories(m_folder);
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    std::string path(const std::string& name) const { return (m_folder / name).string(); }
    long fileCount() const {
        return std::distance(std::filesystem::directory_iterator(m_folder), std::filesystem::directory_iterator());
    }
    /// A program that stands in for ffmpeg: says that it knows `encoder`, then does `body`.
    std::string fakeFfmpeg(const std::string& encoder, const std::string& body) const {
        const std::string program = path("fake");
        std::ofstream(program) << "#!/bin/sh\ncase \"$*\" in *-encoders*) echo ' V..... " << encoder
                               << " words'; exit 0;; esac\n"
                               << body << "\n";
        ::chmod(program.c_str(), 0755);
        return program;
    }

    std::filesystem::path m_folder;
};

osg::ref_ptr<osg::Image> shadedFrame(int shade, int width = 64, int height = 48) {
    osg::ref_ptr<osg::Image> image = new osg::Image;
    image->allocateImage(width, height, 1, GL_RGB, GL_UNSIGNED_BYTE);
    std::fill_n(image->data(), image->getTotalSizeInBytes(), static_cast<unsigned char>(shade));
    return image;
}

bool hasFfmpeg() {
    return std::system("ffmpeg -version > /dev/null 2>&1") == 0;
}

}  // namespace

TEST_F(VideoWriterTest, WritesAFilmAndShowsItOnlyWhenItIsWhole) {
    if (!hasFfmpeg()) GTEST_SKIP() << "the program ffmpeg is not installed";
    VideoWriter writer;
    const std::string film = path("a film; $(touch x) 'quoted'.mp4");
    ASSERT_EQ(writer.open(film, 64, 48), "");
    for (int i = 0; i < 12; ++i) ASSERT_EQ(writer.add(*shadedFrame(20 * i)), "");
    EXPECT_EQ(writer.getFrameCount(), 12);
    EXPECT_FALSE(std::filesystem::exists(film));
    ASSERT_EQ(writer.close(), "");
    EXPECT_GT(std::filesystem::file_size(film), 500u);
    EXPECT_EQ(fileCount(), 1) << "no temporary file is left, and no shell looked at the name";
    const std::string probe =
        "ffprobe -v error -count_frames -select_streams v -show_entries "
        "stream=nb_read_frames,width,height,pix_fmt -of csv=p=0 \"$FILM\" > \"$OUT\"";
    setenv("FILM", film.c_str(), 1);
    setenv("OUT", path("probe").c_str(), 1);
    ASSERT_EQ(std::system(probe.c_str()), 0);
    std::string found;
    std::getline(std::ifstream(path("probe")) >> std::ws, found);
    EXPECT_THAT(found, HasSubstr("64,48,yuv420p"));
    EXPECT_THAT(found, HasSubstr("12"));
}

TEST_F(VideoWriterTest, OddSizesArePadded) {
    if (!hasFfmpeg()) GTEST_SKIP() << "the program ffmpeg is not installed";
    VideoWriter writer;
    ASSERT_EQ(writer.open(path("odd.mp4"), 33, 21), "");
    ASSERT_EQ(writer.add(*shadedFrame(80, 33, 21)), "");
    EXPECT_EQ(writer.close(), "");
}

TEST_F(VideoWriterTest, ADestroyedWriterLeavesNothing) {
    if (!hasFfmpeg()) GTEST_SKIP() << "the program ffmpeg is not installed";
    {
        VideoWriter writer;
        ASSERT_EQ(writer.open(path("never.mp4"), 64, 48), "");
        ASSERT_EQ(writer.add(*shadedFrame(1)), "");
    }
    EXPECT_EQ(fileCount(), 0);
}

TEST_F(VideoWriterTest, MissingFfmpegIsNamed) {
    VideoWriter writer;
    VideoOptions options;
    options.ffmpeg = path("no such program");
    EXPECT_THAT(writer.open(path("film.mp4"), 64, 48, options),
                testing::AllOf(HasSubstr("no such program"), HasSubstr("install ffmpeg")));
    EXPECT_FALSE(writer.isOpen());
    EXPECT_EQ(fileCount(), 0);
}

TEST_F(VideoWriterTest, BadTargetsAreNamed) {
    VideoWriter writer;
    VideoOptions options;
    options.ffmpeg = fakeFfmpeg("mpeg4", "cat > /dev/null");
    EXPECT_THAT(writer.open(path("film.txt"), 64, 48, options), HasSubstr(".mp4"));
    EXPECT_THAT(writer.open(path("missing/film.mp4"), 64, 48, options), HasSubstr("No such file or directory"));
    EXPECT_THAT(writer.open(path("film.mp4"), 0, 48, options), HasSubstr("positive"));
    EXPECT_EQ(writer.open(path("film.mp4"), 64, 48, options), "");
    EXPECT_EQ(writer.getCodec(), "mpeg4");
    EXPECT_THAT(writer.add(*shadedFrame(1, 32, 32)), HasSubstr("64x48"));
}

TEST_F(VideoWriterTest, AnEncoderThatDiesGivesItsOwnWordsAndNoSignal) {
    VideoWriter writer;
    VideoOptions options;
    options.ffmpeg = fakeFfmpeg("libx264", "echo 'No space left on device' >&2; exit 3");
    ASSERT_EQ(writer.open(path("film.mp4"), 640, 480, options), "");
    std::string problem;
    for (int i = 0; i < 50 && problem.empty(); ++i) problem = writer.add(*shadedFrame(i, 640, 480));
    if (problem.empty()) problem = writer.close();
    EXPECT_THAT(problem, HasSubstr("No space left on device"));
    EXPECT_FALSE(std::filesystem::exists(path("film.mp4")));
    EXPECT_EQ(fileCount(), 1) << "only the stand-in";
}

TEST_F(VideoWriterTest, AFilmWithoutFramesIsNotWritten) {
    VideoWriter writer;
    VideoOptions options;
    options.ffmpeg = fakeFfmpeg("libx264", "cat > /dev/null");
    ASSERT_EQ(writer.open(path("film.mp4"), 64, 48, options), "");
    EXPECT_THAT(writer.close(), HasSubstr("no frames"));
    EXPECT_EQ(fileCount(), 1);
}
