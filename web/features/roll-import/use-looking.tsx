import { useMutation } from '@tanstack/react-query'
import { useState, useEffect, useRef } from 'react'
import type { RollMapping } from '#contracts/roll-import'
import { messageOf } from '../../lib/call'
import { mappingFromError } from '../../ui/mapping-form'
import { type Preview, checkFile } from './import-draft'

/** `sent`: upload progress 0 to 1; null when idle or failed. `columns`: asked for, of an unknown layout, until `reset`. */
export const useFileCheck = () => {
  const looking = useMutation(checkFile)
  const [sent, setSent] = useState<number | null>(null)
  const start = async (file: File, mapping?: RollMapping): Promise<Preview | null> => {
    setSent(0)
    try {
      return await looking.mutateAsync({ file, mapping, onSent: setSent })
    } catch {
      setSent(null)
      return null
    }
  }
  const columns = mappingFromError(looking.error)
  const problem = looking.error && !columns ? wordsOf(looking.error) : null
  return { start, sent, problem, columns, reset: looking.reset }
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
