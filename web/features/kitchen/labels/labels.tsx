import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useLayoutEffect, useRef } from 'react'
import { classList, type ClassListEntry, classListSorts } from '#contracts/class-list'
import { counted, longDay } from '../../../lib/format'
import { readFilters, useListAddress } from '../../../lib/list-address'
import { Button } from '../../../ui/button'
import { classListQuery } from '../api'
import { byName } from '../kitchen-view'
import { LunchesOfDay } from '../lunches-of-day'
import { PrintButton, usePaperFoot } from '../printing'
import { fitLabels } from './fit-labels'
import { LabelChoices } from './label-choices'
import { labelFormatNamed, labelFormats, labelsPerPage, type LabelFormatName } from './label-formats'
import { labelPages, orderedLabels } from './label-order'
import { LabelPage } from './label-page'

type LabelsProps = { date: string; onBack: () => void }

/** A label for each lunch of one day, as it will be printed. Whose, on what and in which order is in the address. */
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
            <p className="print:hidden">{`${amountOf(data, pages, format)} Print in actual size (100 %), with the default margins.`}</p>
            <LabelPages format={format} date={date} pages={pages} start={start} />
          </>
        )}
      </LunchesOfDay>
    </div>
  )
}

/** The place of the first label that the address asks for; 1 for anything that is no place of this page. */
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

/** The pages of labels; on a narrow screen they are scrolled sideways in a frame of their own. */
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
