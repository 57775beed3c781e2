import { useQuery } from '@tanstack/react-query'
import type { KitchenChange } from '#contracts/kitchen'
import { classLabel, counted, dayAndMonth, longDay } from '../../../lib/format'
import { dateAndTime, schoolClock, schoolDate } from '../../../lib/school-moment'
import { Button } from '../../../ui/button'
import { Card, CardBody } from '../../../ui/card'
import { EmptyState } from '../../../ui/empty-state'
import { QueryResult } from '../../../ui/query-result'
import { Cell, HeadCell, Table, TableBody, TableHead, tableRoles } from '../../../ui/table'
import { notePrintOf, slipQuery } from '../api'
import { PaperHead, PrintButton, PrintedAt, usePaperFoot } from '../printing'
import { kindInWords } from './changes-in-words'

type ChangesSlipProps = { date: string; onBack: () => void }

/** What changed on a day since its list was last printed, every change by itself; a slip for who cooks by the paper. */
export const ChangesSlip = ({ date, onBack }: ChangesSlipProps) => {
  usePaperFoot(`Changes of ${longDay(date)}`)
  const slip = useQuery(slipQuery(date))
  return (
    <div className="flex flex-col gap-5 print:block">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h2 className="font-display text-2xl font-semibold">{`Changes of ${longDay(date)}`}</h2>
          {slip.data ? <p className="money">{`Since ${dateAndTime(slip.data.since)}`}</p> : null}
          <PrintedAt />
        </div>
        <div className="flex flex-wrap gap-2 print:hidden">
          <Button variant="secondary" icon="chevron-left" onClick={onBack}>
            Back to portions
          </Button>
          <PrintButton before={() => notePrintOf(date)}>Print changes</PrintButton>
        </div>
      </div>
      <QueryResult
        query={slip}
        failure="Failed to fetch changes"
        isEmpty={({ changes }) => changes.length === 0}
        empty={
          <Card>
            <EmptyState title="Nothing has changed">
              What is ordered or cancelled from now on stands here.
            </EmptyState>
          </Card>
        }
      >
        {({ changes }) => <ChangesTable changes={changes} date={date} />}
      </QueryResult>
    </div>
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

/** One change; where there is no room for a table its cells stand below one another. */
const ChangeRow = ({ change, date }: { change: KitchenChange; date: string }) => (
  <tr {...tableRoles.row} className="break-inside-avoid @max-xl:block @max-xl:py-2">
    <Cell {...tableRoles.cell} className="money @max-xl:mr-3 @max-xl:inline-block @max-xl:p-0">
      {whenInWords(change.at, date)}
    </Cell>
    <Cell {...tableRoles.cell} className="font-semibold @max-xl:inline-block @max-xl:p-0">
      {kindInWords(change)}
    </Cell>
    <Cell {...tableRoles.cell} className="@max-xl:block @max-xl:p-0">
      {`${change.student}, ${classLabel(change)}`}
    </Cell>
    <Cell {...tableRoles.cell} className="text-muted @max-xl:block @max-xl:p-0">
      {change.from === null ? null : <s className="print:no-underline">{change.from}</s>}
    </Cell>
    <Cell {...tableRoles.cell} className="@max-xl:block @max-xl:p-0">
      {change.to}
    </Cell>
  </tr>
)

/** The time of a change; with its day when that is not the one that is looked at. */
const whenInWords = (at: string, date: string): string => {
  const day = schoolDate(at)
  return day === date ? schoolClock(at) : `${dayAndMonth(day)}, ${schoolClock(at)}`
}
