# Warnings are errors; floating point gives the same bits from every build.

add_library(parley_options INTERFACE)
target_compile_options(parley_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
  -Wno-missing-field-initializers  # Designated initialisers name only what matters.
  -ffp-contract=off)               # A fused multiply-add would round once instead of twice.

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(parley_options INTERFACE -Wno-missing-designated-field-initializers)
  add_link_options(-fuse-ld=mold)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # An assertion of GoogleTest below an `if` is one statement; g++ takes it for two.
  target_compile_options(parley_options INTERFACE -Wno-dangling-else)
  # g++ 12 takes what lies in an empty optional or variant for used; ASan and clang look at that.
  target_compile_options(parley_options INTERFACE -Wno-maybe-uninitialized)
endif()

# A name of one file may hide a name of another that it is compiled with; each file by itself is looked
# at by all other builds.
if(PARLEY_UNITE)
  target_compile_options(parley_options INTERFACE -w)
endif()

if(PARLEY_SANITIZE)
  add_compile_options(-fsanitize=${PARLEY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${PARLEY_SANITIZE})
endif()

# Instruments the libraries under the fuzz targets, so that these see which paths an input takes.
if(PARLEY_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# The OpenSSF guide's flags; tools/check_hardening.sh asserts what can be seen in the program.
option(PARLEY_HARDEN "Harden the program, as releases are" OFF)
if(PARLEY_HARDEN)
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES CXX)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  add_compile_options(
    -Wformat=2 -Wimplicit-fallthrough -Werror=format-security
    -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -D_GLIBCXX_ASSERTIONS
    -fstack-clash-protection -fstack-protector-strong -fcf-protection=full
    -fno-delete-null-pointer-checks -fno-strict-overflow -fno-strict-aliasing
    -ftrivial-auto-var-init=zero)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_compile_options(-fstrict-flex-arrays=3)
  else()
    add_compile_options(-Wtrampolines -Wbidi-chars=any)
  endif()
  add_link_options(-Wl,-z,noexecstack,-z,relro,-z,now,--as-needed)
  # Only a program may refuse to be opened by dlopen; a library of ours is opened that way.
  add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-Wl,-z,nodlopen>)
endif()
