#include "kube/webhook/hook_object.h"

#include "base/json_read.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

const HookWish kByUrl{{.url = "https://127.0.0.1:9443/admit"}, "-----BEGIN\nx\n"};
const HookWish kByService{{.space = "home", .service = "parley"}, "pem"};

TEST(HookObject, reads_back_what_it_says) {
    for (const HookWish& wish : {kByUrl, kByService}) {
        const std::string body = hook_body("home", wish, nullptr);
        ASSERT_TRUE(parse_json(body)) << body;
        const auto seen = read_hook(body);
        ASSERT_TRUE(seen) << seen.error().message;
        EXPECT_EQ(seen->says, wish);
        EXPECT_TRUE(seen->harmless);
        EXPECT_EQ(body.find("resourceVersion"), std::string::npos);
    }
    EXPECT_NE(read_hook(hook_body("home", kByUrl, nullptr))->says, kByService);
}

TEST(HookObject, asks_about_new_jobs_of_labelled_namespaces_and_stops_nobody) {
    const std::string body = hook_body("home", kByUrl, nullptr);
    for (const char* part :
         {R"("failurePolicy":"Ignore")", R"("timeoutSeconds":2)", R"("sideEffects":"None")",
          R"("reinvocationPolicy":"IfNeeded")", R"("matchPolicy":"Equivalent")",
          R"("matchLabels":{"parley.dev/admission":"allowed"})",
          R"("values":["kube-system","home"])", R"("operations":["CREATE"])",
          R"("resources":["jobs"])", R"("admissionReviewVersions":["v1"])",
          R"("url":"https://127.0.0.1:9443/admit")"}) {
        EXPECT_NE(body.find(part), std::string::npos) << part;
    }
    EXPECT_NE(hook_body("home", kByService, nullptr)
                  .find(R"("service":{"namespace":"home","name":"parley","path":"/admit",)"
                        R"("port":443})"),
              std::string::npos);
}

TEST(HookObject, a_rewrite_names_what_was_seen) {
    const HookSeen seen{.object = {"u", "7"}};
    const std::string body = hook_body("home", kByUrl, &seen);
    EXPECT_NE(body.find(R"("name":"parley-queue","uid":"u","resourceVersion":"7")"),
              std::string::npos)
        << body;
    EXPECT_EQ(read_hook(body)->object.version, "7");
}

TEST(HookObject, of_somebody_else_is_left_alone) {
    std::string foreign = hook_body("home", kByUrl, nullptr);
    foreign.replace(foreign.find(R"(":"parley"})"), 11, R"(":"others"})");
    const auto seen = read_hook(foreign);
    ASSERT_FALSE(seen);
    EXPECT_EQ(seen.error().code, ErrorCode::denied);
    EXPECT_FALSE(read_hook("{"));
}

TEST(HookObject, that_was_edited_says_something_else) {
    std::string edited = hook_body("home", kByUrl, nullptr);
    edited.replace(edited.find(R"("Ignore")"), 8, R"("Fail")");
    EXPECT_FALSE(read_hook(edited)->harmless);
    const char* none =
        R"({"metadata":{"labels":{"app.kubernetes.io/managed-by":"parley"}},"webhooks":[]})";
    ASSERT_TRUE(read_hook(none));
    EXPECT_NE(read_hook(none)->says, kByUrl);
    EXPECT_FALSE(read_hook(none)->harmless);
}

}  // namespace
}  // namespace parley::kube
