import { safeParse } from 'zod/mini'
import { mappingNeeded } from '#contracts/csv'
import { CallError } from './call'

/** The heads and first rows of a file whose layout is not known; null where something else went wrong. */
export const columnsAsked = (error: unknown): { heads: string[]; sample: string[][] } | null =>
  error instanceof CallError && error.code === 'mapping_needed'
    ? (safeParse(mappingNeeded, error.reply).data ?? null)
    : null
