// The page without a network. wasm/pack writes three constants before this: files, the hash of every file by its address;
// version, which is made from them; and late, the file that is kept once somebody has asked for it.
//
// A version's other files are kept all at once or not at all, each as its hash says, and the page is served from these alone. So
// no page of one version meets a program of another, whatever the server has by then.
(() => {
  const mine = `genussink ${registration.scope} `; // another copy of the page on this host has caches of its own
  const own = mine + version;
  const request = (name) => new Request(new URL(name, registration.scope), { cache: 'no-cache', integrity: files[name] });

  addEventListener('install', (e) => e.waitUntil((async () => {
    try {
      await (await caches.open(own)).addAll(Object.keys(files).filter((name) => name !== late).map(request));
    } catch (error) {
      await caches.delete(own);
      throw error; // the browser tries again when the page is next opened
    }
  })()));

  addEventListener('activate', (e) => e.waitUntil((async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith(mine) && name !== own);
    await Promise.all(old.map((name) => caches.delete(name)));
  })()));

  // A page that begins asks the version that waits to take over. While another page runs the older one it waits on.
  addEventListener('message', (e) => e.waitUntil((async () => {
    const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
    const alone = pages.every((page) => page.id === e.source.id || !page.url.startsWith(registration.scope));
    e.ports[0].postMessage(alone);
    if (alone) await skipWaiting();
  })()));

  const answer = async (name) => {
    const kept = await caches.open(own), known = await kept.match(request(name), { ignoreVary: true });
    if (known) return known;
    const response = await fetch(request(name));
    if (name === late && response.ok) await kept.put(request(name), response.clone()).catch(() => {}); // there is no room: it is fetched again
    return response;
  };

  addEventListener('fetch', (e) => {
    if (e.request.method !== 'GET' || !e.request.url.startsWith(registration.scope)) return;
    const url = new URL(e.request.url);
    let name = url.pathname.slice(new URL(registration.scope).pathname.length);
    if (name === '' || name === 'index.html') name = url.searchParams.get('embed') === '1' ? './?embed=1' : './';
    if (Object.hasOwn(files, name)) e.respondWith(answer(name));
  });
})();
