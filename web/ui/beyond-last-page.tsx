import { Button } from './button'
import { EmptyState } from './empty-state'

type BeyondLastPageProps = { lastPage: number; onPage: (page: number) => void }

/** Where the address asks for a page that the list no longer has. */
export const BeyondLastPage = ({ lastPage, onPage }: BeyondLastPageProps) => (
  <EmptyState
    title="This page is empty"
    icon="list"
    action={
      <Button icon="chevron-left" onClick={() => onPage(lastPage)}>
        {lastPage === 1 ? 'Go to the first page' : `Go to page ${lastPage}`}
      </Button>
    }
  >
    The list has become shorter since this address was made.
  </EmptyState>
)
