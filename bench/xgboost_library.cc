#include "bench/xgboost_library.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace parley::bench {
namespace {

constexpr const char* kInPlace =
    R"({"type":1,"training":false,"iteration_begin":0,"iteration_end":0,"strict_shape":false,)"
    R"("missing":NaN,"cache_id":0})";
constexpr const char* kContributions =
    R"({"type":2,"training":false,"iteration_begin":0,"iteration_end":0,"strict_shape":false})";

[[noreturn]] void give_up(const char* what, const char* why) {
    std::fprintf(stderr, "forest_rows: %s: %s\n", what, why);
    std::exit(1);
}

template <class F>
void find(void* library, const char* name, F*& into) {
    into = reinterpret_cast<F*>(dlsym(library, name));
    if (into == nullptr) give_up(name, "the library has no such function");
}

}  // namespace

struct XgboostLibrary::Functions {
    const char* (*last_error)();
    void (*version)(int*, int*, int*);
    int (*create)(void* const*, std::uint64_t, void**);
    int (*release)(void*);
    int (*set)(void*, const char*, const char*);
    int (*load)(void*, const char*);
    int (*save)(void*, const char*);
    int (*update)(void*, int, void*);
    int (*proxy)(void**);
    int (*matrix)(const char*, const char*, void**);
    int (*matrix_info)(void*, const char*, const float*, std::uint64_t);
    int (*matrix_release)(void*);
    int (*in_place)(void*, const char*, const char*, void*, const std::uint64_t**, std::uint64_t*,
                    const float**);
    int (*from_matrix)(void*, void*, const char*, const std::uint64_t**, std::uint64_t*,
                       const float**);
};

XgboostLibrary::XgboostLibrary(const std::string& path) : api_(std::make_unique<Functions>()) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) give_up("dlopen", dlerror());
    find(library, "XGBGetLastError", api_->last_error);
    find(library, "XGBoostVersion", api_->version);
    find(library, "XGBoosterCreate", api_->create);
    find(library, "XGBoosterFree", api_->release);
    find(library, "XGBoosterSetParam", api_->set);
    find(library, "XGBoosterLoadModel", api_->load);
    find(library, "XGBoosterSaveModel", api_->save);
    find(library, "XGBoosterUpdateOneIter", api_->update);
    find(library, "XGProxyDMatrixCreate", api_->proxy);
    find(library, "XGDMatrixCreateFromDense", api_->matrix);
    find(library, "XGDMatrixSetFloatInfo", api_->matrix_info);
    find(library, "XGDMatrixFree", api_->matrix_release);
    find(library, "XGBoosterPredictFromDense", api_->in_place);
    find(library, "XGBoosterPredictFromDMatrix", api_->from_matrix);
    must(api_->create(nullptr, 0, &booster_), "create");
    must(api_->set(booster_, "nthread", "1"), "nthread");
    must(api_->proxy(&proxy_), "proxy");
}

XgboostLibrary::~XgboostLibrary() {
    api_->release(booster_);
    api_->matrix_release(proxy_);
}

void XgboostLibrary::must(int status, const char* what) const {
    if (status != 0) give_up(what, api_->last_error());
}

std::string XgboostLibrary::version() const {
    int major = 0;
    int minor = 0;
    int patch = 0;
    api_->version(&major, &minor, &patch);
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

void XgboostLibrary::load(const std::string& model_path) {
    must(api_->load(booster_, model_path.c_str()), "load");
    must(api_->set(booster_, "nthread", "1"), "nthread");
}

std::string XgboostLibrary::interface_of(std::span<const float> rows, std::size_t columns) {
    return R"({"data":[)" + std::to_string(reinterpret_cast<std::uintptr_t>(rows.data())) +
           R"(,true],"shape":[)" + std::to_string(rows.size() / columns) + "," +
           std::to_string(columns) + R"(],"typestr":"<f4","version":3})";
}

void XgboostLibrary::train(std::span<const float> rows, std::span<const float> labels,
                           std::span<const std::pair<const char*, const char*>> parameters,
                           int rounds) {
    void* matrix = nullptr;
    const std::string data = interface_of(rows, rows.size() / labels.size());
    must(api_->matrix(data.c_str(), R"({"missing":NaN,"nthread":1})", &matrix), "matrix");
    must(api_->matrix_info(matrix, "label", labels.data(), labels.size()), "label");
    api_->release(booster_);
    must(api_->create(&matrix, 1, &booster_), "create");
    for (const auto& [name, value] : parameters) must(api_->set(booster_, name, value), name);
    for (int i = 0; i < rounds; ++i) must(api_->update(booster_, i, matrix), "update");
    api_->matrix_release(matrix);
}

void XgboostLibrary::save(const std::string& path) {
    must(api_->save(booster_, path.c_str()), "save");
}

std::span<const float> XgboostLibrary::margins(const std::string& interface) {
    const std::uint64_t* shape = nullptr;
    std::uint64_t dimensions = 0;
    const float* out = nullptr;
    must(api_->in_place(booster_, interface.c_str(), kInPlace, proxy_, &shape, &dimensions, &out),
         "predict in place");
    return {out, shape[0]};
}

std::span<const float> XgboostLibrary::contributions(std::span<const float> rows,
                                                     std::size_t columns) {
    void* matrix = nullptr;
    must(api_->matrix(interface_of(rows, columns).c_str(), R"({"missing":NaN,"nthread":1})",
                      &matrix),
         "matrix");
    const std::uint64_t* shape = nullptr;
    std::uint64_t dimensions = 0;
    const float* out = nullptr;
    must(api_->from_matrix(booster_, matrix, kContributions, &shape, &dimensions, &out),
         "contributions");
    api_->matrix_release(matrix);
    std::uint64_t size = 1;
    for (std::uint64_t i = 0; i < dimensions; ++i) size *= shape[i];
    return {out, size};
}

}  // namespace parley::bench
