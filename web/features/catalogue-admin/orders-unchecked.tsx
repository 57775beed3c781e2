import { messageOf } from '../../lib/call'
import { Button } from '../../ui/button'
import { Notice } from '../../ui/notice'
import type { QueryFace } from '../../ui/query-faces'

/** Said above the list while it is not known which items have orders: nothing is offered for deleting then. */
export const OrdersUnchecked = ({ query }: { query: QueryFace<unknown> }) => (
  <Notice tone="danger" title="Failed to check orders">
    <p>Deleting and archiving wait until it is known which items have orders. {messageOf(query.error, '')}</p>
    <Button
      variant="secondary"
      size="sm"
      icon="refresh"
      busy={query.isFetching}
      onClick={() => void query.refetch()}
    >
      Try again
    </Button>
  </Notice>
)
