import { memo, type ReactNode } from 'react'
import type { MenuItem } from '#contracts/catalogue'
import { conflictFor, isConflict, type MealMarks } from '#contracts/health'
import { classes } from '../../lib/classes'
import { dayAndMonth, dayName } from '../../lib/format'
import { cutoffOfDish, cutoffText } from '../../queries/cycles'
import { Card } from '../../ui/card'
import { Icon, type IconName } from '../../ui/icon'
import { MealCard, type MealCardProps, type MealChoice } from './meal-card'
import {
  type DayContent,
  type DayOrder,
  type Eater,
  type MenuDay,
  sidesFor,
  type RemainingPortions,
  type CartedMeal,
  type DayView,
} from './menu-week'

/** What is chosen for a day. */
export type DayChoice = MealChoice & {
  day: MenuDay
  /** What speaks against it was confirmed. */
  acknowledged?: true
}

/** Stable callbacks, or every day rerenders. */
export type DayActs = {
  onAdd: (eater: Eater, meals: readonly DayChoice[]) => void
  onRemove: (eater: Eater, day: MenuDay) => void
  /** What can be done about an ordered meal of today; `describedBy` is its name's id. */
  ofToday: (orderId: string, describedBy: string) => ReactNode
  /** What the family's plan would order for an open day. */
  ofPlan: (studentId: number, date: string) => ReactNode
}

type DayCardProps = DayActs & {
  view: DayView
  eater: Eater
  carted: CartedMeal | undefined
  few: RemainingPortions | undefined
  marks: MealMarks | undefined
  /** Hidden on stacked days. */
  folded: boolean
}

// Only the changed day rerenders: slow phones answer late otherwise.
const isSame = (one: DayCardProps, other: DayCardProps) =>
  one.view === other.view &&
  one.onAdd === other.onAdd &&
  one.few === other.few &&
  one.marks === other.marks &&
  one.folded === other.folded &&
  one.ofPlan === other.ofPlan &&
  one.carted?.menuItemId === other.carted?.menuItemId &&
  one.carted?.category === other.carted?.category &&
  one.carted?.sideDish === other.carted?.sideDish

/** Exactly one of five contents. */
export const DayCard = memo(
  ({ view: { day, content, isToday }, eater, carted, few, marks, folded, ...acts }: DayCardProps) => (
    <Card className={classes('flex flex-col', folded && 'max-lg:hidden')}>
      <h3
        className={classes(
          'relative flex flex-wrap items-baseline gap-x-2 rounded-t-lg px-3 py-2 break-words lg:flex-col',
          carted ? 'bg-day-cart text-day-cart-ink' : 'bg-sand-50',
        )}
      >
        <span className="font-semibold">{dayName(day.day)}</span>{' '}
        <span className="text-xs opacity-85">
          {dayAndMonth(day.date)}
          {isToday ? ' · Today' : null}
        </span>
        {carted ? (
          <span className="absolute right-3 flex items-center gap-1 self-center text-xs">
            <Icon name="cart" size="sm" />
            <span className="lg:sr-only">In cart</span>
          </span>
        ) : null}
      </h3>
      {content.kind === 'meals' ? acts.ofPlan(eater.id, day.date) : null}
      {content.kind === 'meals' ? (
        <DayMeals
          day={day}
          items={content.items}
          eater={eater}
          marks={marks}
          few={few}
          carted={carted}
          onAdd={(choice) => acts.onAdd(eater, [{ ...choice, day }])}
          onRemove={() => acts.onRemove(eater, day)}
        />
      ) : (
        <PlainDay content={content} ofToday={isToday ? acts.ofToday : null} />
      )}
    </Card>
  ),
  isSame,
)

export type DayMealsProps = Pick<
  MealCardProps,
  'eater' | 'marks' | 'inSheet' | 'verb' | 'onAdd' | 'onRemove'
> & {
  day: MenuDay
  items: readonly MenuItem[]
  few: RemainingPortions | undefined
  carted: CartedMeal | undefined
}

/** Meals with something against them for the child come last. */
export const DayMeals = ({ day, items, few, carted, ...rest }: DayMealsProps) => (
  <div className="grid flex-1 sm:max-lg:grid-cols-2">
    {eatableFirst(items, rest.eater, rest.marks).map((item) => (
      <MealCard
        key={item.id}
        {...rest}
        item={item}
        dayText={`${dayName(day.day)} ${dayAndMonth(day.date)}`}
        sides={sidesFor(item, rest.eater)}
        orderBy={
          item.leadDays > 0 ? cutoffText({ ...day, cutoffAt: cutoffOfDish(day, item.leadDays) }) : undefined
        }
        left={few?.[item.id]}
        inCart={carted?.menuItemId === item.id ? carted : null}
      />
    ))}
  </div>
)

const eatableFirst = (items: readonly MenuItem[], eater: Eater, marks: MealMarks | undefined) => {
  const isAvoided = (item: MenuItem) => Number(isConflict(conflictFor(marks, eater.id, item)))
  return items.toSorted((one, other) => isAvoided(one) - isAvoided(other))
}

type PlainDayProps = {
  content: Exclude<DayContent, { kind: 'meals' }>
  ofToday: DayActs['ofToday'] | null
}

const PlainDay = ({ content, ofToday }: PlainDayProps) => {
  const { icon, title, text, className } = plainText(content)
  return (
    <div
      className={classes(
        'flex flex-1 items-center gap-3 rounded-b-lg border-t border-line p-3 lg:flex-col lg:gap-1 lg:py-5 lg:text-center',
        className,
      )}
    >
      <Icon name={icon} size="lg" />
      <div className="min-w-0 break-words">
        <p className="text-sm font-semibold">{title}</p>
        {text ? <p className="text-sm">{text}</p> : null}
        {content.kind === 'ordered' ? <OrderedMeal order={content.order} ofToday={ofToday} /> : null}
      </div>
    </div>
  )
}

type OrderedMealProps = { order: DayOrder; ofToday: PlainDayProps['ofToday'] }

const OrderedMeal = ({ order, ofToday }: OrderedMealProps) => {
  const name = `ordered-${order.id}`
  return (
    <>
      <p id={name} className="font-display leading-snug font-semibold text-ink">
        {order.menuItem.name}
      </p>
      <p className="text-sm text-muted first-letter:uppercase">
        {[order.category, order.sideDish].filter(Boolean).join(' · ')}
      </p>
      {ofToday ? (
        <div className="mt-2 flex flex-col items-start gap-2 empty:hidden lg:items-center">
          {ofToday(order.id, name)}
        </div>
      ) : null}
    </>
  )
}

type PlainText = { icon: IconName; title: string; text?: string; className: string }

const plainText = (content: PlainDayProps['content']): PlainText => {
  if (content.kind === 'closed')
    return { icon: 'lock', title: 'School Closed', text: content.why, className: 'day-closed' }
  if (content.kind === 'empty')
    return { icon: 'bowl', title: 'No meal available', className: 'text-day-closed-ink' }
  return {
    icon: content.title === 'Order Confirmed' ? 'check' : 'clock',
    title: content.title,
    className: 'bg-day-ordered text-day-ordered-ink',
  }
}
