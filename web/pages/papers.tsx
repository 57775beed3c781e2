import { Link, useParams } from 'react-router-dom'
import { lazyComponent } from '../lib/lazy'
import { paths } from '../lib/paths'
import { PageTitle } from '../ui/page-title'

const ReceiptScreen = lazyComponent(() =>
  import('../features/receipts/receipt-screen').then((m) => m.ReceiptScreen),
)
const StatementPaper = lazyComponent(() =>
  import('../features/statement-of-account/statement-paper').then((m) => m.StatementPaper),
)

export const ReceiptPage = () => {
  const { number = '' } = useParams()
  return <ReceiptScreen key={number} number={number} />
}

export const AccountPage = () => (
  <main className="mx-auto flex w-full max-w-4xl flex-col gap-3 p-3 sm:p-6 print:p-0">
    <PageTitle>Statement of account</PageTitle>
    <Link
      to={paths.tab('orders')}
      className="inline-flex min-h-11 items-center self-start font-semibold text-brand-700 underline print:hidden"
    >
      Back to Order History
    </Link>
    <StatementPaper />
  </main>
)
