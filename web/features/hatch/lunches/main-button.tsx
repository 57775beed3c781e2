import { type RefObject, useLayoutEffect, useRef } from 'react'
import { Button } from '../../../ui/button'

/** A second press within this time, in ms, is the echo of the first, as of a wet finger. */
const echoMs = 700

type MainButtonProps = {
  /** The child's. */
  name: string
  isUndo: boolean
  /** What has the focus when the button goes. */
  after: RefObject<HTMLButtonElement | null>
  onPress: () => void
}

/** "Give {name}", and "Undo" in its place: one button, so that the focus stays and an echo is not heard by the other. */
export const MainButton = ({ name, isUndo, after, onPress }: MainButtonProps) => {
  const button = useRef<HTMLButtonElement>(null)
  const lastPress = useRef(-echoMs)
  useLayoutEffect(() => {
    const own = button.current
    const next = after.current
    return () => {
      if (document.activeElement === own) next?.focus()
    }
  }, [after])
  const press = () => {
    const now = performance.now()
    if (now - lastPress.current < echoMs) return
    lastPress.current = now
    onPress()
  }
  return (
    <Button
      ref={button}
      variant={isUndo ? 'secondary' : 'primary'}
      icon={isUndo ? 'undo' : undefined}
      className="min-h-14 min-w-0 flex-1 text-lg"
      onClick={press}
    >
      <span className="break-words">{isUndo ? 'Undo' : `Give ${name}`}</span>
    </Button>
  )
}
