import { configure, getConfig } from '@testing-library/react'

const { getElementError } = getConfig()

/** Set by the library for each look of a wait; its types leave it out. */
const isOneLook = () =>
  (getConfig() as { _disableExpensiveErrorDiagnostics?: boolean })._disableExpensiveErrorDiagnostics

configure({
  // How long a test waits for what must appear, at the most: a busy machine is slow, not wrong.
  asyncUtilTimeout: 60_000,
  // A wait that fails prints the page at its end. Printing it at each look takes a twelfth of the time.
  getElementError: (message, container) => {
    if (!isOneLook()) return getElementError(message, container)
    return Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
  },
})

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

const labelable = [
  HTMLButtonElement,
  HTMLInputElement,
  HTMLMeterElement,
  HTMLOutputElement,
  HTMLProgressElement,
  HTMLSelectElement,
  HTMLTextAreaElement,
]

const key = Object.getOwnPropertySymbols(document).find(({ description }) => description === 'impl')!
const page = (document as never)[key] as { _version: number }

const fieldOf = (label: HTMLLabelElement) =>
  label.hasAttribute('for') ? document.getElementById(label.htmlFor) : label.control

/** The labels of each field of the page, found anew when anything in it has changed. */
let found = { version: -1, labels: new Map<Element, HTMLLabelElement[]>() }

const labelsByField = () => {
  if (found.version === page._version) return found.labels
  const labels = new Map<Element, HTMLLabelElement[]>()
  for (const label of document.querySelectorAll('label')) {
    const field = fieldOf(label)
    if (field) labels.set(field, [...(labels.get(field) ?? []), label])
  }
  found = { version: page._version, labels }
  return labels
}

function labelsOf(this: HTMLElement): HTMLLabelElement[] | null {
  if (this instanceof HTMLInputElement && this.type === 'hidden') return null
  return labelsByField().get(this) ?? []
}

// jsdom walks through the page for each pair of a label and a field whenever a field is looked for by its label, a tenth of what these
// tests cost.
for (const { prototype } of labelable)
  Object.defineProperty(prototype, 'labels', { configurable: true, get: labelsOf })

// jsdom draws nothing, so nothing comes into sight.
globalThis.IntersectionObserver = class {
  readonly root = null
  readonly rootMargin = ''
  readonly thresholds = []
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords = () => []
} as unknown as typeof IntersectionObserver
