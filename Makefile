# The front door: each target installs what it needs (Debian packages, named before it asks) and does its work.
# The build itself is Meson's: `meson setup build && ninja -C build` is all that `make` does.

BUILD ?= build
PREFIX ?= /usr/local
VECTORS ?= ../shared/vectors
FUZZ_SECONDS ?= 600
MUTANTS ?= 200

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet

$(BUILD)/build.ninja:
	@tools/need build
	@meson setup $(BUILD) --buildtype=release --prefix=$(PREFIX) $(MESONFLAGS)

# Every picture that a list of examples names into gallery/, and all of them on one sheet: GLSL first.
GALLERY := examples/glsl/gallery.txt
demo: all
	@$(BUILD)/tools/gallery $(GALLERY) $(filter-out $(GALLERY),$(sort $(wildcard examples/*/gallery.txt))) gallery

# All tests; the last line says how many passed and failed. With ISA=tesla those of an instruction set, with TEST=NAME
# one, or those that a glob matches: TEST='*faults*'. Of what takes long, of the scripts that try the command and of
# golden files a run tries a twelfth, another one each time, and of reference results half of that (docs/testing.md,
# Samples); those that are asked for by ISA or TEST, and all with SHARE=1, try everything.
# .ci/run has warnings as errors, sanitizers and fuzzers beside them.
SHARE ?= $(if $(ISA)$(TEST),1,12)
check:
	@tools/need build check
	@$(MAKE) --no-print-directory test-build
	@WEFT_TEST_SHARE=$(SHARE) WEFT_TEST_VECTORS=$(if $(filter 1,$(SHARE)),1,$$((2 * $(SHARE)))) \
		WEFT_TEST_COMMANDS=$(SHARE) VECTORS=$(VECTORS) \
		tests/run $(if $(ISA),--isa '$(ISA)') $(if $(TEST),--test '$(TEST)') $(BUILD)

# The build, once what tests need is there: a folder that was set up before, without cmocka, finds it.
test-build:
	@! grep -qs '"name": "unit-tests"' $(BUILD)/meson-info/intro-tests.json || meson setup --reconfigure $(BUILD) >/dev/null
	@$(MAKE) --no-print-directory all

# What the golden files say and the program does not: the difference, which is taken over. With TEST=NAME or a glob those.
rebase: all
	@tests/golden/golden --rebase $(if $(wildcard $(BUILD)/weft-spirv.so),--has spirv) $(BUILD) $(if $(TEST),'$(TEST)')

# Known-good results that live outside the repository.
check-vectors:
	@tools/need build check
	@$(MAKE) --no-print-directory test-build
	@tests/run --only-vectors $(VECTORS) $(BUILD)

# Tables, text and bytes on a machine whose bytes lie the other way round (MACHINE=s390x) or whose words have 32 bits
# (MACHINE=i386), or nearly everything on another one (MACHINE=aarch64): built by a cross compiler, run by qemu where it
# must be. With TEST="name ..." those tests.
MACHINE ?= s390x
check-machine:
	@tests/machines/run $(MACHINE) $(TEST)

# The tests that use threads, under ThreadSanitizer, which clang has.
THREADED := device-draw device-image device-multisample device-quads exec-spaces library-hooks library-machine \
	library-run tesla-lanes tgsi-compute
check-threads:
	@tools/need build check fuzz
	@test -e build-threads/build.ninja || CC=clang meson setup build-threads -Dbuildtype=debugoptimized \
		-Db_sanitize=thread -Db_lundef=false -Db_ndebug=false -Dspirv=disabled -Dmpi=disabled -Dbench=disabled
	@ninja -C build-threads --quiet
	@tests/run --test '$(THREADED)' build-threads

# Values that were never initialised, under MemorySanitizer, which clang has: tests that run nothing but what it has compiled,
# without the libraries of pictures. With TEST=NAME or a glob those.
UNINITIALISED := base-* fuzz-* ir-* script-* *-check *-collection *-cubin *-decode *-decoder *-exceptions *-explain \
	*-formats *-groups *-insn *-list *-macros *-pack *-parse *-print *-programs *-table *-tables *-text *-tokens *-words
check-memory:
	@tools/need build check fuzz
	@test -e build-memory/build.ninja || CC=clang meson setup build-memory -Doptimization=1 -Ddebug=false -Dc_args=-g1 \
		-Db_sanitize=memory -Db_lundef=false -Dspirv=disabled -Djit=disabled -Dmpi=disabled -Dbench=disabled
	@ninja -C build-memory --quiet
	@tests/run --test '$(or $(TEST),$(UNINITIALISED))' build-memory

# The engine that compiles under AddressSanitizer and UndefinedBehaviorSanitizer, which .ci/run builds without it: what
# compares it with the interpreter, and jobs, those without a look for leaks: its own look fails in some of the processes
# that have compiled beside it.
JIT_JOBS := jobs spirv tesla valhall rogue vpu
check-jit:
	@tools/need build check
	@test -e build-jit/build.ninja || meson setup build-jit -Doptimization=1 -Ddebug=false \
		-Dc_args='-g1 -fsanitize-undefined-trap-on-error' -Dcpp_args='-g1 -fsanitize-undefined-trap-on-error' \
		-Db_sanitize=address,undefined -Db_pie=false -Djit=enabled -Dmpi=disabled
	@ninja -C build-jit --quiet
	@tests/run --test '*-jit *-engines' build-jit
	@for set in $(JIT_JOBS); do ASAN_OPTIONS=detect_leaks=0 WEFT_ENGINE=jit tests/run --test amber-$$set build-jit || exit 1; done

# Values that were never initialised: tests of parsers, decoders and the device under valgrind. With TEST="name ..." those.
check-valgrind:
	@tests/valgrind/run $(TEST)

# Speed, beside Mesa's softpipe and llvmpipe: docs/bench.md.
bench: all
	@tools/need bench
	@meson setup --reconfigure $(BUILD) >/dev/null
	@ninja -C $(BUILD) --quiet bench-programs
	@$(BUILD)/bench/bench $(BENCHFLAGS)

# Each fuzzer for FUZZ_SECONDS.
fuzz:
	@tools/need build fuzz
	@tests/fuzz/run --seconds $(FUZZ_SECONDS)

# Changes of the sources, one at a time: would the tests notice? tests/mutate/README.md.
mutate:
	@tools/need build check
	@tests/mutate/run --sample $(MUTANTS)

# Which lines and branches of src the tests run: a build of its own, a table, and pages of HTML.
coverage:
	@tools/need build check
	@tests/coverage/run

# Library, headers, pkg-config file, program, man page, completion, documents and examples into PREFIX (DESTDIR is heeded).
install: all
	@meson configure $(BUILD) -Dprefix=$(abspath $(PREFIX))
	@ninja -C $(BUILD) --quiet
	@meson install -C $(BUILD) --no-rebuild

clean:
	rm -rf $(BUILD) build-fuzz build-mutate build-coverage* build-s390x* build-i386* build-aarch64* build-threads build-memory build-jit build-valgrind* gallery

.PHONY: all demo check test-build rebase check-vectors check-machine check-threads check-memory check-jit check-valgrind bench fuzz mutate coverage install clean
