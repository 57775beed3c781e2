import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { paths } from '../../lib/paths'
import { Button } from '../../ui/button'
import { PageTitle } from '../../ui/page-title'
import { QueryResult } from '../../ui/query-result'
import { receiptQuery } from './api'
import { ReceiptPaper } from './receipt-paper'

/** A receipt or a credit note, to be read and to be printed on A5. */
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
