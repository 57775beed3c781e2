import { paths } from '../lib/paths'
import { Link } from '../ui/link'
import { PageTitle } from '../ui/page-title'

/** Any address that is not ours. */
export const NotFound = () => (
  <main className="flex min-h-dvh flex-col items-center justify-center gap-3 p-4 text-center">
    <PageTitle>Page not found</PageTitle>
    <img src="/lunch.svg" alt="" width="480" height="480" className="size-44" />
    <h1 className="font-display text-2xl font-semibold">404 Page Not Found</h1>
    <p className="text-muted">There is nothing to eat at this address.</p>
    <Link
      to={paths.home}
      className="inline-flex min-h-11 items-center font-semibold text-brand-700 underline"
    >
      Return to Home
    </Link>
  </main>
)
