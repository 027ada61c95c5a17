// Icons by name, drawn as strokes on a 24 by 24 grid. Any other text, such as an emoji, is shown as it is.
const iconPaths = {
  info: "M12 11v6M12 7.5v.01M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18",
  warning: "M12 4L2.8 20h18.4L12 4M12 10v4.5M12 17.3v.01",
  error: "M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3L8.3 3M12 8v4.8M12 16v.01",
  success: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M8 12.3l2.8 2.8L16 9.5",
  question: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.6v.01",
  bell: "M6 10a6 6 0 0 1 12 0c0 5 2 6 2 7H4c0-1 2-2 2-7M10 20.5h4",
  door: "M6 21V3.5h10V21M3.5 21h17M13 12.5v.01M16 6h2.5v15",
  fire: "M12 21a6.5 6.5 0 0 1-6.5-6.5C5.5 10 10 8.5 10 3c4 2 5 5 5 7.5 1-.4 1.5-1.2 1.5-2.5 1.3 1.7 2 4 2 6.5A6.5 6.5 0 0 1 12 21",
  lock: "M6 10.5h12V20.5H6zM8.5 10.5V7.5a3.5 3.5 0 0 1 7 0v3M12 14.5v2",
  clock: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 7.5V12l3 2",
  person: "M12 12a4 4 0 1 0 0-8a4 4 0 1 0 0 8M4.5 20.5c.6-4 3.5-5.5 7.5-5.5s6.9 1.5 7.5 5.5",
  phone: "M7.5 3.5L5 5c0 8 6 14 14 14l1.5-2.5-4-3-2 1.5C12 14 10 12 9 9.5L10.5 7.5 7.5 3.5",
  download: "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4.5 20h15",
  filter: "M3.5 5h17l-6.5 8v6l-4 1.5V13L3.5 5",
  wifi: "M2.5 9.5a14 14 0 0 1 19 0M5.7 13a9.2 9.2 0 0 1 12.6 0M8.8 16.3a4.6 4.6 0 0 1 6.4 0M12 19.5v.01",
  offline: "M4 4l16 16M2.5 9.5a14 14 0 0 1 4.5-3M11 5.1a14 14 0 0 1 10.5 4.4M5.7 13a9.2 9.2 0 0 1 4.3-2.5M8.8 16.3a4.6 4.6 0 0 1 5.4-.8M12 19.5v.01",
  close: "M6 6l12 12M18 6L6 18",
  low: "M5 12h14M5 7h8M5 17h10",
};

function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", iconPaths[name]);
  svg.append(path);
  return svg;
}

function iconOrText(name) {
  return Object.hasOwn(iconPaths, name) ? icon(name) : document.createTextNode(String(name).slice(0, 16));
}
