import { messageOf } from '../../lib/call'
import { Button } from '../../ui/button'
import type { QueryFace } from '../../ui/query-faces'

/** Said above the list while it is not known which items have orders: nothing is offered for deleting then. */
export const OrdersUnchecked = ({ query }: { query: QueryFace<unknown> }) => (
  <div
    role="alert"
    className="flex flex-wrap items-center justify-between gap-2 rounded-md border border-warning-200 bg-warning-50 px-3 py-2 text-sm text-warning-700"
  >
    <span>
      <strong>Failed to check orders.</strong> Deleting and archiving wait until it is known which items have
      orders. {messageOf(query.error, '')}
    </span>
    <Button
      variant="secondary"
      size="sm"
      icon="refresh"
      busy={query.isFetching}
      onClick={() => void query.refetch()}
    >
      Try again
    </Button>
  </div>
)
