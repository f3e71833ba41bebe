// The question before an object is removed, with the effects that the program has counted.

import { get, post, objectAddress } from "./api.js";
import { h, show, faultBox, identifier, number, announce } from "./dom.js";

/** A count with its noun, such as "63 Book objects"; `one` and `more` are the endings of the sentence. */
function sentence(effect, one, more) {
  const isOne = effect.count === 1 && !effect.isMore;
  return `${effect.isMore ? "More than " : ""}${number.format(effect.count)} ${effect.entity} `
    + `object${isOne ? "" : "s"} ${isOne ? one : more}.`;
}

function disconnection(effect) {
  const relation = effect.relation;
  switch (effect.kind) {
    case "toOne": return sentence(effect, `loses its ${relation}`, `lose their ${relation}`);
    case "incoming":
      return sentence(effect, `loses an entry of its ${relation}`, `lose entries of their ${relation}`);
    default: {
      const place = `in ${effect.owner}.${relation}`;
      return sentence(effect, `is no longer ${place}; it stays`, `are no longer ${place}; they stay`);
    }
  }
}

function refusal(effect, close) {
  const example = `${effect.entity} ${effect.example}${effect.label ? ` (${effect.label})` : ""}`;
  return h("li", { class: "fault" },
    `It will be refused: ${sentence(effect, "is connected with it", "are connected with it")} `,
    `The model restricts removals by ${effect.owner}.${effect.relation}. Remove or disconnect first: `,
    h("a", { href: objectAddress(effect.entity, effect.example), onclick: close }, example));
}

function effects(preview, close) {
  const lines = [
    ...preview.refusals.map((effect) => refusal(effect, close)),
    ...preview.removed.map((effect) => h("li", {}, sentence(effect, "is removed too", "are removed too"))),
    ...preview.disconnected.map((effect) => h("li", {}, disconnection(effect))),
  ];
  if (preview.isCut) lines.push(h("li", {}, "More than 1,000 objects are removed too, so the counts are not complete."));
  if (lines.length === 0) return h("p", {}, "No other object is affected.");
  return h("ul", { class: "effects" }, lines);
}

/** Asks whether an object is to be removed, and removes it; then calls a function. */
export async function askForRemoval(entity, id, label, end) {
  const title = identifier("title");
  const text = h("div", { id: identifier("effects") }, h("p", { class: "soft" }, "counting…"));
  const fault = h("div", {});
  const close = () => { dialog.close(); dialog.remove(); };
  const remove = h("button", { type: "button", class: "danger", disabled: true, onclick: async () => {
    try {
      await post("remove", { entity: entity.name, ids: [id] });
      close();
      announce("removed");
      end();
    } catch (error) {
      show(fault, faultBox(error));
    }
  } }, "Remove");
  const dialog = h("dialog", { "aria-labelledby": title, "aria-describedby": text.id },
    h("h2", { id: title }, `Remove ${entity.name} ${id}${label ? ` (${label})` : ""}?`), text, fault,
    h("p", { class: "choices" },
      h("button", { type: "button", autofocus: true, onclick: close }, "Cancel"), remove));
  dialog.addEventListener("cancel", (event) => { event.preventDefault(); close(); });
  document.body.append(dialog);
  dialog.showModal();
  try {
    const preview = await get("removal", { entity: entity.name, ids: id });
    show(text, effects(preview, close));
    remove.disabled = preview.refusals.length > 0;
    announce(text.textContent);
  } catch (error) {
    // The effects are unknown, so there is nothing to agree to.
    show(text, faultBox(error));
  }
}
