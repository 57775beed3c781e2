import type { Reader } from '#platform/database'
import type { Student } from './student.decide'

export type ChildNow = Pick<Student, 'id' | 'name' | 'grade' | 'class'>

/** Merged students resolve to the other (docs/decisions/0031); unknown and departed ones are left out. */
export const childrenNow =
  (reader: Reader) =>
  async (studentIds: readonly number[]): Promise<Map<number, ChildNow>> => {
    if (studentIds.length === 0) return new Map()
    const { rows } = await reader.query<ChildNow & { askedFor: number }>({
      name: 'identity-children-now',
      text: `select asked.id as "askedFor", child.id, child.name, child.grade, child.class
       from identity.students asked
       join identity.students child on child.id = coalesce(asked."mergedInto", asked.id)
       where asked.id = any($1::int[]) and child."leftAt" is null`,
      values: [[...new Set(studentIds)]],
    })
    return new Map(rows.map(({ askedFor, ...child }) => [askedFor, child]))
  }

/** Aliases; students without any are left out. */
export const otherIdsOf =
  (reader: Reader) =>
  async (studentIds: readonly number[]): Promise<Map<number, number[]>> => {
    if (studentIds.length === 0) return new Map()
    const { rows } = await reader.query<{ id: number; others: number[] }>({
      name: 'identity-other-ids',
      text: `select asked.id, array_agg(other.id order by other.id) as others
       from identity.students asked
       join identity.students other on other.id <> asked.id
         and (other."mergedInto" = coalesce(asked."mergedInto", asked.id) or other.id = asked."mergedInto")
       where asked.id = any($1::int[]) group by asked.id`,
      values: [[...new Set(studentIds)]],
    })
    return new Map(rows.map(({ id, others }) => [id, others]))
  }
