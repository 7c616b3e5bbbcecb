#include "apps/terminal/screen.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace parley::app {
namespace {

std::vector<AgentLine> tour_agents() {
    return {
        {.letter = 'A',
         .title = "A safety",
         .won = true,
         .wanted = "replicate node-07",
         .score = "0.86",
         .evidence = "risk 0.86",
         .acts = "above 0.25",
         .result = {"accepted, 3 of 3 sent", "accepted, 3 of 3 sent, guard 12 of 12"},
         .was = "- -, idle: nothing over its limit"},
        {.letter = 'C',
         .title = "C admission",
         .wanted = "queue new batch pods",
         .score = "0.90",
         .evidence = "9 pods wait for CPU",
         .acts = "from 8",
         .result = {"lost: action-limit, 1 a round", ""}},
        {.letter = 'D',
         .title = "D scaling",
         .wanted = "shop/web 6 to 8",
         .score = "0.71",
         .evidence = "cpu 84% of requests",
         .acts = "above 70%",
         .result = {"lost: same-target as A", "lost: same-target as A, shop/web"}},
        {.letter = 'B',
         .title = "B efficiency",
         .wanted = "memory_balloon node-05",
         .score = "0.62",
         .evidence = "demand 0.38",
         .acts = "below 0.45",
         .result = {"lost: danger-blocks-efficiency", ""}},
    };
}

std::vector<NodeLine> tour_nodes() {
    return {
        {"node-07", "3h05m", "9.1s", "71%", "88%", "6", true, "0.86", 0.86, "0.25", "41.3 > 12.0",
         "0.71"},
        {"node-03", "3h05m", "4.0s", "64%", "52%", "1", false, "0.21", 0.21, "0.47", "6.3 < 14.0",
         ""},
        {"node-10", "41m", "2.2s", "33%", "47%", "0", false, "0.08", 0.08, "0.50", "1.9 < 12.0",
         ""},
        {"node-12", "3h05m", "6.8s", "?", "?", "0", false, "0.03", 0.03, "0.46", "0.8 < 12.0", ""},
        {"node-05", "3h05m", "1.1s", "38%", "41%", "0", false, "0.01", 0.01, "0.60", "0.2 < 12.0",
         ""},
        {"node-01", "3h05m", "1.0s", "38%", "41%", "0", false, "<0.01", 0.004, "0.60", "0.1 < 12.0",
         ""},
    };
}

std::vector<EventLine> tour_events() {
    return {
        {"T+07:06", "decision", "A replicate node-07, over C, D, B"},
        {"T+07:06", "execution", "3 of 3 answered 200; expires T+37:06"},
        {"T+07:03", "exercise", "batch-burst: 9 pods of 3 CPU; meant C queue; queue rose 0 to 9"},
        {"T+06:54", "score", "round 118 measured: total +7.8, twin +6.9"},
        {"T+06:33", "source", "prometheus late (60s), request rates unknown"},
        {"T+05:33", "alarm", "node-12: no sample from metrics"},
        {"T+05:21", "decision", "B memory_balloon node-05, uncontested"},
        {"T+05:12", "source", "prometheus 0.8s, 12 of 12 nodes"},
        {"T+05:00", "stage", "live loop"},
    };
}

/// The moment that all models of the interface show: tour, seed 7, round 142.
ScreenModel tour() {
    ScreenModel m{.round = 142, .run = "tour, seed 7", .mode = "act (simulated)"};
    m.profile = "parley";
    m.time = "T+07:06";
    m.pace = {"on time", "3s a round, on time"};
    m.headline = "A safety won: replicate node-07";
    m.reason = {"Risk 0.86 in 10 min: waiting costs 41.3 pod-minutes, acting 12.0.",
                "Risk 0.86 of failing in 10 min: waiting costs 41.3 pod-minutes (0.86 x 48.0), "
                "acting 12.0."};
    m.overruled = "Overruled C, D and B.";
    m.agents = tour_agents();
    m.nodes = tour_nodes();
    m.nodes_all = 12;
    m.other_nodes = "nothing missing";
    m.cluster = {"12 nodes Ready, 184 pods, 12 pending: 9 CPU, 2 selector, 1 our gate", ""};
    m.risks = "node-07 0.86 (acts above 0.25)   node-03 0.21   node-10 0.08";
    m.sources = {"api 0.4s  metrics 14s  prometheus 94s LATE (limit 60s)  exerciser 3s",
                 "api 0.4s   metrics 14s, 11 of 12 nodes   prometheus 94s LATE (limit 60s), rates "
                 "unknown   exerciser 3.0s"};
    m.sent = "replicate node-07: 3 of 3 steps, confirmed, expires T+37:06";
    m.score = {"A +3.0  B +1.4  C +5.0  total +7.8 in round 118; next in round 162",
               "A +3.0   B +1.4   C +5.0   total +7.8 in round 118, twin +6.9      next in round "
               "162, twin +6.2"};
    m.stages = {"brains done   ray off by choice   optuna off by choice",
                "brains done risk-sim-3   ray off by choice (--no-policy)   optuna off by choice "
                "(--no-tune)"};
    m.assumed = "energy price =0.10 (configuration)   estimated  power ~1,930 W (formula)";
    m.alarm = {"metrics reads ok, but node-12 has had no sample for 31 rounds",
               "metrics reads ok, but node-12 has had no sample for 31 rounds: suspect layer 1"};
    m.strip =
        "..........bbbbbbb......CCCCCcc....bbbb........AA.AAAAAA.......ddd........bbBBB......"
        ".....CCCCCAAAAAAA";
    m.events = tour_events();
    m.folder = "runs/tour-7";
    return m;
}

std::string text_of(const ScreenModel& model, Size size) {
    std::string text;
    for (const Line& line : draw_screen(model, size)) text += plain_text(line) + "\n";
    return text;
}

/// PARLEY_REWRITE_GOLDEN=1 writes the files anew; read the difference before committing it.
void expect_golden(const std::string& name, const std::string& text) {
    const std::string path = std::string(PARLEY_GOLDEN_FOLDER) + "/screens/" + name;
    if (std::getenv("PARLEY_REWRITE_GOLDEN") != nullptr) std::ofstream(path) << text;
    std::ostringstream golden;
    golden << std::ifstream(path).rdbuf();
    EXPECT_EQ(text, golden.str()) << path;
}

TEST(Screen, is_as_the_model_at_80_by_24) {
    expect_golden("demo_80x24.txt", text_of(tour(), {80, 24}));
}

TEST(Screen, is_as_the_model_at_120_by_40) {
    expect_golden("demo_120x40.txt", text_of(tour(), {120, 40}));
}

TEST(Screen, shows_a_past_round_and_what_changed_in_it) {
    ScreenModel model = tour();
    model.difference = true;
    model.past = "Round 97, 2m15s before the newest (142)";
    expect_golden("past_difference_80x24.txt", text_of(model, {80, 24}));
    expect_golden("past_difference_120x40.txt", text_of(model, {120, 40}));
}

TEST(Screen, shows_a_quiet_beginning) {
    ScreenModel model;
    model.round = 1;
    model.headline = "Nothing to do";
    model.score = {"not yet measured", ""};
    model.folder = "runs/tour-7";
    expect_golden("quiet_80x24.txt", text_of(model, {80, 24}));
    expect_golden("quiet_120x40.txt", text_of(model, {120, 40}));
}

TEST(Screen, fits_every_size_and_ends_with_its_keys) {
    const ScreenModel model = tour();
    for (const int columns : {80, 81, 99, 119, 120, 121, 150, 200, 400}) {
        for (const int rows : {24, 25, 30, 39, 40, 41, 50, 60, 100}) {
            const auto lines = draw_screen(model, {columns, rows});
            ASSERT_EQ(lines.size(), static_cast<std::size_t>(rows));
            for (const Line& line : lines) {
                EXPECT_LE(plain_text(line).size(), static_cast<std::size_t>(columns));
            }
            EXPECT_TRUE(plain_text(lines.back()).ends_with("q quit")) << columns << "x" << rows;
            EXPECT_NE(text_of(model, {columns, rows}).find("ALARM"), std::string::npos);
        }
    }
    for (const Size small : {Size{1, 1}, Size{10, 3}, Size{79, 23}}) {
        for (const Line& line : draw_screen(model, small)) {
            EXPECT_LE(plain_text(line).size(), static_cast<std::size_t>(small.columns));
        }
    }
}

TEST(Screen, a_taller_terminal_shows_more_nodes_and_events) {
    const std::string text = text_of(tour(), {120, 50});
    EXPECT_NE(text.find("node-01"), std::string::npos);
    EXPECT_NE(text.find("live loop"), std::string::npos);
    EXPECT_EQ(text_of(tour(), {120, 40}).find("node-01"), std::string::npos);
}

TEST(Screen, survives_names_that_are_long_or_strange) {
    ScreenModel model = tour();
    const std::string strange = "ip-10-0-0-1.\x1b[31mwest\u00fc" + std::string(200, 'x') + "-7f9c4";
    model.run = strange;
    model.nodes[0].name = strange;
    model.agents[0].wanted = "replicate " + strange;
    model.events[0].text = strange;
    for (const Size size : {Size{80, 24}, Size{120, 40}}) {
        const std::string text = text_of(model, size);
        EXPECT_EQ(text.find('\x1b'), std::string::npos);
        EXPECT_NE(text.find("-7f9c4"), std::string::npos);  // Names keep their ends.
        EXPECT_NE(text.find("T+07:06"), std::string::npos);
    }
}

TEST(Screen, colour_only_repeats_what_letters_say) {
    for (const Line& line : draw_screen(tour(), {120, 40})) {
        std::string bare = painted(line, true);
        for (auto at = bare.find('\x1b'); at != std::string::npos; at = bare.find('\x1b')) {
            bare.erase(at, bare.find('m', at) + 1 - at);
        }
        bare.erase(bare.find_last_not_of(' ') + 1);
        EXPECT_EQ(bare, plain_text(line));
        EXPECT_EQ(painted(line, false).find('\x1b'), std::string::npos);
    }
}

TEST(Screen, only_an_alarm_is_inverse) {
    ScreenModel model = tour();
    const auto inverse = [&] {
        std::string all;
        for (const Line& line : draw_screen(model, {120, 40})) {
            for (const Span& span : line) {
                if (span.style == Style::alarm) all += span.text;
            }
        }
        return all;
    };
    EXPECT_EQ(inverse(), "ALARM");
    model.alarm = {};
    EXPECT_EQ(inverse(), "");
}

TEST(Screen, cuts_texts_where_it_hurts_least) {
    EXPECT_EQ(cut_end("abcdef", 6), "abcdef");
    EXPECT_EQ(cut_end("abcdefg", 6), "abc...");
    EXPECT_EQ(cut_end("abcdefg", 2), "ab");
    EXPECT_EQ(cut_middle("shop/checkout-service-7f9c4", 18), "shop/che...e-7f9c4");
    EXPECT_EQ(cut_middle("short", 18), "short");
}

TEST(Screen, shows_pages_of_text) {
    const auto lines =
        draw_text("one\ntwo\n\n" + std::string(25, 'x') + "\nlast\n", {20, 5}, 1, "keys");
    ASSERT_EQ(lines.size(), 5U);
    EXPECT_EQ(plain_text(lines[0]), "two");
    EXPECT_EQ(plain_text(lines[1]), "");
    EXPECT_EQ(plain_text(lines[2]), std::string(20, 'x'));
    EXPECT_EQ(plain_text(lines[3]), "    xxxxx");
    EXPECT_EQ(plain_text(lines[4]), "keys");
}

TEST(Screen, the_footer_shows_where_the_dashboard_is) {
    ScreenModel model{.address = "http://127.0.0.1:8765", .folder = "runs/tour-7"};
    const auto last = [&] {
        std::string text;
        const auto lines = draw_screen(model, kSmallest);
        for (const Span& span : lines.back()) text += span.text;
        return text;
    };
    EXPECT_TRUE(last().starts_with("http://127.0.0.1:8765   w why")) << last();
    model.address.clear();
    EXPECT_TRUE(last().starts_with("runs/tour-7   w why")) << last();
}

}  // namespace
}  // namespace parley::app
