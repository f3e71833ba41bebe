// Follows the commits to the store or database. A page that is not seen gives its connection back: a browser has six a server.

let source;
let listener = () => {};
let version;

function tell(state, text) {
  const element = document.getElementById("live");
  element.className = `live ${state}`;
  const words = document.getElementById("live-text");
  if (words.textContent !== text) words.textContent = text;
}

/** The version of a store is a number, that of a database a snapshot: its transactions are those below the second one. */
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
  // The objects cannot be read; the next version is that of their return.
  source.addEventListener("fault", () => {
    tell("off", "Not connected");
    if (version === null) return;
    version = null;
    listener();
  });
  source.onerror = () => {
    tell("off", "Not connected");
    // The browser connects again by itself, unless the program answers with an error.
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

/** The least time between two updates, in milliseconds. */
const pause = 200;

/**
 * Calls a function after each commit, once at a time; commits meanwhile are one call.
 *
 * A slow function is called less often, so that a program that writes all the time does not keep this one busy.
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
