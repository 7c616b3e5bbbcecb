include(GoogleTest)

# Headers that nearly every file includes are parsed once: by `model` for libraries, by `test_headers` for
# tests. The second compiler goes without, so that a missing include is found; so do hardened builds,
# in which programs and libraries are compiled differently.
set(PARLEY_PRECOMPILE OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT PARLEY_FUZZ AND NOT PARLEY_HARDEN)
  set(PARLEY_PRECOMPILE ON)
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")  # Otherwise ccache never finds anything.
endif()
function(precompile name kind)
  if(NOT PARLEY_PRECOMPILE OR name STREQUAL "base" OR kind STREQUAL "INTERFACE")
    return()
  endif()
  if(name STREQUAL "model")
    target_precompile_headers(model PRIVATE <model/round.h>)
  elseif(kind STREQUAL "TEST")
    if(NOT TARGET test_headers)
      file(WRITE ${PROJECT_BINARY_DIR}/test_headers.cc "")
      add_library(test_headers STATIC ${PROJECT_BINARY_DIR}/test_headers.cc)
      target_link_libraries(test_headers PRIVATE base model GTest::gtest_main Threads::Threads)
      target_include_directories(test_headers PRIVATE ${PROJECT_SOURCE_DIR}/src)
      target_precompile_headers(test_headers PRIVATE
        <model/round.h> <gtest/gtest.h>)
    endif()
    target_precompile_headers(${name} REUSE_FROM test_headers)
  else()
    target_precompile_headers(${name} REUSE_FROM model)
  endif()
endfunction()

# unite(<name> <file>...): with PARLEY_UNITE, files of the target whose inner names do not collide are
# compiled as one: what many of them instantiate is made once. See docs/decisions/0031.
function(unite name)
  if(NOT PARLEY_UNITE)
    return()
  endif()
  execute_process(COMMAND python3 ${PROJECT_SOURCE_DIR}/tools/unity_groups.py ${ARGN}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE groups COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" groups "${groups}")
  foreach(line IN LISTS groups)
    string(REGEX MATCH "^([0-9]+) (.*)$" _ "${line}")
    set_source_files_properties(${CMAKE_MATCH_2} PROPERTIES UNITY_GROUP ${name}_${CMAKE_MATCH_1})
  endforeach()
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})  # Names change with them.
endfunction()

# layer(<name> [USES ...] [TESTED_WITH ...] [SOURCES ... TESTS ...]): a folder of src/ as a library
# with its tests: without SOURCES, every .cc of the folder, *_test.cc as tests. It sees base, model
# and what USES names, by the table of src/README.md; its tests see what TESTED_WITH names as well.
# tools/tidy.py checks the includes, which a shared include root cannot.
function(layer name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;TESTS;USES;TESTED_WITH")
  if(NOT ARG_SOURCES)
    file(GLOB ARG_SOURCES CONFIGURE_DEPENDS *.cc)
    set(ARG_TESTS ${ARG_SOURCES})
    list(FILTER ARG_SOURCES EXCLUDE REGEX "_test\\.cc$")
    list(FILTER ARG_TESTS INCLUDE REGEX "_test\\.cc$")
  endif()
  if(ARG_SOURCES)
    add_library(${name} STATIC ${ARG_SOURCES})
    unite(${name} ${ARG_SOURCES})
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
  precompile(${name} ${scope})
  if(ARG_TESTS)
    layer_test(${name}_test SOURCES ${ARG_TESTS} USES ${name} ${ARG_TESTED_WITH})
  endif()
endfunction()

# rooms(<folder>...): the folders inside this one, each with a CMakeLists.txt of its own.
function(rooms)
  foreach(room IN LISTS ARGN)
    add_subdirectory(${room})
  endforeach()
endfunction()

# layer_test(<name> SOURCES ... USES ... [TIMEOUT s]): a test program of its own.
function(layer_test name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "TIMEOUT" "SOURCES;USES")
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  unite(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE ${ARG_USES} GTest::gtest_main Threads::Threads)
  precompile(${name} TEST)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT ${ARG_TIMEOUT})
endfunction()
