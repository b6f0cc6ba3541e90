# Everything a person or a machine does with this repository.
#
#   make run     build the page and serve it on http://127.0.0.1:8080
#   make test    every check there is; what CI runs
#   make check   vet, lint and short tests of what has changed since the last commit, and of what needs it
#   make dist    the page as a static folder, best compression: build/dist
#   make firefox the page's main job in Firefox alone
#   make bench   the benchmarks
#   make thorough  1,000 cases of every property that tests draw cases of
#   make mutate  10,000 mutations of our own files through every decoder
#   make fuzz    every decoder against hostile bytes, ten minutes each
#   make clean

GO     ?= go
ADDR   ?= 127.0.0.1:8080
LINTER_VERSION := v2.12.0
LINTER := build/bin/$(LINTER_VERSION)/golangci-lint
DEADCODE_VERSION := v0.44.0
DEADCODE := build/bin/deadcode-$(DEADCODE_VERSION)/deadcode
AXE_VERSION := 4.10.2
AXE := build/bin/axe-$(AXE_VERSION)/axe.min.js
THREE_VERSION := 0.180.0
THREE := build/bin/three-$(THREE_VERSION)/node_modules/three/package.json

include wasm/build.mk

.PHONY: run test fresh check bench thorough mutate fuzz clean unit unit-js window e2e firefox vet lint

run: web build/genussink
	build/genussink serve -addr $(ADDR) -dir build/web

build/genussink: web/wasm_exec.js FORCE
	@$(GO) build -trimpath -buildvcs=false -o $@ ./cmd/genussink
FORCE:

# Tests name themselves in this file where the data beside the repository is absent: once for every run, as with the race detector.
export GENUSSINK_ABSENT = $(CURDIR)/build/absent
fresh:
	@mkdir -p build && : > $(GENUSSINK_ABSENT)

test: fresh vet lint unit unit-js window e2e firefox
	@echo "tests left out for want of ../shared/data: $$(sort -u $(GENUSSINK_ABSENT) | wc -l)"

# The inner loop. SINCE names another commit to compare with.
SINCE ?= HEAD
check: vet $(LINTER)
	@set -e; packages=$$(.ci/changed $(SINCE)); test -n "$$packages" || exit 0; \
	$(LINTER) run $$(echo "$$packages" | sed 's,^genussink,.,'); \
	$(GO) test -short $$packages

# need,PROGRAM,PACKAGES: a program that must be there, from Debian's packages.
define need
@command -v $(1) >/dev/null 2>&1 || .ci/need $(1) $(2)
endef

# The linter keeps what it found per checkout: a shared cache answers with what it found in another one, which may be gone.
export GOLANGCI_LINT_CACHE = $(CURDIR)/build/lint

vet:
	$(GO) vet -tags e2e,firefox ./...
	GOOS=js GOARCH=wasm $(GO) vet ./core/... ./viewer/... ./wasm/...
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "not gofmt-ed: $$unformatted"; exit 1; }

$(LINTER):
	GOBIN=$(CURDIR)/$(@D) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINTER_VERSION)

$(DEADCODE):
	GOBIN=$(CURDIR)/$(@D) $(GO) install golang.org/x/tools/cmd/deadcode@$(DEADCODE_VERSION)

# unpack,PACKAGE,VERSION,FILES: files of an npm package, into the target's folder.
define unpack
	$(call need,npm,npm)
	@mkdir -p $(@D)
	npm pack --silent --pack-destination $(@D) $(1)@$(2)
	tar -xzf $(@D)/$(1)-$(2).tgz -C $(@D) -m --strip-components=1 $(addprefix package/,$(3))
endef

# The accessibility checks that wasm/e2e runs on the page.
$(AXE):
	$(call unpack,axe-core,$(AXE_VERSION),axe.min.js)

# Another reader of the meshes that the page saves, for wasm/e2e.
$(THREE):
	$(call unpack,three,$(THREE_VERSION),package.json build/three.module.js build/three.core.js \
		examples/jsm/loaders/GLTFLoader.js examples/jsm/loaders/PLYLoader.js examples/jsm/utils/BufferGeometryUtils.js)

lint: $(LINTER) $(DEADCODE)
	$(LINTER) run ./...
	GOOS=js GOARCH=wasm $(LINTER) run ./wasm/...
	.ci/dead $(DEADCODE)

# All tests, and those of packages with goroutines again, but for the long ones, with the race detector, which takes ten times as
# long and needs a C compiler. `make vet` is a step of its own.
TEST := $(GO) test -vet=off -timeout 30m -shuffle=on
unit:
	$(call need,gcc,gcc libc6-dev)
	$(TEST) ./...
	CGO_ENABLED=1 $(TEST) -race -short $$(.ci/concurrent)

# The packages of the page's programs again, as the browser runs them: compiled to WebAssembly, with ints of 32 bits. Long tests are
# left out, but for those of products and labels.
PURE = $(shell GOOS=js GOARCH=wasm $(GO) list -deps ./wasm/viewer ./wasm/worker ./wasm/published | grep -E '^genussink/(core|viewer)/' | grep -v viewer/app)
unit-js:
	$(call need,node,nodejs)
	GOOS=js GOARCH=wasm $(TEST) -short -exec "$$($(GO) env GOROOT)/lib/wasm/go_js_wasm_exec" $(PURE)

# The ebiten part in a real window, on a screen that nobody sees.
window:
	$(call need,xvfb-run,xvfb xauth libgl1 libegl1 libgles2 libgl1-mesa-dri libx11-6 libxext6 libxrender1 libxcursor1 libxi6 libxinerama1 libxrandr2)
	CGO_ENABLED=0 xvfb-run -a -s "-screen 0 1280x800x24" $(GO) test -count=1 ./viewer/app

# The page in a real browser, against the real server. Tests wait for it a part of their time: three at once keep two processors busy.
e2e: web build/genussink $(AXE) $(THREE)
	$(call need,chromium,chromium)
	$(GO) test -count=1 -timeout 60m -parallel 3 -tags e2e ./wasm/e2e

# The page's main job in Firefox, in a window on a screen that nobody sees.
firefox: web build/genussink
	$(call need,firefox-esr,firefox-esr)
	$(call need,xvfb-run,xvfb xauth)
	xvfb-run -a -s "-screen 0 1280x800x24" $(GO) test -count=1 -timeout 10m -tags firefox ./wasm/firefox

# Properties again that `make test` draws some cases of, CHECKS each.
CHECKS ?= 1000
thorough:
	RAPID_CHECKS=$(CHECKS) $(GO) test -count=1 -timeout 10h ./...

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./core/...

# Mutations of our own files, with limits of time and memory and an independent count. The seed is printed.
MUTATIONS ?= 10000
SEED      ?= $(shell date +%s)
mutate:
	$(GO) test -count=1 -timeout 60m -v ./core/internal/mutation -mutations $(MUTATIONS) -seed $(SEED)

# Every decoder against hostile bytes, FUZZTIME each.
FUZZTIME ?= 10m
fuzz:
	@for f in meshio:OBJ meshio:OFF meshio:PLY meshio:STL meshio:GLTF meshio:GLB graph:ReadPACE graphio:Read treedec:ReadPACE treedec:ReadOrder job:Decode hub:Snapshot session:Decode session:Painting session:ParseLink; do \
		$(GO) test -run '^$$' -fuzz "^Fuzz$${f#*:}$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x ./core/$${f%%:*} || exit 1; \
	done

clean:
	rm -rf build
