// Small helpers around the DOM. Text only ever gets in as text.
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function setAttribute(node, name, value) {
  if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

// A producer may send anything; what is not a text is shown as JSON.
function asText(value) {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function asList(value) {
  return Array.isArray(value) ? value : [];
}

// By the first letter that has a direction, as dir=auto does, but for the layout of a whole alert.
function directionOf(text) {
  const strong = /[\u0591-\u08FF\uFB1D-\uFDFD\uFE70-\uFEFC]|\p{L}/u.exec(text);
  return strong && /[\u0591-\u08FF\uFB1D-\uFDFD\uFE70-\uFEFC]/.test(strong[0]) ? "rtl" : "ltr";
}
