// SPDX-License-Identifier: Zlib
/// @file
/// The clock of a scene: what is measured goes in, what is due comes out. Knows no physics.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/scene/TimelineDescription.h"

namespace pliant::scene {

/// An action that is due, with the numbers that its formulas have at this moment.
struct DueAction {
    const Action* action = nullptr;      ///< The action as described.
    double value = 0.0;                  ///< Value of `set` and `animate`.
    Vector3 vector = Vector3::Zero();    ///< Impulse of `push`, N s; place of `spawn`, m.
    Vector3 velocity = Vector3::Zero();  ///< Velocity of `spawn`, m/s.
    int count = 1;                       ///< Number of bodies of `spawn`.
    std::uint64_t seed = 1;              ///< Seed of the chances of `spawn`.
    std::string text;                    ///< Text of `say`.
};

/// A contact that a record has a line for.
struct RecordedContact {
    const std::string* body = nullptr;   ///< Name of the body on the sensor's first side; outlives the timeline.
    const std::string* other = nullptr;  ///< Name of what touches it.
    Vector3 point = Vector3::Zero();     ///< Where the impulse acts on the body, world, m.
    Vector3 normal = Vector3::Zero();    ///< Unit vector, the way that the body is pushed.
    double impulse = 0.0;                ///< Impulse along the normal, N s.
};

/// The sensors, events, records and expectations of a running scene. One thread.
///
///     timeline.set(sensor, quantity, value) ...; timeline.advance(t, perform);
class PLIANT_INTERNAL_API Timeline {
public:
    /// @param description copied
    /// @param step of the simulation, s
    /// @throws Error where a formula cannot be bound, which the reader of the file has seen before
    Timeline(const TimelineDescription& description, double step);
    ~Timeline();
    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;

    /// What is described.
    const TimelineDescription& description() const;
    /// The first of the numbers of a sensor, in the order of quantitiesOf(): what has been measured is written there.
    double* numbers(int sensor);
    /// Whether a formula, a record or an expectation of the scene reads a number of a sensor: what is dear to measure
    /// is measured for those alone. @param number in the order of numbers(); none of a vector
    bool isRead(int sensor, int number) const;
    /// The sensor whose number has a name, and which one of its numbers() it is; -1 and -1 where nothing is called so.
    std::pair<int, int> placeOf(const std::string& name) const;
    /// Where the contacts of a contact sensor in the last step are written, which a record of the scene wants; null
    /// where none does.
    std::vector<RecordedContact>* contacts(int sensor);
    /// A number by its name: "tip.position.z". Not a number where nothing is called so.
    double number(const std::string& name) const;
    /// Where records are written; without it there are none. @param folder is there
    void setFolder(const std::string& folder);

    /// Writes what is to be recorded at time t, checks what is to hold then, and performs what is due, in the order of
    /// the file. An action sees what those before it have done to the scene, but the numbers of the sensors are those
    /// of the step's end.
    void advance(double t, const std::function<void(const DueAction&)>& perform);
    /// The end of the run: checks what has to hold then, and closes the records.
    void finish(double t);

    /// What did not hold, a sentence each.
    const std::vector<std::string>& failures() const;
    /// Adds to the warnings what else could not be done.
    void warn(const std::string& what);
    /// What could not be written, and what the scene probably does not mean, a sentence each.
    const std::vector<std::string>& warnings() const;

private:
    struct PLIANT_HIDDEN Data;
    std::unique_ptr<Data> m_data;
};

/// The names that formulas may use besides "t" and "n": those of the sensors' numbers.
PLIANT_INTERNAL_API std::vector<std::string> sensorNames(const std::vector<Sensor>& sensors);

}  // namespace pliant::scene
