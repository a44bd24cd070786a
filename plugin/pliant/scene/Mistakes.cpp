// SPDX-License-Identifier: Zlib
#include "pliant/scene/Mistakes.h"

#include <algorithm>
#include <cstdlib>

namespace pliant::scene {
namespace {

/// Of "file:line:column: problem": the place, which a path with a colon only makes longer; else the whole message.
std::string placeIn(const std::string& message) {
    for (std::size_t at = message.find(": "); at != std::string::npos; at = message.find(": ", at + 1)) {
        const std::size_t digits = message.find_last_not_of("0123456789", at - 1);
        if (at > 0 && digits != at - 1 && digits != std::string::npos && message[digits] == ':')
            return message.substr(0, at);
    }
    return message;
}

/// File, line and column of a message that begins with its place; others have line 0.
struct Place {
    std::string file;
    int line = 0, column = 0;
};

Place parsedPlace(const std::string& message) {
    const std::string place = placeIn(message);
    const std::size_t second = place.rfind(':');
    const std::size_t first = second == std::string::npos || second == 0 ? second : place.rfind(':', second - 1);
    if (place == message || first == std::string::npos) return {};
    return {place.substr(0, first), std::atoi(place.c_str() + first + 1), std::atoi(place.c_str() + second + 1)};
}

/// By line and column within each file, files as they come first; what has no place comes last.
std::vector<std::string> inOrderOfLines(const std::vector<std::string>& messages) {
    struct Entry {
        std::size_t file;
        Place place;
        const std::string* text;
    };
    std::vector<std::string> files;
    std::vector<Entry> entries;
    for (const std::string& message : messages) {
        const Place place = parsedPlace(message);
        if (place.line == 0) {
            entries.push_back({messages.size(), place, &message});
            continue;
        }
        const auto found = std::find(files.begin(), files.end(), place.file);
        entries.push_back({static_cast<std::size_t>(found - files.begin()), place, &message});
        if (found == files.end()) files.push_back(place.file);
    }
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        if (a.file != b.file) return a.file < b.file;
        return a.place.line != b.place.line ? a.place.line < b.place.line : a.place.column < b.place.column;
    });
    std::vector<std::string> sorted;
    for (const Entry& entry : entries) sorted.push_back(*entry.text);
    return sorted;
}

std::string lines(const std::vector<std::string>& messages) {
    std::string text;
    for (const std::string& message : messages) text += (text.empty() ? "" : "\n") + message;
    return text;
}

}  // namespace

SeveralErrors::SeveralErrors(std::vector<std::string> messages)
    : Error("", lines(messages)), m_messages(std::move(messages)) {}

void Mistakes::note(const std::string& message) {
    constexpr std::size_t kMost = 1000;  // more than anybody reads; a file may have as many as it has values
    if (m_messages.size() > kMost) tell();
    if (!m_places.insert(placeIn(message)).second) return;
    m_messages.push_back(message);
    if (m_messages.size() < kMost) return;
    m_messages.push_back("there are more mistakes than these " + std::to_string(kMost));
    tell();
}

void Mistakes::lose(const std::string& kind, const std::string& name) {
    m_lostKinds.insert(kind);
    if (name.empty())
        m_namelessKinds.insert(kind);
    else
        m_lostNames.insert(name.substr(0, name.find('[')));
}

bool Mistakes::isLost(const UnknownName& unknown) const {
    if (m_allIsLost || m_namelessKinds.count(unknown.kind()) > 0) return true;
    // Bodies and joints have numbers of their own, as sensors have.
    if (unknown.kind() == "sensor" && m_namelessKinds.count("body") + m_namelessKinds.count("joint") > 0) return true;
    const std::string name = unknown.name().substr(0, unknown.name().find('['));
    for (std::size_t end = name.find('.'); end != std::string::npos; end = name.find('.', end + 1))
        if (m_lostNames.count(name.substr(0, end)) > 0) return true;  // "a" and "a.b" of "a.b.c"
    return m_lostNames.count(name) > 0;
}

void Mistakes::tell() const {
    if (m_messages.size() > 1) throw SeveralErrors(inOrderOfLines(m_messages));
    if (m_messages.size() == 1) throw Error("", m_messages.front());
}

}  // namespace pliant::scene
