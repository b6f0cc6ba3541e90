# The page.
#
#   web    build/web, quickly compressed: what `genussink serve` serves
#   dist   build/dist, best compression: works from any static host, under any path
#
# A second run does only what has changed: go build looks after the programs,
# wasm/pack after everything else.

.PHONY: web dist

WASM_BUILD = GOOS=js GOARCH=wasm $(GO) build -trimpath -ldflags="-s -w"

web:
	@mkdir -p build/web
	@$(WASM_BUILD) -o build/web/viewer.wasm ./wasm/viewer
	@$(WASM_BUILD) -o build/web/worker.wasm ./wasm/worker
	@$(GO) run ./wasm/pack -out build/web -quality 4

dist: web
	@mkdir -p build/dist
	@cp build/web/viewer.wasm build/web/worker.wasm build/dist/
	$(GO) run ./wasm/pack -out build/dist -quality 11
