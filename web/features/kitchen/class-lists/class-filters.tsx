import type { ClassListSort } from '#contracts/class-list'
import { gradeLabel } from '../../../lib/format'
import type { ListAddress } from '../../../lib/list-address'
import { FilterSelect, SortSelect, bothOrders } from '../../../ui/list-filters'

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
  /** The one that the address asks for. */
  grade: string | undefined
  /** Those that have a lunch on this day. */
  grades: readonly string[]
}

type ClassFiltersProps = GradeFilterProps & { list: ListAddress<ClassListSort> }

/** Whose lunches are listed, and in which order within a class. */
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

/** A class that the address names stands among the choices, whether it has lunches or not. */
const withAsked = (grades: readonly string[], grade: string | undefined) =>
  grade === undefined || grades.includes(grade) ? grades : [grade, ...grades]
