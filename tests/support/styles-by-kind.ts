const computed = window.getComputedStyle.bind(window)
const known = new Map<string, CSSStyleDeclaration>()

const inherited = /visibility|pointer-events|user-select/

/** Whether a style of its own or of what it stands in says more than the browser's style sheet. */
const isStyled = (element: Element): boolean => {
  if (element.hasAttribute('style')) return true
  for (let outer = element.parentElement; outer; outer = outer.parentElement)
    if (inherited.test(outer.getAttribute('style') ?? '')) return true
  return false
}

const kindOf = (element: Element) =>
  ['hidden', 'open', 'type'].reduce((kind, name) => `${kind} ${element.getAttribute(name)}`, element.nodeName)

// jsdom compares an element with each rule of its own style sheet whenever a role is looked for, a sixth of what these
// tests cost. They load no other style sheet, so elements of one kind look alike.
window.getComputedStyle = (element, pseudo) => {
  if (isStyled(element) || document.styleSheets.length > 0) return computed(element, pseudo)
  const kind = kindOf(element)
  const style = known.get(kind) ?? computed(element)
  known.set(kind, style)
  return style
}
