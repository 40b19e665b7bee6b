export default function view() { return { show: () => {} }; }
