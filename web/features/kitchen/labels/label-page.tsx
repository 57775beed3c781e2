import type { CSSProperties } from 'react'
import type { ClassListEntry } from '#contracts/class-list'
import { capitalised, classLabel, shortDay } from '../../../lib/format'
import { Allergies, DietOf } from '../allergies'
import type { LabelFormat } from './label-formats'

type LabelPageProps = {
  name: string
  format: LabelFormat
  date: string
  lunches: readonly ClassListEntry[]
  /** The place of the first label, from 1: row by row, from the left. */
  start: number
}

/** A sheet of labels, or one of a roll, as large as on paper. */
export const LabelPage = ({ name, format, date, lunches, start }: LabelPageProps) => (
  <ul aria-label={name} className="label-page">
    {lunches.map((lunch, index) => (
      <li key={lunch.id} className="label" style={placeOf(start + index, format)}>
        <LabelWords lunch={lunch} date={date} />
      </li>
    ))}
  </ul>
)

const placeOf = (place: number, { columns }: LabelFormat): CSSProperties => ({
  gridColumnStart: ((place - 1) % columns) + 1,
  gridRowStart: Math.ceil(place / columns),
})

const LabelWords = ({ lunch, date }: { lunch: ClassListEntry; date: string }) => {
  const choices = [lunch.category && capitalised(lunch.category), lunch.sideDish].filter(Boolean)
  return (
    <div className="label-words">
      <p className="label-name">
        {lunch.student}
        {lunch.absent ? ' · ill' : null}
      </p>
      <p className="label-class">
        <strong>{classLabel(lunch)}</strong>
        {` · ${shortDay(date)}`}
      </p>
      <p>{lunch.menuItem}</p>
      {choices.length > 0 ? <p>{choices.join(' · ')}</p> : null}
      {lunch.comments ? <p className="label-remark">{lunch.comments}</p> : null}
      <p className="label-allergies">
        <Allergies allergies={lunch.allergies} />
        {lunch.diet === 'none' ? null : ' · '}
        <DietOf diet={lunch.diet} />
      </p>
      {lunch.medicalNote ? <p className="label-remark">{lunch.medicalNote}</p> : null}
    </div>
  )
}
