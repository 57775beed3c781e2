import { useMutation } from '@tanstack/react-query'
import { useState, useEffect, useRef } from 'react'
import { messageOf } from '../../lib/call'
import { type Preview, checkFile } from './import-draft'

/** `sent`: upload progress 0 to 1; null when idle or failed. */
export const useFileCheck = () => {
  const looking = useMutation(checkFile)
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

/** Upload, then processing. */
export const FileCheckBar = ({ sent }: { sent: number }) => {
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

/** For a heading that replaces a focused element. */
export const useFocusFirst = <Element extends HTMLElement>() => {
  const first = useRef<Element>(null)
  useEffect(() => first.current?.focus(), [])
  return first
}
