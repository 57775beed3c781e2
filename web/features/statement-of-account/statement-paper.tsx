import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import * as z from 'zod/mini'
import {
  statementOfAccount,
  statementOfAccountCsv,
  type StatementLine,
  type StatementOfAccount,
} from '#contracts/books'
import { classes } from '../../lib/classes'
import { endpointQuery } from '../../lib/endpoint-query'
import { downloadFrom } from '../../lib/files'
import { dateRange, kwacha, shortDay } from '../../lib/format'
import { schoolDate, schoolNow } from '../../lib/school-moment'
import { Breakable } from '../../ui/badge'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/field'
import { QueryResult } from '../../ui/query-result'
import { Cell, HeadCell, Table, TableBody, TableHead, tableRoles } from '../../ui/table'

type Asked = { from: string; to: string; parentId?: number }

const statementQuery = (asked: Asked) => ({
  ...endpointQuery('payments', statementOfAccount, { query: asked }),
  staleTime: 0,
  placeholderData: keepPreviousData,
})

/** `parentId` is for the office. */
export const StatementPaper = ({ parentId }: { parentId?: number }) => {
  const [address, setAddress] = useSearchParams()
  const asked: Asked = { ...rangeIn(address), ...(parentId !== undefined && { parentId }) }
  const query = useQuery(statementQuery(asked))
  const change = (changed: Partial<Pick<Asked, 'from' | 'to'>>) => {
    const next = { from: asked.from, to: asked.to, ...changed }
    if (isRange(next)) setAddress(new URLSearchParams(next), { replace: true })
  }
  return (
    <article className="@container mx-auto flex w-full max-w-4xl flex-col gap-5 rounded-md bg-surface p-4 sm:p-8 print:p-0">
      <div className="grid grid-cols-2 items-end @max-3xs:grid-cols-1 gap-3 sm:grid-cols-[1fr_1fr_auto_auto] print:hidden">
        {(['from', 'to'] as const).map((name) => (
          <TextField
            key={name}
            label={name === 'from' ? 'From' : 'To'}
            type="date"
            value={asked[name]}
            onChange={({ target }) => change({ [name]: target.value })}
          />
        ))}
        <Button variant="secondary" icon="download" onClick={() => downloadFrom(fileAddress(asked))}>
          CSV
        </Button>
        <Button variant="secondary" icon="print" onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <QueryResult query={query} failure="Failed to fetch the statement">
        {(statement) => (
          <Account statement={statement} subject={parentId === undefined ? 'You have' : 'The family has'} />
        )}
      </QueryResult>
    </article>
  )
}

const isRange = (asked: Asked): boolean => z.safeParse(statementOfAccount.query, asked).success

/** Default: this month until today. */
const rangeIn = (address: URLSearchParams): { from: string; to: string } => {
  const asked = { from: address.get('from') ?? '', to: address.get('to') ?? '' }
  const today = schoolDate(schoolNow())
  return isRange(asked) ? asked : { from: `${today.slice(0, 8)}01`, to: today }
}

const fileAddress = ({ from, to, parentId }: Asked): string => {
  const query = { from, to, ...(parentId !== undefined && { parentId: String(parentId) }) }
  return `${statementOfAccountCsv.path}?${new URLSearchParams(query)}`
}

/** As the family reads it, or the office of the family. */
const balanceText = (balance: number, subject: 'You have' | 'The family has'): string => {
  if (balance === 0) return 'Nothing is left to pay'
  const amount = kwacha(Math.abs(balance))
  return balance > 0 ? `${subject} ${amount} with the school` : `${subject} ${amount} to pay`
}

type AccountProps = { statement: StatementOfAccount; subject: 'You have' | 'The family has' }

const Account = ({ statement, subject }: AccountProps) => {
  const { from, to, parent, opening, lines, closing } = statement
  return (
    <>
      <header className="order-first">
        <h1 className="font-display text-xl font-semibold">Statement of account</h1>
        <p className="wrap-anywhere">
          <Breakable text={`${parent.name} (${parent.username})`} />
        </p>
        <p className="text-sm text-muted">{dateRange(from, to)}</p>
        <p className="mt-3 text-lg font-semibold text-balance">{balanceText(closing.balance, subject)}</p>
      </header>
      <Table
        {...tableRoles.table}
        className="@max-3xs:block"
        label="Statement of account"
        aria-label="Statement of account"
      >
        <TableHead className="@max-3xs:hidden">
          <tr>
            <HeadCell className="max-sm:hidden">Day</HeadCell>
            <HeadCell className="px-1! sm:px-3!">What</HeadCell>
            <HeadCell className="px-1! text-right sm:px-3!">Amount</HeadCell>
            <HeadCell className="px-1! text-right sm:px-3!">Balance</HeadCell>
          </tr>
        </TableHead>
        <TableBody {...tableRoles.body} className="@max-3xs:block">
          <StandingRow name="Closing balance" day={to} standing={closing} />
          {lines.toReversed().map((line, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- two lines may be alike
            <LineRow key={place} line={line} />
          ))}
          <StandingRow name="Opening balance" day={from} standing={opening} />
        </TableBody>
      </Table>
      <p className="text-sm text-muted">
        A balance in credit is yours: it pays for your next orders, or we owe it to you.
      </p>
    </>
  )
}

type StandingRowProps = { name: string; day: string; standing: StatementOfAccount['opening'] }

const StandingRow = ({ name, day, standing: { balance, credit } }: StandingRowProps) => (
  <AccountRow
    className="font-semibold"
    day={day}
    what={name}
    about={credit > 0 ? `${kwacha(credit)} for your next orders` : ''}
  >
    <AmountCell label="Amount" />
    <Balance of={balance} />
  </AccountRow>
)

const LineRow = ({ line }: { line: StatementLine }) => {
  const { date, kind, text, mealDate, receiptNumber, amount, balance } = line
  const about = [mealDate ? `for ${shortDay(mealDate)}` : '', receiptNumber ?? ''].filter(Boolean).join(' · ')
  return (
    <AccountRow day={date} what={kind === 'meal' ? `Meal: ${text}` : text} about={about}>
      <AmountCell label="Amount">{signed(amount)}</AmountCell>
      <Balance of={balance} />
    </AccountRow>
  )
}

const signed = (amount: number): string =>
  `${amount < 0 ? '−' : amount > 0 ? '+' : ''}${kwacha(Math.abs(amount))}`

type AccountRowProps = { day: string; what: string; about: string; className?: string; children: ReactNode }

const AccountRow = ({ day, what, about, className, children }: AccountRowProps) => (
  <tr {...tableRoles.row} className={classes('@max-3xs:block @max-3xs:py-3', className)}>
    <Cell {...tableRoles.cell} className="whitespace-nowrap max-sm:hidden">
      {shortDay(day)}
    </Cell>
    <Cell {...tableRoles.cell} className="px-1! wrap-anywhere @max-3xs:block @max-3xs:py-0 sm:px-3!">
      <span className="block text-xs font-normal text-muted sm:hidden">{shortDay(day)}</span>
      {what}
      <span className="block text-xs font-normal text-muted empty:hidden">{about}</span>
    </Cell>
    {children}
  </tr>
)

/** With large letters on a phone, a line of its own with its name. */
const AmountCell = ({ label, children }: { label: string; children?: ReactNode }) => (
  <Cell
    {...tableRoles.cell}
    className="money px-1! text-right whitespace-nowrap @max-3xs:block @max-3xs:py-0 @max-3xs:text-left sm:px-3!"
  >
    {children ? <span className="hidden font-normal text-muted @max-3xs:inline">{`${label} `}</span> : null}
    {children}
  </Cell>
)

/** The word says whose it is, never a sign. */
const Balance = ({ of }: { of: number }) => (
  <AmountCell label="Balance">
    {kwacha(Math.abs(of))}
    {of ? (
      <span className="block text-xs font-normal text-muted"> {of < 0 ? 'to pay' : 'credit'}</span>
    ) : null}
  </AmountCell>
)
