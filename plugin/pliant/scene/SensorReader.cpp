// SPDX-License-Identifier: Zlib
// The sensors, records and expectations of a scene file.
#include <filesystem>

#include "pliant/scene/SceneParts.h"

namespace pliant::scene {
namespace {

/// Keys that belong to one kind each.
void checkSensorKeys(const CheckedYaml& block, SensorKind kind) {
    const auto refuse = [&](const char* key, bool fits) {
        if (!fits && block.has(key)) block.at(key).fail("\"" + std::string(key) + "\" means nothing for this sensor");
    };
    refuse("between", kind == SensorKind::Contact);
    refuse("box", kind == SensorKind::Region || kind == SensorKind::Contact);
    refuse("material", kind == SensorKind::Contact);
    refuse("filter", kind == SensorKind::Contact);
    refuse("of", kind != SensorKind::Contact);
    refuse("point", kind == SensorKind::Point || kind == SensorKind::Strain);
}

void readBox(const CheckedYaml& block, Sensor& sensor) {
    block.expectBlock("box");
    sensor.from = block.at("from").vector();
    sensor.to = block.at("to").vector();
    if (block.space() && sensor.kind == SensorKind::Region) sensor.frame = block.space()->frame;
    if ((sensor.from.array() >= sensor.to.array()).any())
        block.fail("the box is empty", "\"from\" is the corner with the least x, y and z");
}

}  // namespace

void readSides(const CheckedYaml& list, std::vector<Reference>& first, std::vector<Reference>& second) {
    const auto items = list.itemsOrOne();
    if (items.empty() || items.size() > 2)
        list.fail("contacts are between two", "write between: [first, second], or one name for whatever it touches");
    first = readReferences(items[0]);
    if (items.size() > 1) second = readReferences(items[1]);
}

Sensor readSensor(const CheckedYaml& block) {
    block.expectBlock("sensor");
    Sensor sensor;
    sensor.where = block.where();
    sensor.name = readName(block);
    if (sensor.name.empty()) block.fail("a sensor needs the key \"name\"", "expressions call it by it");
    const std::string whole = block.at("name").text(), own = whole.substr(0, whole.find('['));
    if (own.find_first_not_of("0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string::npos ||
        (own[0] >= '0' && own[0] <= '9'))
        block.at("name").fail("the name of a sensor is a word of letters, digits and underscores");
    sensor.kind = static_cast<SensorKind>(block.at("kind").word());
    checkSensorKeys(block, sensor.kind);
    if (sensor.kind == SensorKind::Contact) readSides(block.at("between"), sensor.of, sensor.with);
    if (sensor.kind == SensorKind::Region || block.has("box")) readBox(block.at("box"), sensor);
    if (const auto value = block.find("material")) sensor.material = value->text();
    if (const auto value = block.find("filter")) sensor.filter = value->number({0.0, 1.0e6});
    if (const auto value = block.find("of")) sensor.of = readReferences(*value);
    const bool isOfOne = sensor.kind == SensorKind::Point || sensor.kind == SensorKind::Joint ||
                         sensor.kind == SensorKind::Hand || sensor.kind == SensorKind::Strain;
    if (isOfOne)
        if (block.at("of"); sensor.of.size() != 1) block.at("of").fail("one name is wanted here");
    if (const auto value = block.find("point")) sensor.at = value->vector();
    return sensor;
}

Record readRecord(const CheckedYaml& block, const TimeSettings& time) {
    block.expectBlock("record");
    Record record;
    record.where = block.where();
    const CheckedYaml file = block.at("file");
    record.file = file.text();
    const std::filesystem::path path(record.file);
    if (path.extension() != ".csv" && path.extension() != ".jsonl")
        file.fail("\"" + record.file + "\" is neither .csv nor .jsonl");
    if (path.is_absolute() || record.file.find("..") != std::string::npos)
        file.fail("records are written into the output folder", "leave out what leads out of it");
    if (const auto value = block.find("every")) record.every = value->number({time.step(), 1.0e6});
    const CheckedYaml of = block.at("of");
    if (!of.isList()) record.of = {of.text()};
    if (of.isList())
        for (const CheckedYaml& item : of.items()) record.of.push_back(item.text());
    if (record.of.empty()) of.fail("nothing is recorded", "name quantities of sensors, for example tip.position");
    if (const auto value = block.find("each")) record.ofEach = value->boolean();
    if (record.of.size() == 1 && record.of[0].find('.') == std::string::npos) {
        record.contacts.swap(record.of[0]);
        record.of.clear();
        for (const char* key : {"every", "each"})
            if (block.has(key))
                block.at(key).fail("\"" + std::string(key) + "\" means nothing for a record of contacts, which \"" +
                                       record.contacts + "\" without a quantity is",
                                   "each contact has a line in every step; for a number of it write " +
                                       record.contacts + ".position, for example");
    }
    return record;
}

Expectation readExpectation(const CheckedYaml& block, const TimeSettings& time) {
    block.expectBlock("expectation");
    Expectation expectation;
    expectation.where = block.where();
    expectation.that = block.at("that").condition();
    if (const auto value = block.find("at"); value && value->text() != "end")
        expectation.at = value->number({0.0, time.duration});
    return expectation;
}

}  // namespace pliant::scene
