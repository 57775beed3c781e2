import { safeParse } from 'zod/mini'
import { auditExport, type AuditKind, auditKinds } from '#contracts/audit'

export const filterKeys = ['from', 'to', 'kind', 'who', 'about', 'minAmount'] as const
export type FilterKey = (typeof filterKeys)[number]

/** What of the books is shown; a filter that is absent takes all. Days are `YYYY-MM-DD` of school time. */
export type BookFilters = { kind?: AuditKind } & Partial<Record<Exclude<FilterKey, 'kind'>, string>>

/** The filters as they are typed, and what is wrong with each. */
export type Draft = Partial<Record<FilterKey, string>>
export type DraftErrors = Partial<Record<FilterKey, string>>

const messages: Record<FilterKey, string> = {
  from: 'Please enter a date',
  to: 'Please enter a date',
  kind: 'Please choose one of the list',
  who: 'At most 100 characters',
  about: 'At most 60 characters',
  minAmount: 'Please enter an amount',
}

/** The filters that the server takes among those typed, and a message for each of the others. */
export const checked = (draft: Draft): { filters: BookFilters; errors: DraftErrors } => {
  const filters: BookFilters = {}
  const errors: DraftErrors = {}
  for (const key of filterKeys) {
    const text = draft[key]?.trim()
    if (!text) continue
    if (!safeParse(auditExport.query, { [key]: text }).success) errors[key] = messages[key]
    else if (key === 'kind') filters.kind = auditKinds.find((kind) => kind === text)
    else filters[key] = text
  }
  if (filters.from && filters.to && filters.from > filters.to) {
    errors.to = 'The last day is before the first'
    delete filters.to
  }
  return { filters, errors }
}

/** What the address names and the server takes. */
export const filtersFromAddress = (search: URLSearchParams): BookFilters =>
  checked(Object.fromEntries(filterKeys.map((key) => [key, search.get(key) ?? '']))).filters

/** These filters as parameters of the address; null for one that is not set. */
export const parametersOf = (filters: BookFilters): Record<string, string | null> =>
  Object.fromEntries(filterKeys.map((key) => [key, filters[key] ?? null]))
