import type { ReactNode } from 'react'
import { classKey } from '#contracts/cycles'
import type { ReplyOf } from '#contracts/endpoint'
import { grades } from '#contracts/identity'
import type { ClassListEntry, ClassListSort, classList } from '#contracts/kitchen'
import { classNamed } from '#contracts/names'
import { classLabel, gradeLabel, dietText } from '../../../lib/format'
import type { ListAddress } from '../../../lib/list-address'
import { Card } from '../../../ui/card'
import { FilterSelect, SortSelect, bothOrders } from '../../../ui/filters'
import { EmptyState, QueryResult, type QueryState } from '../../../ui/query-result'

export type ClassGroup = { label: string; entries: ClassListEntry[] }

/** Smaller children first, "2A" before "2B". */
export const byClass = (one: ClassListEntry, other: ClassListEntry): number =>
  grades.indexOf(one.grade) - grades.indexOf(other.grade) ||
  classLabel(one).localeCompare(classLabel(other), 'en', { numeric: true })

export const classesOf = (entries: readonly ClassListEntry[]): ClassGroup[] => {
  const groups = new Map<string, ClassGroup>()
  for (const entry of entries.toSorted(byClass)) {
    const label = classNamed(classLabel(entry))
    const group = groups.get(classKey(label)) ?? { label, entries: [] }
    group.entries.push(entry)
    groups.set(classKey(label), group)
  }
  return [...groups.values()]
}

const payments = [
  { value: '', label: 'Paid and unpaid' },
  { value: 'confirmed', label: 'Paid only' },
  { value: 'pending', label: 'Unpaid only' },
]

const orders = [
  ...bothOrders<ClassListSort>('name', { asc: 'Student, A to Z', desc: 'Student, Z to A' }),
  ...bothOrders<ClassListSort>('meal', { asc: 'Meal, A to Z', desc: 'Meal, Z to A' }),
]

type GradeFilterProps = {
  list: Pick<ListAddress<never>, 'address' | 'onFilter'>
  grade: string | undefined
  grades: readonly string[]
}

type ClassFiltersProps = GradeFilterProps & { list: ListAddress<ClassListSort> }

/** Filters and order. */
export const ClassFilters = ({ list, ...grades }: ClassFiltersProps) => (
  <>
    <GradeFilter list={list} {...grades} />
    <FilterSelect list={list} name="paymentStatus" label="Payment" className="w-48" options={payments} />
    <SortSelect choices={orders} className="w-48" {...list.sorted} />
  </>
)

export const GradeFilter = ({ list, grade, grades }: GradeFilterProps) => (
  <FilterSelect
    list={list}
    name="grade"
    label="Class"
    className="w-40"
    options={[
      { value: '', label: 'All classes' },
      ...withAsked(grades, grade).map((one) => ({
        value: one,
        label: gradeLabel(one),
      })),
    ]}
  />
)

/** Includes the address's class. */
const withAsked = (grades: readonly string[], grade: string | undefined) =>
  grade === undefined || grades.includes(grade) ? grades : [grade, ...grades]

type LunchesOfDayProps = {
  lunches: QueryState<ReplyOf<typeof classList>>
  none: string
  children: (lunches: ClassListEntry[]) => ReactNode
}

/** Or why there are none. */
export const LunchesOfDay = ({ lunches, none, children }: LunchesOfDayProps) => (
  <QueryResult
    query={lunches}
    failure="Failed to fetch orders"
    isEmpty={({ data }) => data.length === 0}
    empty={
      <Card>
        <EmptyState title={none}>
          {lunches.data?.grades.length
            ? 'No lunch of this day matches the choice above.'
            : 'Nobody has ordered for this day.'}
        </EmptyState>
      </Card>
    }
  >
    {({ data }) => children(data)}
  </QueryResult>
)

type Health = Pick<ClassListEntry, 'allergies' | 'diet' | 'medicalNote'>

/** Nothing where it is not declared, which is not "none"; large where a child has any. */
export const Allergies = ({ allergies }: Pick<Health, 'allergies'>) => {
  if (allergies === null) return null
  if (allergies.length === 0) return 'No allergies'
  return <strong className="allergies-declared">{`Allergies: ${allergies.join(', ')}`}</strong>
}

/** True when anything is declared, even "none". */
export const isHealthKnown = (children: readonly Health[]): boolean =>
  children.some(
    ({ allergies, diet, medicalNote }) => allergies !== null || diet !== 'none' || medicalNote !== null,
  )

export const DietOf = ({ diet }: Pick<Health, 'diet'>) =>
  diet === 'none' ? null : <strong>{`Diet: ${dietText[diet]}`}</strong>
