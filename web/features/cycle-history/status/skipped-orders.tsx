import { counted } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { Notice } from '../../../ui/notice'

/** An order that a change did not reach, and why. */
export type Skipped = { id: string; title: string; reason: string }

/** The orders that stayed as they were, until somebody has read it. */
export const SkippedOrders = ({ skipped, onRead }: { skipped: readonly Skipped[]; onRead: () => void }) => (
  <Notice
    tone="warning"
    title={`${counted(skipped.length, 'order was', 'orders were')} skipped and stayed as before`}
  >
    <ul className="list-disc pl-4">
      {skipped.map(({ id, title, reason }) => (
        <li key={id}>{`${title}: ${reason}`}</li>
      ))}
    </ul>
    <Button variant="secondary" size="sm" onClick={onRead}>
      Got it
    </Button>
  </Notice>
)
