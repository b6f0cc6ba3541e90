// Loads the page's program: says what is missing, shows the bytes arrive, and
// hands over to viewer.wasm. Everything else on the page is written in Go.
'use strict';
(() => {
  const text = document.getElementById('loading-text');
  const bar = document.getElementById('loading-bar');
  const stop = (sentence) => {
    text.textContent = sentence;
    text.className = 'missing';
    bar.hidden = true;
    document.getElementById('status').textContent = sentence;
  };

  const theme = (() => { try { return localStorage.getItem('genussink.theme'); } catch { return null; } })();
  if (theme) document.documentElement.dataset.theme = theme;

  if (typeof WebAssembly !== 'object' || !WebAssembly.instantiate) {
    stop('This browser has no WebAssembly, which GenusSink computes with. Please use a current one.');
    return;
  }
  if (!genussinkGraphics.renderer) {
    stop('This browser offers no WebGL 2, which GenusSink draws with. Please switch on hardware acceleration or use a current browser.');
    return;
  }

  const received = {};
  let sizes = {};
  const show = () => {
    const sum = (o) => Object.values(o).reduce((a, b) => a + b, 0);
    const now = sum(received), all = sum(sizes);
    text.textContent = `Loading ${(now / 1e6).toFixed(1)}${all ? ` of ${(all / 1e6).toFixed(1)}` : ''} MB`;
    if (all) bar.value = 0.9 * Math.min(1, now / all);
  };

  // compile compiles while the bytes arrive, whatever type the host gives them.
  const compile = async (url) => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    received[url] = 0;
    const counted = response.body.pipeThrough(new TransformStream({
      transform(chunk, controller) {
        received[url] += chunk.byteLength;
        show();
        controller.enqueue(chunk);
      },
    }));
    return WebAssembly.compileStreaming(new Response(counted, { headers: { 'Content-Type': 'application/wasm' } }));
  };

  // Go prints why it stops before it does.
  let reason = 'the program has stopped';
  const log = console.log.bind(console);
  console.log = (text) => {
    if (/^(fatal error|runtime):.*(out of memory|cannot allocate)/m.test(String(text))) reason = 'the browser gives it no more memory';
    log(text);
  };

  const start = async () => {
    fetch('sizes.json').then((r) => r.json()).then((s) => { sizes = s; }, () => {});
    const worker = compile('worker.wasm');
    worker.catch(() => {}); // the program reports it
    const viewer = await compile('viewer.wasm');
    performance.mark('compiled');
    text.textContent = 'Starting';
    const go = new Go();
    go.exit = () => {};
    globalThis.genussinkWorker = worker;
    await go.run(await WebAssembly.instantiate(viewer, go.importObject));
    throw new Error(reason);
  };
  start().catch((error) => {
    document.getElementById('loading').hidden = false;
    stop(`GenusSink could not go on: ${error.message}. Reload the page to try again.`);
    throw error;
  });
})();
