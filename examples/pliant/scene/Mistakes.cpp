// SPDX-License-Identifier: Zlib
#include "scene/Mistakes.h"

namespace pliant::scene {
namespace {

std::string lines(const std::vector<std::string>& messages) {
    std::string text;
    for (const std::string& message : messages) text += (text.empty() ? "" : "\n") + message;
    return text;
}

}  // namespace

SeveralErrors::SeveralErrors(std::vector<std::string> messages)
    : Error("", lines(messages)), m_messages(std::move(messages)) {}

void Mistakes::tell() const {
    if (m_messages.size() > 1) throw SeveralErrors(m_messages);
    if (m_messages.size() == 1) throw Error("", m_messages.front());
}

}  // namespace pliant::scene
