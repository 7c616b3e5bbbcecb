#include "prometheus/answer.h"

#include <gtest/gtest.h>

namespace parley::prometheus {
namespace {

const std::vector<std::string> kLabels = {"node", "instance"};

std::string vector_of(const std::string& result) {
    return R"({"status":"success","data":{"resultType":"vector","result":[)" + result + "]}}";
}

std::string series_with(const std::string& value) {
    return vector_of(R"({"metric":{"node":"a"},"value":[1.5,)" + value + "]}");
}

/// `node=a 5` for each series, or what is wrong.
std::string read(const std::string& body) {
    const auto answer = decode_answer(body, kLabels);
    if (!answer) return answer.error().message;
    std::string out;
    for (const Series& each : answer->series) {
        if (!out.empty()) out += "; ";
        for (const Label& label : each.labels) out += label.name + "=" + label.value + " ";
        out += each.value ? std::to_string(*each.value) : "nothing";
    }
    return out;
}

struct Case {
    const char* name;
    std::string body;
    std::string read;
};

const char* const kNone = "this is no answer of Prometheus, or a part of one";

class AnswerReads : public testing::TestWithParam<Case> {};

TEST_P(AnswerReads, what_is_there) { EXPECT_EQ(read(GetParam().body), GetParam().read); }

const Case kGood[] = {
    {"empty_vector", vector_of(""), ""},
    {"labels_that_are_asked_for",
     vector_of(
         R"({"metric":{"__name__":"up","job":"x","node":"a","instance":"b:1"},"value":[1,"5"]})"),
     "node=a instance=b:1 5.000000"},
    {"an_empty_label_is_none",
     vector_of(R"({"metric":{"node":"","instance":"b:1"},"value":[1,"5"]})"),
     "instance=b:1 5.000000"},
    {"no_labels", vector_of(R"({"metric":{},"value":[1,"5"]})"), "5.000000"},
    {"escapes", vector_of(R"({"metric":{"no\u0064e":"\u0061"},"value":[1,"5"]})"),
     "node=a 5.000000"},
    {"any_order",
     R"({"data":{"result":[{"value":[1,"5"],"metric":{"node":"a"}}],"resultType":"vector"},)"
     R"("status":"success"})",
     "node=a 5.000000"},
    {"unknown_fields",
     R"({"status":"success","isPartial":false,"infos":[{"a":[1]}],)"
     R"("data":{"stats":{"x":[]},"resultType":"vector","result":[]}})",
     ""},
    {"scalar", R"({"status":"success","data":{"resultType":"scalar","result":[1.5,"7"]}})",
     "7.000000"},
    {"histogram", vector_of(R"({"metric":{"node":"a"},"histogram":[1,{"count":"3"}]})"),
     "node=a nothing"},
};
INSTANTIATE_TEST_SUITE_P(Good, AnswerReads, testing::ValuesIn(kGood),
                         [](const auto& info) { return std::string(info.param.name); });

const Case kBad[] = {
    {"nothing", "", kNone},
    {"login_page", "<html><title>Log in</title></html>", kNone},
    {"array", "[]", kNone},
    {"two", vector_of("") + "{}", kNone},
    {"no_status", R"({"data":{"resultType":"vector","result":[]}})",
     "this is no answer of Prometheus"},
    {"no_data", R"({"status":"success"})", "this is no answer of Prometheus"},
    {"null_data", R"({"status":"success","data":null})", "this is no answer of Prometheus"},
    // A value that begins like null; found by the fuzzer.
    {"was_broken_no_null", R"({"status":"success","data":nnll:[]})", kNone},
    {"was_broken_no_null_warnings", R"({"status":"success","warnings":nnll})", kNone},
    {"other_status", R"({"status":"ok","data":{"resultType":"vector","result":[]}})",
     "this is no answer of Prometheus"},
    {"matrix", R"({"status":"success","data":{"resultType":"matrix","result":[]}})",
     "the query gives a \"matrix\", not one number for each series"},
    {"string", R"({"status":"success","data":{"resultType":"string","result":[1,"x"]}})",
     "the query gives a \"string\", not one number for each series"},
    {"scalar_called_vector", vector_of(R"(1,"5")"),
     "the query gives a \"vector\", not one number for each series"},
    {"vector_called_scalar",
     R"({"status":"success","data":{"resultType":"scalar","result":[{"metric":{},"value":[1,"5"]}]}})",
     "the query gives a \"scalar\", not one number for each series"},
    {"no_metric", vector_of(R"({"value":[1,"5"]})"), kNone},
    {"no_value", vector_of(R"({"metric":{}})"), kNone},
    {"value_is_a_number", series_with("5"), kNone},
    {"value_is_null", series_with("null"), kNone},
    {"three_values", series_with(R"("5","6")"), kNone},
    {"one_value", vector_of(R"({"metric":{},"value":[1]})"), kNone},
    {"no_moment", vector_of(R"({"metric":{},"value":["1","5"]})"), kNone},
    {"moment_below_zero", vector_of(R"({"metric":{},"value":[-1,"5"]})"), kNone},
    {"moment_far_off", vector_of(R"({"metric":{},"value":[1e300,"5"]})"), kNone},
    {"label_twice", vector_of(R"({"metric":{"node":"a","node":"b"},"value":[1,"5"]})"), kNone},
    {"label_is_a_number", vector_of(R"({"metric":{"node":5},"value":[1,"5"]})"), kNone},
    {"metric_is_a_list", vector_of(R"({"metric":[],"value":[1,"5"]})"), kNone},
    {"result_twice",
     R"({"status":"success","data":{"resultType":"vector","result":[],"result":[]}})", kNone},
    {"no_utf8", vector_of("{\"metric\":{\"node\":\"\xff\"},\"value\":[1,\"5\"]}"), kNone},
    {"refused",
     R"({"status":"error","errorType":"bad_data","error":"1:4: parse error: unclosed\nbrace"})",
     "it refuses the query: 1:4: parse error: unclosed?brace"},
};
INSTANTIATE_TEST_SUITE_P(Bad, AnswerReads, testing::ValuesIn(kBad),
                         [](const auto& info) { return std::string(info.param.name); });

// F15b: what is no finite number is nothing, never zero.
TEST(Answer, takes_only_finite_numbers) {
    const std::pair<const char*, std::optional<double>> kCases[] = {
        {"0", 0.0},
        {"-0", -0.0},
        {"12.5", 12.5},
        {"-3", -3.0},
        {"1e308", 1e308},
        {"5e-324", 5e-324},
        {"1.5e+06", 1.5e6},
        {"NaN", std::nullopt},
        {"nan", std::nullopt},
        {"+Inf", std::nullopt},
        {"-Inf", std::nullopt},
        {"Inf", std::nullopt},
        {"infinity", std::nullopt},
        {"1e309", std::nullopt},
        {"1e-400", std::nullopt},
        {"", std::nullopt},
        {" 1", std::nullopt},
        {"1 ", std::nullopt},
        {"+1", std::nullopt},
        {"0x10", std::nullopt},
        {"1,5", std::nullopt},
        {"abc", std::nullopt},
        {"1111111111111111111111111111111111111111111111111111111111111111111", std::nullopt},
    };
    for (const auto& [text, value] : kCases) {
        const auto answer = decode_answer(series_with("\"" + std::string(text) + "\""), kLabels);
        ASSERT_TRUE(answer) << text;
        EXPECT_EQ(answer->series.at(0).value, value) << text;
    }
}

// F9: cut at every byte, it is nothing rather than a part of it.
TEST(Answer, a_part_of_an_answer_is_none) {
    const std::string bodies[] = {
        vector_of(R"({"metric":{"node":"a","x":"\u00e9"},"value":[1.25,"5"]},)"
                  R"({"metric":{},"value":[2,"NaN"]})"),
        R"({"status":"success","data":{"resultType":"scalar","result":[1.5,"7"]},)"
        R"("warnings":["a","b"]})",
    };
    for (const std::string& body : bodies) {
        ASSERT_TRUE(decode_answer(body, kLabels));
        for (std::size_t size = 0; size < body.size(); ++size) {
            EXPECT_FALSE(decode_answer(body.substr(0, size), kLabels)) << body.substr(0, size);
        }
    }
}

TEST(Answer, tells_when_it_was_evaluated) {
    EXPECT_EQ(decode_answer(series_with("\"5\""), kLabels)->at, TimePoint{1'500'000});
    EXPECT_EQ(decode_answer(vector_of(""), kLabels)->at, std::nullopt);
}

TEST(Answer, keeps_warnings_but_no_hints) {
    const auto answer = decode_answer(
        R"({"status":"success","data":{"resultType":"vector","result":[]},"warnings":[)"
        R"("PromQL info: metric might not be a counter","store\u000aaway","b","c","d"]})",
        kLabels);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->warnings, (std::vector<std::string>{"store?away", "b", "c"}));
    EXPECT_TRUE(decode_answer(R"({"warnings":null,"status":"success",)"
                              R"("data":{"resultType":"vector","result":[]}})",
                              kLabels));
}

TEST(Answer, says_whether_a_refusal_may_pass) {
    const auto code = [](const std::string& type) {
        return decode_answer(R"({"status":"error","errorType":")" + type + R"(","error":"x"})",
                             kLabels)
            .error()
            .code;
    };
    EXPECT_EQ(code("timeout"), ErrorCode::unavailable);
    EXPECT_EQ(code("canceled"), ErrorCode::unavailable);
    EXPECT_EQ(code("internal"), ErrorCode::unavailable);
    EXPECT_EQ(code("unavailable"), ErrorCode::unavailable);
    EXPECT_EQ(code("bad_data"), ErrorCode::denied);
    EXPECT_EQ(code("execution"), ErrorCode::denied);
}

/// The fingerprint of the only series with these labels.
std::uint64_t print_of(const std::string& labels) {
    const auto answer =
        decode_answer(vector_of("{\"metric\":{" + labels + "},\"value\":[1,\"5\"]}"), kLabels);
    return answer ? answer->series.at(0).fingerprint : 0;
}

TEST(Answer, knows_a_series_again_by_all_its_labels) {
    const std::uint64_t one = print_of(R"("a":"1","b":"2")");
    EXPECT_EQ(print_of(R"("b":"2","a":"1")"), one);
    EXPECT_EQ(print_of(R"("__name__":"up","a":"1","b":"2","c":"")"), one);
    for (const char* other :
         {R"("a":"1")", R"("a":"2","b":"1")", R"("a":"1","b":"2","c":"3")", R"("b":"1","a":"2")",
          R"("a":"1","b":"22")", R"("1":"a","2":"b")", R"("ab":"12")", ""}) {
        EXPECT_NE(print_of(other), one) << other;
    }
}

TEST(Answer, has_a_size) {
    std::string many;
    for (std::size_t i = 0; i <= kSeriesMax; ++i) {
        many += R"({"metric":{},"value":[1,"5"]},)";
    }
    many.pop_back();
    EXPECT_FALSE(decode_answer(vector_of(many), kLabels));
    many.resize(many.rfind(",{"));
    const auto most = decode_answer(vector_of(many), kLabels);
    ASSERT_TRUE(most);
    EXPECT_EQ(most->series.size(), kSeriesMax);

    std::string large = vector_of("");
    large += std::string(kAnswerBytesMax - large.size(), ' ');
    EXPECT_TRUE(decode_answer(large, kLabels));
    large += ' ';
    const auto refused = decode_answer(large, kLabels);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "the answer is over 16 MiB; aggregate more in the query");
}

TEST(Answer, is_not_led_astray_by_depth) {
    const std::string deep(1'000'000, '[');
    EXPECT_FALSE(decode_answer(deep, kLabels));
    EXPECT_FALSE(decode_answer(R"({"status":"success","x":)" + deep, kLabels));
    const std::string closed = deep + std::string(deep.size(), ']');
    EXPECT_TRUE(decode_answer(R"({"x":)" + closed + "," + vector_of("").substr(1), kLabels));
}

TEST(Answer, shows_texts_of_others_in_one_line) {
    EXPECT_EQ(in_one_line("a\n\x1b[31mb\xc3\xa9"), "a??[31mb??");
    EXPECT_EQ(in_one_line(std::string(300, 'a')), std::string(200, 'a') + " ...");
}

}  // namespace
}  // namespace parley::prometheus
