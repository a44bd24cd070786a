// SPDX-License-Identifier: Zlib
// The section "field": kept bit by bit, absent where a model has none, refused where it lies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

#include "SampleModel.h"
#include "pliant/math/Error.h"
#include "pliant/model/EncodeModel.h"
#include "pliant/model/ModelContainer.h"

namespace {

using namespace pliant;
using test::ScratchFolder;

ReducedModel modelWithField() {
    ReducedModel model = test::sampleModel();
    DistanceField& field = model.contactSurface.field;
    field.origin = Vector3(-0.5, 0.25, 1.0 / 3.0);
    field.spacing = 0.01;
    field.bricks = Eigen::Vector3i(3, 1, 2);
    field.corners = VectorXf::LinSpaced(4 * 2 * 3, -0.1f, 0.2f);
    field.brickSamples = {-1, 1, -1, 0, -1, -1};
    for (int i = 0; i < 2 * 729; ++i) field.samples.push_back(static_cast<std::int16_t>(i * 45 - 32767));
    field.unit = 1e-6;
    field.lipschitz = 1.25;
    field.offset = 0.002;
    return model;
}

TEST(FieldSection, KeepsEveryBit) {
    const ScratchFolder folder;
    const ReducedModel model = modelWithField();
    saveModel(model, folder.file("a.pliant"));
    const DistanceField& saved = model.contactSurface.field;
    const auto kept = loadModel(folder.file("a.pliant"));
    const DistanceField& field = kept->contactSurface.field;
    EXPECT_EQ(field.origin, saved.origin);
    EXPECT_EQ(field.spacing, saved.spacing);
    EXPECT_EQ(field.bricks, saved.bricks);
    EXPECT_EQ(field.corners, saved.corners);
    EXPECT_EQ(field.brickSamples, saved.brickSamples);
    EXPECT_EQ(field.samples, saved.samples);
    EXPECT_EQ(field.unit, saved.unit);
    EXPECT_EQ(field.lipschitz, saved.lipschitz);
    EXPECT_EQ(field.offset, saved.offset);
}

TEST(FieldSection, IsWrittenOnlyWhereThereIsAField) {
    const ScratchFolder folder;
    const auto has = [&](const ReducedModel& model) {
        saveModel(model, folder.file("a.pliant"));
        const std::vector<ModelSection> sections = listSections(folder.file("a.pliant"));
        return std::any_of(sections.begin(), sections.end(), [](const auto& s) { return s.name == "field"; });
    };
    EXPECT_TRUE(has(modelWithField()));
    EXPECT_FALSE(has(test::sampleModel()));
    EXPECT_TRUE(loadModel(folder.file("a.pliant"))->contactSurface.field.empty());
    EXPECT_EQ(neededVersion(modelWithField()), neededVersion(test::sampleModel()));
}

struct FieldMistake {
    const char* message;
    std::function<void(DistanceField&)> make;
};

const double notANumber = std::numeric_limits<double>::quiet_NaN();

const std::vector<FieldMistake> fieldMistakes = {
    {"the number of bricks is out of range", [](DistanceField& f) { f.bricks[1] = 0; }},
    {"the number of bricks is out of range", [](DistanceField& f) { f.bricks[2] = -2; }},
    {"the number of bricks is out of range", [](DistanceField& f) { f.bricks[0] = 4097; }},
    {"the number of bricks is out of range", [](DistanceField& f) { f.bricks.setConstant(1000); }},
    {"", [](DistanceField& f) { f.bricks[0] = 4; }},
    {"", [](DistanceField& f) { f.corners.conservativeResize(23); }},
    {"", [](DistanceField& f) { f.corners[7] = std::numeric_limits<float>::infinity(); }},
    {"", [](DistanceField& f) { f.brickSamples.push_back(-1); }},
    {"the number of a brick is out of range", [](DistanceField& f) { f.brickSamples[0] = 2; }},
    {"the number of a brick is out of range", [](DistanceField& f) { f.brickSamples[0] = -2; }},
    {"a brick has a wrong number of samples", [](DistanceField& f) { f.samples.pop_back(); }},
    {"the number of a brick is out of range", [](DistanceField& f) { f.samples.resize(729); }},
    {"there are more samples than bricks", [](DistanceField& f) { f.samples.resize(7 * 729); }},
    {"", [](DistanceField& f) { f.origin[2] = notANumber; }},
    {"the spacing is out of range", [](DistanceField& f) { f.spacing = 0.0; }},
    {"the spacing is out of range", [](DistanceField& f) { f.spacing = notANumber; }},
    {"the unit is out of range", [](DistanceField& f) { f.unit = -1.0; }},
    {"the unit is out of range", [](DistanceField& f) { f.unit = notANumber; }},
    {"the Lipschitz number is out of range", [](DistanceField& f) { f.lipschitz = 0.5; }},
    {"the offset is out of range", [](DistanceField& f) { f.offset = notANumber; }},
};

TEST(FieldSection, ContradictionsAreRefusedOnSavingAndLoading) {
    const ScratchFolder folder;
    for (const FieldMistake& mistake : fieldMistakes) {
        ReducedModel model = modelWithField();
        mistake.make(model.contactSurface.field);
        std::string saving;
        try {
            saveModel(model, folder.file("a.pliant"));
        } catch (const Error& error) {
            saving = error.what();
        }
        writeContainer(folder.file("b.pliant"), encodeModel(model, folder.file("b.pliant")));
        const std::string loading = test::refusal(folder.file("b.pliant"));
        const std::string wanted = std::string("section 'field': ") + mistake.message;
        EXPECT_NE(saving.find(wanted), std::string::npos) << mistake.message << " | " << saving;
        EXPECT_NE(loading.find(wanted), std::string::npos) << mistake.message << " | " << loading;
    }
}

// As in DamagedFileTest: right checksums, any word of the section replaced.
TEST(FieldSection, HostileWordsEndWithAnErrorOrAModel) {
    const ScratchFolder folder;
    const std::vector<SectionBytes> sections = encodeModel(modelWithField(), folder.file("a.pliant"));
    ASSERT_EQ(sections.back().name, "field");
    std::mt19937_64 engine(5);
    const std::uint32_t values[] = {0xffffffffu, 0x7fffffffu, 0x7ffffffcu, 0x10000u, 0u};
    int refused = 0;
    for (int i = 0; i < 300; ++i) {
        std::vector<SectionBytes> damaged = sections;
        std::vector<std::uint8_t>& bytes = damaged.back().bytes;
        // The head with its sizes and tables; samples may be any numbers.
        const std::size_t word = 4 * (engine() % (i % 2 ? 40 : bytes.size() / 4));
        std::memcpy(bytes.data() + word, &values[engine() % 5], 4);
        writeContainer(folder.file("a.pliant"), damaged);
        const std::string message = test::refusal(folder.file("a.pliant"));
        if (message.empty()) continue;
        ++refused;
        EXPECT_NE(message.find("section 'field'"), std::string::npos) << message;
    }
    EXPECT_GT(refused, 50);
}

}  // namespace
