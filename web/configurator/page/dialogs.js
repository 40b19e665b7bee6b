// Dialogs: a question with answers as buttons, a name, a file chooser.

import { make } from "./dom.js";

/**
 * Ask a question.
 * @param {string} title
 * @param {Array<Node|string>} content
 * @param {Array<[string, *, string?]>} answers text, value or function that returns it, and a class
 * @returns {Promise<*>} the value of the answer; null for Escape
 */
export function question(title, content, answers) {
  return new Promise((resolve) => {
    const dialog = make("dialog", { aria: { label: title } }, make("h2", { text: title }));
    for (const part of content) dialog.append(typeof part === "string" ? make("p", { text: part }) : part);
    const row = make("div.row.answers");
    for (const [text, value, style] of answers) {
      const button = make(`button${style ? `.${style}` : ""}`, { type: "button", text });
      button.onclick = () => finish(typeof value === "function" ? value() : value);
      row.append(button);
    }
    dialog.append(row);
    let chosen = null;
    const finish = (value) => {
      if (value === undefined) return; // not valid yet
      chosen = value;
      dialog.close();
      dialog.remove(); // its event may come after another dialog, with elements of the same ids
    };
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(chosen);
    });
    dialog.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target.matches("input")) {
        event.preventDefault();
        row.querySelector(".primary")?.click();
      }
    });
    document.body.append(dialog);
    dialog.showModal();
    (dialog.querySelector("input, select") ?? row.querySelector(".primary") ?? row.firstElementChild)?.focus();
  });
}

/** Ask for a name; null for none. */
export function askName(title, label, value, verb, note = "") {
  const input = make("input", { value, required: true, pattern: "[A-Za-z0-9][A-Za-z0-9_.\\-]*", maxLength: 64, aria: { label } });
  const field = make("label.stack", {}, make("span", { text: label }), input);
  const answer = () => (input.reportValidity() ? input.value : undefined);
  return question(title, note ? [note, field] : [field], [["Cancel", null], [verb, answer, "primary"]]);
}

/**
 * Make a hidden file input. A panel makes it once and keeps it when its form is rebuilt, which may
 * happen while the file dialog is open.
 * @param {object} props properties: accept, multiple, id, aria
 * @param {function(File[])} take
 */
export function chooser(props, take) {
  const input = make("input.unseen", { type: "file", tabIndex: -1, ...props });
  input.onchange = () => {
    const files = [...input.files];
    input.value = ""; // else choosing the same file again, after a change, gives no event
    if (files.length) take(files);
  };
  return input;
}

/** A list element of texts. */
export const listed = (texts) => make("ul", {}, ...texts.map((text) => make("li", { text })));
