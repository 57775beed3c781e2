import { type RefObject, useEffect, useRef } from 'react'

/**
 * What was pressed to take a meal out goes with it, and would take the focus along. The focus then goes to the same
 * button of the meal in its place, else to the whole panel. Answers what is to be called with that button before.
 */
export const useFocusAfterRemoval = (panel: RefObject<HTMLElement | null>, meals: number) => {
  const before = useRef(meals)
  const place = useRef(-1)
  const buttons = () => [...(panel.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])]
  useEffect(() => {
    const fewer = meals < before.current
    const at = place.current
    before.current = meals
    place.current = -1
    if (!fewer || document.activeElement !== document.body) return
    const left = at < 0 ? [] : buttons()
    const next = left[Math.min(at, left.length - 1)] ?? panel.current
    next?.focus({ preventScroll: next === panel.current })
  })
  return (pressed: HTMLElement) => {
    place.current = buttons().indexOf(pressed)
  }
}
