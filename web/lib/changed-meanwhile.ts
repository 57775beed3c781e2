import { safeParse } from 'zod/mini'
import { changedMeanwhile, type ChangedMeanwhile } from '#contracts/endpoint'
import { CallError } from './call'
import { dateAndTime } from './school-moment'

/** Null for any other failure. */
export const changedIn = (error: unknown): ChangedMeanwhile | null =>
  error instanceof CallError && error.code === 'changed_meanwhile'
    ? (safeParse(changedMeanwhile, error.reply?.changed).data ?? null)
    : null

/** "mwila changed this on 16 September, 10:42." */
export const whoChanged = ({ by, at }: ChangedMeanwhile): string =>
  `${by ?? 'Somebody'} changed this${at === null ? '' : ` on ${dateAndTime(at)}`} while you had it open. Nothing was saved.`

/** "Allergens: now Peanuts, yours none" */
export const changedLines = ({ fields }: ChangedMeanwhile): string[] =>
  fields.map(({ field, now, yours }) => `${wordsOf(field)}: now ${shown(now)}, yours ${shown(yours)}`)

const wordsOf = (field: string): string => {
  const words = field.replaceAll(/([A-Z])/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const shown = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(shown).join(', ')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, one]) => `${wordsOf(name)} ${shown(one)}`)
    .join(', ')
}
