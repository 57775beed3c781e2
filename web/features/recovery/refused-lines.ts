import * as z from 'zod/mini'
import { refusedLine } from '#contracts/ordering'
import { CallError } from '../../lib/call'

const refusal = z.object({ lines: z.array(refusedLine) })

/** Why the changed lines were refused, each reason once; null when the refusal was about something else. */
export const refusedLines = (error: unknown): string | null => {
  if (!(error instanceof CallError)) return null
  const lines = z.safeParse(refusal, error.reply).data?.lines ?? []
  return lines.length > 0 ? [...new Set(lines.map(({ message }) => message))].join(' · ') : null
}
