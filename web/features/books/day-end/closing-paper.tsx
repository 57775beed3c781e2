import { useQuery } from '@tanstack/react-query'
import type { Closing } from '#contracts/books'
import { kwacha, longDay, wholeNumber } from '../../../lib/format'
import { dateAndTime } from '../../../lib/school-moment'
import { Button } from '../../../ui/button'
import { QueryResult } from '../../../ui/query-result'
import { Cell, HeadCell, Table, TableBody, TableHead } from '../../../ui/table'
import { closingQuery, methodNames, signedKwacha } from './day-table'

export const ClosingPaper = ({ date }: { date: string }) => {
  const query = useQuery(closingQuery(date))
  return (
    <QueryResult query={query} failure="Failed to fetch the closed day">
      {(closing) => <Paper closing={closing} />}
    </QueryResult>
  )
}

const Paper = ({ closing }: { closing: Closing }) => (
  <article className="mx-auto flex w-full max-w-3xl flex-col gap-5 rounded-md bg-surface p-4 sm:p-8 print:p-0">
    <header className="flex flex-wrap items-start justify-between gap-3">
      <div>
        <h1 className="font-display text-xl font-semibold">{`Day end, ${longDay(closing.date)}`}</h1>
        <p className="text-sm text-muted">
          {`Closed by ${closing.closedBy}, ${dateAndTime(closing.closedAt)}`}
        </p>
      </div>
      <Button variant="secondary" icon="print" className="print:hidden!" onClick={() => window.print()}>
        Print
      </Button>
    </header>
    <Methods methods={closing.figures.methods} />
    <Others closing={closing} />
    <Till closing={closing} />
    <p className="text-xs break-all text-muted">{`Hash ${closing.hash}`}</p>
    <div className="mt-12 grid grid-cols-2 gap-8 text-sm">
      {['Prepared by', 'Checked by'].map((who) => (
        <p key={who} className="border-t border-ink pt-1">{`${who}: name, signature, date`}</p>
      ))}
    </div>
  </article>
)

const Methods = ({ methods }: Pick<Closing['figures'], 'methods'>) => (
  <Table label="Received and refunded">
    <TableHead>
      <tr>
        <HeadCell>Method</HeadCell>
        <HeadCell className="text-right">Payments</HeadCell>
        <HeadCell className="text-right">Received</HeadCell>
        <HeadCell className="text-right">Refunded</HeadCell>
      </tr>
    </TableHead>
    <TableBody>
      {methods.map(({ method, payments, amount, refundsPaid }) => (
        <tr key={method}>
          <Cell>{methodNames[method]}</Cell>
          <Cell className="text-right">{wholeNumber(payments)}</Cell>
          <Cell className="money text-right">{signedKwacha(amount)}</Cell>
          <Cell className="money text-right">{kwacha(refundsPaid)}</Cell>
        </tr>
      ))}
      <tr className="font-semibold">
        <Cell>Together</Cell>
        <Cell className="text-right">{wholeNumber(sumOf(methods, 'payments'))}</Cell>
        <Cell className="money text-right">{signedKwacha(sumOf(methods, 'amount'))}</Cell>
        <Cell className="money text-right">{kwacha(sumOf(methods, 'refundsPaid'))}</Cell>
      </tr>
    </TableBody>
  </Table>
)

type Methods = Closing['figures']['methods']

const sumOf = (methods: Methods, name: 'payments' | 'amount' | 'refundsPaid'): number =>
  methods.reduce((total, one) => total + Math.round(one[name] * 100), 0) / 100

const Others = ({ closing: { figures } }: { closing: Closing }) => (
  <Lines
    lines={{
      'Credit given, less what was taken back': signedKwacha(figures.creditGiven),
      'Credit spent on meals': kwacha(figures.creditSpent),
      'Credit paid out as money': kwacha(figures.paidOut),
      'Meals that cost nothing': wholeNumber(figures.mealsFree),
      ...(figures.late > 0 && { 'Meals ordered late': wholeNumber(figures.late) }),
      'Owed back at the end of the day': kwacha(figures.owed),
      'Unpaid at the end of the day': kwacha(figures.unpaid),
    }}
  />
)

/** Left out where no cash moved and nobody counted. */
const Till = ({ closing: { figures, cashCounted, cashDifference } }: { closing: Closing }) => {
  const { till } = figures
  if (till.in === 0 && till.out === 0 && cashCounted === null) return null
  return (
    <section className="flex flex-col gap-1">
      <h2 className="text-sm font-semibold">Till</h2>
      <Lines
        lines={{
          'Cash received': signedKwacha(till.in),
          'Cash paid out': kwacha(till.out),
          'Expected in the till': signedKwacha(till.expected),
          'Counted in the till': cashCounted === null ? 'Not counted' : kwacha(cashCounted),
          ...(cashDifference === null ? {} : { Difference: signedKwacha(cashDifference) }),
        }}
      />
    </section>
  )
}

const Lines = ({ lines }: { lines: Record<string, string> }) => (
  <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-1 text-sm">
    {Object.entries(lines).map(([name, value]) => (
      <div key={name} className="contents">
        <dt>{name}</dt>
        <dd className="money text-right">{value}</dd>
      </div>
    ))}
  </dl>
)
