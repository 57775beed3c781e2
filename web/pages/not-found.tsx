import { Link } from 'react-router-dom'
import { paths } from '../lib/paths'
import { PageTitle } from '../ui/page-title'
import { EmptyState } from '../ui/query-result'

export const NotFound = () => (
  <main className="grid min-h-dvh place-items-center">
    <PageTitle>Page not found</PageTitle>
    <EmptyState
      page
      title="404 Page Not Found"
      action={
        <Link
          to={paths.home}
          className="inline-flex min-h-11 items-center font-semibold text-brand-700 underline"
        >
          Return to Home
        </Link>
      }
    >
      There is nothing to eat at this address.
    </EmptyState>
  </main>
)
