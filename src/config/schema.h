// Config: the JSON Schema of what a configuration file may hold, for editors and for people.

#pragma once

#include "base/schema.h"

#include <string>

namespace parley::config {

/// Turns the schema of our JSON into that of what read.h takes: times and amounts also as text
/// (`3s`, `500m`, `1Gi`), numbers never null.
std::string schema_for_files(const std::string& schema);

template <class T>
std::string file_schema() {
    return schema_for_files(json_schema<T>());
}

}  // namespace parley::config
