export default function panel(box) { box.textContent = ""; }
