import type { RollRow } from '#contracts/roll-import'

/** What a row changes of the child that it is, in words: "Class: 3A → 3B". */
export const rowChanges = (row: RollRow): string[] => {
  const { before } = row
  if (!before) return []
  const values: (readonly [string, string | null, string | null])[] = [
    ['Name', before.name, row.student],
    ['Grade', before.grade, row.grade],
    ['Class', before.class, row.class],
    ['Number', before.admissionNumber, row.admissionNumber],
  ]
  // Of a child that an account has the roll keeps no guardian.
  if (before.parent === null)
    values.push(
      ['Guardian', before.guardian, row.guardian],
      ['Email', before.email, row.email],
      ['Phone', before.phone, row.phone],
    )
  const changes = values.filter(([, was, is]) => was !== is)
  return [
    ...changes.map(([label, was, is]) => `${label}: ${was ?? 'none'} → ${is ?? 'none'}`),
    ...(before.onRoll ? [] : ['Comes onto the roll']),
  ]
}
