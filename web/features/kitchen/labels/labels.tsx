import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useLayoutEffect, useRef } from 'react'
import { classList, type ClassListEntry, classListSorts } from '#contracts/kitchen'
import { counted, longDay, capitalised, classLabel, namesakeText, shortDay } from '../../../lib/format'
import { readFilters, useListAddress, type ListAddress } from '../../../lib/list-address'
import { Button } from '../../../ui/button'
import { FilterSelect } from '../../../ui/filters'
import { Select } from '../../../ui/select'
import { classListQuery } from '../api'
import { LunchesOfDay, GradeFilter, Allergies, DietOf } from '../class-lists/class-groups'
import { byName } from '../kitchen-view'
import { PrintButton, usePaperFoot } from '../printing'
import {
  fitLabels,
  labelFormatNamed,
  labelFormats,
  labelsPerPage,
  type LabelFormatName,
  labelPages,
  orderedLabels,
  labelFormatNames,
  type LabelFormat,
} from './label-formats'

type LabelsProps = { date: string; onBack: () => void }

/** All options are in the address. */
export const Labels = ({ date, onBack }: LabelsProps) => {
  usePaperFoot(`Labels of ${longDay(date)}`)
  const list = useListAddress(classListSorts, byName)
  const format = labelFormatNamed(list.address.get('labels'))
  const perPage = labelsPerPage(labelFormats[format])
  const start = startOf(list.address, perPage)
  const order = list.address.get('by') === 'meal' ? 'meal' : 'class'
  const { grade } = readFilters(list.address, classList.query, ['grade'])
  const lunches = useQuery(classListQuery({ date, ...byName, ...(grade && { grade }) }))
  const pages = labelPages(orderedLabels(lunches.data?.data ?? [], order), perPage, start)
  return (
    <div className="flex flex-col gap-5 print:block">
      <div className="flex flex-col gap-3 print:hidden">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <h2 className="font-display text-2xl font-semibold">{`Labels of ${longDay(date)}`}</h2>
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" icon="chevron-left" onClick={onBack}>
              Back to class lists
            </Button>
            <PrintButton>Print labels</PrintButton>
          </div>
        </div>
        <LabelChoices list={list} format={format} grade={grade} grades={lunches.data?.grades ?? []} />
      </div>
      <LunchesOfDay lunches={lunches} none="No labels">
        {(data) => (
          <>
            <p className="print:hidden">{`${amountOf(data, pages, format)} Print in actual size (100 %), with the default margins. Nothing about allergies on a label: the family has not told us.`}</p>
            <LabelPages format={format} date={date} pages={pages} start={start} />
          </>
        )}
      </LunchesOfDay>
    </div>
  )
}

/** 1 for an invalid place. */
const startOf = (address: URLSearchParams, perPage: number): number => {
  const start = Number(address.get('start'))
  return Number.isInteger(start) && start >= 1 && start <= perPage ? start : 1
}

const amountOf = (labels: readonly unknown[], pages: readonly unknown[], format: LabelFormatName): string =>
  format === 'roll'
    ? `${counted(labels.length, 'label')}.`
    : `${counted(labels.length, 'label')} on ${counted(pages.length, 'sheet')}.`

type LabelPagesProps = {
  format: LabelFormatName
  date: string
  pages: readonly ClassListEntry[][]
  start: number
}

/** Scrolls sideways on a narrow screen. */
const LabelPages = ({ format, date, pages, start }: LabelPagesProps) => {
  const frame = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    fitLabels([...(frame.current?.querySelectorAll<HTMLElement>('.label-words') ?? [])])
  })
  const measures = labelFormats[format]
  return (
    <section
      ref={frame}
      aria-label="Labels as they are printed"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling frame must be reachable by keyboard
      tabIndex={0}
      className={`label-pages label-pages-${format}`}
      style={
        {
          '--columns': measures.columns,
          '--rows': measures.rows,
          '--width': `${measures.width}mm`,
          '--height': `${measures.height}mm`,
          '--pitch': `${measures.pitch}mm`,
          '--left': `${measures.left}mm`,
          '--top': `${measures.top}mm`,
          '--letters': measures.small ? 'var(--text-label-small)' : 'var(--text-label)',
        } as CSSProperties
      }
    >
      {pages.map((lunches, index) => (
        <LabelPage
          key={lunches[0]!.id}
          name={format === 'roll' ? `Label ${index + 1}` : `Sheet ${index + 1} of ${pages.length}`}
          format={measures}
          date={date}
          lunches={lunches}
          start={index === 0 ? start : 1}
        />
      ))}
    </section>
  )
}

type LabelChoicesProps = {
  list: Pick<ListAddress<never>, 'address' | 'onFilter'>
  format: LabelFormatName
  grade: string | undefined
  grades: readonly string[]
}

const LabelChoices = ({ list, format, ...grades }: LabelChoicesProps) => {
  const perPage = labelsPerPage(labelFormats[format])
  return (
    <div className="flex flex-wrap gap-3">
      <Select
        label="Labels on"
        className="w-96 max-w-full"
        options={labelFormatNames.map((value) => ({ value, label: labelFormats[value].name }))}
        value={format}
        onChange={(event) => list.onFilter({ labels: event.target.value, start: null })}
      />
      <FilterSelect
        list={list}
        name="by"
        label="Sort by"
        className="w-52"
        options={[
          { value: '', label: 'Class and name' },
          { value: 'meal', label: 'Meal' },
        ]}
      />
      {perPage === 1 ? null : (
        <FilterSelect
          list={list}
          name="start"
          label="Start at label"
          className="w-36"
          options={Array.from({ length: perPage }, (_, index) => ({
            value: index === 0 ? '' : String(index + 1),
            label: String(index + 1),
          }))}
        />
      )}
      <GradeFilter list={list} {...grades} />
    </div>
  )
}

type LabelPageProps = {
  name: string
  format: LabelFormat
  date: string
  lunches: readonly ClassListEntry[]
  /** Place of the first label, from 1, row by row. */
  start: number
}

/** Paper size. */
const LabelPage = ({ name, format, date, lunches, start }: LabelPageProps) => (
  <ul aria-label={name} className="label-page">
    {lunches.map((lunch, index) => (
      <li key={lunch.id} className="label" style={placeOf(start + index, format)}>
        <LabelText lunch={lunch} date={date} />
      </li>
    ))}
  </ul>
)

const placeOf = (place: number, { columns }: LabelFormat): CSSProperties => ({
  gridColumnStart: ((place - 1) % columns) + 1,
  gridRowStart: Math.ceil(place / columns),
})

const LabelText = ({ lunch, date }: { lunch: ClassListEntry; date: string }) => {
  const choices = [lunch.category && capitalised(lunch.category), lunch.sideDish].filter(Boolean)
  return (
    <div className="label-words">
      <p className="label-name">
        {lunch.student}
        {lunch.absent ? ' · ill' : null}
      </p>
      {lunch.tellApart ? <p>{namesakeText(lunch.tellApart)}</p> : null}
      <p className="label-class">
        <strong>{classLabel(lunch)}</strong>
        {` · ${shortDay(date)}`}
      </p>
      <p>{lunch.menuItem}</p>
      {choices.length > 0 ? <p>{choices.join(' · ')}</p> : null}
      {lunch.comments ? <p className="label-remark">{lunch.comments}</p> : null}
      {lunch.allergies ? (
        <p className="label-allergies">
          <Allergies allergies={lunch.allergies} />
        </p>
      ) : null}
      {lunch.diet === 'none' ? null : (
        <p>
          <DietOf diet={lunch.diet} />
        </p>
      )}
      {lunch.medicalNote ? <p className="label-remark">{lunch.medicalNote}</p> : null}
    </div>
  )
}
