// SPDX-License-Identifier: Zlib
// Matrix Market files as other programs write them, and broken ones.
#include "../mesh/TemporaryFolder.h"
#include "pliant/exchange/MatrixMarket.h"

namespace {

using pliant::MatrixX;
using pliant::readMatrixMarket;
using pliant::test::errorOf;
using pliant::test::TemporaryFolder;
using testing::HasSubstr;

MatrixX read(const std::string& text) {
    const TemporaryFolder folder;
    return readMatrixMarket(folder.write("a.mtx", text));
}

std::string problemOf(const std::string& text) {
    return errorOf([&] { read(text); });
}

MatrixX matrix(std::initializer_list<double> rows, Eigen::Index count) {
    MatrixX result(count, static_cast<Eigen::Index>(rows.size()) / count);
    Eigen::Index i = 0;
    for (const double value : rows) {
        result(i / result.cols(), i % result.cols()) = value;
        ++i;
    }
    return result;
}

TEST(MatrixMarket, EveryKindIsRead) {
    EXPECT_EQ(read("%%MatrixMarket matrix array real general\n% a comment\n\n2 3\n1\n4\n2\n5\n3\n6e0\n"),
              matrix({1, 2, 3, 4, 5, 6}, 2));
    EXPECT_EQ(read("%%MatrixMarket matrix array real symmetric\r\n2 2\r\n1\r\n2\r\n3\r\n"), matrix({1, 2, 2, 3}, 2));
    EXPECT_EQ(read("%%MatrixMarket Matrix Array Integer skew-symmetric\n2 2\n7\n"), matrix({0, -7, 7, 0}, 2));
    EXPECT_EQ(read("%%MatrixMarket matrix coordinate real general\n2 3 3\n1 3 0.5\n2 1 -1\n1 3 0.25\n"),
              matrix({0, 0, 0.75, -1, 0, 0}, 2));
    EXPECT_EQ(read("%%MatrixMarket matrix coordinate double symmetric\n2 2 2\n1 1 3\n2 1 4 % below\n"),
              matrix({3, 4, 4, 0}, 2));
}

TEST(MatrixMarket, WhatIsWrittenIsReadToTheSameBits) {
    const TemporaryFolder folder;
    const MatrixX A = matrix({1.0 / 3.0, -5e-324, 1.7976931348623157e308, 0.1, -0.0, 3.0}, 2);
    pliant::writeMatrixMarket(A, folder.path("a.mtx"));
    const MatrixX B = readMatrixMarket(folder.path("a.mtx"));
    EXPECT_EQ(A, B);
    EXPECT_TRUE(std::signbit(B(1, 1)));
}

TEST(MatrixMarket, BrokenFilesAreRefusedWithTheirLine) {
    const std::string array = "%%MatrixMarket matrix array real general\n";
    const std::string entries = "%%MatrixMarket matrix coordinate real general\n";
    EXPECT_THAT(problemOf(""), HasSubstr("the file is empty"));
    EXPECT_THAT(problemOf("1 2 3\n"), HasSubstr("a.mtx:1: this is no Matrix Market file"));
    EXPECT_THAT(problemOf("%%MatrixMarket matrix array complex general\n"), HasSubstr("its numbers are complex"));
    EXPECT_THAT(problemOf("%%MatrixMarket matrix array real hermitian\n"), HasSubstr("\"hermitian\" is not read"));
    EXPECT_THAT(problemOf(array + "2 2\n1\n2\n3\n"), HasSubstr("the file ends before its last number"));
    EXPECT_THAT(problemOf(array + "1 1\n1\n2\n"), HasSubstr("a.mtx:4: there is more in the file"));
    EXPECT_THAT(problemOf(array + "1 1\nnan\n"), HasSubstr("a.mtx:3: a number is nan"));
    EXPECT_THAT(problemOf(array + "1 1\n1,5\n"), HasSubstr("\"1,5\" is not a number"));
    EXPECT_THAT(problemOf(array + "0 1\n"), HasSubstr("a size is not positive"));
    EXPECT_THAT(problemOf("%%MatrixMarket matrix array real symmetric\n2 3\n"), HasSubstr("2 rows and 3 columns"));
    EXPECT_THAT(problemOf(entries + "2 2 1\n0 1 5\n"), HasSubstr("a.mtx:3: entry (0, 1) of a matrix of 2 x 2"));
    EXPECT_THAT(problemOf(entries + "2 2 2\n1 1 5\n"), HasSubstr("the file ends before its last entry"));
    // Twenty terabytes of zeros, announced by a hundred bytes.
    EXPECT_THAT(problemOf(entries + "2000000 1000000 1\n1 1 5\n"), HasSubstr("the file is too short for"));
}

}  // namespace
