// Kube, access, for tests: a folder of their own, texts that pass for certificates, and a secret
// that no message may contain.

#pragma once

#include "base/base64.h"
#include "base/result.h"
#include "kube/access/kubeconfig_text.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace parley::kube {

inline const std::string kCanary = "Canary7SecretThatNobodyMaySee42";
inline const std::string kCertificate =
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
inline const std::string kKey =
    "-----BEGIN PRIVATE KEY-----\n" + kCanary + "\n-----END PRIVATE KEY-----\n";

/// A folder that is gone after the test.
class Scratch {
public:
    Scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "parley-kube-XXXXXX").string();
        folder_ = ::mkdtemp(name.data()) != nullptr ? name : "";
        EXPECT_NE(folder_, "");
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    const std::string& folder() const { return folder_; }
    std::string path(const std::string& name) const { return folder_ + "/" + name; }

    /// Writes the file and creates its folders; returns its path.
    std::string write(const std::string& name, const std::string& text) const {
        const std::filesystem::path whole = path(name);
        std::filesystem::create_directories(whole.parent_path());
        std::ofstream(whole, std::ios::trunc) << text;
        return whole.string();
    }

    /// Writes a script for /bin/sh.
    std::string script(const std::string& name, const std::string& body) const {
        std::string whole = write(name, "#!/bin/sh\n" + body);
        std::filesystem::permissions(whole, std::filesystem::perms::owner_all);
        return whole;
    }

    std::string read(const std::string& name) const {
        std::ifstream in(path(name));
        return {std::istreambuf_iterator<char>(in), {}};
    }

    /// The text with the path of this folder replaced by DIR.
    std::string shown(std::string text) const {
        for (std::size_t at = text.find(folder_); at != std::string::npos;
             at = text.find(folder_)) {
            text.replace(at, folder_.size(), "DIR");
        }
        return text;
    }

private:
    std::string folder_;
};

/// "" or the error message, after checking that it is one line without a secret.
template <class T>
std::string message_of(const Result<T>& result) {
    if (result) return "";
    const std::string& message = result.error().message;
    EXPECT_EQ(message.find("Canary"), std::string::npos) << message;
    EXPECT_EQ(message.find(encode_base64(kCanary).substr(0, 20)), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_LT(message.size(), 1500U) << message;
    return message;
}

}  // namespace parley::kube
