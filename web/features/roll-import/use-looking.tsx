import { useMutation } from '@tanstack/react-query'
import { useState, useEffect, useRef } from 'react'
import { messageOf } from '../../lib/call'
import { type Preview, look } from './import-draft'

/**
 * Has a file looked through: `sent` is how much of it has gone, from 0 to 1, until its preview takes the place of whoever asked;
 * null before that, and after a failure.
 */
export const useLooking = () => {
  const looking = useMutation(look)
  const [sent, setSent] = useState<number | null>(null)
  const start = async (file: File): Promise<Preview | null> => {
    setSent(0)
    try {
      return await looking.mutateAsync({ file, onSent: setSent })
    } catch {
      setSent(null)
      return null
    }
  }
  return { start, sent, problem: looking.error ? wordsOf(looking.error) : null }
}

const wordsOf = (error: unknown) =>
  messageOf(
    error,
    'The list could not be read. Please try again.',
    error instanceof TypeError ? error.message : undefined,
  )

/** How far a file is that is looked through: on its way, then being worked on. */
export const LookingBar = ({ sent }: { sent: number }) => {
  const isSent = sent >= 1
  return (
    <label className="flex flex-col gap-1 text-sm text-muted">
      <span aria-live="polite" className="money">
        {isSent ? 'Comparing the list with the roll …' : `Uploading … ${Math.floor(sent * 100)} %`}
      </span>
      <progress value={isSent ? undefined : sent} max={1} className="progress" />
    </label>
  )
}

/** For the heading of what takes the place of something that had the focus: it begins there. */
export const useFocusFirst = <Element extends HTMLElement>() => {
  const first = useRef<Element>(null)
  useEffect(() => first.current?.focus(), [])
  return first
}
