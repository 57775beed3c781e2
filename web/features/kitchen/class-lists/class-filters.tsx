import type { ClassListSort } from '#contracts/class-list'
import { gradeLabel } from '../../../lib/format'
import type { ListAddress } from '../../../lib/list-address'
import { FilterSelect, type SortChoice, SortSelect } from '../../../ui/list-filters'
import { byName } from './class-lists-address'

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
  list: ListAddress<ClassListSort>
  /** The one that the address asks for. */
  grade: string | undefined
  /** Those that have a lunch on this day. */
  grades: readonly string[]
}

/** Whose lunches are listed, and in which order within a class. */
export const ClassFilters = ({ list, grade, grades }: ClassFiltersProps) => (
  <>
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
    <FilterSelect list={list} name="paymentStatus" label="Payment" className="w-48" options={payments} />
    <SortSelect choices={orders} className="w-48" {...list.sorted} />
  </>
)

/** A class that the address names stands among the choices, whether it has lunches or not. */
const withAsked = (grades: readonly string[], grade: string | undefined) =>
  grade === undefined || grades.includes(grade) ? grades : [grade, ...grades]
