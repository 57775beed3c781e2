import { orderEntries, type FamilyCredit, type Given } from './family-credit'

export const entriesFor = (orderId: string, { given: entries }: FamilyCredit) =>
  [...entries.values()].filter(({ entryId }) => entryId.startsWith(orderEntries(orderId)))

export const activeCreditFor = (orderId: string, credit: FamilyCredit): Given | null =>
  entriesFor(orderId, credit).find((entry) => !entry.takenBack) ?? null

export const absencesOf = (orderId: string, { given: entries }: FamilyCredit) =>
  [...entries.values()].filter(({ entryId }) => entryId.startsWith(`absence/${orderId}/`))

export const activeAbsenceCredit = (orderId: string, credit: FamilyCredit): Given | null =>
  absencesOf(orderId, credit).find((entry) => !entry.takenBack) ?? null

export const eatsAfterAll = (student: string): string => `${student} eats after all`
