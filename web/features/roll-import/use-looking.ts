import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../lib/call'
import type { Preview } from './import-draft'
import { look } from './api'

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
