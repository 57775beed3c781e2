import { orderEntries, type FamilyCredit, type Given } from './family-credit'

/** All credit ever given for the cancelled order. */
export const entriesFor = (orderId: string, { given: entries }: FamilyCredit) =>
  [...entries.values()].filter(({ entryId }) => entryId.startsWith(orderEntries(orderId)))

/** In force; null for none. */
export const activeCreditFor = (orderId: string, credit: FamilyCredit): Given | null =>
  entriesFor(orderId, credit).find((entry) => !entry.takenBack) ?? null

/** All credit ever given for the absence. */
export const absencesOf = (orderId: string, { given: entries }: FamilyCredit) =>
  [...entries.values()].filter(({ entryId }) => entryId.startsWith(`absence/${orderId}/`))

/** In force; null for none. */
export const activeAbsenceCredit = (orderId: string, credit: FamilyCredit): Given | null =>
  absencesOf(orderId, credit).find((entry) => !entry.takenBack) ?? null

export const eatsAfterAll = (student: string): string => `${student} eats after all`
