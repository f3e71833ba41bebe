// Follows the commits. A hidden page closes its connection, since browsers allow six for each
// server.

let source;
let listener = () => {};
let version;

function tell(state, text) {
  const element = document.getElementById("live");
  element.className = `live ${state}`;
  const words = document.getElementById("live-text");
  if (words.textContent !== text) words.textContent = text;
}

/** A store's version is a number; a database's is a snapshot, whose second number bounds its transactions. */
function versionText(version) {
  const [, end] = version.split(":");
  return end ? `transaction ${end}` : `version ${version}`;
}

function open() {
  if (source) return;
  source = new EventSource("api/events");
  source.onmessage = (event) => {
    tell("on", `Live, ${versionText(event.data)}`);
    if (event.data === version) return;
    const isFirst = version === undefined;
    version = event.data;
    if (!isFirst) listener();
  };
  // The objects cannot be read; the next version means that they can be read again.
  source.addEventListener("fault", () => {
    tell("off", "Not connected");
    if (version === null) return;
    version = null;
    listener();
  });
  source.onerror = () => {
    tell("off", "Not connected");
    // The browser reconnects by itself, unless the program answers with an error.
    if (source?.readyState === EventSource.CLOSED) {
      close();
      setTimeout(open, 2000);
    }
  };
}

function close() {
  source?.close();
  source = undefined;
}

/** The shortest time between two updates, in milliseconds. */
const pause = 200;

/**
 * Calls a function after each commit, one call at a time; commits during a call give one more call.
 *
 * A slow function is called less often, so that constant writing does not keep the program busy.
 */
export function follow(body) {
  let isRunning = false;
  let isWanted = false;
  listener = async () => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isWanted) {
        isWanted = false;
        const start = performance.now();
        await body();
        const wait = Math.max(pause, 3 * (performance.now() - start));
        await new Promise((resolve) => { setTimeout(resolve, wait); });
      }
    } finally {
      isRunning = false;
    }
  };
  document.addEventListener("visibilitychange", () => document.hidden ? close() : open());
  addEventListener("pagehide", close);
  open();
}
