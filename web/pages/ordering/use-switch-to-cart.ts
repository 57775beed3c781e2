import { useCallback, useEffect, useEffectEvent, useRef, type RefCallback } from 'react'
import { switchToCart } from '../../features/cart/cart-buttons'

/**
 * Shows the cart, from its top, when somebody asks for it. Answers the ref of the cart's place: who comes that way has
 * the focus there, as soon as there is one; who turned the tab keeps it at the tab.
 */
export const useSwitchToCart = (show: () => void): RefCallback<HTMLElement> => {
  const coming = useRef(false)
  const onSwitch = useEffectEvent(() => {
    coming.current = true
    show()
    window.scrollTo({ top: 0 })
  })
  useEffect(() => {
    window.addEventListener(switchToCart, onSwitch)
    return () => window.removeEventListener(switchToCart, onSwitch)
  }, [])
  return useCallback((place: HTMLElement | null) => {
    if (!place || !coming.current) return
    coming.current = false
    place.focus({ preventScroll: true })
  }, [])
}
