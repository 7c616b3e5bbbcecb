// App: the flags of the commands below `parley model`, and running one of them on the shelf that
// they name.

#pragma once

#include "apps/shelf/model_use.h"
#include "apps/terminal/cli.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace parley::app {

struct ModelFlags {
    std::string models;
    std::vector<std::string> trusted;
    ModelUse model;     ///< Its name is the subject of every command except `list`.
    std::string other;  ///< To compare it with.
    std::string file;   ///< To export it to.
    Format format = Format::table;
};

/// What a command does; returns the text to print.
using ModelAction = std::function<Result<std::string>(const ModelShelf&, const ModelFlags&)>;

/// Adds a command to the group, with the flags that all of them have. Chosen, it carries the action
/// out and prints.
Command add_model_part(Command& group, const std::shared_ptr<ModelFlags>& flags, const char* name,
                       const char* help, const ModelAction& action);

}  // namespace parley::app
