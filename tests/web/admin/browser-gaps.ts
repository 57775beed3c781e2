import { TextEncoder } from 'node:util'

// What jsdom lacks: the router encodes text as it is loaded, Headless UI watches sizes and animations, charts are
// drawn on a canvas, and nothing scrolls.
globalThis.TextEncoder = TextEncoder
Element.prototype.getAnimations = () => []
globalThis.ResizeObserver = class {
  observe = () => undefined
  unobserve = () => undefined
  disconnect = () => undefined
}
HTMLCanvasElement.prototype.getContext = () => null
Element.prototype.scrollIntoView = () => undefined
