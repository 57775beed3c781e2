import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

// A tab is drawn in parts: only then the page is long enough.
const drawnWithinMs = 1_000

/** A tab opens at its top; Back and Forward return to the place it was left at. */
export const useTabPlace = (tab: string): void => {
  const { key } = useLocation()
  const type = useNavigationType()
  const places = useRef(new Map<string, number>())
  const shown = useRef({ key, tab })
  useEffect(() => {
    const note = () => void places.current.set(shown.current.key, window.scrollY)
    window.addEventListener('scroll', note, { passive: true })
    return () => window.removeEventListener('scroll', note)
  }, [])
  useLayoutEffect(() => {
    const isSameTab = shown.current.tab === tab
    shown.current = { key, tab }
    if (isSameTab) return
    return goTo(type === 'POP' ? (places.current.get(key) ?? 0) : 0)
  }, [key, tab, type])
}

const goTo = (place: number): (() => void) => {
  const until = performance.now() + drawnWithinMs
  let frame = 0
  const go = () => {
    window.scrollTo({ top: place })
    if (window.scrollY < place && performance.now() < until) frame = requestAnimationFrame(go)
  }
  go()
  return () => cancelAnimationFrame(frame)
}
