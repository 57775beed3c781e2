import { useEffect, useRef } from 'react'

/** For the heading of what takes the place of something that had the focus: it begins there. */
export const useFocusFirst = <Element extends HTMLElement>() => {
  const first = useRef<Element>(null)
  useEffect(() => first.current?.focus(), [])
  return first
}
