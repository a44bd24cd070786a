// SPDX-License-Identifier: Zlib
#include "pliant/scene/Mistakes.h"

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

void Mistakes::tell() const {
    if (m_messages.size() > 1) throw SeveralErrors(m_messages);
    if (m_messages.size() == 1) throw Error("", m_messages.front());
}

}  // namespace pliant::scene
