import { useRef } from 'react'
import { freshKey } from './fresh-key'

/**
 * Answers the Idempotency-Key of a body. The same body keeps its key while the component is on screen: sent again after a
 * lost answer it counts once.
 */
export const useKeyPerBody = () => {
  const sent = useRef({ body: '', key: '' })
  return (body: unknown): string => {
    const text = JSON.stringify(body)
    if (sent.current.body !== text) sent.current = { body: text, key: freshKey() }
    return sent.current.key
  }
}
