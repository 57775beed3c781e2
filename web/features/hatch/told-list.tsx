import { counted } from '../../lib/format'
import { Button } from '../../ui/button'
import { Notice } from '../../ui/notice'
import type { ToldAnswer } from './device/device-store'
import { toldInWords } from './device/marks'

type ToldListProps = {
  told: readonly ToldAnswer[]
  /** Whose lunch an order is, where it is on the list. */
  nameOf: (orderId: string) => string
  onPutAway: () => void
}

/** What the server said of marks that do not stand, until it is put away. */
export const ToldList = ({ told, nameOf, onPutAway }: ToldListProps) =>
  told.length === 0 ? null : (
    <Notice
      tone="warning"
      title={`${counted(told.length, 'mark was', 'marks were')} answered otherwise than made`}
    >
      {/* Scrolled by keys too. */}
      <ul {...scrolling} className="flex max-h-60 w-full flex-col gap-1 overflow-y-auto">
        {told.map((answer) => (
          <li key={answer.markId} className="break-words">
            <strong>{nameOf(answer.orderId)}</strong>
            {`: ${toldInWords(answer)}`}
          </li>
        ))}
      </ul>
      <Button variant="secondary" className="min-h-12" onClick={onPutAway}>
        Put away
      </Button>
    </Notice>
  )

const scrolling = { tabIndex: 0, 'aria-label': 'Answers' }
