#include "tests/kills/kill_life.h"

#include "apps/runs/record_state.h"
#include "base/check.h"
#include "layers/execution/action_machine.h"
#include "layers/execution/kit_test.h"
#include "layers/execution/plan.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <utility>

namespace parley::kills {

using namespace model;

namespace {

constexpr const char* kFolder = "run";

/// Small, as a story is short and its disk is read as a whole.
store::JournalOptions journal() {
    store::JournalOptions options;
    options.fill_bytes = std::uint64_t{16} << 10;
    options.reserve_bytes = std::uint64_t{4} << 10;
    return options;
}

store::RunHeader header_of(const Run& run, Kind kind) {
    store::RunHeader header;
    header.program = "kills";
    header.seed = run.id;
    header.mode = Mode::act;
    header.policy = policy_for(kind);
    return header;
}

}  // namespace

Life::Life(Network& network, Run& run, std::size_t run_number, int number, std::optional<Fate> fate,
           std::function<void()> stopped)
    : network_(network),
      run_(run),
      number_(number),
      fate_(std::move(fate)),
      stopped_(std::move(stopped)) {
    network_.holder = number_;
    ++network_.epoch;
    Owner owner{.life = number_, .run = run_number};
    owner.pass = [this](const std::string& where) { pass(where); };
    owner.ends_here = [this](const std::string& where) { return ends_here(where); };
    owner.has_term = [this] {
        return network_.holder == number_ || network_.missing == Missing::epoch;
    };
    owner.recorded = [this] { return recorded_; };
    hand_ = std::make_unique<Hand>(network_, std::move(owner));
    Start start = run_.begun ? resume() : begin();
    PipelineParts parts;
    parts.observe = [this](std::uint64_t round, TimePoint) -> boost::asio::awaitable<Snapshot> {
        co_return network_.world.snapshot(round);
    };
    parts.recorder = this;
    parts.stop = &stop_;
    parts.hands = Hands{hand_.get(), hand_.get(), hand_.get()};
    // Who minds no epoch minds no age either: else the one guard would hide that the other is out.
    if (network_.missing != Missing::epoch) {
        parts.since_boot = [this] { return network_.world.now - execution::kNow; };
    }
    parts.leads = [this]() -> std::optional<std::uint64_t> {
        if (network_.holder != number_) return std::nullopt;
        return network_.epoch;
    };
    RoundSettings settings{.policy = policy_for(network_.world.kind()),
                           .seed = run_.id,
                           .mode = Mode::act,
                           .epoch = network_.epoch,
                           .run = run_.id};
    pipeline_ = std::make_unique<Pipeline>(std::move(parts), std::move(settings), std::move(start));
}

Life::~Life() {
    pipeline_.reset();
    writer_.reset();
    if (cut_) run_.disk = run_.disk->power_cut(run_.id);
}

/// Nothing of this build proposes to scale, so that its first process finds it decided.
OpenAction Life::planted() const {
    RoundInput input;
    input.round = 1;
    input.now = network_.world.now;
    input.run = run_.id;
    input.controls.mode = Mode::act;
    input.snapshot = network_.world.snapshot(1);
    Scale scale{.replicas = {.from = 8, .to = 11}, .sizes = {}};
    const Proposal proposal =
        execution::proposes(Role::scaling, std::move(scale), execution::workload_id("web"));
    return execution::plan(proposal, input, policy_for(Kind::scale), {run_.id, 7});
}

Start Life::begin() {
    auto created = store::RunWriter::create(*run_.disk, kFolder,
                                            header_of(run_, network_.world.kind()), {}, journal());
    PARLEY_CHECK(created);
    writer_ = *std::move(created);
    run_.begun = true;
    Start start;
    if (network_.world.kind() == Kind::scale && number_ == 0) {
        start.memory.scaling.push_back(planted());
    }
    return start;
}

Start Life::resume() {
    const prediction::Brains none;
    auto state = app::read_state(*run_.disk, kFolder, &none, {});
    PARLEY_CHECK(state);
    PARLEY_CHECK(state->trouble.empty());
    state->last.decision.round = state->acknowledged.round;
    Start start{.round = state->last.decision.round, .memory = state->last.memory};
    auto resumed =
        store::RunWriter::resume(*run_.disk, kFolder, std::move(state->lock),
                                 store::RecordLevel::full, {}, std::move(state->last), journal());
    PARLEY_CHECK(resumed);
    writer_ = *std::move(resumed);
    recorded_ = start.round;
    return start;
}

// --- Points. -------------------------------------------------------------------------------------

bool Life::ends_here(const std::string& where) {
    if (!armed_ || !fate_ || was_stopped_ || ++passed_ != fate_->at) return false;
    if (fate_->death == Death::stop) {
        was_stopped_ = true;
        network_.tell(number_, "is stopped " + where);
        died_ = "stopped " + where;
        stopped_();
        network_.tell(number_, "goes on");
        return false;
    }
    died_ = std::string(enum_name(fate_->death)) + " " + where;
    cut_ = fate_->death == Death::power;
    network_.tell(number_, died_);
    return true;
}

void Life::pass(const std::string& where) {
    if (ends_here(where)) throw Killed{};
}

/// The machine goes within the writing: the disk does what it likes with what was not synced.
void Life::cut_power(const std::function<Result<void>()>& write) {
    run_.disk->fail_from(run_.disk->calls() + 1 + network_.dice.roll(3), fake::Disk::Fault::power);
    (void)write();
    throw Killed{};
}

Result<void> Life::keep(const std::string& what, const std::function<Result<void>()>& write) {
    if (ends_here("before recording " + what)) {
        if (cut_) cut_power(write);
        throw Killed{};
    }
    Result<void> kept = network_.missing == Missing::record ? Result<void>{} : write();
    pass("after recording " + what);
    return kept;
}

Result<void> Life::keep_start(const Memory& memory) {
    return keep("its start", [&] { return writer_->keep_start(memory); });
}

Result<void> Life::keep_round(const RoundInput& input, const Decision& decision,
                              const Memory& next) {
    armed_ = armed_ || !decision.first_steps.empty();
    return keep("round " + std::to_string(input.round), [&] {
        Result<void> kept = writer_->keep_round(input, decision, next);
        if (kept) recorded_ = input.round;
        return kept;
    });
}

Result<void> Life::keep_event(const ActionEvent& event) {
    return keep("an event", [&] { return writer_->keep_event(event); });
}

// --- Rounds. -------------------------------------------------------------------------------------

bool Life::round() {
    PARLEY_CHECK(!dead_);
    std::exception_ptr thrown;
    boost::asio::io_context loop(1);
    const auto end = [&](const std::exception_ptr& what, const Result<void>& done) {
        thrown = what;
        if (!what && !done) network_.tell(number_, done.error().message);
    };
    boost::asio::co_spawn(loop, pipeline_->round(network_.world.now), end);
    loop.run();
    if (!thrown) return true;
    try {
        std::rethrow_exception(thrown);
    } catch (const Killed&) {
        dead_ = true;
    }
    return false;
}

bool Life::has_open() const {
    const Memory& memory = pipeline_->memory();
    return !memory.ledger.open.empty() || !memory.scaling.empty();
}

bool Life::rests() const {
    const Memory& memory = pipeline_->memory();
    const auto stands = [](const OpenAction& open) {
        return open.state == ActionState::confirmed && !open.undoing;
    };
    return std::ranges::all_of(memory.ledger.open, stands) &&
           std::ranges::all_of(memory.scaling, stands);
}

}  // namespace parley::kills
