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
  const embedded = new URLSearchParams(location.search).get('embed') === '1'; // in a page of somebody else's
  if (embedded) document.documentElement.dataset.embed = '';

  if (typeof WebAssembly !== 'object' || !WebAssembly.instantiate) {
    stop('This browser has no WebAssembly, which GenusSink computes with. Please use a current one.');
    return;
  }
  if (!genussinkGraphics.renderer) {
    stop('This browser offers no WebGL 2, which GenusSink draws with. Please switch on hardware acceleration or use a current browser.');
    return;
  }

  // Bytes are counted as they are unpacked, and told as they are fetched: packed, where the host packs them and says how long they are then.
  const received = {}, packed = {};
  let sizes = {};
  const show = () => {
    const sum = (o) => Object.values(o).reduce((a, b) => a + b, 0);
    const now = sum(received), all = sum(sizes), fetched = all && Object.values(packed).every(Boolean) ? sum(packed) : all;
    const mega = (bytes) => (bytes / 1e6).toFixed(1);
    text.textContent = all ? `Loading ${mega(now / all * fetched)} of ${mega(fetched)} MB` : `Loading ${mega(now)} MB`;
    if (all) bar.value = 0.9 * Math.min(1, now / all);
  };

  const count = async (url, response) => {
    received[url] = 0;
    packed[url] = Number(response.headers.get('content-length'));
    const bytes = response.body.getReader();
    for (let part; !(part = await bytes.read()).done; show()) received[url] += part.value.byteLength;
  };

  // compile compiles while the bytes arrive, whatever type the host gives them. The browser keeps its optimised code for the next visit, but only
  // where it gets the response that fetch returned.
  const compile = async (url) => {
    const type = 'application/wasm', response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    count(url, response.clone()).catch(() => {}); // who compiles reports it
    return WebAssembly.compileStreaming(response.headers.get('content-type') === type ? response : new Response(response.body, { headers: { 'Content-Type': type } }));
  };

  // web/service.js has the page open without a network. It keeps the files some time after the first picture, whose way it
  // must not stand in. There is none where the address is neither https nor this machine's.
  const service = navigator.serviceWorker;
  const settled = 5000; // ms
  if (service && !embedded) {
    const seen = new PerformanceObserver((marks) => {
      if (!marks.getEntriesByName('pictured').length) return;
      seen.disconnect();
      setTimeout(() => service.register('service.js').catch((error) => console.info(`Not kept for use without a network: ${error.message}`)), settled);
    });
    seen.observe({ type: 'mark' });
  }

  // A newer version that is kept takes over before anything has begun, and the page is loaded anew.
  const renew = async () => {
    const waiting = service?.controller && (await service.getRegistration())?.waiting;
    if (!waiting) return;
    await new Promise((go) => {
      const reload = () => location.reload();
      const on = () => {
        service.removeEventListener('controllerchange', reload);
        go();
      };
      service.addEventListener('controllerchange', reload);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data: alone }) => { if (!alone) on(); };
      setTimeout(on, 3000);
      waiting.postMessage('take over', [port2]);
    });
  };

  // Go prints why it stops before it does.
  let reason = 'the program has stopped';
  const log = console.log.bind(console);
  console.log = (text) => {
    if (/^(fatal error|runtime):.*(out of memory|cannot allocate)/m.test(String(text))) reason = 'the browser gives it no more memory';
    log(text);
  };

  // A Worker and the near end of its port, which keeps what is sent before the Worker listens. Its first message says which program it
  // runs: a compiled module, or the address of one.
  globalThis.genussinkLine = (program) => {
    const worker = new Worker('worker.js'), { port1, port2 } = new MessageChannel();
    Promise.resolve(program).then((one) => worker.postMessage({ program: one, port: port2 }, [port2]), () => {});
    return { worker, port: port1 };
  };

  // A copy of a drawing with all that the style sheet gives it, in the light theme's colours, and these. From the program every call would take
  // longer than what it does.
  globalThis.genussinkAlone = (drawing) => {
    const root = document.documentElement, theme = root.getAttribute('data-theme');
    root.setAttribute('data-theme', 'light');
    const copy = drawing.cloneNode(true), to = copy.querySelectorAll('*');
    drawing.querySelectorAll('*').forEach((e, i) => {
      for (const name of ['class', 'role', 'tabindex', 'aria-label', 'aria-level', 'aria-selected', 'data-node']) to[i].removeAttribute(name);
      if (e.matches('title, g')) return;
      const style = getComputedStyle(e);
      for (const name of ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'opacity', 'font-size', 'font-family', 'vector-effect']) {
        to[i].setAttribute(name, style.getPropertyValue(name));
      }
    });
    const { backgroundColor: ground, color: ink, fontFamily: font } = getComputedStyle(document.getElementById('panel'));
    const looks = { copy, ground, ink, font };
    if (theme === null) root.removeAttribute('data-theme'); else root.setAttribute('data-theme', theme);
    return looks;
  };

  const start = async () => {
    fetch('sizes.json').then((r) => r.json()).then((s) => { sizes = s; }, () => {});
    const worker = compile('worker.wasm');
    worker.catch(() => {}); // the program reports it
    // The Worker that reads the first mesh starts while the viewer's program does, which then takes it over: see Workers.Start.
    try { globalThis.genussinkLead = globalThis.genussinkLine(worker); } catch {} // the program reports it
    const [viewer] = await Promise.all([compile('viewer.wasm'), renew()]);
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
