#include "apps/parley/commands.h"
#include "base/json.h"
#include "layers/decide.h"
#include "store/run_format.h"

#include <cstdio>
#include <memory>
#include <version.h>

namespace parley::app {
namespace {

struct VersionFacts {
    std::string program = kProgram;
    std::uint32_t rules_version = kRulesVersion;  ///< Runs of the same one replay bit for bit.
    std::int32_t format_version = store::kFormatVersion;
    std::string build = kBuild;
};
BOOST_DESCRIBE_STRUCT(VersionFacts, (), (program, rules_version, format_version, build))

int print_version(Format format) {
    const VersionFacts facts;
    if (format == Format::json) {
        std::printf("%s\n", to_json(facts).c_str());
    } else {
        std::printf("%s\nrules   %u\nformat  %d\nbuild   %s\n", facts.program.c_str(),
                    facts.rules_version, facts.format_version, facts.build.c_str());
    }
    return kDone;
}

}  // namespace

void add_version(Command& program) {
    // Where a person looks first, and where other programs have it.
    program.version("--version", kProgram, "Print the version and exit");
    Command command = program.command("version", "Print version, rules and build");
    const auto format = std::make_shared<Format>();
    add_output(command, *format, {"table", "json"});
    add_examples(command, {"parley version -o json"});
    command.runs([format] { return print_version(*format); });
}

}  // namespace parley::app
