import { dayAndMonth, dayName } from '../../lib/format'
import { classes } from '../../lib/classes'
import { Card } from '../../ui/card'
import { Icon } from '../../ui/icon'
import type { IconName } from '../../ui/icon'
import { sidesFor } from './day-face'
import type { DayFace, Eater, MenuDay } from './day-face'
import { MealCard } from './meal-card'
import type { MealChoice } from './meal-card'

/** A meal that is in the cart for a day. */
export type CartedMeal = { menuItemId: number; category: string | null; sideDish: string | null }

type DayCardProps = {
  day: MenuDay
  face: DayFace
  eater: Eater
  carted: CartedMeal | undefined
  isToday: boolean
  onAdd: (choice: MealChoice) => void
  onRemove: () => void
}

/** One school day of one child, with exactly one of its five faces. */
export const DayCard = ({ day, face, eater, carted, isToday, onAdd, onRemove }: DayCardProps) => (
  <Card className="flex flex-col overflow-hidden">
    <h3
      className={classes(
        'flex items-baseline justify-between gap-x-2 border-b border-line px-4 py-2 sm:flex-col',
        carted ? 'bg-brand-700 text-white' : 'bg-sand-50',
      )}
    >
      <span className="font-semibold">{dayName(day.day)}</span>{' '}
      <span className="text-xs opacity-85">
        {dayAndMonth(day.date)}
        {isToday ? ' · Today' : null}
      </span>
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
  const { icon, title, text, look } = plainWords(face)
  return (
    <div
      className={classes(
        'flex flex-1 items-center gap-3 px-4 py-3 sm:flex-col sm:gap-1 sm:py-6 sm:text-center',
        look,
      )}
    >
      <Icon name={icon} size="lg" />
      <div>
        <p className="font-semibold">{title}</p>
        {text ? <p className="text-sm">{text}</p> : null}
      </div>
    </div>
  )
}

const plainWords = (
  face: PlainFaceProps['face'],
): { icon: IconName; title: string; text?: string; look: string } => {
  if (face.kind === 'closed')
    return { icon: 'lock', title: 'School Closed', text: face.why, look: 'text-muted' }
  if (face.kind === 'empty') return { icon: 'bowl', title: 'No meal available', look: 'text-muted' }
  return face.title === 'Order Confirmed'
    ? { icon: 'check', title: face.title, look: 'bg-brand-50 text-brand-700' }
    : { icon: 'clock', title: face.title, look: 'bg-warning-50 text-warning-700' }
}
