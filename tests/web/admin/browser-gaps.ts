// What jsdom lacks: Headless UI watches sizes and animations, charts are drawn on a canvas, and nothing scrolls.
Element.prototype.getAnimations = () => []
globalThis.ResizeObserver = class {
  observe = () => undefined
  unobserve = () => undefined
  disconnect = () => undefined
}
HTMLCanvasElement.prototype.getContext = () => null
Element.prototype.scrollIntoView = () => undefined
