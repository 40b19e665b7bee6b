// Questions in the page itself: a dialog that says what each answer does, a chooser of files.

import { make } from "./dom.js";

/**
 * Ask a question.
 * @param {string} title
 * @param {Array<Node|string>} content
 * @param {Array<[string, *, string?]>} answers text, what it stands for, and a class
 * @returns {Promise<*>} what was chosen; null for Escape
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
 * Make an unseen element whose click asks for files of this machine. A panel makes it once, and keeps
 * it when its form is built anew: that may happen while the person is still choosing.
 * @param {object} props properties: accept, multiple, id, aria
 * @param {function(File[])} take
 */
export function chooser(props, take) {
  const input = make("input.unseen", { type: "file", tabIndex: -1, ...props });
  input.onchange = () => {
    const files = [...input.files];
    input.value = ""; // or the same file, changed since, could not be chosen again
    if (files.length) take(files);
  };
  return input;
}

/** Texts as a list. */
export const listed = (texts) => make("ul", {}, ...texts.map((text) => make("li", { text })));
