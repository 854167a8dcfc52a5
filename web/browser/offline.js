/**
 * Keeps the page in the browser, so that it works without a network. The version and the files are put in when a page is written
 * (`browser/bundle.py`). Pages are asked from the network first, so that a new version is seen; all else comes from what is kept.
 */
const OWN = `rulesrun page ${new URL(".", location.href).pathname} `; // other pages of the same host keep their own
const NAME = OWN + "VERSION";
const FILES = /** @type {string[]} */ ([/* FILES */]);
const PACKED = FILES.filter((name) => name.endsWith(".gz")); // kept unpacked, since to unpack takes longer than to read
const PLAIN = FILES.filter((name) => !name.endsWith(".gz"));
const worker = /** @type {any} */ (self);
let opened = /** @type {Promise<Cache> | null} */ (null);

/** @param {Cache} cache @param {string} name of a file that is compressed, unless the browser has unpacked it already */
async function keep(cache, name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  const content = await response.blob();
  const isPacked = new Uint8Array(await content.slice(0, 1).arrayBuffer())[0] === 0x1f;
  await cache.put(name, new Response(isPacked ? content.stream().pipeThrough(new DecompressionStream("gzip")) : content));
}

worker.addEventListener("install", (event) => {
  worker.skipWaiting();
  event.waitUntil(
    caches.open(NAME).then((cache) => Promise.all([cache.addAll(PLAIN), ...PACKED.map((name) => keep(cache, name))])),
  );
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys().then((names) => {
      const old = names.filter((name) => name.startsWith(OWN) && name !== NAME);
      return Promise.all(old.map((name) => caches.delete(name))).then(() => worker.clients.claim());
    }),
  );
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  const kept = () => (opened ??= caches.open(NAME)).then((cache) => cache.match(request.url.replace(/[?#].*/, "")));
  event.respondWith(
    request.mode === "navigate"
      ? fetch(request).catch(() => kept().then((found) => found ?? Response.error()))
      : kept().then((found) => found ?? fetch(request)),
  );
});
