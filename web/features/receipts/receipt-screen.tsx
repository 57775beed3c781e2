import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { type Receipt, getReceipt } from '#contracts/books'
import { endpointQuery } from '../../lib/endpoint-query'
import { capitalised, kwacha, longDate, shortDay, payByLabel } from '../../lib/format'
import { paths } from '../../lib/paths'
import { Button } from '../../ui/button'
import { PageTitle } from '../../ui/page-title'
import { QueryResult } from '../../ui/query-result'

/** Prints on A5. */
export const ReceiptScreen = ({ number }: { number: string }) => {
  const receipt = useQuery(receiptQuery(number))
  return (
    <main className="mx-auto flex max-w-2xl flex-col gap-4 p-4 sm:p-8 print:block print:max-w-none print:p-0">
      <PageTitle>{`Receipt ${number}`}</PageTitle>
      <div className="flex flex-wrap items-center justify-between gap-2 print:hidden">
        <Link
          to={paths.home}
          className="inline-flex min-h-11 items-center font-semibold text-brand-700 hover:underline"
        >
          To the portal
        </Link>
        <Button icon="print" disabled={!receipt.data} onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <QueryResult query={receipt} failure="Failed to fetch receipt">
        {(told) => <ReceiptPaper receipt={told} />}
      </QueryResult>
    </main>
  )
}

const ReceiptPaper = ({ receipt }: { receipt: Receipt }) => {
  const { school } = receipt
  return (
    <article className="receipt-paper card flex flex-col gap-5 p-5 sm:p-8">
      <header className="flex flex-wrap justify-between gap-x-6 gap-y-3">
        <div>
          <p className="font-display text-lg font-semibold">{school.name}</p>
          {school.address ? <p className="text-sm whitespace-pre-line">{school.address}</p> : null}
          {school.tpin ? <p className="text-sm">TPIN {school.tpin}</p> : null}
        </div>
        <div className="sm:text-right print:text-right">
          <h1 className="font-display text-lg font-semibold">
            {receipt.kind === 'receipt' ? 'Receipt' : 'Credit note'}
          </h1>
          <p className="font-semibold">{receipt.number}</p>
          <p className="text-sm">{longDate(receipt.date)}</p>
        </div>
      </header>
      <About receipt={receipt} />
      <Lines receipt={receipt} />
      <Sums receipt={receipt} />
    </article>
  )
}

const About = ({ receipt }: { receipt: Receipt }) => {
  const isReceipt = receipt.kind === 'receipt'
  return (
    <dl className="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-2 print:grid-cols-2">
      <Fact name={isReceipt ? 'Received from' : 'For'}>{receipt.payer ?? 'Account deleted'}</Fact>
      <Fact name={isReceipt ? 'Paid by' : 'Was paid by'}>{payByLabel(receipt.method)}</Fact>
      {receipt.paidFrom ? (
        <Fact name={isReceipt ? 'Paid from' : 'Was paid from'}>{receipt.paidFrom.phone}</Fact>
      ) : null}
      {receipt.references.length > 0 ? (
        <Fact name="Our reference">{receipt.references.join(', ')}</Fact>
      ) : null}
      {receipt.providerReference ? (
        <Fact name={receipt.method === 'card' && isReceipt ? 'Provider’s reference' : 'Transaction'}>
          {receipt.providerReference}
        </Fact>
      ) : null}
      {receipt.corrects ? (
        <Fact name="Corrects receipt">
          <Other number={receipt.corrects} />
        </Fact>
      ) : null}
      {receipt.creditNotes.length > 0 ? (
        <Fact name="Corrected by">
          {receipt.creditNotes.map((number, index) => (
            <span key={number}>
              {index > 0 ? ', ' : null}
              <Other number={number} />
            </span>
          ))}
        </Fact>
      ) : null}
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex min-w-0 flex-wrap gap-x-2">
    <dt className="text-muted">{name}</dt>
    <dd className="min-w-0 font-semibold wrap-anywhere">{children}</dd>
  </div>
)

const Other = ({ number }: { number: string }) => (
  <Link to={paths.receipt(number)} className="font-semibold text-brand-700 underline">
    {number}
  </Link>
)

const Lines = ({ receipt }: { receipt: Receipt }) =>
  receipt.lines.length === 0 ? null : (
    <table className="w-full text-sm">
      <thead>
        <tr className="border-b border-line text-left text-muted">
          <th className="py-1.5 pr-3 font-semibold">Meal</th>
          <th className="py-1.5 text-right font-semibold">Price</th>
        </tr>
      </thead>
      <tbody>
        {receipt.lines.map((line) => (
          <tr key={`${line.mealDate} ${line.student}`} className="border-b border-line align-top">
            <td className="py-1.5 pr-3">
              <span className="block font-semibold wrap-anywhere">{line.item}</span>
              <span className="block text-muted wrap-anywhere">
                {[
                  ...[line.category, line.sideDish].flatMap((choice) =>
                    choice ? [capitalised(choice)] : [],
                  ),
                  `${line.student}, ${shortDay(line.mealDate)}`,
                ].join(' · ')}
              </span>
            </td>
            <td className="money py-1.5 text-right">{kwacha(line.originalPrice)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )

const Sums = ({ receipt }: { receipt: Receipt }) => {
  const isReceipt = receipt.kind === 'receipt'
  return (
    <dl className="ml-auto flex w-full max-w-xs flex-col gap-1 text-sm">
      <Sum name="Discount" amount={-receipt.discount} />
      <Sum name="Family credit used" amount={-receipt.creditUsed} />
      <Sum
        name={receipt.method === 'card' ? 'Accepted as missing' : 'Not of this payment'}
        amount={-receipt.missing}
      />
      <Sum
        name={receipt.method === 'card' ? 'Paid too much' : 'Became family credit'}
        amount={receipt.surplus}
      />
      <div className="flex justify-between gap-4 border-t border-line pt-1.5 text-base font-semibold">
        <dt>{isReceipt ? 'Received' : 'Given back'}</dt>
        <dd className="money">{kwacha(receipt.amount)}</dd>
      </div>
      {receipt.vat ? (
        <div className="flex justify-between gap-4 text-muted">
          <dt>{`of it VAT ${receipt.vat.percent} %`}</dt>
          <dd className="money">{kwacha(receipt.vat.amount)}</dd>
        </div>
      ) : null}
    </dl>
  )
}

const Sum = ({ name, amount }: { name: string; amount: number }) =>
  amount === 0 ? null : (
    <div className="flex justify-between gap-4">
      <dt>{name}</dt>
      <dd className="money">{amount < 0 ? `−${kwacha(-amount)}` : kwacha(amount)}</dd>
    </div>
  )

/** Refetched whenever opened: a credit note may be new. */
const receiptQuery = (number: string) => ({
  ...endpointQuery('refunds', getReceipt, { params: { number } }),
  staleTime: 0,
})
