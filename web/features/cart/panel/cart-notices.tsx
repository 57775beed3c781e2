import { counted } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { Notice } from '../../../ui/notice'
import type { Words } from '../checkout/checkout-failure'
import { type CartItem, isSameDay } from '../cart-items'

type GoneProps = { items: readonly CartItem[]; onRemove: (items: readonly CartItem[]) => void }

/** The meals that the kitchen no longer offers, with the way to take them out; nothing without any. */
export const UnavailableBanner = ({ items, onRemove }: GoneProps) =>
  items.length === 0 ? null : (
    <Notice tone="danger" title="Items No Longer Available">
      <p>{[...new Set(items.map((item) => item.menuItem.name))].join(', ')}</p>
      <Button variant="danger" className="text-sm" onClick={() => onRemove(items)}>
        Remove Unavailable Items
      </Button>
    </Notice>
  )

type RefusedProps = GoneProps & {
  /** There are meals that can be ordered. */
  others: boolean
}

/** Meals that cannot be ordered for reasons of their own, which stand at each of them. */
export const RefusedBanner = ({ items, others, onRemove }: RefusedProps) => {
  const one = items.length === 1
  return items.length === 0 ? null : (
    <Notice tone="danger" title={`${counted(items.length, 'meal')} cannot be ordered`}>
      <p>
        {one ? 'Why, is written at the meal.' : 'Why, is written at each of them.'}
        {others ? ` Without ${one ? 'it' : 'them'} the others can be ordered.` : null}
      </p>
      <Button variant="danger" className="text-sm" onClick={() => onRemove(items)}>
        {one ? 'Remove it' : 'Remove them'}
      </Button>
    </Notice>
  )
}

type StopProps = {
  notice: Words | null
  onProfile: () => void
}

/** What is in the way of the whole order, and what to do next. It is given the focus when it appears. */
export const StopNotice = ({ notice, onProfile }: StopProps) => (
  // Hidden rather than absent: without a connection its drawing could not be fetched.
  <div hidden={!notice} tabIndex={-1} data-notice className="rounded-lg">
    <Notice tone="warning" title={notice?.title}>
      <p>{notice?.text}</p>
      {notice?.toDo ? (
        <Button variant="secondary" onClick={onProfile}>
          {notice.toDo}
        </Button>
      ) : null}
    </Notice>
  </div>
)

/** The cart without these meals. */
export const without = (items: readonly CartItem[], gone: readonly CartItem[]): CartItem[] =>
  items.filter((item) => !gone.some((one) => isSameDay(one, item)))
