// Single-key shortcuts. They can be turned off, since speech input may type them by accident.

const setting = "objectbox.keys";
const isOn = () => localStorage.getItem(setting) !== "off";

function rowLinks() {
  return [...document.querySelectorAll("main tbody th a")];
}

function move(step) {
  const links = rowLinks();
  const index = links.indexOf(document.activeElement);
  const next = index < 0 ? (step > 0 ? 0 : links.length - 1) : index + step;
  links[Math.max(0, Math.min(next, links.length - 1))]?.focus();
}

const press = (name) => document.querySelector(`main [data-key="${name}"]:not(:disabled)`)?.click();

const actions = {
  "/": () => document.querySelector("main [data-key='filter']")?.focus(),
  j: () => move(1),
  k: () => move(-1),
  n: () => press("next"),
  p: () => press("previous"),
  o: () => { location.hash = "#/"; },
  s: () => { location.hash = "#/schema"; },
  t: () => { location.hash = "#/statistics"; },
  "?": showHelp,
};

/** Opens the list of keys, with the language of filters below. */
export function showHelp() { document.getElementById("help").showModal(); }

/** Opens the same help at the language of filters. */
export function showLanguage() {
  showHelp();
  document.getElementById("language").scrollIntoView();
}

/** Listens for keys. */
export function listen() {
  const dialog = document.getElementById("help");
  const box = document.getElementById("keys-on");
  box.checked = isOn();
  box.addEventListener("change", () => localStorage.setItem(setting, box.checked ? "on" : "off"));
  document.getElementById("help-button").addEventListener("click", showHelp);
  document.getElementById("help-close").addEventListener("click", () => dialog.close());
  document.addEventListener("keydown", (event) => {
    if (!isOn() || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.closest("input, textarea, select")) return;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
