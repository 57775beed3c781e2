import { dayAndMonth, dayName } from '../../lib/format'
import { classes } from '../../lib/classes'
import { Card } from '../../ui/card'
import { Icon } from '../../ui/icon'
import type { IconName } from '../../ui/icon'
import { sidesFor } from './day-face'
import type { DayFace, Eater } from './day-face'
import { MealCard } from './meal-card'
import type { MealChoice } from './meal-card'
import type { DayView } from './menu-week'

type DayCardProps = DayView & {
  eater: Eater
  onAdd: (choice: MealChoice) => void
  onRemove: () => void
}

/** One school day of one child, with exactly one of its five faces. */
export const DayCard = ({ day, face, eater, carted, isToday, onAdd, onRemove }: DayCardProps) => (
  <Card className="flex flex-col">
    <h3
      className={classes(
        'relative flex items-baseline gap-x-2 rounded-t-lg border-b border-line px-3 py-2 sm:flex-col',
        carted ? 'bg-brand-700 text-white' : 'bg-sand-50',
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
          <span className="sm:sr-only">In cart</span>
        </span>
      ) : null}
    </h3>
    {face.kind === 'meals' ? (
      <div className="flex flex-1 flex-col divide-y divide-line">
        {face.items.map((item) => (
          <MealCard
            key={item.id}
            item={item}
            sides={sidesFor(item, eater)}
            inCart={carted?.menuItemId === item.id ? carted : null}
            onAdd={onAdd}
            onRemove={onRemove}
          />
        ))}
      </div>
    ) : (
      <PlainFace face={face} />
    )}
  </Card>
)

type PlainFaceProps = { face: Exclude<DayFace, { kind: 'meals' }> }

const PlainFace = ({ face }: PlainFaceProps) => {
  const { icon, title, lines, look } = plainWords(face)
  return (
    <div
      className={classes(
        'flex flex-1 items-center gap-3 rounded-b-lg p-3 sm:flex-col sm:gap-1 sm:py-6 sm:text-center',
        look,
      )}
    >
      <Icon name={icon} size="lg" />
      <div className="min-w-0">
        <p className="font-semibold">{title}</p>
        {lines.map((line) => (
          <p key={line} className="text-sm break-words">
            {line}
          </p>
        ))}
      </div>
    </div>
  )
}

type PlainWords = { icon: IconName; title: string; lines: string[]; look: string }

const plainWords = (face: PlainFaceProps['face']): PlainWords => {
  if (face.kind === 'closed')
    return { icon: 'lock', title: 'School Closed', lines: [face.why], look: 'text-muted' }
  if (face.kind === 'empty')
    return { icon: 'bowl', title: 'No meal available', lines: [], look: 'text-muted' }
  const { menuItem, category, sideDish } = face.order
  const lines = [menuItem.name, [category, sideDish].filter(Boolean).join(' · ')].filter(Boolean)
  return face.title === 'Order Confirmed'
    ? { icon: 'check', title: face.title, lines, look: 'bg-brand-50 text-brand-700' }
    : { icon: 'clock', title: face.title, lines, look: 'bg-warning-50 text-warning-700' }
}
