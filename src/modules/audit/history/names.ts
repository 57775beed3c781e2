import type { AuditNeeds } from '../needs'
import { marksIn, type Names, type ShownEntry } from './entry'

/** What everybody and everything that these entries name is called; what is gone is left out. */
export const namesIn = async (
  { identity, catalogue }: Pick<AuditNeeds, 'identity' | 'catalogue'>,
  entries: readonly Pick<ShownEntry, 'actor' | 'what'>[],
): Promise<Names> => {
  const marks = [...new Set(entries.flatMap(marksIn))]
  const idsOf = (kind: string) =>
    marks.filter((mark) => mark.startsWith(`${kind}:`)).map((mark) => Number(mark.split(':')[1]))
  const [users, students, items] = await Promise.all([
    identity.usernamesOf(idsOf('user')),
    identity.studentNamesOf(idsOf('student')),
    catalogue.itemsByIds(idsOf('item')),
  ])
  return new Map([
    ...[...users].map(([id, name]) => [`user:${id}`, name] as const),
    ...[...students].map(([id, name]) => [`student:${id}`, name] as const),
    ...[...items].map(([id, { name }]) => [`item:${id}`, name] as const),
  ])
}
