import { useQuery } from '@tanstack/react-query'
import type { KitchenChange } from '#contracts/kitchen'
import { classLabel, counted, dayAndMonth, longDay, namesakeApart, weekdayOf } from '../../lib/format'
import { dateAndTime, schoolClock, schoolDate, schoolNow } from '../../lib/school-moment'
import { calendarQuery, cutoffText, daysOf } from '../../queries/cycles'
import { Button } from '../../ui/button'
import { Card, CardBody } from '../../ui/card'
import { EmptyState, QueryResult } from '../../ui/query-result'
import { Cell, HeadCell, Table, TableBody, TableHead, tableRoles } from '../../ui/table'
import { notePrintOf, printsQuery, slipQuery, changesQuery } from './api'
import { PaperHead, PrintButton, PrintedAt, usePaperFoot } from './printing'

type ChangesSlipProps = {
  date: string
  /** Of an earlier print, by its instant. */
  print: string | null
  onPrint: (print: string | null) => void
  onBack: () => void
}

export const ChangesSlip = ({ date, print, onPrint, onBack }: ChangesSlipProps) => {
  usePaperFoot(`Changes of ${longDay(date)}`)
  const slip = useQuery(slipQuery(date, print))
  // Read at the press: later changes go on the next slip.
  const noted = async () => {
    const shown = (await slip.refetch()).data ?? slip.data
    return shown ? () => notePrintOf({ date, at: shown.at }) : null
  }
  return (
    <div className="flex flex-col gap-5 print:block">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h2 className="font-display text-2xl font-semibold">{`Changes of ${longDay(date)}`}</h2>
          {slip.data ? <p className="money">{`Since ${dateAndTime(slip.data.since)}`}</p> : null}
          {print === null ? null : <p className="money">{`As printed on ${dateAndTime(print)}`}</p>}
          <PrintedAt />
        </div>
        <div className="flex flex-wrap gap-2 print:hidden">
          <Button variant="secondary" icon="chevron-left" onClick={onBack}>
            Back to portions
          </Button>
          {print === null ? (
            <PrintButton before={noted}>Print changes</PrintButton>
          ) : (
            <>
              <Button variant="secondary" onClick={() => onPrint(null)}>
                New changes
              </Button>
              <PrintButton>Print again</PrintButton>
            </>
          )}
        </div>
      </div>
      <QueryResult
        query={slip}
        failure="Failed to fetch changes"
        isEmpty={({ changes }) => changes.length === 0}
        empty={
          <Card>
            <EmptyState title="Nothing has changed">New orders and cancellations appear here.</EmptyState>
          </Card>
        }
      >
        {({ changes }) => <ChangesTable changes={changes} date={date} />}
      </QueryResult>
      <Prints date={date} onPrint={onPrint} />
    </div>
  )
}

const Prints = ({ date, onPrint }: Pick<ChangesSlipProps, 'date' | 'onPrint'>) => {
  const prints = useQuery(printsQuery(date)).data?.data ?? []
  if (prints.length === 0) return null
  return (
    <section aria-label="Printed before" className="flex flex-col gap-1 print:hidden">
      <h3 className="font-semibold">Printed before</h3>
      <ul className="flex flex-col gap-1">
        {prints.map(({ at, by }) => (
          <li key={at}>
            <Button variant="ghost" size="sm" onClick={() => onPrint(at)}>
              {`${whenText(at, date)} by ${by}`}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const ChangesTable = ({ changes, date }: { changes: readonly KitchenChange[]; date: string }) => (
  <Card>
    <CardBody className="@container">
      <Table label={`Changes of ${longDay(date)}`} {...tableRoles.table} className="@max-xl:block">
        <TableHead className="@max-xl:hidden">
          <PaperHead
            columns={5}
          >{`Changes of ${longDay(date)} · ${counted(changes.length, 'change')}`}</PaperHead>
          <tr>
            <HeadCell>Time</HeadCell>
            <HeadCell>What</HeadCell>
            <HeadCell>Student</HeadCell>
            <HeadCell>Was</HeadCell>
            <HeadCell>Is now</HeadCell>
          </tr>
        </TableHead>
        <TableBody {...tableRoles.body} className="@max-xl:block">
          {changes.map((change) => (
            <ChangeRow key={`${change.at}/${change.orderId}/${change.kind}`} change={change} date={date} />
          ))}
        </TableBody>
      </Table>
    </CardBody>
  </Card>
)

/** A card on a narrow screen. */
const ChangeRow = ({ change, date }: { change: KitchenChange; date: string }) => (
  <tr {...tableRoles.row} className="break-inside-avoid @max-xl:block @max-xl:py-2">
    <Cell {...tableRoles.cell} className="money @max-xl:mr-3 @max-xl:inline-block @max-xl:p-0">
      {whenText(change.at, date)}
    </Cell>
    <Cell {...tableRoles.cell} className="font-semibold @max-xl:inline-block @max-xl:p-0">
      {kindText(change)}
    </Cell>
    <Cell {...tableRoles.cell} className="@max-xl:block @max-xl:p-0">
      {`${namesakeApart(change)}, ${classLabel(change)}`}
    </Cell>
    <Cell {...tableRoles.cell} className="text-muted @max-xl:block @max-xl:p-0">
      {change.from === null ? null : <s className="print:no-underline">{change.from}</s>}
    </Cell>
    <Cell {...tableRoles.cell} className="@max-xl:block @max-xl:p-0">
      {change.to}
    </Cell>
  </tr>
)

/** With the day when it is another. */
const whenText = (at: string, date: string): string => {
  const day = schoolDate(at)
  return day === date ? schoolClock(at) : `${dayAndMonth(day)}, ${schoolClock(at)}`
}

/** Cutoff state and changes since the last print; keeps its line until they are read. */
export const DayStateText = ({ date }: { date: string }) => {
  const changes = useQuery(changesQuery(date)).data
  const state = useOrderingText(date)
  const words = [state, changes && sincePrinted(changes)].filter(Boolean).join(' · ')
  return <span className="print:hidden">{words || '\u00a0'}</span>
}

export const ChangesButton = ({ onPress }: { onPress: () => void }) => (
  <Button variant="secondary" size="sm" onClick={onPress}>
    Changes
  </Button>
)

export const LateChanges = ({ date }: { date: string }) => {
  const state = useOrderingText(date)
  return (
    <section aria-label="Late changes" className="mb-3 hidden break-inside-avoid print:block">
      <p>
        <strong className="font-semibold">Late changes</strong>
        {state ? ` · ${state}` : null}
      </p>
      <div className="h-7 border-b border-ink" />
      <div className="h-7 border-b border-ink" />
    </section>
  )
}

/** Null while unknown, and for another date unless orders for it close on a day before. */
const useOrderingText = (date: string): string | null => {
  const day = daysOf(useQuery(calendarQuery).data).find((one) => one.date === date)
  const now = schoolNow()
  const isToday = date === schoolDate(now)
  if (!day || !(isToday || schoolDate(day.cutoffAt) !== date)) return null
  const until = cutoffText(day)
  if (now >= day.cutoffAt) return `Final since ${until}`
  return `Ordering for ${isToday ? 'today' : weekdayOf(date)} is open until ${until}`
}

/** "12 more since you printed"; null for no changes or no print. */
export const sincePrinted = ({
  since,
  changes,
}: {
  since: string
  changes: readonly KitchenChange[]
}): string | null => {
  const wasPrinted = Date.parse(changes[0]?.at ?? '') !== Date.parse(since)
  if (changes.length === 0 || !wasPrinted) return null
  const more = changes.reduce((sum, { from, to }) => sum + Number(to !== null) - Number(from !== null), 0)
  if (more === 0) return `${counted(changes.length, 'change')} since you printed`
  return `${Math.abs(more)} ${more > 0 ? 'more' : 'fewer'} since you printed`
}

const kinds: Record<KitchenChange['kind'], string> = {
  ordered: 'Ordered',
  cancelled: 'Cancelled',
  changed: 'Changed',
  absent: 'Ill',
}

const kindText = ({ kind, to, moved }: Pick<KitchenChange, 'kind' | 'to' | 'moved'>): string => {
  if (kind === 'absent' && to !== null) return 'Eats after all'
  if (moved === undefined) return kinds[kind]
  return `${kinds[kind]}, moved ${to === null ? 'to' : 'from'} ${dayAndMonth(moved)}`
}
