// SPDX-License-Identifier: Zlib
// A small model with every array filled with different numbers; consistent, not physical.
#pragma once

#include <string>

#include "pliant/model/ReducedModel.h"

namespace pliant::test {

ReducedModel sampleModel();

/// An empty folder that is removed with its contents.
class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    std::string file(const std::string& name) const { return m_path + "/" + name; }
    const std::string& path() const { return m_path; }

private:
    std::string m_path;
};

std::string readBytes(const std::string& path);
void writeBytes(const std::string& path, const std::string& bytes);

/// The message with which loadModel refuses a file; empty when it does not.
std::string refusal(const std::string& path);

}  // namespace pliant::test
