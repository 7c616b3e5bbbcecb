#include "apps/dashboard/listen_flags.h"

#include "fake/disk.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

struct Case {
    const char* text;
    const char* place;  ///< "-": refused.
};

TEST(ListenFlags, a_place_is_an_address_and_a_port) {
    const Case cases[] = {
        {"127.0.0.1:8765", "127.0.0.1 8765"},
        {"0.0.0.0:443", "0.0.0.0 443"},
        {"[::1]:9000", "::1 9000"},
        {"9000", "127.0.0.1 9000"},
        {":9000", "127.0.0.1 9000"},
        {"127.0.0.1:0", "127.0.0.1 0"},
        {"127.0.0.1:65535", "127.0.0.1 65535"},
        {"127.0.0.1:65536", "-"},
        {"127.0.0.1:", "-"},
        {"::1:9000", "-"},
        {"localhost", "-"},
        {"", "-"},
    };
    for (const Case& each : cases) {
        const auto place = parse_listen(each.text);
        EXPECT_EQ(place ? place->address + " " + std::to_string(place->port) : "-", each.place)
            << each.text;
    }
}

TEST(ListenFlags, the_default_looks_for_a_free_port_and_a_given_one_does_not) {
    fake::Disk disk;
    const auto usual = listen_plan(disk, {}, ListenDefault::on, false);
    ASSERT_TRUE(usual && *usual);
    EXPECT_EQ((*usual)->options.port, 8765);
    EXPECT_TRUE((*usual)->options.next_free);
    const auto given = listen_plan(disk, {.listen = "127.0.0.1:9000"}, ListenDefault::on, false);
    ASSERT_TRUE(given && *given);
    EXPECT_FALSE((*given)->options.next_free);
}

TEST(ListenFlags, nothing_is_served_if_nobody_asks) {
    fake::Disk disk;
    EXPECT_FALSE(listen_plan(disk, {}, ListenDefault::off, false)->has_value());
    EXPECT_FALSE(listen_plan(disk, {.listen = "off"}, ListenDefault::on, false)->has_value());
    EXPECT_FALSE(listen_plan(disk, {.listen = "off", .tls = "auto"}, ListenDefault::on, false))
        << "a certificate for nothing is a mistake";
}

TEST(ListenFlags, what_only_serves_does_not_offer_to_serve_nothing) {
    fake::Disk disk;
    const auto help = [](ListenDefault otherwise) {
        Program program("parley", "test");
        ListenFlags flags;
        add_listen_flags(program, flags, otherwise);
        std::string words[] = {"parley", "--help"};
        char* argv[] = {words[0].data(), words[1].data(), nullptr};
        testing::internal::CaptureStdout();
        program.run(2, argv);
        return testing::internal::GetCapturedStdout();
    };
    EXPECT_NE(help(ListenDefault::on).find("off: do not"), std::string::npos);
    EXPECT_EQ(help(ListenDefault::always).find("off"), std::string::npos);
    EXPECT_NE(help(ListenDefault::always).find("127.0.0.1:8765"), std::string::npos);
    EXPECT_FALSE(listen_plan(disk, {.listen = "off"}, ListenDefault::always, false));
    EXPECT_TRUE(listen_plan(disk, {}, ListenDefault::always, false)->has_value());
}

TEST(ListenFlags, a_certificate_is_made_and_its_fingerprint_said) {
    fake::Disk disk;
    const auto plan =
        listen_plan(disk, {.listen = "0.0.0.0:9000", .tls = "auto"}, ListenDefault::on, false);
    ASSERT_TRUE(plan && *plan);
    ASSERT_TRUE((*plan)->options.tls.has_value());
    EXPECT_NE((*plan)->said.find("SHA-256 "), std::string::npos);
    EXPECT_FALSE(listen_plan(disk, {.tls = "yes"}, ListenDefault::on, false));
    EXPECT_FALSE(listen_plan(disk, {.certificate = "a.pem"}, ListenDefault::on, false));
}

TEST(ListenFlags, inside_a_cluster_probes_and_metrics_have_their_own_ports) {
    fake::Disk disk;
    const auto plan = listen_plan(disk, {}, ListenDefault::on, true);
    ASSERT_TRUE(plan && *plan);
    EXPECT_EQ((*plan)->options.probe_port, 8081);
    EXPECT_EQ((*plan)->options.metrics_port, 8080);
}

}  // namespace
}  // namespace parley::app
