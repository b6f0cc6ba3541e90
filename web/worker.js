// A Web Worker's wrapper around a program. The first message brings a port, and
// the compiled program or where to fetch it; everything after it goes through that
// port. If the program ends, the reason is posted to the page, which starts another.
'use strict';
importScripts('wasm_exec.js');

// Go prints why it stops before it does.
let reason = '';
const log = console.log.bind(console);
console.log = (text) => {
  const line = String(text).split('\n').find((l) => /^(panic|fatal error|runtime: out of memory)/.test(l));
  if (line) reason ||= line;
  log(text);
};

const fetched = async (url) => {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer()); // whatever type the host gives it
};

self.onmessage = async ({ data }) => {
  self.onmessage = ({ data: { silently } }) => { // see Pool.Break
    if (silently) self.close();
    else throw new Error('broken on request');
  };
  self.genussinkPort = data.port;
  const go = new Go();
  go.exit = () => {};
  try {
    await go.run(await WebAssembly.instantiate(typeof data.program == 'string' ? await fetched(data.program) : data.program, go.importObject));
  } catch (error) {
    reason ||= String(error); // what Go has printed says more
  }
  self.postMessage(reason || 'its program ended');
};
