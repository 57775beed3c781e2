import { orderEntries, type FamilyCredit, type Given } from './family-credit'

/** All that was ever given for the order while it was cancelled. */
export const entriesFor = (orderId: string, { given: entries }: FamilyCredit) =>
  [...entries.values()].filter(({ entryId }) => entryId.startsWith(orderEntries(orderId)))

/** What stands given for the cancelled order; null when nothing does. */
export const standingFor = (orderId: string, credit: FamilyCredit): Given | null =>
  entriesFor(orderId, credit).find((entry) => !entry.takenBack) ?? null

/** All that was ever given because the child of this order is ill. */
export const absencesOf = (orderId: string, { given: entries }: FamilyCredit) =>
  [...entries.values()].filter(({ entryId }) => entryId.startsWith(`absence/${orderId}/`))

/** What stands given because the child of this order is ill; null when nothing does. */
export const absenceStandingFor = (orderId: string, credit: FamilyCredit): Given | null =>
  absencesOf(orderId, credit).find((entry) => !entry.takenBack) ?? null

export const eatsAfterAll = (student: string): string => `${student} eats after all`
