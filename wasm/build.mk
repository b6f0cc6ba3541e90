# The page.
#
#   web    build/web, quickly compressed: what `genussink serve` serves
#   dist   build/dist, best compression: works from any static host, under any path. BASE=https://… is the address that it will
#          have there: links to it are shown with a picture then
#
# A second run does only what has changed: go build looks after the programs,
# wasm/pack after everything else.

.PHONY: web dist programs viewer.wasm worker.wasm published.wasm

# The toolchain's own loader of programs: it changes with the compiler, so that each build takes that compiler's.
# Written only where it differs: the page's folder keeps its file then.
EXEC = $(shell $(GO) env GOROOT)/lib/wasm/wasm_exec.js
web/wasm_exec.js: FORCE
	@cmp -s "$(EXEC)" $@ || { rm -f $@ && cp "$(EXEC)" $@ && chmod 644 $@; }

# Code that has no hot loop, or whose loops call little, is not inlined: a thirtieth of what a person downloads.
COLD = encoding/... bufio bytes context fmt go/... io/fs math/big net/url os reflect regexp/... strconv strings text/... time unicode/... github.com/qmuntal/gltf/... \
	github.com/hajimehoshi/ebiten/v2/internal/shader github.com/hajimehoshi/ebiten/v2/internal/shaderir/... github.com/hajimehoshi/ebiten/v2/internal/gamepaddb \
	genussink/wasm/viewer genussink/wasm/internal/... genussink/core/session genussink/viewer/figure genussink/viewer/lesson/... genussink/viewer/timeline \
	archive/zip html log/... path/... golang.org/x/image/font/... golang.org/x/text/... github.com/hajimehoshi/ebiten/v2/internal/gamepad \
	github.com/hajimehoshi/ebiten/v2/internal/legacyshader github.com/hajimehoshi/ebiten/v2/internal/vmprotocol github.com/hajimehoshi/ebiten/v2/internal/vmguest genussink/viewer/label \
	genussink/core/method genussink/core/team genussink/core/paint genussink/core/internal/foreign genussink/core/internal/budget \
	genussink/core/animation genussink/core/benchmark genussink/core/planar genussink/core/separator genussink/core/transport/check genussink/core/transport/polish errors \
	genussink/core/engine genussink/core/graphio genussink/core/hub/cluster genussink/core/job genussink/core/kernel genussink/core/measure genussink/core/mesh/... genussink/core/treedec genussink/core/layout genussink/core/transport genussink/core/transport/flow genussink/core/inspect unique
WASM_BUILD = GOFLAGS= GOOS=js GOARCH=wasm $(GO) build -trimpath -buildvcs=false -ldflags="-s -w" $(COLD:%=-gcflags=%=-l) $(OVERLAY:%=-overlay=%)

# The programs are the same bytes wherever they are built, whatever GOFLAGS says. They
# lie beside the folder that is served: pack renames them into it. OVERLAY is as of `go build`.
PROGRAMS ?= build/wasm
programs: web/wasm_exec.js viewer.wasm worker.wasm published.wasm
viewer.wasm worker.wasm published.wasm:
	@$(WASM_BUILD) -o $(PROGRAMS)/$@ ./wasm/$(basename $@)

# The gallery's pictures, drawn by the tool, for both themes. They are drawn again where a mesh has changed.
PICTURES = build/pictures/poster-light.png build/pictures/poster-dark.png $(foreach theme,light dark,$(patsubst assets/meshes/%.glb,build/pictures/%-$(theme).png,$(wildcard assets/meshes/*.glb)))
DRAW = @mkdir -p $(@D) && build/genussink picture $< -what split -size 304x208 -out $@ > /dev/null -theme
build/pictures/%-light.png: assets/meshes/%.glb | build/genussink
	$(DRAW) light
build/pictures/%-dark.png: assets/meshes/%.glb | build/genussink
	$(DRAW) dark

# What is there before the program: about what it shows first.
build/pictures/poster-%.png: assets/meshes/cat.glb | build/genussink
	@mkdir -p $(@D) && build/genussink picture $< -what transport -position 0.3 -method exact -size 608x416 -theme $* -out $@ > /dev/null

# What previews of links to the page show.
build/share.png: assets/meshes/octopus.glb | build/genussink
	@mkdir -p $(@D) && build/genussink picture $< -what transport -position 0.4 -method exact -theme dark -size 1200x630 -out $@ > /dev/null

PACK = $(GO) run ./wasm/pack -programs $(PROGRAMS) -pictures build/pictures
web: programs $(PICTURES)
	@$(PACK) -out build/web -quality 4

dist: programs $(PICTURES) $(if $(BASE),build/share.png)
	@$(PACK) -out build/dist -quality 11 $(if $(BASE),-base '$(BASE)')
