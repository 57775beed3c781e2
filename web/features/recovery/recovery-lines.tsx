import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { MenuItem } from '#contracts/catalogue'
import type { OrderCycle } from '#contracts/cycles'
import type { AmendedLine, AttemptItem, FailedOrder } from '#contracts/payments-console'
import { capitalised, dayName, gradeLabel, kwacha } from '../../lib/format'
import { menuQuery } from '../../queries/catalogue'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { combinedQuery, QueryResult } from '../../ui/query-result'
import { Select } from '../../ui/select'
import {
  freshCyclesQuery,
  asOrdered,
  childChoices,
  dayChoices,
  dayKey,
  itemChoices,
  onDay,
  withItem,
} from './amendments'

type RecoveryLinesProps = {
  order: FailedOrder
  amendments: readonly AmendedLine[]
  onAmend: (amendments: AmendedLine[]) => void
}

export const RecoveryLines = ({ order, amendments, onAmend }: RecoveryLinesProps) => {
  const amend = (index: number, amendment: AmendedLine | null) => {
    const others = amendments.filter((other) => other.index !== index)
    onAmend(amendment ? [...others, amendment] : others)
  }
  return (
    <ul className="divide-y divide-line rounded-md border border-line">
      {order.cartItems.map((line) => (
        <RecoveryLine key={line.index} line={line}>
          {order.allowed.amend && line.orderId === null ? (
            <AmendLine
              order={order}
              line={line}
              amendment={amendments.find(({ index }) => index === line.index)}
              onAmend={(amendment) => amend(line.index, amendment)}
            />
          ) : null}
        </RecoveryLine>
      ))}
    </ul>
  )
}

type AmendLineProps = {
  order: FailedOrder
  line: AttemptItem
  amendment: AmendedLine | undefined
  onAmend: (amendment: AmendedLine | null) => void
}

const AmendLine = ({ order, line, amendment, onAmend }: AmendLineProps) =>
  amendment ? (
    <AmendFields order={order} line={line} amendment={amendment} onAmend={onAmend} />
  ) : (
    <Button
      size="sm"
      variant="ghost"
      icon="edit"
      className="mt-1 -ml-3"
      aria-label={`Change ${mealOf(line)}`}
      onClick={() => onAmend(asOrdered(line))}
    >
      Change
    </Button>
  )

const AmendFields = ({ amendment, onAmend, ...of }: AmendLineProps & { amendment: AmendedLine }) => {
  const choices = combinedQuery(useQuery(menuQuery), useQuery(freshCyclesQuery))
  return (
    <QueryResult<readonly [MenuItem[], OrderCycle[]]> query={choices} failure="Failed to fetch menu items">
      {([menu, cycles]) => (
        <LineAmendment
          {...of}
          amendment={amendment}
          menu={menu}
          cycles={cycles}
          onChange={onAmend}
          onUndo={() => onAmend(null)}
        />
      )}
    </QueryResult>
  )
}

type RecoveryLineProps = {
  line: AttemptItem
  children?: ReactNode
}

const RecoveryLine = ({ line, children }: RecoveryLineProps) => (
  <li className="px-3 py-3 text-sm">
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
      <div className="min-w-0">
        <p className="font-semibold">{line.menuItem.name}</p>
        <p>{`${line.student.name}, ${gradeLabel(line.student.grade)}`}</p>
        <p className="text-muted">
          {[`Week ${line.weekNumber}, ${dayName(line.dayOfWeek)}`, line.category, line.sideDish]
            .flatMap((words) => (words ? [capitalised(words)] : []))
            .join(' · ')}
        </p>
        {line.comments ? <p className="break-words text-muted italic">{`“${line.comments}”`}</p> : null}
      </div>
      <div className="flex items-center gap-2">
        {line.orderId ? (
          <Badge tone="brand" icon="check">{`Order ${line.orderId}`}</Badge>
        ) : (
          <Badge tone="warning">No order</Badge>
        )}
        <span className="money font-semibold">{kwacha(line.discountedPrice)}</span>
      </div>
    </div>
    {line.reason ? <p className="mt-1 font-semibold text-danger-700">{line.reason}</p> : null}
    {children}
  </li>
)

type LineAmendmentProps = {
  order: FailedOrder
  line: AttemptItem
  amendment: AmendedLine
  menu: MenuItem[]
  cycles: OrderCycle[]
  onChange: (amendment: AmendedLine) => void
  onUndo: () => void
}

const mealOf = ({ menuItem, student, weekNumber, dayOfWeek }: AttemptItem) =>
  `${menuItem.name} for ${student.name} on ${dayName(dayOfWeek)} of week ${weekNumber}`

/** Another meal, day or child within the price paid. */
const LineAmendment = ({ order, line, amendment, menu, onChange, ...rest }: LineAmendmentProps) => (
  <fieldset className="mt-2 grid gap-3 rounded-md border border-line bg-sand-50 p-3 sm:grid-cols-2">
    <legend className="sr-only">{`Change ${mealOf(line)}`}</legend>
    <Select
      label="Child"
      aria-label={`Child for ${mealOf(line)}`}
      options={childChoices(line, order)}
      value={String(amendment.studentId)}
      onChange={(event) => onChange({ ...amendment, studentId: Number(event.target.value) })}
    />
    <Select
      label="Day"
      aria-label={`Day for ${mealOf(line)}`}
      options={dayChoices(line, rest.cycles)}
      value={dayKey(amendment)}
      onChange={(event) => onChange(onDay(amendment, event.target.value))}
    />
    <Select
      label="Meal"
      aria-label={`Meal instead of ${mealOf(line)}`}
      hint={`Meals of at most ${kwacha(line.originalPrice)}, the price of this line`}
      className="sm:col-span-2"
      options={itemChoices(line, amendment, menu)}
      value={String(amendment.menuItemId)}
      onChange={(event) => {
        const item = menu.find(({ id }) => id === Number(event.target.value))
        onChange(item ? withItem(amendment, item) : { ...amendment, menuItemId: line.menuItem.id })
      }}
    />
    <PlateFields
      item={menu.find(({ id }) => id === amendment.menuItemId)}
      of={`instead of ${mealOf(line)}`}
      amendment={amendment}
      onChange={onChange}
    />
    <Button
      size="sm"
      variant="ghost"
      icon="undo"
      aria-label={`Leave as ordered: ${mealOf(line)}`}
      className="justify-self-start"
      onClick={rest.onUndo}
    >
      Leave as ordered
    </Button>
  </fieldset>
)

type PlateFieldsProps = Pick<LineAmendmentProps, 'amendment' | 'onChange'> & {
  item: MenuItem | undefined
  of: string
}

const PlateFields = ({ item, of, amendment, onChange }: PlateFieldsProps) => (
  <>
    {item && item.categories.length > 0 ? (
      <Select
        label="Protein"
        aria-label={`Protein ${of}`}
        options={optionsWith(item.categories, amendment.category)}
        value={amendment.category ?? ''}
        onChange={(event) => onChange({ ...amendment, category: event.target.value || null })}
      />
    ) : null}
    {item && item.sideDishes.length > 0 ? (
      <Select
        label="Side dish"
        aria-label={`Side dish ${of}`}
        options={optionsWith(item.sideDishes, amendment.sideDish)}
        value={amendment.sideDish ?? ''}
        onChange={(event) => onChange({ ...amendment, sideDish: event.target.value || null })}
      />
    ) : null}
  </>
)

/** Adds the ordered value first if it is missing. */
const optionsWith = (offers: string[], ordered: string | null | undefined) => {
  const options = offers.map((value) => ({ value, label: capitalised(value) }))
  if (ordered && offers.includes(ordered)) return options
  return [
    { value: ordered ?? '', label: ordered ? `${capitalised(ordered)} (as ordered)` : 'None' },
    ...options,
  ]
}
