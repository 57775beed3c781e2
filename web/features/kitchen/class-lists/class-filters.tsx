import type { ClassListSort } from '#contracts/class-list'
import { gradeLabel } from '../../../lib/format'
import { Select } from '../../../ui/select'
import type { SortProps } from '../../../ui/sort-head'
import { type SortChoice, SortSelect } from '../../../ui/sort-select'
import { byName, type ClassesAsked } from './class-lists-address'

const payments = [
  { value: '', label: 'Paid and unpaid' },
  { value: 'confirmed', label: 'Paid only' },
  { value: 'pending', label: 'Unpaid only' },
]

const orders: readonly SortChoice<ClassListSort>[] = [
  { ...byName, label: 'Student, A to Z' },
  { sort: 'name', direction: 'desc', label: 'Student, Z to A' },
  { sort: 'meal', direction: 'asc', label: 'Meal, A to Z' },
  { sort: 'meal', direction: 'desc', label: 'Meal, Z to A' },
]

type ClassFiltersProps = {
  asked: ClassesAsked
  /** Those that have a lunch on this day. */
  grades: readonly string[]
  /** An empty value takes all. */
  onFilter: (key: 'grade' | 'paymentStatus', value: string) => void
  onSort: SortProps<ClassListSort>['onSort']
}

/** Whose lunches are listed, and in which order within a class. */
export const ClassFilters = ({ asked, grades, onFilter, onSort }: ClassFiltersProps) => (
  <>
    <Select
      label="Class"
      className="w-40"
      value={asked.grade ?? ''}
      onChange={(event) => onFilter('grade', event.target.value)}
      options={[
        { value: '', label: 'All classes' },
        ...withAsked(grades, asked.grade).map((grade) => ({ value: grade, label: gradeLabel(grade) })),
      ]}
    />
    <Select
      label="Payment"
      className="w-48"
      options={payments}
      value={asked.paymentStatus ?? ''}
      onChange={(event) => onFilter('paymentStatus', event.target.value)}
    />
    <SortSelect choices={orders} sorting={asked.sorting} onSort={onSort} className="w-48" />
  </>
)

/** A class that the address names stands among the choices, whether it has lunches or not. */
const withAsked = (grades: readonly string[], grade: string | undefined) =>
  grade === undefined || grades.includes(grade) ? grades : [grade, ...grades]
