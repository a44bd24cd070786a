// SPDX-License-Identifier: Zlib
#include "pliant/scene/Timeline.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include "pliant/math/Error.h"
#include "pliant/scene/Recorder.h"

namespace pliant::scene {
namespace timeline {

using Number = std::function<double()>;

/// The formulas of an action, bound.
struct BoundAction {
    Number value, count, seed;
    std::array<Number, 3> vector, velocity;
    std::vector<Number> numbers;
};

/// Where an event stands in time.
struct EventState {
    Number when;
    std::vector<BoundAction> actions;
    double fired = 0.0;        ///< how often; "n" of its formulas
    double trueSince = -1.0;   ///< s; negative: `when` is false
    bool hasAnswered = false;  ///< the present stretch of truth has had its event
};

}  // namespace timeline

namespace {

using timeline::BoundAction;
using timeline::EventState;
using timeline::Number;

/// Binds formulas to live names, and notes which of the sensors' numbers they read.
struct Binder {
    const LiveNames& names;
    const std::map<std::string, std::size_t>& indices;  ///< Of the sensors' numbers.
    std::vector<char>& isRead;                          ///< Of each of them.

    Number operator()(const Formula& formula) const {
        for (const std::string& name : formula.used(names)) {
            const auto found = indices.find(name);
            if (found != indices.end()) isRead[found->second] = 1;
        }
        return formula.bind(names);
    }
    std::array<Number, 3> operator()(const std::array<Formula, 3>& formulas) const {
        return {(*this)(formulas[0]), (*this)(formulas[1]), (*this)(formulas[2])};
    }
};

BoundAction bindAction(const Action& action, const Binder& bind) {
    BoundAction bound{bind(action.value),  bind(action.count),    bind(action.seed),
                      bind(action.vector), bind(action.velocity), {}};
    for (const Formula& number : action.numbers) bound.numbers.push_back(bind(number));
    return bound;
}

std::string shown(double value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

std::uint64_t wholeNumber(double value) {
    return std::isfinite(value) && value > 0.0 ? static_cast<std::uint64_t>(std::min(value, 1.0e9)) : 0;
}

Vector3 valueOf(const std::array<Number, 3>& numbers) {
    return {numbers[0](), numbers[1](), numbers[2]()};
}

}  // namespace

struct Timeline::Data {
    TimelineDescription description;
    double step = 0.0, t = 0.0;
    std::vector<double> numbers;                 ///< of all sensors
    std::vector<std::size_t> offsets;            ///< of each sensor in `numbers`
    std::vector<char> isRead;                    ///< whether anybody wants one of `numbers`
    std::map<std::string, std::size_t> indices;  ///< of `numbers` by their names
    std::map<std::string, std::size_t> sensors;  ///< indices of sensors by their names
    LiveNames names;                             ///< "t", then the sensors'
    std::vector<timeline::EventState> events;
    std::vector<timeline::Number> expectations;
    std::vector<bool> isChecked;
    std::vector<Recorder> recorders;
    std::map<int, std::vector<RecordedContact>> contacts;  ///< Of the sensors that records want them of.
    std::vector<std::string> failures, warnings;
    std::set<const Action*> warnedOf;  ///< actions whose values were beyond their bounds

    void nameNumbers();
    void noteRead(const std::string& name);
    int sensorCalled(const std::string& name) const;
    void bindEvents();
    void addColumns(const std::string& wanted, std::vector<Recorder::Column>& columns) const;
    void makeRecorders();
    bool isDue(const Event& event, timeline::EventState& state);
    void check(std::size_t expectation, const std::string& when);
    DueAction dueAction(const Action& action, const timeline::BoundAction& bound) const;
    bool mayBe(const DueAction& due);
};

void Timeline::Data::nameNumbers() {
    for (const Sensor& sensor : description.sensors) {
        sensors.emplace(sensor.name, offsets.size());
        offsets.push_back(numbers.size());
        for (const SensorQuantity& quantity : quantitiesOf(sensor.kind))
            numbers.resize(numbers.size() + static_cast<std::size_t>(quantity.components), 0.0);
    }
    isRead.resize(numbers.size(), 0);
    names.emplace_back("t", &t);
    const std::vector<std::string> all = sensorNames(description.sensors);
    for (std::size_t i = 0; i < all.size(); ++i) {
        names.emplace_back(all[i], &numbers[i]);
        indices[all[i]] = i;
    }
}

/// Notes that somebody wants a number; records want vectors by one name, which are always measured.
void Timeline::Data::noteRead(const std::string& name) {
    const auto found = indices.find(name);
    if (found != indices.end()) isRead[found->second] = 1;
}

/// The index of a sensor that there is.
int Timeline::Data::sensorCalled(const std::string& name) const {
    return static_cast<int>(sensors.at(name));
}

void Timeline::Data::bindEvents() {
    events.resize(description.events.size());  // formulas look at `fired`: it must not move any more
    LiveNames counted = names;
    counted.emplace_back("n", nullptr);
    for (std::size_t i = 0; i < events.size(); ++i) {
        const Event& event = description.events[i];
        counted.back().second = &events[i].fired;
        if (event.when) events[i].when = Binder{names, indices, isRead}(*event.when);
        for (const Action& action : event.actions)
            events[i].actions.push_back(bindAction(action, {counted, indices, isRead}));
    }
    for (const Expectation& expectation : description.expectations)
        expectations.push_back(Binder{names, indices, isRead}(expectation.that));
    isChecked.resize(expectations.size(), false);
}

/// The column that a record calls by this name. Names of sensors may have points, too.
void Timeline::Data::addColumns(const std::string& wanted, std::vector<Recorder::Column>& columns) const {
    for (std::size_t dot = wanted.find('.'); dot != std::string::npos; dot = wanted.find('.', dot + 1)) {
        const auto sensor = sensors.find(wanted.substr(0, dot));
        if (sensor == sensors.end()) continue;
        const double* next = &numbers[offsets[sensor->second]];
        for (const SensorQuantity& quantity : quantitiesOf(description.sensors[sensor->second].kind)) {
            const std::string name = sensor->first + "." + quantity.name;
            if (name == wanted) columns.push_back({name, quantity.unit, next, quantity.components});
            for (int k = 0; quantity.components > 1 && k < quantity.components; ++k)
                if (componentOf(name, k) == wanted) columns.push_back({wanted, quantity.unit, next + k, 1});
            next += quantity.components;
        }
    }
}

void Timeline::Data::makeRecorders() {
    for (const Record& record : description.records) {
        if (!record.contacts.empty()) {
            recorders.emplace_back(record, &contacts.at(sensorCalled(record.contacts)));
            continue;
        }
        std::vector<Recorder::Column> columns;
        for (const std::string& wanted : record.of) addColumns(wanted, columns);
        recorders.emplace_back(record, std::move(columns));
    }
}

Timeline::Timeline(const TimelineDescription& description, double step) : m_data(std::make_unique<Data>()) {
    m_data->description = description;
    m_data->step = step;
    m_data->nameNumbers();
    m_data->bindEvents();
    for (const Record& record : description.records) {
        if (!record.contacts.empty()) m_data->contacts[m_data->sensorCalled(record.contacts)];
        for (const std::string& wanted : record.of) m_data->noteRead(wanted);
    }
}

Timeline::~Timeline() = default;

const TimelineDescription& Timeline::description() const {
    return m_data->description;
}

double* Timeline::numbers(int sensor) {
    return &m_data->numbers[m_data->offsets[static_cast<std::size_t>(sensor)]];
}

bool Timeline::isRead(int sensor, int number) const {
    return m_data->isRead[m_data->offsets[static_cast<std::size_t>(sensor)] + static_cast<std::size_t>(number)] != 0;
}

std::pair<int, int> Timeline::placeOf(const std::string& name) const {
    const auto found = m_data->indices.find(name);
    if (found == m_data->indices.end()) return {-1, -1};
    const std::vector<std::size_t>& offsets = m_data->offsets;
    const auto sensor = std::prev(std::upper_bound(offsets.begin(), offsets.end(), found->second));
    return {static_cast<int>(sensor - offsets.begin()), static_cast<int>(found->second - *sensor)};
}

std::vector<RecordedContact>* Timeline::contacts(int sensor) {
    const auto found = m_data->contacts.find(sensor);
    return found == m_data->contacts.end() ? nullptr : &found->second;
}

double Timeline::number(const std::string& name) const {
    if (name == "t") return m_data->t;
    const auto found = m_data->indices.find(name);
    return found == m_data->indices.end() ? std::numeric_limits<double>::quiet_NaN() : m_data->numbers[found->second];
}

void Timeline::setFolder(const std::string& folder) {
    m_data->recorders.clear();
    m_data->makeRecorders();
    for (Recorder& recorder : m_data->recorders) {
        const std::string problem = recorder.open(folder);
        if (!problem.empty()) m_data->warnings.push_back(problem);
    }
}

/// Whether an event happens at the present moment.
bool Timeline::Data::isDue(const Event& event, EventState& state) {
    if (event.at) return state.fired == 0.0 && t >= *event.at - 0.5 * step;
    if (event.every) {
        const double next = event.from + state.fired * *event.every;
        return t >= next - 0.5 * step && next <= event.until + 0.5 * step;
    }
    const double truth = state.when();
    if (truth == 0.0 || std::isnan(truth)) {
        state.trueSince = -1.0;
        state.hasAnswered = false;
        return false;
    }
    if (state.trueSince < 0.0) state.trueSince = t;
    if (state.hasAnswered || (event.once && state.fired > 0.0)) return false;
    state.hasAnswered = t >= state.trueSince + event.lasting - 0.5 * step;
    return state.hasAnswered;
}

DueAction Timeline::Data::dueAction(const Action& action, const BoundAction& bound) const {
    DueAction due;
    due.action = &action;
    due.value = bound.value();
    due.vector = valueOf(bound.vector);
    due.velocity = valueOf(bound.velocity);
    due.count = static_cast<int>(wholeNumber(bound.count()));
    due.seed = wholeNumber(bound.seed());
    for (std::size_t i = 0; i < action.words.size(); ++i) {
        due.text += action.words[i];
        if (i < bound.numbers.size()) due.text += shown(bound.numbers[i]());
    }
    return due;
}

/// Whether the value that a number is to have is one that it may have; where not, that is told once for each action.
bool Timeline::Data::mayBe(const DueAction& due) {
    const Action& action = *due.action;
    const bool sets = action.kind == ActionKind::Set || action.kind == ActionKind::Animate;
    if (!sets || action.value.holds(due.value)) return true;
    if (warnedOf.insert(&action).second)
        warnings.push_back(action.where + ": at " + shown(t) + " s " + action.value.text() + " is " + shown(due.value) +
                           ", which the number cannot be; nothing was done");
    return false;
}

void Timeline::Data::check(std::size_t expectation, const std::string& when) {
    isChecked[expectation] = true;
    const double truth = expectations[expectation]();
    if (truth != 0.0 && !std::isnan(truth)) return;
    const Expectation& said = description.expectations[expectation];
    std::string values;
    for (const std::string& name : said.that.used(names))
        for (const auto& [known, value] : names)
            if (known == name) values += (values.empty() ? ": " : ", ") + name + " is " + shown(*value);
    failures.push_back(said.where + ": expect " + when + ": " + said.that.text() + " is false" + values);
}

void Timeline::advance(double t, const std::function<void(const DueAction&)>& perform) {
    Data& data = *m_data;
    data.t = t;
    for (Recorder& recorder : data.recorders) {
        const std::string problem = recorder.advance(t, data.step);
        if (!problem.empty()) data.warnings.push_back(problem);
    }
    for (std::size_t i = 0; i < data.expectations.size(); ++i) {
        const Expectation& said = data.description.expectations[i];
        if (!data.isChecked[i] && said.at && t >= *said.at - 0.5 * data.step)
            data.check(i, "at " + shown(*said.at) + " s");
    }
    for (std::size_t i = 0; i < data.events.size(); ++i) {
        const Event& event = data.description.events[i];
        EventState& state = data.events[i];
        if (!data.isDue(event, state)) continue;
        for (std::size_t a = 0; a < event.actions.size(); ++a) {
            const DueAction due = data.dueAction(event.actions[a], state.actions[a]);
            if (data.mayBe(due)) perform(due);
        }
        state.fired += 1.0;
    }
}

void Timeline::finish(double t) {
    m_data->t = t;
    for (std::size_t i = 0; i < m_data->expectations.size(); ++i) {
        const std::optional<double>& at = m_data->description.expectations[i].at;
        if (!m_data->isChecked[i])
            m_data->check(i, at ? "at " + shown(*at) + " s (which the run did not reach)" : "at the end");
    }
    for (Recorder& recorder : m_data->recorders) recorder.close();
}

const std::vector<std::string>& Timeline::failures() const {
    return m_data->failures;
}

void Timeline::warn(const std::string& what) {
    m_data->warnings.push_back(what);
}

const std::vector<std::string>& Timeline::warnings() const {
    return m_data->warnings;
}

}  // namespace pliant::scene
