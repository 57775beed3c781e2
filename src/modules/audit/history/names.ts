import type { AuditNeeds } from '../needs'
import { marksIn, type Names, type ShownEntry } from './entry'

export const namesIn = async (
  { identity, catalogue, reasonsOf }: AuditNeeds,
  entries: readonly Pick<ShownEntry, 'actor' | 'what'>[],
): Promise<Names> => {
  const marks = [...new Set(entries.flatMap(marksIn))]
  const idsOf = (kind: string) =>
    marks.filter((mark) => mark.startsWith(`${kind}:`)).map((mark) => mark.split(':')[1]!)
  const [users, students, items, reasons] = await Promise.all([
    identity.usernamesOf(idsOf('user').map(Number)),
    identity.studentNamesOf(idsOf('student').map(Number)),
    catalogue.itemsByIds(idsOf('item').map(Number)),
    reasonsOf(idsOf('reason')),
  ])
  return new Map([
    ...[...users].map(([id, name]) => [`user:${id}`, name] as const),
    ...[...students].map(([id, name]) => [`student:${id}`, name] as const),
    ...[...items].map(([id, { name }]) => [`item:${id}`, name] as const),
    ...[...reasons].map(([id, reason]) => [`reason:${id}`, reason] as const),
  ])
}
