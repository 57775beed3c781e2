import { useState } from 'react'
import { dayName } from '../../lib/format'
import type { MealMarks } from '#contracts/mark-words'
import { Icon } from '../../ui/icon'
import { type DayActs, DayCard } from './day-card'
import type { Eater } from './day-content'
import type { FewLeft } from './few-left'
import { type CartedMeal, cartedOn, type DayView } from './menu-week'

type WeekDaysProps = DayActs & {
  views: readonly DayView[]
  eater: Eater
  cart: readonly CartedMeal[]
  few: Readonly<Record<string, FewLeft>>
  marks: MealMarks | undefined
}

/** The days of a week. Where they stand one under another, those before the first that can be ordered are one line. */
export const WeekDays = ({ views, eater, cart, few, marks, ...acts }: WeekDaysProps) => {
  const [unfolded, setUnfolded] = useState(false)
  // As at first: a day that is ordered meanwhile stays where it is.
  const [first] = useState(() => views.findIndex(({ content }) => content.kind === 'meals'))
  return (
    <div className="flex flex-col gap-3">
      {first > 0 ? (
        <EarlierDays views={views.slice(0, first)} shown={unfolded} onShow={() => setUnfolded(!unfolded)} />
      ) : null}
      <div className="grid items-start gap-3 lg:grid-cols-5">
        {views.map((view, at) => (
          <DayCard
            key={view.day.day}
            view={view}
            eater={eater}
            carted={cartedOn(view, eater, cart)}
            few={few[view.day.date]}
            marks={marks}
            folded={at < first && !unfolded}
            {...acts}
          />
        ))}
      </div>
    </div>
  )
}

type EarlierDaysProps = { views: readonly DayView[]; shown: boolean; onShow: () => void }

const EarlierDays = ({ views, shown, onShow }: EarlierDaysProps) => (
  <button
    type="button"
    aria-expanded={shown}
    onClick={onShow}
    className="flex min-h-11 items-center gap-3 rounded-md bg-sand-100 px-3 text-left text-sm lg:hidden"
  >
    <span className="flex flex-1 flex-wrap gap-x-4 gap-y-1">
      {views.map(({ day, content }) => (
        <span key={day.day} className="flex items-center gap-1">
          <Icon name={faceIcons[content.kind]} size="sm" />
          <span aria-hidden="true">{dayName(day.day).slice(0, 3)}</span>
          <span className="sr-only">
            {dayName(day.day)}: {content.kind === 'ordered' ? content.title : faceWords[content.kind]}.
          </span>
        </span>
      ))}
    </span>
    <Icon name={shown ? 'chevron-up' : 'chevron-down'} size="sm" className="text-muted" />
  </button>
)

const faceIcons = { ordered: 'check', closed: 'lock', empty: 'bowl', meals: 'bowl' } as const
const faceWords = { closed: 'School Closed', empty: 'No meal available', meals: 'Open' } as const
