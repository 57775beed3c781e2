import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import * as z from 'zod/mini'
import {
  accountWords,
  bookPrograms,
  monthJournal,
  monthJournalCsv,
  xeroLines,
  type BookProgram,
  type JournalDay,
  type JournalEntry,
} from '#contracts/books'
import { urlOf } from '#contracts/endpoint'
import { CallError, replyIn } from '../../lib/call'
import { listQuery } from '../../lib/endpoint-query'
import { downloadFrom } from '../../lib/files'
import { counted, kwacha, monthName, shortDay } from '../../lib/format'
import { schoolDate, schoolNow } from '../../lib/school-moment'
import { notifyFailure } from '../../lib/toast'
import { Button } from '../../ui/button'
import { Card, CardBody } from '../../ui/card'
import { type DataColumn, DataTable } from '../../ui/data-table'
import { TextField } from '../../ui/field'
import { Notice } from '../../ui/notice'
import { EmptyState, QueryResult } from '../../ui/query-result'
import { Select } from '../../ui/select'

/** The month is in the address; this one by default. */
export const Month = () => {
  const [address, setAddress] = useSearchParams()
  const month = monthIn(address)
  const journal = useQuery(listQuery('payments', monthJournal, { query: { month } }))
  const choose = (typed: string) => {
    if (!isMonth(typed)) return
    const next = new URLSearchParams(address)
    next.set('month', typed)
    setAddress(next, { replace: true })
  }
  return (
    <Card>
      <CardBody className="flex flex-col gap-4">
        <TextField
          key={month}
          label="Month"
          type="month"
          defaultValue={month}
          max={thisMonth()}
          className="w-48"
          onChange={({ target }) => choose(target.value)}
        />
        <QueryResult query={journal} failure="Failed to fetch the month">
          {({ days, totals }) =>
            days.length === 0 ? (
              <EmptyState title={`Nothing was booked in ${monthName(month)}`} icon="history">
                The journal has an entry for each day and account that money moved on.
              </EmptyState>
            ) : (
              <>
                <Export month={month} days={days} />
                <DataTable
                  label="Journal"
                  columns={columns}
                  rows={[{ totals }, ...days.flatMap(rowsOf)]}
                  keyOf={(row) => ('totals' in row ? 'totals' : `${row.date} ${row.account}`)}
                  rowClass={(row) => ('totals' in row ? 'bg-sand-50 font-semibold' : 'bg-surface')}
                />
              </>
            )
          }
        </QueryResult>
      </CardBody>
    </Card>
  )
}

const thisMonth = (): string => schoolDate(schoolNow()).slice(0, 7)

const isMonth = (month: string): boolean => z.safeParse(monthJournal.query, { month }).success

const monthIn = (address: URLSearchParams): string => {
  const month = address.get('month') ?? ''
  return isMonth(month) ? month : thisMonth()
}

type Row = (JournalEntry & { date: string }) | { totals: { debit: number; credit: number } }

const rowsOf = ({ date, entries }: JournalDay): Row[] => entries.map((entry) => ({ ...entry, date }))

const amount = (row: Row, side: 'debit' | 'credit') => {
  const of = 'totals' in row ? row.totals[side] : row[side]
  return of === 0 ? null : <span className="money">{kwacha(of)}</span>
}

const ofMoney = { headClass: 'text-right', className: '@4xl:text-right' }

const columns: readonly DataColumn<Row>[] = [
  { label: 'Day', width: 'half', cell: (row) => ('totals' in row ? 'Whole month' : shortDay(row.date)) },
  { label: 'Number', width: 'half', cell: (row) => ('totals' in row ? null : row.number) },
  {
    label: 'Account',
    width: 'full',
    cell: (row) =>
      'totals' in row
        ? null
        : [accountWords[row.account], row.code].filter((words) => words !== '').join(', '),
  },
  { label: 'Debit', named: true, ...ofMoney, cell: (row) => amount(row, 'debit') },
  { label: 'Credit', named: true, ...ofMoney, cell: (row) => amount(row, 'credit') },
]

const programs: Record<BookProgram, string> = {
  sage: 'Sage 50 / Pastel',
  quickbooks: 'QuickBooks Online',
  xero: 'Xero',
  csv: 'Plain table',
}

const Export = ({ month, days }: { month: string; days: readonly JournalDay[] }) => {
  const [program, setProgram] = useState<BookProgram>('sage')
  const saving = useMutation({ mutationFn: saveFile, onError: tellUnlessMissing })
  const open = days.filter(({ closed }) => !closed)
  if (open.length > 0)
    return (
      <Notice title={`${counted(open.length, 'day is', 'days are')} open`}>
        <p>{`Close every day of the month in Day end, then export it: ${open.map(({ date }) => shortDay(date)).join(', ')}.`}</p>
      </Notice>
    )
  const lines = days.reduce((count, { entries }) => count + entries.length, 0)
  const parts = program === 'xero' && lines > xeroLines ? (['1', '2'] as const) : (['1'] as const)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <Select
          label="For"
          className="w-56"
          options={bookPrograms.map((value) => ({ value, label: programs[value] }))}
          value={program}
          onChange={({ target }) => {
            saving.reset()
            setProgram(bookPrograms.find((one) => one === target.value)!)
          }}
        />
        {parts.map((part) => (
          <Button
            key={part}
            variant="secondary"
            icon="download"
            disabled={saving.isPending}
            onClick={() => saving.mutate({ month, for: program, part })}
          >
            {parts.length > 1 ? `Export Part ${part} of ${parts.length}` : 'Export Month'}
          </Button>
        ))}
      </div>
      {missingIn(saving.error).length > 0 ? (
        <Notice tone="warning" title="Account numbers are missing">
          <p>{`Set them under Settings, Payment Settings, Accounts of the Books: ${missingIn(saving.error).join(', ')}.`}</p>
        </Notice>
      ) : null}
    </div>
  )
}

type File = { month: string; for: BookProgram; part: '1' | '2' }

/** Asks first, since a refusal would be saved as a file. */
const saveFile = async (query: File): Promise<void> => {
  const address = urlOf(monthJournalCsv, { query })
  const response = await fetch(address, { headers: { accept: 'application/json' } })
  if (!response.ok) replyIn(monthJournalCsv, response, await response.text())
  downloadFrom(address)
}

const names: Record<string, string> = { ...accountWords, taxCode: 'Tax rate' }

const missingIn = (error: unknown): string[] => {
  if (!(error instanceof CallError) || error.code !== 'accounts_missing') return []
  const { names: missing } = z.parse(z.object({ names: z.array(z.string()) }), error.reply)
  return missing.map((name) => names[name] ?? name)
}

const tellUnlessMissing = (error: Error): void => {
  if (missingIn(error).length === 0) notifyFailure(error, 'Failed to export the month')
}
