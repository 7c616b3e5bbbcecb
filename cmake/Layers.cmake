include(GoogleTest)

# layer(<name> SOURCES ... TESTS ... [USES ...]): a folder of src/ as a library with its tests.
# A layer sees base, model and what USES names: by the table of src/README.md, never another layer.
# tools/tidy.py checks the includes, which a shared include root cannot.
function(layer name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;TESTS;USES")
  if(ARG_SOURCES)
    add_library(${name} STATIC ${ARG_SOURCES})
    set(scope PUBLIC)
  else()
    add_library(${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${name} ${scope} ${PROJECT_SOURCE_DIR}/src)
  set(ground base model)
  list(REMOVE_ITEM ground ${name})
  if(name STREQUAL "base")
    set(ground)
  endif()
  target_link_libraries(${name} ${scope} parley_options ${ground} ${ARG_USES})
  if(ARG_TESTS)
    layer_test(${name}_test SOURCES ${ARG_TESTS} USES ${name})
  endif()
endfunction()

# layer_test(<name> SOURCES ... USES ...): a test program of its own.
function(layer_test name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;USES")
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE ${ARG_USES} GTest::gtest_main Threads::Threads)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 300)
endfunction()
