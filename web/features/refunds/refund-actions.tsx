import type { ListedRefund } from '#contracts/refunds'
import { Button } from '../../ui/button'

/** What an administrator may do about a refund; `went-back` and `not-back` are said of a refund to the card. */
export type RefundAct = 'approve' | 'withdraw' | 'complete' | 'card' | 'credit' | 'went-back' | 'not-back'

const acts: readonly { act: RefundAct; allowed: keyof ListedRefund['allowed']; label: string }[] = [
  { act: 'approve', allowed: 'approve', label: 'Approve' },
  { act: 'withdraw', allowed: 'withdraw', label: 'Withdraw' },
  { act: 'complete', allowed: 'complete', label: 'Mark as Refunded' },
  { act: 'card', allowed: 'card', label: 'Back to the Card' },
  { act: 'credit', allowed: 'complete', label: 'Turn into Credit' },
  { act: 'went-back', allowed: 'check', label: 'It Went Back' },
  { act: 'not-back', allowed: 'check', label: 'It Did Not Go Back' },
]

type RefundActionsProps = { refund: ListedRefund; onAsk: (act: RefundAct) => void }

/** The acts that the server allows, the first of them in front. */
export const RefundActions = ({ refund, onAsk }: RefundActionsProps) => (
  <div className="flex grow flex-col gap-1.5 @4xl:w-full">
    {acts
      .filter(({ allowed }) => refund.allowed[allowed])
      .map(({ act, label }, place) => (
        <Button
          key={act}
          size="sm"
          variant={place === 0 ? 'primary' : 'secondary'}
          className="w-full whitespace-nowrap"
          aria-label={`${label}: ${refund.menuItem.name} for ${refund.student.name}`}
          onClick={() => onAsk(act)}
        >
          {label}
        </Button>
      ))}
  </div>
)
